// The C API of reeve.wasm: what web/src/reeve.ts calls. Plain numbers and pointers only.
//
// Texts go in as a pointer and a length, in memory from reeve_alloc. What a call answers in words or lists stays in one
// place until the next call: reeve_text() and reeve_text_size(), UTF-8. A call that fails leaves a problem there, as
// JSON: {"path", "reason", "remedy", "line", "column"}. Lengths are of bytes.
#include <cstdlib>
#include <memory>

#include "reeve/math/hash.h"
#include "reeve/scene/json_writer.h"
#include "reeve/scene/scene.h"
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

std::string_view view(const char* text, int size) { return {text, static_cast<std::size_t>(size)}; }

}  // namespace

extern "C" {

char* REEVE_EXPORT(reeve_alloc)(int size) { return static_cast<char*>(std::malloc(static_cast<std::size_t>(size))); }
void REEVE_EXPORT(reeve_free)(char* memory) { std::free(memory); }
const char* REEVE_EXPORT(reeve_text)() { return answer.data(); }
int REEVE_EXPORT(reeve_text_size)() { return static_cast<int>(answer.size()); }

/// The JSON Schema of scene files.
void REEVE_EXPORT(reeve_schema)() { answer = reeve::sceneSchema(); }

/// A world from the text of a scene; null if there is something wrong with it.
Session* REEVE_EXPORT(reeve_load)(const char* text, int size, const char* name, int nameSize) {
  const std::string_view source = view(text, size);
  auto scene = reeve::readScene(source, view(name, nameSize));
  if (!scene) return failed(scene.error()), nullptr;
  auto world = World::build(std::move(*scene));
  if (world) return std::make_unique<Session>(Session{std::move(*world), {}, {}}).release();
  Problem problem = world.error();
  reeve::locate(source, problem);
  return failed(std::move(problem)), nullptr;
}
void REEVE_EXPORT(reeve_drop)(Session* session) { delete session; }

/// Takes up to `count` steps; fewer when one goes bad. Returns how many.
int REEVE_EXPORT(reeve_step)(Session* session, int count) {
  int done = 0;
  while (done < count && session->world.step().good) ++done;
  return done;
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

void REEVE_EXPORT(reeve_layout)(const Session* session) { answer = reeve::wasm::layoutText(session->world); }
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
  session->numbers.clear();
  for (int i = 0; i < count; ++i) {
    const auto which = static_cast<std::size_t>(watched[i]);
    session->numbers.push_back(which < session->watched.size() ? session->world.read(session->watched[which]) : 0.0);
  }
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
