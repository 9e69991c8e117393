// From a route to a strand: what is asked of it as a whole.
#include <algorithm>

#include "reeve/cables/idle.h"
#include "reeve/cables/strand/strand_build.h"

namespace reeve {

namespace {
/// More free nodes than this in a span and a typing error is likelier than a strand.
constexpr int mostNodes = 100000;
}  // namespace

std::expected<Strand, Problem> StrandBuild::make(const CableSite& site, const Element& element) {
  StrandBuild strand;
  strand.element_ = &element;
  strand.settings_ = *site.settings;
  strand.closed_ = site.settings->closed;
  strand.density_ = site.settings->material.mass;
  Draft draft;
  draft.path = "/cables/" + site.name;
  const CableSettings& s = *site.settings;
  if (s.route.size() < 2) return wrong(draft.path + "/route", "a cable needs at least two links", "add a link");
  if (!(strand.density_ > 0.0))
    return wrong(draft.path + "/material/mass", "a strand needs a mass per metre above zero",
                 "give material.mass, or use model joints, which has none");
  if (s.nodes > mostNodes)
    return wrong(draft.path + "/nodes", "found " + std::to_string(s.nodes) + " nodes for every free span",
                 "give at most " + std::to_string(mostNodes));
  if (s.tension && s.material.axial == unbounded)
    return wrong(draft.path + "/tension", "a strand that cannot stretch takes no start tension",
                 "give it a finite axial stiffness");
  if (given(s.payout) && (s.closed || s.route[0].type != LinkType::attach || s.route[0].hold == EndHold::free))
    return wrong(draft.path + "/payout", "a strand is paid out where its first link is attached",
                 "attach it there, or use a spool on a rotor with a motor");
  if (s.material.breaking < unbounded && !s.candidates.empty())
    return wrong(draft.path + "/material/breaking", "a strand breaks only where its nodes do not come and go",
                 "leave breaking out, or the candidates, or use model joints");
  if (s.slack < 0.0) return wrong(draft.path + "/slack", "the strand would be shorter than its path", "give 0 or more");
  const SolverChoice solver = site.now->model().description.settings.solver;
  if (s.model == CableModel::strand && (solver == SolverChoice::sweep || solver == SolverChoice::blocks))
    return wrong("/settings/solver",
                 std::string(solver == SolverChoice::sweep ? "sweep" : "blocks") +
                     " cannot take strands, whose mass lies between the coordinates",
                 "use direct or auto");
  for (std::size_t i = 0; i < s.route.size(); ++i)
    if (auto ok = strand.addLink(site, draft, i); !ok) return std::unexpected(ok.error());
  if (auto ok = strand.finishBuilding(site, draft); !ok) return std::unexpected(ok.error());
  return Strand(std::move(strand));
}

/// Where nothing of it may come, go or be put elsewhere between steps, begin() asks for nothing.
bool Strand::readsCacheInBegin() const {
  return touches_ || breaks_ >= 0 || finest_ > 0.0 || !pads_.empty() || !slides_.empty() || losesEnds();
}

}  // namespace reeve
