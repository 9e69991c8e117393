// Fields of a cable that may be left out when it is given to another model, back to what they are unless a scene says.
#include <algorithm>
#include <charconv>

#include "reeve/cables/idle_fields.h"

namespace reeve {

namespace {

using Reset = void (*)(CableSettings&);

template <auto Member>
void back(CableSettings& s) {
  s.*Member = CableSettings{}.*Member;
}
template <auto Member>
void backMaterial(CableSettings& s) {
  s.material.*Member = MaterialSettings{}.*Member;
}

struct Line {
  std::string_view field;
  Reset reset;
};

using C = CableSettings;
using M = MaterialSettings;
constexpr Line lines[] = {
    {"/tension", back<&C::tension>},
    {"/compliance", back<&C::compliance>},
    {"/compression", back<&C::compression>},
    {"/weight", back<&C::weight>},
    {"/winding", back<&C::winding>},
    {"/candidates", back<&C::candidates>},
    {"/nodes", back<&C::nodes>},
    {"/lumped", back<&C::lumped>},
    {"/sliding", back<&C::sliding>},
    {"/finest", back<&C::finest>},
    {"/segments", back<&C::segments>},
    {"/shape", back<&C::shape>},
    {"/preformed", back<&C::preformed>},
    {"/twisted", back<&C::twisted>},
    {"/twist", back<&C::twist>},
    {"/bend_growth", back<&C::bendGrowth>},
    {"/stiffens", back<&C::stiffens>},
    {"/collides", back<&C::collides>},
    {"/touched_bend", back<&C::touchedBend>},
    {"/merges", back<&C::merges>},
    {"/merge_angle", back<&C::mergeAngle>},
    {"/particles", back<&C::particles>},
    {"/waves", back<&C::waves>},
    {"/wave_scheme", back<&C::waveScheme>},
    {"/subdivisions", back<&C::subdivisions>},
    {"/wave_damping", back<&C::waveDamping>},
    {"/pull", back<&C::pull>},
    {"/pluck", back<&C::pluck>},
    {"/pluck_at", back<&C::pluckAt>},
    {"/pluck_span", back<&C::pluckSpan>},
    {"/material/bending", backMaterial<&M::bending>},
    {"/material/torsion", backMaterial<&M::torsion>},
    {"/material/young", backMaterial<&M::young>},
    {"/material/poisson", backMaterial<&M::poisson>},
    {"/material/section", backMaterial<&M::section>},
    {"/material/drag", backMaterial<&M::drag>},
    {"/material/axial", backMaterial<&M::axial>},
    {"/material/friction", backMaterial<&M::friction>},
    {"/material/damping", backMaterial<&M::damping>},
};

bool leaveOutOfLink(CableSettings& s, std::string_view field) {
  std::size_t link = 0;
  const auto read = std::from_chars(field.data(), field.data() + field.size(), link);
  if (read.ec != std::errc{} || link >= s.route.size()) return false;
  const std::string_view which(read.ptr, static_cast<std::size_t>(field.data() + field.size() - read.ptr));
  if (which == "/hold")
    s.route[link].hold = EndHold::pinned;
  else if (which == "/turns")
    s.route[link].turns = 0;
  else
    return false;
  return true;
}

}  // namespace

bool leaveOut(CableSettings& s, std::string_view field) {
  constexpr std::string_view route = "/route/";
  if (field.starts_with(route)) return leaveOutOfLink(s, field.substr(route.size()));
  const auto* line = std::ranges::find(lines, field, &Line::field);
  if (line == std::end(lines)) return false;
  line->reset(s);
  return true;
}

}  // namespace reeve
