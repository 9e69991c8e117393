// One table for all models: which field of a cable does nothing in which model, why, and what to do instead. What has
// an effect only together with another field of the same model is in that model's own check.
#include "reeve/cables/idle_fields.h"

#include <algorithm>

#include "reeve/cables/idle.h"

namespace reeve {

namespace {

using Found = std::expected<void, Problem>;

/// Models as bits, so that a line of the table may speak of several.
struct In {
  enum : unsigned { joints = 1, particles = 2, strand = 4, hoist = 8, chain = 16, all = 31 };
};

unsigned bitOf(CableModel model) {
  switch (model) {
    case CableModel::joints:
      return In::joints;
    case CableModel::particles:
      return In::particles;
    case CableModel::strand:
      return In::strand;
    case CableModel::hoist:
      return In::hoist;
    case CableModel::chain:
      return In::chain;
  }
  return 0;
}

/// A line of the table: whether the field is set, and in which models that does nothing.
struct IdleLine {
  bool given;
  const char* field;
  unsigned models;
  const char *reason, *remedy;
  bool essential = false;  ///< without it the cable would do something else: not to be left out on a change of model
};

template <std::size_t n>
Found refuse(const std::string& path, CableModel model, const IdleLine (&table)[n]) {
  for (const IdleLine& line : table)
    if (line.given && (line.models & bitOf(model)) != 0)
      return std::unexpected(Problem{path + line.field, line.reason, line.remedy, 0, 0, !line.essential});
  return {};
}

/// Whether a profile has one value for ever.
bool constant(const Profile& p) {
  if (p.rate != 0.0 || (p.amplitude != 0.0 && p.frequency != 0.0)) return false;
  return std::all_of(p.table.begin(), p.table.end(), [&](const Vec2& at) { return at[1] == p.table[0][1]; });
}

bool same(const ParticleCableSettings& a, const ParticleCableSettings& b) {
  return a.way == b.way && a.curve == b.curve && a.handle == b.handle && a.predictor == b.predictor &&
         a.substeps == b.substeps && a.iterations == b.iterations && a.damping == b.damping &&
         a.stiffness == b.stiffness && a.spring == b.spring && a.springDamping == b.springDamping &&
         a.doubles == b.doubles && a.masses == b.masses && a.velocity == b.velocity && a.order == b.order &&
         a.direct == b.direct && a.touch == b.touch && a.self == b.self && a.drag == b.drag &&
         a.skinDrag == b.skinDrag && a.wind == b.wind && a.constraints.empty();
}

Found checkCable(const CableSettings& s, const std::string& path) {
  const CableSettings plain;
  const bool plucked = s.pluck != Vec3::Zero();
  const char *ofStrand = "it is of model strand", *ofChain = "it is of model chain", *ofHoist = "it is of model hoist",
             *wavy = "waves on spans are of models joints and hoist", *still = "this cable has no waves",
             *noTwist = "only chains twist of themselves", *out = "leave it out";
  // A particle cable over wheels is a route of joints with particles in its spans, and takes what that takes.
  const bool wheels = s.closed || std::any_of(s.route.begin(), s.route.end(),
                                              [](const LinkSettings& l) { return l.type != LinkType::attach; });
  const unsigned plainLine = wheels ? 0u : static_cast<unsigned>(In::particles);
  const IdleLine table[] = {
      {s.length.has_value(), "/length", In::strand, "a strand is as long as its route",
       "leave it out; slack adds to the spans", true},
      {!s.slacks.empty(), "/slacks", In::strand, "a strand is as long as its route",
       "leave it out; slack adds to the spans", true},
      {!s.slacks.empty(), "/slacks", In::chain | plainLine, "it is one span of many segments", "give slack, or length",
       true},
      {s.compliance.has_value(), "/compliance", In::strand, "a strand is as stiff as its material",
       "give material.axial"},
      {s.compression != 0.0, "/compression", In::hoist, "a hoist cable cannot be pushed", out},
      {s.compression != 0.0, "/compression", In::strand, "a free span of a strand cannot be pushed", out},
      {s.compression != 0.0, "/compression", In::chain, "a chain pushes as it pulls, and bends aside", out},
      {s.compression != 0.0, "/compression", plainLine, "distances of particles push as they pull", out},
      {s.weight, "/weight", In::all & ~In::joints, "it weighs what its mass does", out},
      {s.winding != 0.0, "/winding", In::hoist, "a hoist cable bends freely", "leave it out, or use model joints"},
      {s.winding != 0.0, "/winding", In::chain | In::strand, "it resists bending by its own stiffness",
       "give material.bending, or use model joints"},
      {s.winding != 0.0, "/winding", plainLine, "particles have no torque that opposes bending",
       "use particles.doubles, or the joints model"},
      {!s.candidates.empty() && wheels, "/candidates", In::chain, "a chain over wheels touches its wheels alone", out},
      {!s.candidates.empty(), "/candidates", In::chain | plainLine, "it meets every body that has a shape", out},
      {!s.candidates.empty(), "/candidates", In::particles, "a particle cable over wheels meets no bodies",
       "leave it out, or use model joints", true},
      {s.nodes != 0, "/nodes", In::hoist, "nodes are of model strand", "give subdivisions"},
      {s.nodes != 0, "/nodes", In::chain | In::particles, "nodes are of model strand", "give segments"},
      {s.nodes != 0, "/nodes", In::joints, "nodes are of model strand", out},
      {s.lumped, "/lumped", In::all & ~In::strand, ofStrand, out},
      {s.sliding, "/sliding", In::all & ~In::strand, ofStrand, out},
      {s.finest != 0.0, "/finest", In::chain, "resampling is of model strand", "give merges"},
      {s.finest != 0.0, "/finest", In::all & ~In::strand, "resampling is of model strand", out},
      {s.segments != plain.segments, "/segments", In::hoist, "segments are of models chain and particles",
       "give subdivisions"},
      {s.segments != plain.segments, "/segments", In::strand, "segments are of models chain and particles",
       "give nodes"},
      {s.segments != plain.segments, "/segments", In::joints, "segments are of models chain and particles", out},
      {!s.shape.empty(), "/shape", In::hoist, "a hoist cable starts straight or hanging",
       "give slack, or pluck a span"},
      {!s.shape.empty(), "/shape", In::strand, "a strand starts straight or hanging from link to link",
       "give slack, or node links where it shall be"},
      {!s.shape.empty(), "/shape", In::joints, "a cable of joints is straight from link to link", out},
      {s.preformed, "/preformed", In::particles, "a rest shape is of model chain", "use particles.doubles initial"},
      {s.preformed, "/preformed", In::all & ~In::chain, "a rest shape is of model chain", out},
      {s.twisted != 0.0, "/twisted", In::all & ~In::chain, noTwist, "use model chain"},
      {s.twist != plain.twist, "/twist", In::all & ~In::chain, noTwist, "use model chain"},
      {s.bendGrowth != 0.0, "/bend_growth", In::all & ~In::chain, "the bend law is of model chain", "use model chain"},
      {s.stiffens != 0.0, "/stiffens", In::all & ~In::chain, "stiffening is of model chain", "use model chain"},
      {!s.collides, "/collides", In::joints | In::strand | In::hoist, "it meets its candidates alone",
       "leave candidates out"},
      {s.touchedBend != plain.touchedBend, "/touched_bend", In::all & ~In::chain, ofChain, out},
      {s.merges != 0, "/merges", In::all & ~In::chain, ofChain, out},
      {s.mergeAngle != plain.mergeAngle, "/merge_angle", In::all & ~In::chain, ofChain, out},
      {!same(s.particles, plain.particles), "/particles", In::all & ~In::particles, "they are of model particles",
       "leave them out"},
      {s.waves, "/waves", In::hoist, "a hoist cable has waves wherever it has mass",
       "leave it out, or use model joints"},
      {s.waves, "/waves", In::strand | In::chain | In::particles, wavy, "leave it out: it swings by itself"},
      {s.waveScheme != plain.waveScheme, "/wave_scheme", In::strand | In::chain | In::particles, wavy, out},
      {s.waveScheme != plain.waveScheme && !s.waves, "/wave_scheme", In::joints, still, out},
      {s.subdivisions != plain.subdivisions, "/subdivisions", In::chain | In::particles, wavy, "give segments"},
      {s.subdivisions != plain.subdivisions, "/subdivisions", In::strand, wavy, "give nodes"},
      {s.subdivisions != plain.subdivisions && !s.waves, "/subdivisions", In::joints, still,
       "give waves, or leave it out"},
      {s.waveDamping != 0.0, "/wave_damping", In::strand, wavy, "give material.drag"},
      {s.waveDamping != 0.0, "/wave_damping", In::chain, wavy, "give material.damping"},
      {s.waveDamping != 0.0, "/wave_damping", In::particles, wavy, "give particles.drag"},
      {s.waveDamping != 0.0 && !s.waves, "/wave_damping", In::joints, still, "give waves, or leave it out"},
      {s.pull != plain.pull, "/pull", In::all & ~In::hoist, ofHoist, out},
      {given(s.payout) && !wheels, "/payout", In::chain, "a chain is paid out over a wheel, or by a drum that turns",
       "lead it over a roll link, or begin it on a spool", true},
      {given(s.payout), "/payout", In::particles, "it is not paid out", "use model hoist or joints", true},
      {s.drum.has_value(), "/drum", In::particles, "it is not paid out", "use model hoist or joints", true},
      {s.drum.has_value() && !given(s.payout), "/drum", In::hoist | In::joints | In::chain | In::strand,
       "nothing is paid out, so no drum runs empty", "give payout; what a spool holds is its stored", true},
      {given(s.payout) && constant(s.payout), "/payout", In::hoist | In::joints | In::chain | In::strand,
       "it counts from its value at the start, and this one never changes",
       "give a rate or a table; what is longer or shorter from the start is slack", true},
      {plucked, "/pluck", In::joints, "plucking is of model hoist", "leave it out, or use model hoist"},
      {plucked, "/pluck", In::strand, "plucking is of model hoist", "give a node link its place and velocity"},
      {plucked, "/pluck", In::chain | In::particles, "it starts along its shape", "give shape points"},
      {s.pluckAt != plain.pluckAt, "/pluck_at", In::all & ~In::hoist, "plucking is of model hoist", out},
      {s.pluckSpan != 0, "/pluck_span", In::all & ~In::hoist, "plucking is of model hoist", out},
      {!plucked && s.pluckAt != plain.pluckAt, "/pluck_at", In::hoist, "nothing is plucked", "give pluck"},
      {!plucked && s.pluckSpan != 0, "/pluck_span", In::hoist, "nothing is plucked", "give pluck"},
  };
  return refuse(path, s.model, table);
}

Found checkMaterial(const CableSettings& s, const std::string& path) {
  const MaterialSettings &m = s.material, plain;
  const bool stretches = s.compliance.value_or(m.axial < unbounded ? 1.0 : 0.0) > 0.0;
  const bool gives = stretches || m.bending > 0.0 || m.torsion > 0.0;
  const char *ofYoung = "it is for stiffness of model chain", *out = "leave it out";
  const IdleLine table[] = {
      {m.bending != 0.0, "/bending", In::joints, "a cable of joints bends freely", "give winding, or use model strand"},
      {m.bending != 0.0, "/bending", In::hoist, "a hoist cable bends freely", "leave it out, or use model strand"},
      {m.bending != 0.0, "/bending", In::particles, "particles have no bending stiffness",
       "use particles.doubles, or model chain"},
      {m.torsion != 0.0, "/torsion", In::joints | In::hoist, "it does not twist", "leave it out, or use model strand"},
      {m.torsion != 0.0, "/torsion", In::particles, "particles do not twist", "use model chain"},
      {m.young.has_value(), "/young", In::all & ~In::chain, ofYoung, "give axial"},
      {m.poisson != plain.poisson, "/poisson", In::all & ~In::chain, ofYoung, out},
      {m.section != plain.section, "/section", In::all & ~In::chain, "it is round", out},
      {m.drag != 0.0, "/drag", In::hoist, "it is of model strand", "give wave_damping"},
      {m.drag != 0.0, "/drag", In::particles, "it is of model strand", "give particles.drag, 1.2 for a round cable"},
      {m.drag != 0.0, "/drag", In::joints | In::chain, "it is of model strand", out},
      {s.compliance.has_value() && m.axial != unbounded, "/axial", In::hoist,
       "compliance already says how much the cable stretches", "leave one of them out"},
      {s.pull == PullForm::force && m.friction != 0.0 && m.friction != plain.friction, "/friction", In::hoist,
       "a tension that is an explicit force is the same everywhere", "leave it out, or set pull to row"},
      {m.damping != 0.0 && !stretches, "/damping", In::joints | In::hoist,
       "a cable that cannot stretch has no strain to damp", "give axial, or leave it out"},
      {m.damping != 0.0 && !gives, "/damping", In::strand,
       "a strand that neither stretches, bends nor twists has no strain to damp", "give axial, or drag"},
      {m.friction != plain.friction && s.candidates.empty(), "/friction", In::strand,
       "a strand has it over candidates alone, and there are none", "give friction to the links"},
      {m.breaking != unbounded, "/breaking", In::hoist, "a hoist cable does not break", "use model joints", true},
      {m.breaking != unbounded, "/breaking", In::particles, "a particle cable does not break",
       "give a link lets_go to let it come off there", true},
  };
  return refuse(path + "/material", s.model, table);
}

Found checkLink(const CableSettings& s, const LinkSettings& l, const std::string& path) {
  const char *sockets = "sockets are of model particles", *out = "leave it out";
  const CableModel model = s.model;
  const IdleLine table[] = {
      {l.flanges.has_value(), "/flanges", In::strand, "a drum of a strand winds in one layer",
       "leave flanges out, or use model joints, chain or particles", true},
      {l.flanges.has_value() && s.material.mass > 0.0, "/flanges", In::hoist,
       "a hoist cable with mass winds in one layer",
       "leave flanges out, or the mass, or use model joints, chain or particles", true},
      {!l.groove, "/groove", In::all & ~In::joints, "its wheels keep it, as grooves do", "use model joints", true},
      {l.letsGo != unbounded, "/lets_go", In::joints | In::chain, sockets, "give material.breaking", true},
      {l.letsGo != unbounded, "/lets_go", In::all & ~In::particles, sockets, out, true},
      {l.plugsIn != 0.0, "/plugs_in", In::all & ~In::particles, sockets, out, true},
      {l.hold == EndHold::free, "/hold", In::joints | In::hoist, "its ends are held, and this one is to be free",
       "attach it to a body or a particle, or use model strand, chain or particles", true},
      {l.hold != EndHold::pinned, "/hold", In::joints | In::hoist,
       "its ends hold points, no directions, and none is free", "use model strand or chain"},
      {l.cleat != Cleat::off, "/cleat", In::all & ~In::joints, "cleats are of model joints", "use model joints", true},
      {!l.active, "/active", In::chain, "the links of a chain are there from the start", out, true},
      {l.turns != 0 && l.type == LinkType::spool, "/turns", In::chain, "a chain leaves its drum where it is taut",
       "give stored"},
  };
  return refuse(path, model, table);
}

}  // namespace

Found refuseIdleFields(const CableSettings& s, const std::string& path) {
  if (auto ok = checkCable(s, path); !ok) return ok;
  if (auto ok = checkMaterial(s, path); !ok) return ok;
  for (std::size_t i = 0; i < s.route.size(); ++i)
    if (auto ok = checkLink(s, s.route[i], path + "/route/" + std::to_string(i)); !ok) return ok;
  return {};
}

}  // namespace reeve
