#include "reeve/record/player_data.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "reeve/record/notes.h"
#include "reeve/record/number.h"
#include "reeve/record/palette.h"
#include "reeve/record/picture/canvas.h"
#include "reeve/scene/json_writer.h"

namespace reeve::record {
namespace {

/// A report stays a few megabytes: so many numbers in all its frames, and no more frames than eyes can tell.
constexpr std::size_t mostFrames = 360, fewestFrames = 24, mostNumbers = 900000;

/// Numbers as JSON, rounded to what a screen can show.
class Lists {
 public:
  explicit Lists(int decimals) : decimals_(decimals) {}
  Lists& open(const char* bracket = "[") { return comma(), text_ += bracket, fresh_ = true, *this; }
  Lists& close(const char* bracket = "]") { return text_ += bracket, fresh_ = false, *this; }
  Lists& key(const char* name) { return comma(), text_ += std::string("\"") + name + "\":", fresh_ = true, *this; }
  Lists& number(double x, int decimals) {
    return comma(), appendRounded(text_, std::isfinite(x) ? x : 0.0, decimals), *this;
  }
  Lists& number(double x) { return number(x, decimals_); }
  Lists& vector(const Vec3& v, int decimals) {
    return number(v.x(), decimals).number(v.y(), decimals).number(v.z(), decimals);
  }
  Lists& vector(const Vec3& v) { return vector(v, decimals_); }
  std::string take() { return std::move(text_); }

 private:
  void comma() {
    if (!fresh_) text_ += ',';
    fresh_ = false;
  }
  std::string text_;
  bool fresh_ = true;
  int decimals_;
};

/// Points of a cable without those that lie on the line through their neighbors.
std::vector<std::size_t> keptCorners(const CableObservation& cable, double small) {
  const std::vector<Vec3>& line = cable.polyline;
  std::vector<std::size_t> kept;
  const bool pulls = cable.tensions.size() == line.size();
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (i > 0 && i + 1 < line.size()) {
      const Vec3 &a = line[kept.back()], &b = line[i + 1];
      const Vec3 d = b - a;
      const double share = d.squaredNorm() > 0.0 ? std::clamp((line[i] - a).dot(d) / d.squaredNorm(), 0.0, 1.0) : 0.0;
      const bool straight = (a + share * d - line[i]).norm() < small;
      const double pull = pulls ? cable.tensions[i] : 0.0, last = pulls ? cable.tensions[kept.back()] : 0.0;
      if (straight && std::abs(pull - last) <= 0.02 * std::abs(last) && (pull < 0.0) == (last < 0.0)) continue;
    }
    kept.push_back(i);
  }
  return kept;
}

void putCable(Lists& out, const CableObservation& cable, double small) {
  out.open();
  const bool drawn = cable.polyline.size() >= 2 && std::all_of(cable.polyline.begin(), cable.polyline.end(),
                                                               [](const Vec3& p) { return p.allFinite(); });
  const bool pulls = cable.tensions.size() == cable.polyline.size();
  const auto tension = [&](double t) { out.number(std::isfinite(t) ? t : 0.0, std::abs(t) < 10.0 ? 3 : 0); };
  double whole = 0.0;
  for (const SpanObservation& span : cable.spans) whole = std::max(whole, span.tension);
  if (drawn)
    for (const std::size_t i : keptCorners(cable, small)) {
      out.vector(cable.polyline[i]);
      tension(pulls ? cable.tensions[i] : whole);
    }
  else
    for (const SpanObservation& span : cable.spans) {
      if (!span.start.allFinite() || !span.end.allFinite()) continue;
      out.vector(span.start), tension(span.tension);
      out.vector(span.end), tension(span.tension);
    }
  out.close();
}

/// What is drawn: written once, in the frame of the body that carries it.
class SolidWriter {
 public:
  SolidWriter(JsonWriter& json, const Description& scene) : json_(json), scene_(scene) {}

  void write() {
    json_.key("solids").beginArray();
    int index = 0, colour = 0;
    for (const auto& [name, body] : scene_.bodies) {
      const bool fixed = body.motion == BodyMotion::fixed;
      const Colour usual = fixed                                  ? fixedFill
                           : body.motion == BodyMotion::kinematic ? kinematicFill
                                                                  : bodyFill(colour++);
      for (const ShapeSettings& shape : body.shapes)
        putShape(name, shape, index, parseColour(body.color, usual), fixed);
      if (body.shapes.empty()) {
        ShapeSettings dot;
        dot.radius = 1e-6;
        putShape(name, dot, index, parseColour(body.color, usual), fixed);
      }
      bodies_[name] = index++;
    }
    for (const auto& [name, particle] : scene_.particles) {
      ShapeSettings dot;
      dot.radius = std::max(particle.radius, 1e-6);
      putShape(name, dot, index++, Colour{0.42, 0.50, 0.60}, false);
    }
    for (const LinkWheel& wheel : linkWheels(scene_)) {
      head(wheel.on, "wheel", wheelFill, false);
      if (const auto body = bodies_.find(wheel.on); body != bodies_.end()) json_.key("body").integer(body->second);
      vector("position", wheel.center);
      vector("axis", wheel.axis);
      json_.key("radius").number(wheel.radius);
      json_.key("width").number(0.25 * wheel.radius);
      json_.endObject();
    }
    index = 0;
    for (const auto& [name, rotor] : scene_.rotors) {
      head(name, "wheel", parseColour(rotor.color, wheelFill), false);
      json_.key("rotor").integer(index++);
      json_.key("radius").number(rotor.radius);
      json_.key("width").number(rotor.width);
      json_.endObject();
    }
    json_.endArray();
  }

 private:
  void head(const std::string& name, const char* type, const Colour& fill, bool fixed) {
    json_.beginObject(JsonWriter::Layout::line);
    json_.key("name").text(name);
    json_.key("type").text(type);
    json_.key("fill").text(hex(fill));
    json_.key("fixed").boolean(fixed);
  }
  void vector(const char* key, const Vec3& v) {
    json_.key(key).beginArray(JsonWriter::Layout::line).number(v.x()).number(v.y()).number(v.z()).endArray();
  }
  void putFaces(const std::vector<Vec3>& points) {
    json_.key("faces").beginArray(JsonWriter::Layout::line);
    for (const Face& face : hullFaces(points)) {
      json_.beginArray(JsonWriter::Layout::line);
      for (const Vec3& c : face.corners)
        json_.beginArray(JsonWriter::Layout::line).number(c.x()).number(c.y()).number(c.z()).endArray();
      json_.endArray();
    }
    json_.endArray();
  }
  void putShape(const std::string& name, const ShapeSettings& shape, int body, const Colour& fill, bool fixed) {
    static constexpr const char* types[] = {"sphere", "capsule", "cylinder", "box", "faces", "faces", "ground"};
    head(name, types[static_cast<int>(shape.type)], fill, fixed);
    json_.key("body").integer(body);
    vector("position", shape.position);
    const Quat q = shape.orientation.normalized();
    json_.key("orientation").beginArray(JsonWriter::Layout::line);
    json_.number(q.w()).number(q.x()).number(q.y()).number(q.z()).endArray();
    json_.key("radius").number(shape.radius);
    json_.key("length").number(shape.length);
    if (shape.type == ShapeType::box) vector("size", shape.size);
    if (shape.type == ShapeType::hull) putFaces(shape.points);
    if (shape.type == ShapeType::prism) {
      std::vector<Vec3> points;
      for (const Vec2& p : shape.polygon)
        for (const double z : {-0.5, 0.5}) points.emplace_back(p.x(), p.y(), z * shape.length);
      putFaces(points);
    }
    json_.endObject();
  }

  JsonWriter& json_;
  const Description& scene_;
  std::map<std::string, int> bodies_;
};

std::string quoted(const std::string& text) {
  std::string out;
  JsonWriter(out).text(text);
  return out;
}

/// Plots as JSON members. Six digits are more than a plot shows; as text at once, since there are thousands.
std::string panelMembers(const std::vector<Panel>& panels) {
  std::string out;
  const auto list = [&](const std::vector<double>& values) {
    out += '[';
    for (std::size_t i = 0; i < values.size(); ++i)
      (out += i ? "," : "") += std::isfinite(values[i]) ? readable(values[i], 6) : "null";
    out += ']';
  };
  out += "\"plotTimes\":";
  list(panels.empty() ? std::vector<double>{} : panels.front().times);
  out += ",\"panels\":[";
  for (std::size_t i = 0; i < panels.size(); ++i) {
    out += std::string(i ? "," : "") + "{\"title\":" + quoted(panels[i].title) + ",\"unit\":" + quoted(panels[i].unit) +
           ",\"series\":[";
    for (std::size_t k = 0; k < panels[i].series.size(); ++k) {
      out += std::string(k ? "," : "") + "{\"label\":" + quoted(panels[i].series[k].label) + ",\"values\":";
      list(panels[i].series[k].values);
      out += '}';
    }
    out += "]}";
  }
  return out + "]";
}

/// What is in the middle of a frame, as a point of the world: the depth is that of the target, or 0.
Vec3 middleOf(const PictureFrame& frame, const Vec3& from) {
  const View view(from);
  const Vec2 c = (frame.low + frame.high) / 2.0;
  Vec3 middle = Vec3::Zero();
  for (const Vec3& axis : {Vec3(Vec3::UnitX()), Vec3(Vec3::UnitY()), Vec3(Vec3::UnitZ())}) {
    const Vec3 d = view.direction(axis);
    middle += axis * (d.x() * c.x() + d.y() * c.y());
  }
  return middle;
}

}  // namespace

PlayerData::PlayerData(const Description& scene, const Observation& start, std::size_t samples) : scene_(scene) {
  std::size_t numbers = 8;
  numbers += 7 * (start.bodies.size() + start.particles.size()) + 10 * start.rotors.size();
  for (const auto& [name, cable] : start.cables) numbers += 4 * cable.polyline.size() + 8;
  const std::size_t frames = std::clamp(mostNumbers / numbers, fewestFrames, mostFrames);
  stride_ = std::max<std::size_t>(1, (samples + frames - 1) / frames);
  for (double size = sceneSize(start); size < 1.0 && decimals_ < 7; size *= 10.0) ++decimals_;
}

void PlayerData::add(const Observation* seen) {
  if (wants() && seen) keep(*seen);
  ++seen_;
}

void PlayerData::finish(const Observation& end) {
  if (times_.empty() || times_.back() < end.time) keep(end);
}

void PlayerData::keep(const Observation& seen) {
  times_.push_back(seen.time);
  forces_.include(scene_, seen);
  if (frames_.size() < 8 || frames_.size() % 16 == 0) frame_.include(pictureFrame(scene_, seen));
  const Stage stage(scene_, seen);
  Lists out(decimals_);
  out.open("{").key("bodies").open();
  const auto place = [&](const std::string& name) {
    const Pose pose = stage.pose(name);
    out.open().vector(pose.position);
    const Quat& q = pose.orientation;
    out.number(q.w(), 5).number(q.x(), 5).number(q.y(), 5).number(q.z(), 5).close();
  };
  for (const auto& [name, body] : scene_.bodies) place(name);
  for (const auto& [name, particle] : scene_.particles) place(name);
  out.close().key("wheels").open();
  for (const auto& [name, rotor] : scene_.rotors) {
    const Stage::Wheel wheel = stage.wheel(name, rotor);
    out.open().vector(wheel.center).vector(wheel.axis, 5).vector(wheel.spoke, 5).close();
  }
  out.close().key("angles").open();
  for (const auto& [name, rotor] : seen.rotors) out.number(rotor.angle, 4);
  out.close().key("cables").open();
  const double small = 2e-4 * sceneSize(seen);
  for (const auto& [name, cable] : seen.cables) putCable(out, cable, small);
  frames_.push_back(out.close().close("}").take());
}

std::string PlayerData::json(const std::vector<Panel>& panels) const {
  std::string out;
  JsonWriter json(out, 0);
  json.beginObject();
  const Vec3 from = scene_.view.from.norm() > 1e-9 ? Vec3(scene_.view.from.normalized()) : Vec3(0, -1, 0);
  const ViewSettings& view = scene_.view;
  Vec2 size = frame_.empty() ? Vec2(2, 2) : Vec2((frame_.high - frame_.low).cwiseMax(1e-3));
  if (view.height > 0.0) size = Vec2(std::min(size.x(), 1.5 * view.height), view.height);
  const Vec3 center = view.target ? *view.target : frame_.empty() ? Vec3(0, 0, 0) : middleOf(frame_, from);
  json.key("view").beginObject();
  json.key("from").beginArray().number(from.x()).number(from.y()).number(from.z()).endArray();
  json.key("center").beginArray().number(center.x()).number(center.y()).number(center.z()).endArray();
  json.key("width").number(size.x());
  json.key("height").number(size.y());
  json.endObject();
  SolidWriter(json, scene_).write();
  json.key("cables").beginArray();
  for (const auto& [name, cable] : scene_.cables) {
    json.beginObject();
    json.key("name").text(name);
    json.key("radius").number(cable.material.radius);
    json.key("colour").text(hex(parseColour(cable.color, {0.20, 0.26, 0.36})));
    json.endObject();
  }
  json.endArray();
  json.key("tension").number(niceCeil(forces_.tension));
  json.key("times").beginArray();
  for (const double t : times_) json.number(t);
  json.endArray();
  json.endObject();
  // Plots and frames are JSON already; they go in before the last bracket.
  out.resize(out.find_last_of('}'));
  out += "," + panelMembers(panels) + ",\"frames\":[";
  for (std::size_t i = 0; i < frames_.size(); ++i) out += (i ? "," : "") + frames_[i];
  out += "]}";
  std::string safe;
  safe.reserve(out.size());
  std::size_t done = 0;
  for (std::size_t at = out.find('<'); at != std::string::npos; at = out.find('<', done)) {
    safe.append(out, done, at - done).append("\\u003c");
    done = at + 1;
  }
  return safe.append(out, done);
}

}  // namespace reeve::record
