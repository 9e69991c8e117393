#include "reproduce.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <filesystem>

#include "command.h"
#include "files.h"
#include "reeve/record/picture.h"
#include "reeve/record/svg.h"
#include "reeve/record/table.h"
#include "reeve/scene/json_writer.h"

namespace fs = std::filesystem;

namespace reeve::command {
namespace {

std::vector<Paper> papers() {
  return {cableJoints(), particleCables(), strands(), hoistCable(), rigidChain(), newtonTendons()};
}

struct Done {
  const Paper* paper;
  const Item* item;
  Outcome outcome;
  double seconds;
  std::vector<record::ReportPicture> drawings;
};

std::string_view word(Outcome::Verdict verdict) {
  static constexpr std::string_view words[] = {"pass", "short", "shown"};
  return words[verdict];
}

/// Lower-case words and numbers; "Figure 3.11" is "fig" and "3.11". A star stays at the end of its word.
std::vector<std::string> wordsOf(const std::string& text) {
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto isWord = [&](std::size_t k) {
      return k < text.size() && std::isalnum(static_cast<unsigned char>(text[k]));
    };
    std::string& word = words.back();
    const bool point = text[i] == '.' && !word.empty() && std::isdigit(static_cast<unsigned char>(word.back())) &&
                       (isWord(i + 1) || (i + 1 < text.size() && text[i + 1] == '*'));
    if (isWord(i) || point || (text[i] == '*' && !word.empty()))
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(text[i])));
    else if (!word.empty())
      words.emplace_back();
  }
  if (words.back().empty()) words.pop_back();
  for (std::string& w : words)
    if (w == "figure" || w == "figs" || w == "figures") w = "fig";
  return words;
}

/// The words of the wish stand in a row in the paper's number and the item's name. Words match as a whole: "fig 3" is
/// not 3.11. One that ends with a star matches what begins so: "fig 3.*".
bool selects(const std::string& wish, const Paper& paper, const Item& item) {
  const auto wanted = wordsOf(wish), have = wordsOf(paper.number + " " + item.name);
  const auto matches = [](const std::string& h, const std::string& w) {
    return w.ends_with('*') ? h.starts_with(w.substr(0, w.size() - 1)) : h == w;
  };
  return !wanted.empty() && std::search(have.begin(), have.end(), wanted.begin(), wanted.end(), matches) != have.end();
}

Done measure(const Paper& paper, const Item& item, const std::string& prefix, const ReproduceOptions& options) {
  using Clock = std::chrono::steady_clock;
  Sheet sheet(prefix, !options.out.empty() || !options.html.empty(), !options.untimed);
  const Clock::time_point start = Clock::now();
  Outcome outcome;
  try {
    outcome = item.measure(sheet);
    if (!outcome.fast && !options.untimed) outcome.verdict = Outcome::tooShort;
  } catch (const Failure& failure) {
    // Whatever is missing or refuses to build is a shortcoming of this item, and the others go on.
    const std::string message = failure.what();
    outcome = Outcome::judged(message.substr(0, message.find('\n')), false);
  }
  return {&paper, &item, std::move(outcome), std::chrono::duration<double>(Clock::now() - start).count(),
          sheet.drawings()};
}

std::string jsonOf(const std::vector<Done>& all) {
  std::string out;
  JsonWriter json(out);
  json.beginObject().key("items").beginArray();
  for (const Done& d : all) {
    json.beginObject(JsonWriter::Layout::line);
    json.key("paper").text(d.paper->number).key("item").text(d.item->name).key("reported").text(d.item->reported);
    json.key("reeve")
        .text(d.outcome.reeve)
        .key("verdict")
        .text(word(d.outcome.verdict))
        .key("seconds")
        .number(d.seconds);
    if (d.outcome.timesBelow > 0.0)
      json.key("times_below").number(d.outcome.timesBelow).key("theirs").text(d.outcome.theirs);
    json.endObject();
  }
  json.endArray().endObject();
  return out + "\n";
}

constexpr const char* style = R"(<style>
body { font: 15px/1.5 Inter, "Helvetica Neue", Helvetica, Arial, "DejaVu Sans", sans-serif; color: #1f2730;
  max-width: 1100px; margin: 2em auto; padding: 0 1em; background: #ffffff; }
h1 { font-size: 1.6em; } h2 { font-size: 1.2em; margin-top: 2em; } h3 { font-size: 1.02em; margin: 2em 0 0.3em; }
table { border-collapse: collapse; font-size: 0.88em; }
th, td { padding: 0.3em 1em 0.3em 0; text-align: left; vertical-align: top; border-bottom: 1px solid #edf0f3; }
th { color: #5b6570; font-weight: 500; }
.pass { color: #00704f; } .short { color: #b3261e; font-weight: 600; } .shown { color: #5b6570; }
div.row { display: flex; flex-wrap: wrap; gap: 12px; }
figure { margin: 0.6em 0; border: 1px solid #e3e6ea; border-radius: 6px; overflow: hidden; flex: 1 1 340px; max-width: 100%; }
figcaption { color: #5b6570; padding: 0.3em 0.8em; font-size: 0.88em; border-top: 1px solid #e3e6ea; }
svg { display: block; width: 100%; height: auto; }
dl { margin: 0.2em 0; } dt { color: #5b6570; float: left; width: 7em; } dd { margin-left: 7em; }
</style>
)";

/// How many of each verdict, what they mean, and how long it took.
std::string summaryOf(const std::vector<Done>& all) {
  std::size_t counts[3] = {0, 0, 0};
  double seconds = 0.0;
  for (const Done& d : all) ++counts[d.outcome.verdict], seconds += d.seconds;
  return fmt::format(
      "<p>{} items in {:.0f} s: <span class=\"pass\">{} pass</span>, <span class=\"short\">{} short</span>, {} shown. "
      "Every "
      "verdict is computed: <b>pass</b> where what was measured reaches what was reported, <b>short</b> where it does "
      "not, or not in the time asked for, <b>shown</b> where there is nothing to compare.</p>\n",
      all.size(), seconds, counts[Outcome::pass], counts[Outcome::tooShort], counts[Outcome::shown]);
}

std::string pageOf(const std::vector<Done>& all) {
  using record::escaped;
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<title>Reeve reproduces</title>\n";
  out += style;
  out += "</head>\n<body>\n<h1>What the papers report, and what Reeve gets</h1>\n" + summaryOf(all) +
         "<table>\n<tr><th>paper</th><th>item</th><th>reported</th><th>Reeve</th><th>verdict</th></tr>\n";
  const auto verdict = [](const Done& d) {
    return fmt::format("<span class=\"{0}\">{0}</span>", word(d.outcome.verdict));
  };
  for (std::size_t i = 0; i < all.size(); ++i)
    out += fmt::format("<tr><td>{}</td><td><a href=\"#item-{}\">{}</a></td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                       all[i].paper->number, i, escaped(all[i].item->name), escaped(all[i].item->reported),
                       escaped(all[i].outcome.reeve), verdict(all[i]));
  out += "</table>\n";
  const Paper* paper = nullptr;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Done& d = all[i];
    if (d.paper != paper) out += "<h2>" + escaped(d.paper->number + ": " + d.paper->title) + "</h2>\n";
    paper = d.paper;
    out += fmt::format(
        "<h3 id=\"item-{}\">{}</h3>\n<dl><dt>reported</dt><dd>{}</dd><dt>Reeve</dt><dd>{}</dd><dt>verdict</dt><dd>{}, "
        "{:.2f} s</dd></dl>\n",
        i, escaped(d.item->name), escaped(d.item->reported), escaped(d.outcome.reeve), verdict(d), d.seconds);
    if (d.outcome.timesBelow > 0.0)
      out += fmt::format("<p>{:.2g} times below: {}.</p>\n", d.outcome.timesBelow, escaped(d.outcome.theirs));
    if (d.drawings.empty()) continue;
    out += "<div class=\"row\">\n";
    for (const record::ReportPicture& p : d.drawings)
      out += "<figure>\n" + p.svg + "<figcaption>" + escaped(p.caption) + "</figcaption>\n</figure>\n";
    out += "</div>\n";
  }
  return out + "</body>\n</html>\n";
}

[[noreturn]] void refuse(const std::string& wish, const std::vector<Paper>& all) {
  std::string names;
  for (const Paper& paper : all) {
    names += fmt::format("\n  {}  {}", paper.number, paper.title);
    for (const Item& item : paper.items) names += "\n       " + item.name;
  }
  throw Failure(badInput, fmt::format("{}: no paper and no item of this name\nhelp: choose from{}", wish, names));
}

}  // namespace

void Sheet::picture(const World& world, const std::string& caption) {
  if (!wanted_) return;
  record::PictureOptions look;
  look.width = 720, look.height = 480;
  look.labels = world.description().rotors.size() < 20;
  look.idPrefix = nextPrefix();
  drawings_.push_back({caption, record::drawPicture(world.description(), world.observe(), look)});
}

void Sheet::plot(const std::vector<record::Panel>& panels, const std::string& caption) {
  if (!wanted_) return;
  record::PlotOptions look;
  look.width = 720;
  look.idPrefix = nextPrefix();
  drawings_.push_back({caption, record::drawPlots(panels, look)});
}

void Sheet::drawing(std::string svg, const std::string& caption) {
  if (wanted_) drawings_.push_back({caption, std::move(svg)});
}

int reproduce(const ReproduceOptions& options) {
  const std::vector<Paper> all = papers();
  for (const std::string& wish : options.wishes) {
    bool known = false;
    for (const Paper& paper : all)
      for (const Item& item : paper.items) known = known || selects(wish, paper, item);
    if (!known) refuse(wish, all);
  }
  if (!options.out.empty()) {
    std::error_code error;
    fs::create_directories(options.out, error);
    if (!fs::is_directory(options.out))
      throw Failure(badInput, options.out + ": is not a folder and cannot be made one");
  }
  std::size_t width = 0;
  for (const Paper& paper : all)
    for (const Item& item : paper.items) width = std::max(width, item.name.size());
  std::vector<Done> done;
  for (const Paper& paper : all)
    for (const Item& item : paper.items) {
      const auto wished = [&](const std::string& wish) { return selects(wish, paper, item); };
      if (!options.wishes.empty() && std::none_of(options.wishes.begin(), options.wishes.end(), wished)) continue;
      done.push_back(measure(paper, item, fmt::format("r{}", done.size()), options));
      const Done& d = done.back();
      if (options.json) continue;
      fmt::print("{} {:<{}}  paper: {}  |  reeve: {}  |  {}  {:.2f} s\n", paper.number, item.name, width, item.reported,
                 d.outcome.reeve, word(d.outcome.verdict), d.seconds);
      std::fflush(stdout);
    }
  if (options.json) fmt::print("{}", jsonOf(done));
  std::size_t counts[3] = {0, 0, 0};
  for (const Done& d : done) ++counts[d.outcome.verdict];
  if (!options.json) fmt::print("{} pass, {} short, {} shown\n", counts[0], counts[1], counts[2]);
  if (!options.out.empty()) {
    const fs::path page = fs::path(options.out) / "reproduce.html";
    writeText(page, pageOf(done));
    writeText(fs::path(options.out) / "reproduce.json", jsonOf(done));
    fmt::print(options.json ? stderr : stdout, "written to {}\n", page.string());
  }
  if (!options.html.empty()) {
    writeText(options.html, pageOf(done));
    fmt::print(options.json ? stderr : stdout, "written to {}\n", options.html);
  }
  if (!options.check || counts[Outcome::tooShort] == 0) return ok;
  for (const Done& d : done)
    if (d.outcome.verdict == Outcome::tooShort)
      fmt::print(stderr, "{} {} falls short: {}\n", d.paper->number, d.item->name, d.outcome.reeve);
  return notAsExpected;
}

}  // namespace reeve::command
