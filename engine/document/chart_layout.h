// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/document/chart_model.h"
#include "engine/document/chart_scale.h"
#include "engine/document/drawing.h"

namespace slipstream {

// Where everything of a chart is, in pixels. The report's charts and the window's have this layout and these marks.

/// What a chart has to itself, and what is written beside its plot.
struct ChartSpace {
  double width = 0, height = 0;
  double unit = 1;           ///< that gaps and ticks are counted in
  double above = 4;          ///< left free over the plot and the names of its stages
  double left = 40;          ///< at least that much is left of the plot
  double right = 0;          ///< left free right of the plot
  bool xLabels = true;       ///< the axis is labelled here, and not below another chart
  bool xTitle = false;       ///< below its labels: what the axis counts
  bool labels = false;       ///< right of the plot: name and last value of each curve
  bool names = true;         ///< else these labels are what curves do not show alone: a legend has their names
  std::size_t nameRows = 1;  ///< of stages, at the most
};

struct AxisTick {
  double value = 0;
  std::string text;
  double middle = 0;  ///< of the text below the plot
};

/// The name of a stage in a row above the plot, and the line from it to the axis.
struct StageName {
  double x = 0;
  Point at;  ///< where the text begins, on its base line
  std::string text;
};

/// The name of a curve, beside the end of its line.
struct EndLabel {
  int colourSlot = 0;
  std::string text;
  double end = 0;   ///< y of the line's end
  Rect place = {};  ///< of swatch and text; of the text alone right of the plot
};

/// A value that the y axis does not reach: a triangle at its end points there.
struct OutsideMark {
  Point at;  ///< the triangle's tip
  bool above = true;
  int colourSlot = 0;
  double x = 0, value = 0;
};

struct ChartLayout {
  double width = 0, height = 0, unit = 1;
  Rect plot;
  AxisScale x, y;
  std::vector<AxisTick> xTicks, yTicks;
  std::vector<StageName> names;      ///< of stages in sight
  std::vector<Point> boundTexts;     ///< where the text of each bound begins, on its base line
  std::vector<EndLabel> labels;      ///< right of the plot
  std::vector<OutsideMark> outside;  ///< the farthest value of each curve above and below the axis, those that are seen
  Text xTitle;

  double toX(double value) const { return plot.left + x.share(value) * plot.width(); }
  double toY(double value) const { return plot.bottom - y.share(value) * plot.height(); }
  double fromX(double pixel) const { return x.valueAt((pixel - plot.left) / plot.width()); }
};

ChartLayout layOut(const ChartModel& chart, const ChartSpace& space, const TextMetrics& font, Language language);

/// Returns a line in pixels, cut at the plot's left and right edges. Values that the axis cannot show are left out.
std::vector<Point> pointsOf(const Line& line, const ChartLayout& layout);
/// Returns how many points of the curves' lines lie in a place.
int pointsWithin(const ChartModel& chart, const ChartLayout& layout, const Rect& place);
/// Returns how many points of the curves' lines, raw lines and edges of bands lie in a place; those drawn between
/// distant samples count, too.
int allPointsWithin(const ChartModel& chart, const ChartLayout& layout, const Rect& place);

/// Labels right of the plot where all have room there, else within it: each with a swatch before its text and near its
/// line's end, or left of it where lines, raw lines and bounds leave no room there. They are in the order of the ends,
/// and none over another. `texts`: one a curve; empty ones get no label, and the lowest none where the plot is too low
/// for all.
constexpr double labelSwatch = 14, labelSwatchGap = 4;
std::vector<EndLabel> labelsWithin(const ChartModel& chart, const ChartLayout& layout,
                                   const std::vector<std::string>& texts, const TextMetrics& font);

// The marks, from the back to the front. Curves are cut left and right of the plot.
/// Grid, values beside it, names and beginnings of stages.
Drawing gridMarks(const ChartLayout& layout, double fontSize);
DrawnPath bandPath(const ChartCurve& curve, const ChartLayout& layout);
DrawnPath rawPath(const ChartCurve& curve, const ChartLayout& layout);
DrawnPath linePath(const ChartModel& chart, const ChartCurve& curve, const ChartLayout& layout);
/// All bands, lines behind and lines.
Drawing curveMarks(const ChartModel& chart, const ChartLayout& layout);
/// Bounds, x axis, dots, and the layout's end labels.
Drawing frontMarks(const ChartModel& chart, const ChartLayout& layout, double fontSize, Language language);

std::vector<AxisTick> labelledX(const ChartModel& chart, const std::vector<double>& ticks, Language language);
std::vector<AxisTick> labelledY(const ValueAxis& axis);
/// What local clocks are ahead of UTC at a time since 1970.
double zoneSeconds(double time);
/// A position on the x axis in words: "step 240".
Text xText(ChartX kind, double value, Language language);
/// What the axis counts; empty of ChartX::number, which the chart names itself.
Text axisName(ChartX kind);

}  // namespace slipstream
