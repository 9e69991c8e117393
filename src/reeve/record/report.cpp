#include "reeve/record/report.h"

#include "reeve/math/hash.h"
#include "reeve/record/number.h"
#include "reeve/record/player_text.h"
#include "reeve/record/svg.h"
#include "reeve/record/table.h"

namespace reeve::record {
namespace {

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
      title + "</title>\n<style>\n" + playerStyle + "</style>\n</head>\n<body>\n<h1>" + title + "</h1>\n";
  if (!parts.about.empty()) out += "<p class=\"about\">" + escaped(parts.about) + "</p>\n";
  out += "<p>" + escaped(paceLine(facts, seen)) + "</p>\n";
  if (facts.interrupted) out += "<p class=\"bad\">Interrupted: these are the results so far.</p>\n";
  if (!facts.verdict.good)
    out += "<p class=\"bad\">The simulation went bad: " + escaped(facts.verdict.culprit + ": " + facts.verdict.reason) +
           "</p>\n";
  if (facts.trust() == Trust::doubtful) out += "<p class=\"bad\">This run is doubtful:</p>\n";
  for (const Finding& f : facts.findings)
    out += "<p class=\"bad\">From " + readable(f.time) + " s: " + escaped(f.subject + " " + f.reason) + "</p>\n";
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
