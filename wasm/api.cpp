// The C API of reeve.wasm: what web/src/reeve.ts calls. Plain numbers and pointers only.
//
// Texts go in as a pointer and a length, in memory from reeve_alloc. What a call answers in words or lists stays in one
// place until the next call: reeve_text() and reeve_text_size(), UTF-8. A call that fails leaves a problem there, as
// JSON: {"path", "reason", "remedy", "line", "column"}. Lengths are of bytes.
#include <cstdlib>
#include <limits>
#include <memory>

#include "reeve/math/hash.h"
#include "reeve/scene/json_writer.h"
#include "reeve/scene/scene.h"
#include "reeve/scene/swap_model.h"
#include "reeve/scene/units.h"
#include "session.h"

#define REEVE_EXPORT(name) __attribute__((export_name(#name))) name

namespace {

using reeve::Problem;
using reeve::World;
using reeve::wasm::Session;

std::string answer;

int failed(Problem problem) {
  answer = reeve::wasm::problemJson(problem);
  return 0;
}

Session* newSession(World world) {
  auto session = std::make_unique<Session>(Session{std::move(world), {}, {}, {}, 0.0, reeve::Vec3::Zero(), {}, {}});
  session->told = reeve::wasm::modelsOf(session->world);
  return session.release();
}

std::string_view view(const char* text, int size) { return {text, static_cast<std::size_t>(size)}; }

std::expected<reeve::CableModel, Problem> modelOf(std::string_view word) {
  for (const reeve::CableModel each : reeve::cableModels())
    if (reeve::modelName(each) == word) return each;
  return std::unexpected(Problem{"", "there is no such model of cables", "joints, strand, hoist, chain or particles"});
}

}  // namespace

extern "C" {

char* REEVE_EXPORT(reeve_alloc)(int size) { return static_cast<char*>(std::malloc(static_cast<std::size_t>(size))); }
void REEVE_EXPORT(reeve_free)(char* memory) { std::free(memory); }
const char* REEVE_EXPORT(reeve_text)() { return answer.data(); }
int REEVE_EXPORT(reeve_text_size)() { return static_cast<int>(answer.size()); }

/// The JSON Schema of scene files.
void REEVE_EXPORT(reeve_schema)() { answer = reeve::sceneSchema(); }

/// A number with a unit as scenes write it, "20 cm", in SI; not a number if it is none.
double REEVE_EXPORT(reeve_quantity)(const char* text, int size) {
  const auto read = reeve::scene::readQuantity(view(text, size));
  return read ? read->value : std::numeric_limits<double>::quiet_NaN();
}

/// A world from the text of a scene; null if there is something wrong with it.
Session* REEVE_EXPORT(reeve_load)(const char* text, int size, const char* name, int nameSize) {
  const std::string_view source = view(text, size);
  auto scene = reeve::readScene(source, view(name, nameSize));
  if (!scene) return failed(scene.error()), nullptr;
  auto built = reeve::buildNoting(std::move(*scene));
  if (built) return newSession(std::move(built->world));
  Problem problem = built.error();
  reeve::locate(source, problem);
  return failed(std::move(problem)), nullptr;
}
void REEVE_EXPORT(reeve_drop)(Session* session) { delete session; }

/// Takes up to `count` steps; fewer when one goes bad. Returns how many.
int REEVE_EXPORT(reeve_step)(Session* session, int count) {
  for (int done = 0; done < count; ++done) {
    if (session->grip) reeve::wasm::pull(*session);
    if (!session->world.step().good) return done;
  }
  return count;
}
double REEVE_EXPORT(reeve_time)(const Session* session) { return session->world.time(); }
double REEVE_EXPORT(reeve_steps)(const Session* session) { return static_cast<double>(session->world.steps()); }

/// 16 hexadecimal digits, the same as native builds give.
void REEVE_EXPORT(reeve_hash)(const Session* session) { answer = reeve::math::hex(session->world.hash()); }
void REEVE_EXPORT(reeve_save)(const Session* session) { answer = session->world.saveState(); }
int REEVE_EXPORT(reeve_restore)(Session* session, const char* text, int size) {
  const auto restored = session->world.restoreState(view(text, size));
  return restored ? 1 : failed(restored.error());
}

/// Back to the start: state, commands, numbers.
void REEVE_EXPORT(reeve_reset)(Session* session) { session->world.reset(); }

/// Keeps the state as a value under a number, to go back to. A number that was given before is overwritten.
void REEVE_EXPORT(reeve_keep)(Session* session, int number) {
  const auto place = static_cast<std::size_t>(number);
  if (session->kept.size() <= place) session->kept.resize(place + 1);
  session->kept[place] = session->world.state();
}
int REEVE_EXPORT(reeve_back)(Session* session, int number) {
  const auto place = static_cast<std::size_t>(number);
  if (place >= session->kept.size()) return failed({"", "no state is kept under this number", "keep one first"});
  const auto done = session->world.setState(session->kept[place]);
  return done ? 1 : failed(done.error());
}

/// A spring from a point (body frame) of a body, or from a place along a cable's line, to x y z. Holds until let go.
void REEVE_EXPORT(reeve_grip)(Session* session, int onCable, int index, const double* numbers) {
  const reeve::Description& scene = session->world.description();
  const std::size_t count = onCable ? scene.cables.size() : scene.bodies.size();
  session->grip.reset();
  if (static_cast<std::size_t>(index) >= count) return;
  session->grip = reeve::wasm::Grip{
      onCable != 0, index, {numbers[0], numbers[1], numbers[2]}, numbers[3], {numbers[4], numbers[5], numbers[6]}};
}
void REEVE_EXPORT(reeve_let_go)(Session* session) {
  session->grip.reset();
  session->pull = 0.0;
}
/// The force of the spring in the last step, N, and where it holds: four numbers.
const double* REEVE_EXPORT(reeve_pull)(Session* session) {
  session->numbers = {session->pull, session->held.x(), session->held.y(), session->held.z()};
  return session->numbers.data();
}

/// A force x y z (N, world frame) at a point of a body (body frame), for the next step; or until changed, if held.
int REEVE_EXPORT(reeve_push)(Session* session, const char* name, int size, const double* numbers, int held) {
  const auto body = session->world.body(view(name, size));
  if (!body) return failed(body.error());
  reeve::BodyPush push;
  push.force = {numbers[0], numbers[1], numbers[2]};
  push.at = {numbers[3], numbers[4], numbers[5]};
  push.held = held != 0;
  const auto done = session->world.push(*body, push);
  return done ? 1 : failed(done.error());
}

/// What a motor follows from now on; reeve_release goes back to what the scene says.
int REEVE_EXPORT(reeve_command)(Session* session, const char* name, int size, double target) {
  const auto motor = session->world.motor(view(name, size));
  if (!motor) return failed(motor.error());
  const auto done = session->world.command(*motor, target);
  return done ? 1 : failed(done.error());
}
int REEVE_EXPORT(reeve_release)(Session* session, const char* name, int size) {
  const auto motor = session->world.motor(view(name, size));
  if (!motor) return failed(motor.error());
  const auto done = session->world.release(*motor);
  return done ? 1 : failed(done.error());
}

/// Changes a number of the scene while the world runs, "rotors.drum.friction"; a problem says why one cannot change.
int REEVE_EXPORT(reeve_set)(Session* session, const char* path, int size, double value) {
  const auto parameter = session->world.parameter(view(path, size));
  if (!parameter) return failed(parameter.error());
  const auto done = session->world.set(*parameter, value);
  return done ? 1 : failed(done.error());
}

/// A session of its own in the same state.
Session* REEVE_EXPORT(reeve_clone)(const Session* session) { return newSession(session->world.clone()); }

/// The scene with all its cables in another model, built anew: a session of its own, or null and a problem.
Session* REEVE_EXPORT(reeve_swap)(const Session* session, const char* model, int size) {
  const auto word = modelOf(view(model, size));
  if (!word) return failed(word.error()), nullptr;
  auto swapped = reeve::swapModel(session->world.description(), *word);
  if (!swapped) return failed(swapped.error()), nullptr;
  answer = reeve::writeScene(swapped->world.description());
  return newSession(std::move(swapped->world));
}

/// A cable goes on in another model; answers {"before", "after", "mass", "notes"}: the energies in J, its mass in kg/m,
/// and what that model has no use for or had to assume; or a problem. States that were kept as values are of the model
/// before, and forgotten.
int REEVE_EXPORT(reeve_convert)(Session* session, const char* cable, int size, const char* model, int modelSize) {
  const auto handle = session->world.cable(view(cable, size));
  if (!handle) return failed(handle.error());
  const auto word = modelOf(view(model, modelSize));
  if (!word) return failed(word.error());
  const auto done = session->world.convert(*handle, *word);
  if (!done) return failed(done.error());
  session->kept.clear();
  const auto converted = static_cast<std::size_t>(handle->index);
  answer.clear();
  reeve::JsonWriter json(answer);
  json.beginObject(reeve::JsonWriter::Layout::line);
  json.key("before").number(done->before).key("after").number(done->after);
  json.key("mass").number(session->world.description().cables[converted].second.material.mass);
  json.key("notes").beginArray();
  for (const Problem& note : done->notes) {
    json.beginObject().key("path").text(note.path).key("reason").text(note.reason).endObject();
  }
  json.endArray().endObject();
  return 1;
}

void REEVE_EXPORT(reeve_layout)(Session* session) {
  session->told = reeve::wasm::modelsOf(session->world);
  answer = reeve::wasm::layoutText(session->world);
}
/// Whether a cable is of another model than when the layout was last asked for: 1 or 0.
int REEVE_EXPORT(reeve_changed)(const Session* session) {
  return session->told == reeve::wasm::modelsOf(session->world) ? 0 : 1;
}
void REEVE_EXPORT(reeve_cable)(const Session* session, int cable) {
  answer = reeve::wasm::cableText(session->world, static_cast<std::size_t>(cable));
}

/// Numbers for drawing (session.h); how many there are is reeve_count().
const double* REEVE_EXPORT(reeve_draw)(Session* session) {
  reeve::wasm::drawInto(session->world, session->numbers);
  return session->numbers.data();
}
int REEVE_EXPORT(reeve_count)(const Session* session) { return static_cast<int>(session->numbers.size()); }

/// The number by which a path can be read from now on; -1 if there is no such path.
int REEVE_EXPORT(reeve_watch)(Session* session, const char* path, int size) {
  const auto observable = session->world.resolve(view(path, size));
  if (!observable) return failed(observable.error()) - 1;
  session->watched.push_back(*observable);
  return static_cast<int>(session->watched.size()) - 1;
}
/// What each of `count` watched paths measures now.
const double* REEVE_EXPORT(reeve_read)(Session* session, const int* watched, int count) {
  std::vector<reeve::Observable> asked;
  for (int i = 0; i < count; ++i) {
    const auto which = static_cast<std::size_t>(watched[i]);
    asked.push_back(which < session->watched.size() ? session->watched[which] : reeve::Observable{});
  }
  session->numbers.assign(asked.size(), 0.0);
  session->world.readAll(asked, session->numbers);
  return session->numbers.data();
}

/// [{"time", "subject", "what"}], since the last call.
void REEVE_EXPORT(reeve_events)(Session* session) {
  answer.clear();
  reeve::JsonWriter json(answer, 0);
  json.beginArray();
  for (const reeve::Event& event : session->world.takeEvents()) {
    json.beginObject().key("time").number(event.time);
    json.key("subject").text(event.subject).key("what").text(event.what).endObject();
  }
  json.endArray();
}

/// {"good", "culprit", "reason", "time"}
void REEVE_EXPORT(reeve_verdict)(const Session* session) {
  const reeve::Verdict& verdict = session->world.verdict();
  answer.clear();
  reeve::JsonWriter json(answer, 0);
  json.beginObject().key("good").boolean(verdict.good).key("culprit").text(verdict.culprit);
  json.key("reason").text(verdict.reason).key("time").number(verdict.time).endObject();
}

}  // extern "C"
