#include "reeve/cables/idle_fields.h"

#include <algorithm>

#include "reeve/cables/idle.h"

namespace reeve {

namespace {
using Found = std::expected<void, Problem>;

/// Whether a profile has one value for ever.
bool constant(const Profile& p) {
  if (p.rate != 0.0 || (p.amplitude != 0.0 && p.frequency != 0.0)) return false;
  return std::all_of(p.table.begin(), p.table.end(), [&](const Vec2& at) { return at[1] == p.table[0][1]; });
}

Found checkHoist(const CableSettings& s, const std::string& path) {
  const CableSettings plain;
  const MaterialSettings &m = s.material, &usual = plain.material;
  const bool plucked = s.pluck != Vec3::Zero();
  const Idle idle[] = {
      {s.waves, "/waves", "a hoist cable has waves wherever it has mass", "leave it out, or use model joints"},
      {s.compression != 0.0, "/compression", "a hoist cable cannot be pushed", "leave it out"},
      {s.weight, "/weight", "a hoist cable weighs what its mass does", "leave it out"},
      {s.winding != 0.0, "/winding", "a hoist cable bends freely", "leave it out, or use model joints"},
      {s.nodes != 0, "/nodes", "nodes are of model strand", "give subdivisions"},
      {s.lumped, "/lumped", "it is of model strand", "leave it out"},
      {s.sliding, "/sliding", "it is of model strand", "leave it out"},
      {s.finest != 0.0, "/finest", "resampling is of model strand", "leave it out"},
      {s.segments != plain.segments, "/segments", "segments are of models chain and particles", "give subdivisions"},
      {!s.shape.empty(), "/shape", "a hoist cable starts straight or hanging", "give slack, or pluck a span"},
      {s.preformed, "/preformed", "a rest shape is of model chain", "leave it out"},
      {s.twisted != 0.0, "/twisted", "a hoist cable does not twist", "use model chain"},
      {s.twist != plain.twist, "/twist", "a hoist cable does not twist", "use model chain"},
      {s.bendGrowth != 0.0, "/bend_growth", "the bend law is of model chain", "use model chain"},
      {s.stiffens != 0.0, "/stiffens", "stiffening is of model chain", "use model chain"},
      {!s.collides, "/collides", "a hoist cable meets its candidates alone", "leave candidates out"},
      {s.touchedBend != plain.touchedBend, "/touched_bend", "it is of model chain", "leave it out"},
      {s.merges != 0, "/merges", "it is of model chain", "leave it out"},
      {s.mergeAngle != plain.mergeAngle, "/merge_angle", "it is of model chain", "leave it out"},
      {s.drum.has_value() && !given(s.payout), "/drum", "nothing is paid out, so no drum runs empty",
       "give payout; what a spool holds is its stored"},
      {given(s.payout) && constant(s.payout), "/payout",
       "it counts from its value at the start, and this one never changes",
       "give a rate or a table; what is longer or shorter from the start is slack"},
      {s.compliance.has_value() && m.axial != unbounded, "/material/axial",
       "compliance already says how much the cable stretches", "leave one of them out"},
      {s.pull == PullForm::force && m.friction != 0.0 && m.friction != usual.friction, "/material/friction",
       "a tension that is an explicit force is the same everywhere", "leave it out, or set pull to row"},
      {!plucked && s.pluckAt != plain.pluckAt, "/pluck_at", "nothing is plucked", "give pluck"},
      {!plucked && s.pluckSpan != 0, "/pluck_span", "nothing is plucked", "give pluck"},
      {m.bending != 0.0, "/material/bending", "a hoist cable bends freely", "leave it out, or use model strand"},
      {m.torsion != 0.0, "/material/torsion", "a hoist cable does not twist", "leave it out, or use model strand"},
      {m.young.has_value(), "/material/young", "it is for stiffness of model chain", "give axial"},
      {m.poisson != usual.poisson, "/material/poisson", "it is for stiffness of model chain", "leave it out"},
      {m.section != usual.section, "/material/section", "a hoist cable is round", "leave it out"},
      {m.drag != 0.0, "/material/drag", "it is of model strand", "give wave_damping"},
      {m.breaking != unbounded, "/material/breaking", "a hoist cable does not break", "use model joints"},
  };
  return refuse(path, idle);
}

Found checkJoints(const CableSettings& s, const std::string& path) {
  const CableSettings plain;
  const Idle idle[] = {
      {s.pull != plain.pull, "/pull", "it is of model hoist", "leave it out"},
      {given(s.payout), "/payout", "a cable of joints is paid out by a spool that turns",
       "use a spool on a rotor with a motor, or model hoist"},
      {s.drum.has_value(), "/drum", "it is of model hoist", "give stored to a spool"},
      {s.pluck != Vec3::Zero(), "/pluck", "plucking is of model hoist", "leave it out, or use model hoist"},
      {s.pluckAt != plain.pluckAt, "/pluck_at", "plucking is of model hoist", "leave it out"},
      {s.pluckSpan != 0, "/pluck_span", "plucking is of model hoist", "leave it out"},
      {!s.waves && s.waveScheme != plain.waveScheme, "/wave_scheme", "this cable has no waves", "leave it out"},
      {!s.waves && s.subdivisions != plain.subdivisions, "/subdivisions", "this cable has no waves",
       "give waves, or leave it out"},
      {!s.waves && s.waveDamping != 0.0, "/wave_damping", "this cable has no waves", "give waves, or leave it out"},
  };
  return refuse(path, idle);
}
}  // namespace

Found refuseIdleFields(const CableSettings& s, const std::string& path) {
  if (s.model == CableModel::hoist) return checkHoist(s, path);
  if (s.model == CableModel::joints) return checkJoints(s, path);
  return {};
}

}  // namespace reeve
