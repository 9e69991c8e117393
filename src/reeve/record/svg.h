#pragma once
// A small SVG writer. It cannot write a tag it does not close, text it does not escape, or a number that is not one.
#include <string>
#include <string_view>
#include <vector>

#include "reeve/math/types.h"

namespace reeve::record {

/// &, <, > and quotes as entities, control characters dropped: safe in XML and HTML text and attributes.
std::string escaped(std::string_view text);

/// A pixel coordinate: two decimals, and never nan or inf.
std::string px(double value);

/// "x,y x,y ..." of polygon and polyline.
std::string pointList(const std::vector<Vec2>& points);

/// About how wide a text is drawn, in px: enough to keep labels apart without asking a font.
double textWidth(std::string_view text, double fontSize);

/// The data of a path, built up with pen movements in px.
class Path {
 public:
  Path& move(const Vec2& p);
  Path& line(const Vec2& p);
  /// Elliptic arc to p. `tilt` in degrees turns the ellipse's first radius from the x axis.
  Path& arc(double rx, double ry, double tilt, bool large, bool clockwise, const Vec2& p);
  Path& close();
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

class Svg {
 public:
  Svg(double width, double height, std::string_view title);

  /// A tag with ready attributes (`fill="none" …`), without content.
  void tag(std::string_view name, std::string_view attributes);
  void open(std::string_view name, std::string_view attributes = {});
  void close();
  void circle(const Vec2& center, double radius, std::string_view attributes);
  void ellipse(const Vec2& center, double rx, double ry, double tiltDegrees, std::string_view attributes);
  void line(const Vec2& a, const Vec2& b, std::string_view attributes);
  void polygon(const std::vector<Vec2>& points, std::string_view attributes);
  void polyline(const std::vector<Vec2>& points, std::string_view attributes);
  void path(const Path& path, std::string_view attributes);
  void rect(const Vec2& corner, const Vec2& size, std::string_view attributes);
  void text(const Vec2& at, std::string_view content, std::string_view attributes);
  /// Goes into <defs> once: gradients, patterns, clips.
  void define(std::string_view definition);

  /// The document. Open tags are closed.
  std::string finish() &&;

 private:
  std::string head_, definitions_, body_;
  std::vector<std::string> open_;
};

/// name="value", with the value escaped.
std::string attribute(std::string_view name, std::string_view value);
std::string attribute(std::string_view name, double value);

}  // namespace reeve::record
