#include "peers.h"

#ifdef REEVE_HAVE_MUJOCO
#include "chain_shape.h"
#include "mujoco_runner.h"

namespace reeve::race {
namespace {
using namespace mj;

enum class Sheaves { sites, cylinders, wheels };

std::string tackle(const trials::Tackle& t, Sheaves kind) {
  const int n = t.sheaves;
  const double r = t.radius;
  std::string world, beam, tendons, pairs, route;
  const auto place = [&](int i, bool low) { return Vec3(r * (1 + 2 * i) - (low ? r * n : 0), 0, 0); };
  const auto name = [](const char* what, int i) { return std::string("\"") + what + std::to_string(i) + "\""; };
  for (int i = 0; i < n; ++i) {
    const bool low = i % 2 == 0;
    std::string& on = low ? beam : world;
    const Vec3 c = place(i, low);
    if (kind == Sheaves::sites) {
      on += "<site name=" + name("p", i) + " pos=" + vec(c) + "/>";
      route += "<site site=" + name("p", i) + "/>";
    } else if (kind == Sheaves::cylinders) {
      on += "<geom name=" + name("p", i) + " type=\"cylinder\" euler=" + numbers({M_PI / 2, 0, 0}) +
            " size=" + numbers({r, 0.02}) + " mass=\"0\" pos=" + vec(c) + "/><site name=" + name("side", i) +
            " pos=" + vec(c + Vec3(0, 0, low ? -2 * r : 2 * r)) + "/>";
      route += "<geom geom=" + name("p", i) + " sidesite=" + name("side", i) + "/>";
      if (i + 1 < n) {
        // Two geoms need a site between them; here it lies on the straight span.
        world += "<site name=" + name("mid", i) + " pos=" + vec(Vec3(2 * r * (i + 1), 0, -0.5 * t.drop)) + "/>";
        route += "<site site=" + name("mid", i) + "/>";
      }
    } else {
      on += "<body name=" + name("p", i) + " pos=" + vec(c) +
            "><inertial pos=\"0 0 0\" mass=\"1e-9\" diaginertia=" + vec(Vec3::Constant(t.inertia)) +
            "/><joint name=" + name("spin", i) + " type=\"hinge\" axis=\"0 1 0\"/></body>" +
            "<site name=" + name("in", i) + " pos=" + vec(c - Vec3(r, 0, 0)) + "/><site name=" + name("out", i) +
            " pos=" + vec(c + Vec3(r, 0, 0)) + "/>";
    }
  }
  if (kind == Sheaves::wheels)
    for (int i = 0; i <= n; ++i) {
      const std::string from = i == 0 ? "\"end\"" : name("out", i - 1), to = i == n ? "\"hook\"" : name("in", i);
      tendons += "<spatial name=" + name("span", i) + "><site site=" + from + "/><site site=" + to +
                 "/></spatial><fixed name=" + name("paid", i) + ">";
      if (i > 0) tendons += "<joint joint=" + name("spin", i - 1) + " coef=" + numbers({r}) + "/>";
      if (i < n) tendons += "<joint joint=" + name("spin", i) + " coef=" + numbers({-r}) + "/>";
      tendons += "</fixed>";
      pairs += "<tendon tendon1=" + name("span", i) + " tendon2=" + name("paid", i) + "/>";
    }
  else
    // As long as it is at the start, and no longer: MuJoCo measures it when the range is too small to hold.
    tendons = "<spatial name=\"rope\" limited=\"true\" range=\"0 1\"><site site=\"end\"/>" + route +
              "<site site=\"hook\"/></spatial>";
  const std::size_t rows = kind == Sheaves::wheels ? n + 20 : 20, speeds = kind == Sheaves::wheels ? n + 7 : 7;
  return header(t.gravity, static_cast<int>(rows), 100000 + 8 * (rows + speeds) * (rows + speeds) + 100 * n) +
         "<worldbody><site name=\"end\"/>" + world + "<body name=\"beam\" pos=" + vec(Vec3(r * n, 0, -t.drop)) +
         "><inertial pos=\"0 0 -0.09\" mass=" + numbers({t.load}) + " diaginertia=" + vec(Vec3::Constant(t.load)) +
         "/><joint type=\"slide\" axis=\"0 0 1\"/>" + beam +
         "</body><body name=\"weight\" pos=" + vec(Vec3(2 * r * n, 0, -t.drop)) +
         "><inertial pos=\"0 0 -0.05\" mass=" + numbers({t.weight()}) +
         " diaginertia=\"0.1 0.1 0.1\"/><freejoint/><site name=\"hook\"/></body></worldbody><tendon>" + tendons +
         "</tendon>" + (pairs.empty() ? "" : "<equality>" + pairs + "</equality>") + "</mujoco>";
}

class Chain : public Mujoco {
 public:
  Chain(const std::string& xml, double dt, ChainShape shape, ChainJudge judge, mjtIntegrator integrator)
      : Mujoco(xml, dt), shape_(std::move(shape)), judge_(std::move(judge)) {
    model_->opt.integrator = integrator;
  }
  double measure() override {
    const mjData* now = evaluated();
    ChainPose pose;
    for (std::size_t i = 1; i <= shape_.links.size(); ++i) {
      pose.places.push_back(Eigen::Map<const Vec3>(now->xpos + 3 * i));
      const mjtNum* q = now->xquat + 4 * i;
      pose.turns.emplace_back(q[0], q[1], q[2], q[3]);
    }
    return judge_(shape_, pose, now->time);
  }

 private:
  ChainShape shape_;
  ChainJudge judge_;
};

std::string chain(const ChainShape& shape, bool tree) {
  std::string bodies, ends, pairs;
  for (std::size_t i = 0; i < shape.links.size(); ++i) {
    const ChainShape::Link& l = shape.links[i];
    Vec3 place = l.position;
    Quat turn = l.orientation;
    if (tree && i > 0) {
      const ChainShape::Link& before = shape.links[i - 1];
      place = before.orientation.conjugate() * (l.position - before.position);
      turn = before.orientation.conjugate() * l.orientation;
    }
    const std::string name = "\"link" + std::to_string(i) + "\"";
    bodies += "<body name=" + name + " pos=" + vec(place) + " quat=" + quat(turn) +
              "><inertial pos=\"0 0 0\" mass=" + numbers({l.mass}) + " diaginertia=" + vec(l.inertia) + "/>" +
              (tree ? "<joint type=\"ball\" pos=" + vec(l.anchor) + "/>" : std::string("<freejoint/></body>"));
    if (tree) ends += "</body>";
    if (!tree)
      pairs += "<connect body1=" + name + (i == 0 ? "" : " body2=\"link" + std::to_string(i - 1) + "\"") +
               " anchor=" + vec(l.anchor) + "/>";
  }
  if (shape.end)
    pairs +=
        "<connect body1=\"link" + std::to_string(shape.links.size() - 1) + "\" anchor=" + vec(shape.endAnchor) + "/>";
  return header(shape.gravity, 400, 2000000) + "<worldbody>" + bodies + ends + "</worldbody>" +
         (pairs.empty() ? "" : "<equality>" + pairs + "</equality>") + "</mujoco>";
}

}  // namespace

std::vector<Entrant> mujocoTackle(const trials::Tackle& t) {
  std::vector<Entrant> entrants;
  const auto add = [&](const char* how, Sheaves kind, bool straight, bool turning) {
    const double time = 50 * t.dt;
    const std::string xml = tackle(t, kind);
    entrants.push_back(entrant(how, xml, [xml, kind](double dt) -> std::unique_ptr<Runner> {
      if (kind == Sheaves::wheels) return std::make_unique<Falling>(xml, dt, "weight");
      return std::make_unique<Measured<Falling>>(xml, dt, "weight");
    }));
    if (straight) entrants.back().exact = 0.5 * t.acceleration(turning) * time * time;
  };
  add("sites", Sheaves::sites, false, false);
  add("cylinders", Sheaves::cylinders, true, false);
  if (t.sheaves <= 128) add("hinged wheels", Sheaves::wheels, true, true);  // minutes beyond that: it grows as n³
  return entrants;
}

std::vector<Entrant> mujocoSimple(const Description& d) {
  std::string bodies, world;
  for (const auto& [name, b] : d.bodies) {
    const Vec3 size = b.shapes.front().size;
    bodies += "<body name=\"" + name + "\" pos=" + vec(b.position) +
              "><freejoint/><geom type=\"box\" size=" + vec(0.5 * size) + " density=" + numbers({b.density}) +
              "/><site name=\"top of " + name + "\" pos=" + vec(Vec3(0, 0, 0.5 * size.z())) + "/></body>";
  }
  for (const auto& [name, wheel] : d.rotors)
    world += "<geom name=\"" + name + "\" type=\"cylinder\" euler=" + numbers({M_PI / 2, 0, 0}) +
             " size=" + numbers({wheel.radius, 0.5 * wheel.width}) + " pos=" + vec(wheel.position) +
             "/><site name=\"over " + name + "\" pos=" + vec(wheel.position + Vec3(0, 0, 1.5 * wheel.radius)) + "/>";
  const double top = d.rotors.front().second.radius;
  const std::string xml =
      header(-d.settings.gravity.z(), 50, 100000) + "<worldbody>" + world +
      "<site name=\"between\" pos=" + vec(Vec3(0, 0, top)) + "/>" + bodies +
      "</worldbody><tendon><spatial limited=\"true\" range=\"0 1\"><site site=\"top of lower\"/><site site=\"top of "
      "upper\"/></spatial><spatial limited=\"true\" range=\"0 1\"><site site=\"top of upper\"/><geom geom=\"a\" "
      "sidesite=\"over a\"/><site site=\"between\"/><geom geom=\"b\" sidesite=\"over b\"/><site site=\"top of "
      "right\"/></spatial></tendon></mujoco>";
  std::vector<Entrant> entrants{entrant("cylinders", xml, [xml](double dt) -> std::unique_ptr<Runner> {
    return std::make_unique<Measured<Falling>>(xml, dt, "right");
  })};
  entrants.front().exact = 0.0;
  return entrants;
}

std::vector<Entrant> mujocoChain(const Description& d, const ChainJudge& judge, bool allIntegrators) {
  std::vector<Entrant> entrants;
  const ChainShape shape(d);
  const std::pair<const char*, mjtIntegrator> ways[] = {
      {"Euler", mjINT_EULER}, {"RK4", mjINT_RK4}, {"implicit", mjINT_IMPLICIT}};
  for (const bool tree : {true, false}) {
    const std::string xml = chain(shape, tree);
    for (const auto& [name, integrator] : ways)
      if (allIntegrators || integrator == mjINT_EULER)
        entrants.push_back(entrant(std::string(tree ? "tree, " : "free bodies, ") + name, xml,
                                   [=, integrator = integrator](double dt) {
                                     return std::make_unique<Chain>(xml, dt, shape, judge, integrator);
                                   }));
  }
  return entrants;
}

std::string mujocoVersion() { return std::string("MuJoCo ") + mj_versionString(); }

}  // namespace reeve::race
#else
namespace reeve::race {
std::vector<Entrant> mujocoTackle(const trials::Tackle&) { return {}; }
std::vector<Entrant> mujocoSimple(const Description&) { return {}; }
std::vector<Entrant> mujocoChain(const Description&, const ChainJudge&, bool) { return {}; }
std::string mujocoVersion() { return ""; }
}  // namespace reeve::race
#endif
