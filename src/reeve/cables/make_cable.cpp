// The registry of cable models.
#include "reeve/cables/cable.h"
#include "reeve/cables/chain/chain_cable.h"
#include "reeve/cables/hoist/hoist_cable.h"
#include "reeve/cables/hoist/wavy_joints.h"
#include "reeve/cables/joints/joints_cable.h"

namespace reeve {

std::expected<std::unique_ptr<Cable>, Problem> makeCable(const CableSite& site) {
  if (site.settings->model == CableModel::joints && site.settings->waves) return WavyJoints::make(site);
  if (site.settings->model == CableModel::joints) return JointsCable::make(site);
  if (site.settings->model == CableModel::chain) return ChainCable::make(site);
  if (site.settings->model == CableModel::hoist) return HoistCable::make(site);
  return std::unexpected(Problem{"/cables/" + site.name + "/model", "this cable model is not part of this version",
                                 "use joints, which takes every link"});
}

}  // namespace reeve
