#include "reeve/record/svg.h"

#include <algorithm>
#include <cmath>

#include "reeve/record/number.h"

namespace reeve::record {

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t') out += c;
    }
  }
  return out;
}

std::string px(double value) {
  // Beyond a million pixels nothing is visible, and some renderers overflow.
  constexpr double farthest = 1e6;
  return std::isfinite(value) ? rounded(std::clamp(value, -farthest, farthest), 2) : "0";
}

std::string pointList(const std::vector<Vec2>& points) {
  std::string out;
  for (const Vec2& p : points) {
    if (!out.empty()) out += ' ';
    out.append(px(p.x())).append(",").append(px(p.y()));
  }
  return out;
}

double textWidth(std::string_view text, double fontSize) {
  double ems = 0.0;
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xC0) == 0x80) continue;  // rest of a UTF-8 character
    if (std::string_view("ijlI.,:;'|!() ").find(c) != std::string_view::npos)
      ems += 0.36;
    else if (std::string_view("mwMW").find(c) != std::string_view::npos)
      ems += 0.92;
    else if (c >= 'A' && c <= 'Z')
      ems += 0.70;
    else
      ems += 0.60;
  }
  return ems * fontSize;
}

Path& Path::move(const Vec2& p) {
  text_.append("M").append(px(p.x())).append(" ").append(px(p.y()));
  return *this;
}

Path& Path::line(const Vec2& p) {
  text_.append("L").append(px(p.x())).append(" ").append(px(p.y()));
  return *this;
}

Path& Path::arc(double rx, double ry, double tilt, bool large, bool clockwise, const Vec2& p) {
  text_.append("A").append(px(rx)).append(" ").append(px(ry)).append(" ").append(px(tilt));
  text_.append(large ? " 1" : " 0").append(clockwise ? " 1 " : " 0 ");
  text_.append(px(p.x())).append(" ").append(px(p.y()));
  return *this;
}

Path& Path::close() {
  text_ += 'Z';
  return *this;
}

std::string attribute(std::string_view name, std::string_view value) {
  return std::string(name).append("=\"").append(escaped(value)).append("\" ");
}

std::string attribute(std::string_view name, double value) {
  return std::string(name).append("=\"").append(px(value)).append("\" ");
}

Svg::Svg(double width, double height, std::string_view title) {
  head_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" " + attribute("width", width) + attribute("height", height) +
          "viewBox=\"0 0 " + px(width) + " " + px(height) +
          "\" font-family=\"Inter, 'Helvetica Neue', Helvetica, Arial, 'DejaVu Sans', sans-serif\" "
          "stroke-linejoin=\"round\" stroke-linecap=\"round\">\n<title>" +
          escaped(title) + "</title>\n";
}

void Svg::tag(std::string_view name, std::string_view attributes) {
  body_.append("<").append(name).append(" ").append(attributes).append("/>\n");
}

void Svg::open(std::string_view name, std::string_view attributes) {
  body_.append("<").append(name).append(attributes.empty() ? "" : " ").append(attributes).append(">\n");
  open_.emplace_back(name);
}

void Svg::close() {
  if (open_.empty()) return;
  body_.append("</").append(open_.back()).append(">\n");
  open_.pop_back();
}

void Svg::circle(const Vec2& center, double radius, std::string_view attributes) {
  tag("circle", attribute("cx", center.x()) + attribute("cy", center.y()) + attribute("r", std::max(radius, 0.0)) +
                    std::string(attributes));
}

void Svg::ellipse(const Vec2& center, double rx, double ry, double tiltDegrees, std::string_view attributes) {
  const std::string turn =
      "transform=\"translate(" + px(center.x()) + " " + px(center.y()) + ") rotate(" + px(tiltDegrees) + ")\" ";
  tag("ellipse",
      turn + attribute("rx", std::max(rx, 0.0)) + attribute("ry", std::max(ry, 0.0)) + std::string(attributes));
}

void Svg::line(const Vec2& a, const Vec2& b, std::string_view attributes) {
  tag("line", attribute("x1", a.x()) + attribute("y1", a.y()) + attribute("x2", b.x()) + attribute("y2", b.y()) +
                  std::string(attributes));
}

void Svg::polygon(const std::vector<Vec2>& points, std::string_view attributes) {
  if (!points.empty()) tag("polygon", "points=\"" + pointList(points) + "\" " + std::string(attributes));
}

void Svg::polyline(const std::vector<Vec2>& points, std::string_view attributes) {
  if (!points.empty()) tag("polyline", "fill=\"none\" points=\"" + pointList(points) + "\" " + std::string(attributes));
}

void Svg::path(const Path& path, std::string_view attributes) {
  if (!path.text().empty()) tag("path", "d=\"" + path.text() + "\" " + std::string(attributes));
}

void Svg::rect(const Vec2& corner, const Vec2& size, std::string_view attributes) {
  tag("rect", attribute("x", corner.x()) + attribute("y", corner.y()) + attribute("width", std::max(size.x(), 0.0)) +
                  attribute("height", std::max(size.y(), 0.0)) + std::string(attributes));
}

void Svg::text(const Vec2& at, std::string_view content, std::string_view attributes) {
  body_.append("<text ").append(attribute("x", at.x())).append(attribute("y", at.y())).append(attributes).append(">");
  body_.append(escaped(content)).append("</text>\n");
}

void Svg::define(std::string_view definition) { definitions_.append(definition).append("\n"); }

std::string Svg::finish() && {
  while (!open_.empty()) close();
  std::string out = std::move(head_);
  if (!definitions_.empty()) out.append("<defs>\n").append(definitions_).append("</defs>\n");
  out.append(body_).append("</svg>\n");
  return out;
}

}  // namespace reeve::record
