// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/figure_picture.h"

#include <QLocale>
#include <algorithm>

#include "ui/compare/compare_text.h"

namespace slipstream::ui {
namespace {

constexpr std::size_t mostEndLabels = 3;
constexpr std::size_t mostInside = 6;

/// A table of many lines would cover the curves of a small chart.
LegendPlace legendPlaceOf(std::size_t curves) {
  if (curves <= mostEndLabels) return LegendPlace::lineEnds;
  return curves <= mostInside ? LegendPlace::inside : LegendPlace::titleRow;
}
constexpr std::size_t mostDots = 24;  ///< more of them would hide the line in charts this small

ChartX kindOf(FigureAxis axis) {
  switch (axis) {
    case FigureAxis::step:
      return ChartX::step;
    case FigureAxis::epoch:
      return ChartX::epoch;
    case FigureAxis::seconds:
      return ChartX::relativeTime;
  }
  return ChartX::step;
}

std::size_t samplesOf(const ChartCurve& curve) {
  std::size_t count = 0;
  for (const Line& line : curve.line) count += line.x.size();
  return count;
}

LineCurve curveOf(const ChartCurve& curve) {
  LineCurve line;
  line.label = QString::fromStdString(curve.label);
  line.colourSlot = curve.colourSlot;
  line.raw = curve.raw;
  line.line = curve.line;
  line.lowest = curve.lowest;
  line.highest = curve.highest;
  line.points = curve.points && samplesOf(curve) <= mostDots;
  return line;
}

ChartPicture pictureOf(const ArmFigure& figure, FigureAxis axis) {
  ChartPicture picture;
  picture.xKind = kindOf(axis);
  picture.last = std::max(figure.chart.lastStep, 1e-9);
  picture.logarithmic = figure.chart.logarithmic;
  picture.upperLimit = figure.chart.upperLimit;
  for (const ChartCurve& curve : figure.chart.curves) {
    if (!curve.line.empty()) picture.curves.push_back(curveOf(curve));
  }
  for (const ChartBorder& border : figure.chart.borders) {
    picture.borders.push_back({border.step, QString::fromStdString(border.name)});
  }
  if (figure.chart.target) {
    picture.bounds.push_back({*figure.chart.target, compareText(QT_TRANSLATE_NOOP("Compare", "target"))});
  }
  picture.legend = legendPlaceOf(picture.curves.size());
  return picture;
}

QString bandWords(std::size_t seeds) {
  return compareText(QT_TRANSLATE_N_NOOP("Compare", "mean and range of %n seed(s)"), seeds);
}

QString reachedLabel(const ReachedCurve& reached) {
  const QString label = QString::fromStdString(reached.label);
  if (reached.never == 0) return label;
  return compareText(QT_TRANSLATE_N_NOOP("Compare", "%1, %n seed(s) never did"), reached.never).arg(label);
}

}  // namespace

ChartPicture accuracyPicture(const ArmFigure& figure, FigureAxis axis) {
  ChartPicture picture = pictureOf(figure, axis);
  picture.title = compareText(QT_TRANSLATE_NOOP("Compare", "Test accuracy"));
  QStringList treatment{QStringLiteral("%")};
  if (figure.seeds > 1) treatment << bandWords(figure.seeds);
  picture.treatment = treatment.join(QStringLiteral(", "));
  return picture;
}

ChartPicture lossPicture(const ArmFigure& figure, FigureAxis axis) {
  ChartPicture picture = pictureOf(figure, axis);
  picture.title = compareText(QT_TRANSLATE_NOOP("Compare", "Training loss"));
  QStringList treatment;
  if (figure.chart.logarithmic) treatment << compareText(QT_TRANSLATE_NOOP("Compare", "log scale"));
  if (figure.smooth) {
    treatment
        << compareText(QT_TRANSLATE_NOOP("Compare", "smoothed %1")).arg(QLocale().toString(figureSmoothing, 'g', 2));
  }
  if (figure.seeds > 1) treatment << bandWords(figure.seeds);
  picture.treatment = treatment.join(QStringLiteral(", "));
  return picture;
}

ChartPicture reachedPicture(const std::vector<ReachedCurve>& curves, double target, FigureAxis axis) {
  ChartPicture picture;
  picture.title = compareText(QT_TRANSLATE_NOOP("Compare", "Seeds that reached %1 %"))
                      .arg(QLocale().toString(100 * target, 'g', 4));
  picture.xKind = kindOf(axis);
  picture.wholeNumbers = true;
  picture.last = 1e-9;
  std::size_t most = 0;
  for (const ReachedCurve& curve : curves) {
    most = std::max(most, curve.runs);
    picture.last = std::max(picture.last, curve.steps.x.back());
  }
  picture.treatment = compareText(QT_TRANSLATE_NOOP("Compare", "of %1")).arg(most);
  picture.upperLimit = static_cast<double>(most);
  for (const ReachedCurve& reached : curves) {
    LineCurve line;
    line.label = reachedLabel(reached);
    line.colourSlot = reached.colourSlot;
    line.line = {reached.steps};
    line.censored = reached.never > 0;
    picture.curves.push_back(std::move(line));
  }
  picture.legend = legendPlaceOf(picture.curves.size());
  return picture;
}

void shareAxis(std::vector<ChartPicture>& pictures) {
  double last = 0;
  for (const ChartPicture& picture : pictures) last = std::max(last, picture.last);
  for (ChartPicture& picture : pictures) picture.last = last;
}

}  // namespace slipstream::ui
