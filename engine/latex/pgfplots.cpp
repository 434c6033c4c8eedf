// SPDX-License-Identifier: GPL-3.0-or-later
// A chart for pgfplots (Feuersänger, Manual for Package PGFPLOTS), with the ticks of its drawing.
#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/document/chart_layout.h"
#include "engine/latex/figure_files.h"
#include "engine/latex/latex_text.h"

namespace slipstream {
namespace {

constexpr double plotWidth = 440, plotHeight = 170, plotFontSize = 8;  ///< points
constexpr int plotColumns = 150;  ///< a curve is thinned to: TeX keeps all points of a page in its memory

/// Columns of a .dat file, which may be of unequal length.
class DataColumns {
 public:
  /// A gap separates lines.
  void add(const std::string& name, const std::vector<Line>& lines) {
    std::vector<double> x, y;
    for (const Line& line : lines) {
      if (!x.empty()) {
        x.push_back(NAN);
        y.push_back(NAN);
      }
      x.insert(x.end(), line.x.begin(), line.x.end());
      y.insert(y.end(), line.y.begin(), line.y.end());
    }
    columns_.emplace_back("x-" + name, std::move(x));
    columns_.emplace_back(name, std::move(y));
  }

  std::string text() const {
    std::size_t most = 0;
    std::vector<std::string> fields;
    for (const auto& [name, values] : columns_) {
      fields.push_back(name);
      most = std::max(most, values.size());
    }
    std::string text = join(fields, " ") + "\n";
    for (std::size_t row = 0; row < most; ++row) {
      fields.clear();
      for (const auto& [name, values] : columns_)
        fields.push_back(row < values.size() ? numberText(values[row]) : "nan");
      text += join(fields, " ") + "\n";
    }
    return text;
  }

 private:
  std::vector<std::pair<std::string, std::vector<double>>> columns_;
};

class PlotWriter {
 public:
  PlotWriter(const ChartModel& chart, std::string name, Language language)
      : chart_(chart), name_(std::move(name)), language_(language) {
    const ChartSpace space{.width = plotWidth, .height = plotHeight, .unit = plotFontSize / 11, .xTitle = true};
    layout_ = layOut(chart, space, helveticaMetrics(plotFontSize), language);
  }

  PlotFiles files() {
    std::string curves;
    for (std::size_t i = 0; i < chart_.curves.size(); ++i) curves += bandText(chart_.curves[i], i + 1);
    for (std::size_t i = 0; i < chart_.curves.size(); ++i) curves += rawText(chart_.curves[i], i + 1);
    for (std::size_t i = 0; i < chart_.curves.size(); ++i) curves += lineText(chart_.curves[i], i + 1);
    std::string text = "% Needs \\usepackage{pgfplots}. The curves are columns of " + name_ + ".dat:\n";
    for (std::size_t i = 0; i < chart_.curves.size(); ++i) {
      text += fmt::format("% {}: {}\n", i + 1, printable(chart_.curves[i].label));
    }
    text += "\\providecommand\\figurefolder{figures}\n\\begin{tikzpicture}\n" + colours() + "\\begin{axis}[" +
            options() + "]\n" + bordersText() + boundsText() + curves + "\\end{axis}\n\\end{tikzpicture}%\n";
    return {data_.text(), std::move(text)};
  }

 private:
  std::string words(const Text& text) const { return latexText(text.in(language_)); }
  /// A comment ends with its line.
  static std::string printable(std::string text) {
    std::ranges::replace_if(
        text, [](unsigned char letter) { return letter < 32; }, ' ');
    return text;
  }

  std::string colours() const {
    std::set<std::string_view> used;
    std::string text;
    for (const ChartCurve& curve : chart_.curves) {
      const std::string_view colour = runColour(curve.colourSlot);
      if (!used.insert(colour).second) continue;
      text += fmt::format("\\definecolor{{run{0}}}{{HTML}}{{{0}}}\n", colour.substr(1));
    }
    return text;
  }
  static std::string penOf(const ChartCurve& curve) {
    return fmt::format("run{}", runColour(curve.colourSlot).substr(1));
  }
  static std::string dashesOf(const ChartCurve& curve) {
    const std::vector<std::string> lengths = split(runDashes(curve.colourSlot), ' ');
    std::string pattern;
    for (std::size_t i = 0; i + 1 < lengths.size(); i += 2) {
      pattern += fmt::format(" on {}pt off {}pt", lengths[i], lengths[i + 1]);
    }
    return pattern.empty() ? "" : ",dash pattern=" + pattern.substr(1);
  }

  static std::string ticksText(const char* axis, const std::vector<AxisTick>& ticks) {
    std::vector<std::string> values, labels;
    for (const AxisTick& tick : ticks) {
      values.push_back(numberText(tick.value));
      labels.push_back("{" + latexText(tick.text) + "}");
    }
    return fmt::format("  {0}tick={{{1}}},\n  {0}ticklabels={{{2}}},\n", axis, join(values, ","), join(labels, ","));
  }

  std::string options() const {
    std::string text = fmt::format(
        "\n  width=0.95\\linewidth,height=50mm,font=\\footnotesize,\n"
        "  title={{\\textbf{{{}}} {}}},title style={{at={{(0,1)}},anchor=south west,yshift={}mm,inner xsep=0}},\n"
        "  xmin={},xmax={},ymin={},ymax={},\n",
        words(chart_.title), words(chart_.treatment), layout_.names.empty() ? 1 : 4, numberText(layout_.x.low),
        numberText(layout_.x.high), numberText(layout_.y.low), numberText(layout_.y.high));
    if (layout_.x.logarithmic) text += "  xmode=log,\n";
    if (layout_.y.logarithmic) text += "  ymode=log,\n";
    text += ticksText("x", layout_.xTicks) + ticksText("y", layout_.yTicks);
    if (!layout_.xTitle.empty()) text += "  xlabel={" + words(layout_.xTitle) + "},\n";
    return text +
           "  axis x line*=bottom,axis y line*=left,y axis line style={opacity=0},tick align=outside,ytick "
           "style={draw=none},\n"
           "  ymajorgrids,grid style={black!12},minor tick num=0,\n"
           "  unbounded coords=jump,clip=false,\n" +
           legendText() + "  legend cell align=left\n";
  }

  /// Below the axis, in as many columns as its longest name leaves room for.
  std::string legendText() const {
    double longest = 0;
    for (const ChartCurve& curve : chart_.curves) longest = std::max(longest, textWidth(labelOf(curve), plotFontSize));
    constexpr double keyWidth = 34;
    const int fitting = std::clamp(static_cast<int>(plotWidth / (longest + keyWidth)), 1, 4);
    return fmt::format(
        "  legend style={{draw=none,fill=none,at={{(0,-0.27)}},anchor=north west,inner sep=0,column sep=4pt}},"
        "legend columns={},\n",
        fitting);
  }

  std::string labelOf(const ChartCurve& curve) const {
    const std::string name = curve.name().in(language_);
    return chart_.wholeNumbers || !curve.last() ? name : name + " · " + threeDigits(*curve.last());
  }

  std::vector<Line> thinned(const std::vector<Line>& lines) const {
    std::vector<Line> few;
    for (const Line& line : lines) {
      if (line.x.size() <= 4 * plotColumns) {
        few.push_back(line);
        continue;
      }
      for (Line& part : decimate(line, {chart_.first, chart_.last, plotColumns}, chart_.logarithmic))
        few.push_back(std::move(part));
    }
    return few;
  }

  std::string plot(const std::string& column, const std::string& style, const char* closing = "") const {
    return fmt::format("\\addplot[{}] table[x=x-{},y={}] {{\\figurefolder/{}.dat}}{};\n", style, column, column, name_,
                       closing);
  }

  /// The outline of a band, piece by piece.
  std::string bandText(const ChartCurve& curve, std::size_t number) {
    if (curve.lowest.empty() || curve.lowest.size() != curve.highest.size()) return {};
    const std::vector<Line> low = thinned(curve.lowest), high = thinned(curve.highest);
    std::vector<Line> outlines;
    for (std::size_t i = 0; i < std::min(low.size(), high.size()); ++i) {
      Line& outline = outlines.emplace_back(high[i]);
      outline.x.insert(outline.x.end(), low[i].x.rbegin(), low[i].x.rend());
      outline.y.insert(outline.y.end(), low[i].y.rbegin(), low[i].y.rend());
    }
    const std::string column = fmt::format("band-{}", number);
    data_.add(column, outlines);
    return plot(column, fmt::format("draw=none,fill={},fill opacity=0.18,forget plot", penOf(curve)), " -- cycle");
  }

  std::string rawText(const ChartCurve& curve, std::size_t number) {
    if (curve.raw.empty()) return {};
    const std::string column = fmt::format("raw-{}", number);
    data_.add(column, thinned(curve.raw));
    return plot(column, fmt::format("{},opacity=0.3,line width=0.4pt,forget plot", penOf(curve)));
  }

  std::string lineText(const ChartCurve& curve, std::size_t number) {
    const std::string column = fmt::format("line-{}", number);
    data_.add(column, thinned(curve.line));
    std::string style = fmt::format("{},line width=0.9pt{}", penOf(curve), dashesOf(curve));
    if (curve.points) style += ",mark=*,mark size=1.3pt,mark options={solid}";
    std::string text = plot(column, style) + "\\addlegendentry{" + latexText(labelOf(curve)) + "}\n";
    if (curve.largeEnd && curve.last()) {
      text += fmt::format("\\addplot[{},only marks,mark=*,mark size=2.2pt,forget plot] coordinates {{({},{})}};\n",
                          penOf(curve), numberText(curve.line.back().x.back()), numberText(*curve.last()));
    }
    if (curve.censored && curve.last()) {
      text += fmt::format("\\node[{},font=\\scriptsize,inner sep=0] at (axis cs:{},{}) {{$\\|$}};\n", penOf(curve),
                          numberText(curve.line.back().x.back()), numberText(*curve.last()));
    }
    return text + gapsText(curve);
  }

  /// Values that are no numbers, as crosses on the axis.
  std::string gapsText(const ChartCurve& curve) const {
    if (curve.gaps.empty()) return {};
    std::string points;
    double free = chart_.first;
    const double room = (chart_.last - chart_.first) / 50;
    for (const double gap : curve.gaps) {
      if (gap < free || gap > chart_.last) continue;
      points += fmt::format("({},{}) ", numberText(gap), numberText(layout_.y.low));
      free = gap + room;
    }
    return fmt::format("\\addplot[{},only marks,mark=x,forget plot] coordinates {{{}}};\n", penOf(curve), points);
  }

  std::string bordersText() const {
    std::string text;
    for (const StageName& name : layout_.names) {
      text += fmt::format(
          "\\draw[dotted,black!50] (axis cs:{0},{1}) -- (axis cs:{0},{2}) node[anchor=south west,inner sep=1pt,"
          "font=\\scriptsize] {{{3}}};\n",
          numberText(layout_.fromX(name.x)), numberText(layout_.y.low), numberText(layout_.y.high),
          latexText(name.text));
    }
    return text;
  }

  std::string boundsText() const {
    std::string text;
    for (const ChartBound& bound : chart_.bounds) {
      if (bound.value < layout_.y.low || bound.value > layout_.y.high) continue;
      text += fmt::format(
          "\\draw[dashed,black!60] (axis cs:{0},{2}) -- (axis cs:{1},{2}) node[anchor=south east,inner sep=1pt,"
          "font=\\scriptsize] {{{3}}};\n",
          numberText(layout_.x.low), numberText(layout_.x.high), numberText(bound.value), words(bound.text));
    }
    return text;
  }

  const ChartModel& chart_;
  std::string name_;
  Language language_;
  ChartLayout layout_;
  DataColumns data_;
};

}  // namespace

PlotFiles toPgfplots(const ChartModel& chart, const std::string& name, Language language) {
  return PlotWriter(chart, name, language).files();
}

}  // namespace slipstream
