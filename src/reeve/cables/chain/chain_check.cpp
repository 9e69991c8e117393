// Settings of a chain that would do nothing: each with its place and a remedy.
#include "reeve/cables/chain/chain_cable.h"
#include "reeve/cables/idle.h"

namespace reeve {

namespace {
using Found = std::expected<void, Problem>;

bool moves(const Profile& p) { return p.offset != 0.0 || p.rate != 0.0 || p.amplitude != 0.0 || !p.table.empty(); }

/// What belongs to other cable models.
Found checkOtherModels(const CableSettings& s, const std::string& path) {
  const CableSettings plain;
  const Idle idle[] = {
      {!s.slacks.empty(), "/slacks", "a chain has no spans of its own between wheels", "give slack, or length"},
      {s.compression != 0.0, "/compression", "a chain pushes as it pulls, until it buckles", "leave it out"},
      {s.weight, "/weight", "a chain always weighs what it weighs", "leave it out"},
      {s.winding != 0.0, "/winding", "a chain resists bending by its stiffness", "give material.bending"},
      {!s.candidates.empty(), "/candidates", "a chain meets every body that has a shape", "leave it out"},
      {s.nodes != 0, "/nodes", "nodes are of model strand", "give segments"},
      {s.finest != 0.0, "/finest", "resampling is of model strand", "give merges"},
      {s.lumped, "/lumped", "it is of model strand", "leave it out"},
      {s.sliding, "/sliding", "it is of model strand", "leave it out"},
      {s.waves, "/waves", "waves on spans are of models joints and hoist", "leave it out: a chain swings by itself"},
      {s.waveScheme != plain.waveScheme, "/wave_scheme", "waves on spans are of models joints and hoist",
       "leave it out"},
      {s.subdivisions != plain.subdivisions, "/subdivisions", "waves on spans are of models joints and hoist",
       "give segments"},
      {s.waveDamping != 0.0, "/wave_damping", "waves on spans are of models joints and hoist", "give material.damping"},
      {s.pull != plain.pull, "/pull", "it is of model hoist", "leave it out"},
      {moves(s.payout), "/payout", "a chain is paid out by a drum", "begin its route on a spool and drive that"},
      {s.drum.has_value(), "/drum", "it is of model hoist", "begin its route on a spool"},
      {s.pluck != Vec3::Zero(), "/pluck", "a chain starts along its shape", "give shape points"},
      {s.pluckAt != plain.pluckAt, "/pluck_at", "a chain starts along its shape", "give shape points"},
      {s.pluckSpan != 0, "/pluck_span", "a chain starts along its shape", "give shape points"},
      {s.material.drag != 0.0, "/material/drag", "it is of model strand",
       "use material.damping, or model strand or particles"},
      {s.compliance && s.material.axial != unbounded, "/compliance", "material.axial says the stiffness already",
       "give one of them"},
  };
  if (auto ok = refuse(path, idle); !ok) return ok;
  for (std::size_t i = 0; i < s.route.size(); ++i) {
    const LinkSettings& l = s.route[i];
    const Idle link[] = {
        {l.letsGo != unbounded, "/lets_go", "sockets are of model particles", "give material.breaking"},
        {l.plugsIn != 0.0, "/plugs_in", "sockets are of model particles", "leave it out"},
        {!l.active, "/active", "the ends of a chain are there from the start",
         "use hold free for an end that nothing holds"},
        {l.turns != 0, "/turns", "a chain leaves its drum where it is taut", "give stored"},
    };
    if (auto ok = refuse(path + "/route/" + std::to_string(i), link); !ok) return ok;
  }
  return {};
}
}  // namespace

Found checkIdleSegments(const CableSettings& s, const std::string& path) {
  if (auto ok = checkOtherModels(s, path); !ok) return ok;
  const CableSettings plain;
  const MaterialSettings& m = s.material;
  const bool bends = m.bending > 0.0 || m.young, twists = m.torsion > 0.0 || m.young;
  const bool stretches = m.axial != unbounded || m.young;
  const Idle idle[] = {
      {s.tension && s.length, "/tension", "length says how much of it there is", "give one of them"},
      {s.slack != 0.0 && s.length, "/slack", "length says how much of it there is", "give one of them"},
      {s.slack != 0.0 && s.tension, "/slack", "a chain under tension has no slack", "give one of them"},
      {s.tension && *s.tension != 0.0 && !stretches, "/tension",
       "what does not stretch takes any tension at any length", "give a finite material.axial, or leave it out"},
      {s.compliance && s.tension, "/tension", "it follows from material.axial, which compliance replaces",
       "give length, or axial instead of compliance"},
      {s.merges == 0 && s.mergeAngle != plain.mergeAngle, "/merge_angle", "nothing merges", "give merges"},
      {s.touchedBend != 1.0 && !s.collides, "/touched_bend", "a chain that does not collide is never touched",
       "leave collides out"},
      {s.touchedBend != 1.0 && !bends, "/touched_bend", "this chain has no bending stiffness",
       "give material.bending or young"},
      {s.bendGrowth != 0.0 && !bends, "/bend_growth", "this chain has no bending stiffness",
       "give material.bending or young"},
      {s.twisted != 0.0 && !twists, "/twisted", "this chain has no torsion stiffness",
       "give material.torsion or young"},
      {s.twist != plain.twist && !twists, "/twist", "this chain has no torsion stiffness",
       "give material.torsion or young"},
      {s.preformed && !bends && !twists, "/preformed",
       "a chain without bending and torsion stiffness has no rest shape", "give material.bending or young"},
      {m.poisson != plain.material.poisson && !m.young, "/material/poisson", "it is for torsion from young",
       "give young, or torsion alone"},
      {m.poisson != plain.material.poisson && m.torsion > 0.0, "/material/poisson", "torsion is given",
       "leave one of them out"},
  };
  return refuse(path, idle);
}

Found checkIdlePoints(const CableSettings& s, const std::string& path) {
  if (auto ok = checkOtherModels(s, path); !ok) return ok;
  const CableSettings plain;
  const MaterialSettings& m = s.material;
  const Idle idle[] = {
      {s.segments != plain.segments, "/segments", "a chain through points has the links that its route names",
       "name both ends only, or leave it out"},
      {s.slack != 0.0, "/slack", "a chain through points has links as long as its points are apart", "give length"},
      {s.tension.has_value(), "/tension", "a chain through points starts at rest", "give length"},
      {s.stiffens != 0.0, "/stiffens", "stiffening is of chains of segments", "name both ends only"},
      {s.touchedBend != 1.0, "/touched_bend", "a chain through points touches nothing", "name both ends only"},
      {s.merges != 0, "/merges", "the points are not the chain's own to merge", "name both ends only"},
      {s.mergeAngle != plain.mergeAngle, "/merge_angle", "the points are not the chain's own to merge",
       "name both ends only"},
      {s.preformed, "/preformed", "a chain through points is straight at rest", "name both ends only"},
      {s.twisted != 0.0, "/twisted", "points do not twist", "name both ends only"},
      {s.twist != plain.twist, "/twist", "points do not twist", "name both ends only"},
      {!s.shape.empty(), "/shape", "its points say how it lies", "leave it out"},
      {!s.collides, "/collides", "a chain through points touches nothing", "leave it out"},
      {m.mass != 0.0, "/material/mass", "the points have the mass", "give the particles mass"},
      {m.young.has_value(), "/material/young", "it is for chains of segments", "give axial and bending"},
      {m.torsion != 0.0, "/material/torsion", "points do not twist", "name both ends only"},
      {m.poisson != plain.material.poisson, "/material/poisson", "points do not twist", "leave it out"},
      {m.section != plain.material.section, "/material/section", "it is for chains of segments", "leave it out"},
      {m.friction != plain.material.friction, "/material/friction", "a chain through points touches nothing",
       "leave it out"},
      {m.breaking != unbounded, "/material/breaking", "a chain through points does not break",
       "name both ends only, or watch its tension"},
      {s.bendGrowth != 0.0 && !(m.bending > 0.0), "/bend_growth", "this chain has no bending stiffness",
       "give material.bending"},
  };
  if (auto ok = refuse(path, idle); !ok) return ok;
  for (std::size_t i = 0; i < s.route.size(); ++i)
    if (s.route[i].hold != EndHold::pinned)
      return std::unexpected(Problem{path + "/route/" + std::to_string(i) + "/hold",
                                     "points of a chain are where it is, and have no direction", "use pinned"});
  return {};
}

}  // namespace reeve
