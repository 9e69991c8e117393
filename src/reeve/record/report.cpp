#include "reeve/record/report.h"

#include "reeve/record/svg.h"
#include "reeve/record/table.h"

namespace reeve::record {
namespace {

constexpr const char* style = R"(<style>
body { font: 15px/1.5 Inter, "Helvetica Neue", Helvetica, Arial, "DejaVu Sans", sans-serif; color: #1f2730;
  max-width: 960px; margin: 2em auto; padding: 0 1em; background: #ffffff; }
h1 { font-size: 1.6em; margin-bottom: 0.2em; }
h2 { font-size: 1.05em; margin: 1.8em 0 0.4em; }
p.about { color: #5b6570; max-width: 44em; }
figure { margin: 1.5em 0; border: 1px solid #e3e6ea; border-radius: 6px; overflow: hidden; }
figcaption { color: #5b6570; padding: 0.4em 1em; font-size: 0.9em; border-top: 1px solid #e3e6ea; }
svg { display: block; max-width: 100%; height: auto; }
div.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.9em; font-variant-numeric: tabular-nums; }
th, td { padding: 0.25em 0.9em 0.25em 0; text-align: right; border-bottom: 1px solid #edf0f3; white-space: nowrap; }
th { color: #5b6570; font-weight: 500; }
th.text, td.text { text-align: left; }
td.good { color: #00704f; } td.bad, p.bad { color: #b3261e; font-weight: 600; }
</style>
)";

}  // namespace

std::string writeReport(const RunFacts& facts, const Observation& seen, const std::string& about,
                        const std::vector<ReportPicture>& pictures, const std::string& plots) {
  const std::string title = escaped(facts.scene.empty() ? "Reeve run" : facts.scene);
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>" +
      title + "</title>\n" + style + "</head>\n<body>\n<h1>" + title + "</h1>\n";
  if (!about.empty()) out += "<p class=\"about\">" + escaped(about) + "</p>\n";
  out += "<p>" + escaped(paceLine(facts, seen)) + "</p>\n";
  if (facts.interrupted) out += "<p class=\"bad\">Interrupted: these are the results so far.</p>\n";
  if (!facts.verdict.good)
    out += "<p class=\"bad\">The simulation went bad: " + escaped(facts.verdict.culprit + ": " + facts.verdict.reason) +
           "</p>\n";
  for (const ReportPicture& picture : pictures)
    out += "<figure>\n" + picture.svg + "<figcaption>" + escaped(picture.caption) + "</figcaption>\n</figure>\n";
  if (!plots.empty()) out += "<figure>\n" + plots + "</figure>\n";
  for (const Table& table : resultTables(facts, seen, {.mostRows = 200}))
    out += "<div class=\"wide\">\n" + tableHtml(table) + "</div>\n";
  return out + "</body>\n</html>\n";
}

}  // namespace reeve::record
