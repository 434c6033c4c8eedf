// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/document/document.h"

namespace slipstream {

// What a figure or a page draws, as a list of lines and texts: laid out once, painted as SVG, PDF and by the window.
// Lengths are pixels or points, y points down.

/// What a mark is: each painter has its colours. `series`: the mark's own.
enum class Ink {
  none,
  text,
  second,
  base,
  hairline,
  header,
  shade,
  accent,
  grid,
  axis,
  border,
  target,
  control,
  good,
  bad,
  costs,
  lost,
  tint,
  series
};
/// On white, as #RRGGBB.
std::string_view printColour(Ink ink);

enum class Anchor { start, middle, end };
enum class Font { regular, strong, fixed };

struct Point {
  double x = 0, y = 0;
};

struct Rect {
  double left = 0, top = 0, right = 0, bottom = 0;

  double width() const { return right - left; }
  double height() const { return bottom - top; }
  bool contains(const Point& point) const {
    return point.x >= left && point.x <= right && point.y >= top && point.y <= bottom;
  }
  bool intersects(const Rect& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

struct DrawnPath {
  std::vector<std::vector<Point>> lines = {};
  Ink stroke = Ink::none;
  Ink fill = Ink::none;  ///< the lines are closed
  double width = 1;
  std::string_view colour = {};  ///< of Ink::series
  std::string_view dashes = {};  ///< lengths on and off
  double opacity = 1;
  bool raw = false;  ///< the noise behind a smoothed line
};

struct DrawnBox {
  double x = 0, y = 0, width = 0, height = 0;
  Ink fill = Ink::series;
  std::string colour = {};
};

struct DrawnDot {
  Point at;
  double radius = 1;
  std::string_view colour = {};
};

struct DrawnText {
  Point at;  ///< on the base line
  std::string text;
  double size = 11;
  Anchor anchor = Anchor::start;
  Ink ink = Ink::second;
  Font font = Font::regular;
};

using Mark = std::variant<DrawnPath, DrawnBox, DrawnDot, DrawnText>;

struct Drawing {
  double width = 0, height = 0;
  std::vector<Mark> marks = {};

  void add(Mark mark);
  /// Adds another drawing, `scale` times as large, with its corner at a point.
  void place(const Drawing& other, Point at, double scale = 1);
};

/// The colour of a run's slot, the same in light and dark; slots repeat after ten.
std::string_view runColour(int slot);
/// The dashes that tell repeated colours apart; empty for the first ten.
std::string_view runDashes(int slot);
/// A colour of the sequential map for a value in 0..1: as 0xRRGGBB and as #RRGGBB.
std::uint32_t mapRgb(double value);
std::string mapColour(double value);

/// Estimates the width of a text in Helvetica; a Chinese character is as wide as it is high.
double textWidth(std::string_view text, double size, Font font = Font::regular);

/// How large texts are in the font that they are painted in.
struct TextMetrics {
  std::function<double(const std::string&)> width;
  double ascent = 0, descent = 0;
  double height() const { return ascent + descent; }
};
/// Those of Helvetica, and a little more: fonts of pages are wider.
TextMetrics helveticaMetrics(double size);
/// At most so wide, with dots in the middle where something is left out; empty where not even one letter fits.
std::string elided(const std::string& text, double width, const TextMetrics& font);

/// How large a figure is drawn. Other figures than charts are as high as they have rows.
struct FigureSize {
  double width = 960;
  double chartWidth = 560, chartHeight = 232;
  double font = 11;
  bool names = true;  ///< beside the curves of charts; else a legend has them
};
Drawing drawingOf(const Figure& figure, const FigureSize& size, Language language);
/// A diamond with whiskers beside a dashed zero line, 18 high.
Drawing drawingOf(const Interval& interval, double width);
/// The sign of a verdict, 10 by 10: a tick, an arrow down, a dash; where nothing is claimed, an open ring.
Drawing drawingOf(ComparisonVerdict verdict);
/// A tick, an arrow down, two bars, a dash, a mark of warning or a cross, 10 by 10.
Drawing drawingOf(Sign sign);

/// The drawing as an inline SVG, whose colours are those of the page.
std::string toSvg(const Drawing& drawing);
/// The same as a file that is complete by itself, with the colours of print.
std::string toSvgFile(const Drawing& drawing);
/// Its elements alone. Classes name the inks; texts are 11 pixels high where they do not say otherwise.
std::string svgMarks(const Drawing& drawing);

}  // namespace slipstream
