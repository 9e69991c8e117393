// The registry of cable models.
#include "reeve/cables/cable.h"
#include "reeve/cables/chain/chain_cable.h"
#include "reeve/cables/hoist/hoist_cable.h"
#include "reeve/cables/hoist/wavy_joints.h"
#include "reeve/cables/idle_fields.h"
#include "reeve/cables/joints/joints_cable.h"
#include "reeve/cables/particles/particle_cable.h"
#include "reeve/cables/particles/particle_system.h"
#include "reeve/cables/particles/reeved_cable.h"
#include "reeve/cables/strand/strand_cable.h"

namespace reeve {

std::expected<std::unique_ptr<Cable>, Problem> makeCable(const CableSite& site) {
  for (std::size_t i = 0; i < site.settings->route.size(); ++i) {
    const LinkType type = site.settings->route[i].type;
    const bool strands = type == LinkType::guide || type == LinkType::node || type == LinkType::ride;
    if (strands && site.settings->model != CableModel::strand)
      return std::unexpected(Problem{"/cables/" + site.name + "/route/" + std::to_string(i) + "/type",
                                     "only strands take this kind of link", "use model strand, or another link"});
  }
  if (!(site.settings->material.mass >= 0.0))
    return std::unexpected(
        Problem{"/cables/" + site.name + "/material/mass", "the mass per metre is negative", "give zero or more"});
  if (auto ok = refuseIdleFields(*site.settings, "/cables/" + site.name); !ok) return std::unexpected(ok.error());
  if (site.settings->model == CableModel::joints && site.settings->waves) return WavyJoints::make(site);
  if (site.settings->model == CableModel::joints) return JointsCable::make(site);
  if (site.settings->model == CableModel::chain) return ChainCable::make(site);
  if (site.settings->model == CableModel::strand) return StrandCable::make(site);
  if (site.settings->model == CableModel::particles && ReevedParticles::needed(site))
    return ReevedParticles::make(site);
  if (site.settings->model == CableModel::particles) return ParticleCable::make(site);
  if (site.settings->model == CableModel::hoist) {
    // What has no mass has no waves: it is a cable of joints. Only on bodies that it meets they differ: a hoist cable
    // slides across them.
    const bool waves = site.settings->material.mass > 0.0;
    const bool joints = !waves && site.settings->pull == PullForm::row && site.settings->candidates.empty();
    return joints ? JointsCable::make(site) : HoistCable::make(site);
  }
  return std::unexpected(Problem{"/cables/" + site.name + "/model", "this cable model is not part of this version",
                                 "use joints, which takes every link"});
}

std::unique_ptr<Element> joinCables(std::span<const Cable* const> cables, const Model& model) {
  std::vector<const ParticleCable*> lines;
  for (const Cable* cable : cables)
    if (const auto* line = dynamic_cast<const ParticleCable*>(cable)) lines.push_back(line);
  if (lines.empty()) return nullptr;
  return std::make_unique<ParticleSystem>(std::move(lines), model);
}

}  // namespace reeve
