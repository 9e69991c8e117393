#include "reeve/record/report.h"

#include "reeve/math/hash.h"
#include "reeve/record/player_text.h"
#include "reeve/record/svg.h"
#include "reeve/record/table.h"

namespace reeve::record {
namespace {

constexpr const char* style = R"(<style>
:root { color-scheme: light dark; --ink: #1f2730; --quiet: #4a545f; --line: #e3e6ea; --page: #ffffff; --panel: #ffffff; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #eef1f4; --quiet: #b9c2cc; --line: #39424d; --page: #14181d; --panel: #1b2027; }
  figure svg { filter: invert(0.9) hue-rotate(180deg); }
}
body { font: 15px/1.5 Inter, "Helvetica Neue", Helvetica, Arial, "DejaVu Sans", sans-serif; color: var(--ink);
  max-width: 960px; margin: 1.5em auto; padding: 0 1em; background: var(--page); }
h1 { font-size: 1.6em; margin-bottom: 0.2em; overflow-wrap: anywhere; }
h2 { font-size: 1.05em; margin: 1.8em 0 0.4em; }
p.about, p.origin { color: var(--quiet); max-width: 44em; overflow-wrap: anywhere; }
figure { margin: 1em 0; border: 1px solid var(--line); border-radius: 6px; overflow-x: auto; background: var(--panel); }
figcaption { color: var(--quiet); padding: 0.4em 1em; font-size: 0.9em; border-top: 1px solid var(--line); }
svg { display: block; width: 100%; min-width: 560px; height: auto; max-height: 640px; }
div.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.9em; font-variant-numeric: tabular-nums; }
th, td { padding: 0.25em 0.9em 0.25em 0; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
th { color: var(--quiet); font-weight: 500; }
th.text, td.text { text-align: left; }
td.good { color: #128a64; } td.bad, p.bad { color: #d0453c; font-weight: 600; }
#player { position: relative; border: 1px solid var(--line); border-radius: 6px; background: var(--panel); overflow: hidden; }
canvas { display: block; width: 100%; touch-action: none; }
canvas.scene { height: min(62vh, 560px, 90vw); cursor: grab; }
canvas.plot { height: 210px; cursor: crosshair; touch-action: pan-y; }
.bar { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; padding: 8px 10px; border-top: 1px solid var(--line); }
.bar input { flex: 1 1 120px; min-width: 80px; }
.bar output { font-variant-numeric: tabular-nums; min-width: 6.5em; }
.bar button, .bar select { font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--line); border-radius: 5px;
  min-width: 40px; min-height: 36px; }
.tip { position: absolute; display: none; pointer-events: none; background: var(--ink); color: var(--page); font-size: 13px;
  padding: 1px 7px; border-radius: 4px; white-space: nowrap; }
.tensions { position: absolute; top: 8px; right: 10px; font-size: 12px; color: var(--quiet); text-align: right; pointer-events: none; }
.tensions i { display: block; height: 7px; width: 150px; margin-left: auto; border-radius: 3px; }
.legend { margin: 0; padding: 2px 10px 8px; font-size: 12px; display: flex; flex-wrap: wrap; gap: 2px 14px; color: var(--quiet); }
.legend i { display: inline-block; width: 14px; height: 3px; vertical-align: middle; margin-right: 5px; }
.legend b { color: var(--ink); font-weight: 600; font-variant-numeric: tabular-nums; }
</style>
)";

std::string originOf(const RunFacts& facts, const ReportParts& parts) {
  std::string out = "<p class=\"origin\">";
  if (!parts.command.empty()) out += "<code>" + escaped(parts.command) + "</code><br/>";
  if (!parts.version.empty()) out += escaped("Reeve " + parts.version) + ", ";
  out += "state " + escaped(math::hex(facts.hash));
  for (std::size_t i = 0; i < parts.files.size(); ++i)
    out += std::string(i ? ", " : "<br/>") + "<a href=\"" + escaped(parts.files[i]) + "\">" + escaped(parts.files[i]) +
           "</a>";
  return out + "</p>\n";
}

/// Data and program. The data has no "<" in it, and every text of it only ever becomes a text node.
std::string playerScript(const std::string& data) {
  return "<script type=\"application/json\" id=\"run\">" + data +
         "</script>\n<script>\n//<![CDATA[\n\"use strict\";\n" + playerText +
         "\nReevePlayer.mount(document.getElementById(\"player\"), "
         "JSON.parse(document.getElementById(\"run\").textContent), "
         "document.getElementById(\"plots\"));\n//]]>\n</script>\n";
}

}  // namespace

std::string writeReport(const RunFacts& facts, const Observation& seen, const ReportParts& parts) {
  const std::string title = escaped(facts.scene.empty() ? "Reeve run" : facts.scene);
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<link rel=\"icon\" href=\"data:,\"/>\n<title>" +
      title + "</title>\n" + style + "</head>\n<body>\n<h1>" + title + "</h1>\n";
  if (!parts.about.empty()) out += "<p class=\"about\">" + escaped(parts.about) + "</p>\n";
  out += "<p>" + escaped(paceLine(facts, seen)) + "</p>\n";
  if (facts.interrupted) out += "<p class=\"bad\">Interrupted: these are the results so far.</p>\n";
  if (!facts.verdict.good)
    out += "<p class=\"bad\">The simulation went bad: " + escaped(facts.verdict.culprit + ": " + facts.verdict.reason) +
           "</p>\n";
  if (!parts.player.empty())
    out +=
        "<div id=\"player\"></div>\n<p class=\"about\">Drag to turn, shift-drag to move, wheel or pinch to zoom; "
        "space plays, arrows step. Point at a body or a cable for its numbers, at a plot to go to that time.</p>\n"
        "<div id=\"plots\"></div>\n";
  if (!parts.plots.empty()) {
    const bool always = parts.player.empty();
    out += (always ? "" : "<noscript>\n") + std::string("<figure>\n") + parts.plots + "</figure>\n" +
           (always ? "" : "</noscript>\n");
  }
  for (const ReportPicture& picture : parts.pictures)
    out += "<figure>\n" + picture.svg + "<figcaption>" + escaped(picture.caption) + "</figcaption>\n</figure>\n";
  for (const Table& table : resultTables(facts, seen, {.mostRows = 200}))
    out += "<div class=\"wide\">\n" + tableHtml(table) + "</div>\n";
  out += originOf(facts, parts);
  if (!parts.player.empty()) out += playerScript(parts.player);
  return out + "</body>\n</html>\n";
}

}  // namespace reeve::record
