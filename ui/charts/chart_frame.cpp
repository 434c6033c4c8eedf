// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_frame.h"

#include <QDateTime>
#include <QFontMetricsF>
#include <QLocale>
#include <cmath>

#include "engine/base/text.h"
#include "ui/charts/chart_model.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr double labelRoomX = 76, labelRoomY = 26;  ///< a label needs that much to itself
constexpr double frameTickLength = 4;
constexpr double leastLeft = 44;  ///< so that charts below each other begin at the same place

/// Decimals of a second that tell times `step` apart; whole ones need none.
int secondDecimals(double step) {
  return step < 1 ? tickDecimals({0, step}) : 0;
}

/// A time of day, as exact as times `step` apart need; with the day where they reach over one.
QString clockText(double seconds, double step, bool withDay) {
  constexpr double minute = 60, day = 86400;
  const int decimals = secondDecimals(step);
  const double unit = std::pow(10, decimals);
  const double rounded = std::round(seconds * unit) / unit;
  const QDateTime time = QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(std::llround(rounded * 1000)));
  if (step >= day) return QLocale().toString(time.date(), QStringLiteral("d MMM"));
  QString text = time.toString(step < minute ? QStringLiteral("HH:mm:ss") : QStringLiteral("HH:mm"));
  if (decimals > 0) text += QString::number(rounded - std::floor(rounded), 'f', decimals).mid(1);
  return withDay ? QLocale().toString(time.date(), QStringLiteral("d MMM")) + QLatin1Char(' ') + text : text;
}

QString relativeText(double seconds, double step) {
  constexpr double minute = 60, hour = 3600;
  if (step < 1) return QLocale().toString(seconds, 'f', secondDecimals(step)) + QStringLiteral(" s");
  // Labels in hours leave out the seconds.
  if (seconds < hour || step >= minute) return QString::fromStdString(durationText(seconds));
  const auto whole = static_cast<int>(std::llround(seconds));
  return QStringLiteral("%1:%2:%3")
      .arg(whole / 3600)
      .arg(whole / 60 % 60, 2, 10, QLatin1Char('0'))
      .arg(whole % 60, 2, 10, QLatin1Char('0'));
}

bool isOnOneDay(const std::vector<double>& ticks) {
  const auto dayOf = [](double seconds) {
    return QDateTime::fromSecsSinceEpoch(static_cast<qint64>(std::floor(seconds))).date();
  };
  return ticks.empty() || dayOf(ticks.front()) == dayOf(ticks.back());
}

QStringList xTextsOf(const ChartModel& model, const std::vector<double>& ticks) {
  const double step = ticks.size() > 1 ? ticks[1] - ticks[0] : 1;
  const int decimals = model.logarithmicX ? 0 : tickDecimals(ticks);
  const bool withDay = model.xKind == ChartX::wallTime && !isOnOneDay(ticks);
  QStringList texts;
  for (const double tick : ticks) {
    if (model.xKind == ChartX::wallTime) {
      texts << clockText(tick, step, withDay);
    } else if (model.xKind == ChartX::relativeTime) {
      texts << relativeText(tick, step);
    } else {
      texts << QLocale().toString(tick, 'f', model.xKind == ChartX::epoch ? decimals : 0);
    }
  }
  return texts;
}

bool isEven(const std::vector<double>& ticks) {
  constexpr double tolerance = 1e-6;
  if (ticks.size() < 2) return false;
  const double step = ticks[1] - ticks[0];
  for (std::size_t i = 2; i < ticks.size(); ++i) {
    if (std::abs(ticks[i] - ticks[i - 1] - step) > tolerance * step) return false;
  }
  return true;
}

/// Evenly spaced values have the same decimals, also on a logarithmic axis too short for decades.
QStringList yTextsOf(const ValueAxis& axis) {
  const int decimals = tickDecimals(axis.ticks);
  const bool even = isEven(axis.ticks) || !axis.scale.logarithmic;
  QStringList texts;
  for (const double tick : axis.ticks) {
    const bool plain = even && std::abs(tick) < 1e6 && decimals <= 6;
    QString text = plain ? QLocale().toString(tick, 'f', decimals) : QLocale().toString(tick, 'g', 4);
    texts << text.replace(QLatin1Char('-'), QChar(0x2212));
  }
  return texts;
}

ValueRange valuesIn(const ChartModel& model) {
  ValueRange range;
  const auto include = [&](const std::vector<Line>& lines) {
    for (const Line& line : lines) {
      for (std::size_t i = 0; i < line.x.size(); ++i) {
        // The neighbours outside carry the line to the edge; they do not stretch the axis.
        if (line.x[i] < model.first || line.x[i] > model.last) continue;
        if (!model.logarithmic || line.y[i] > 0) range.include(line.y[i]);
      }
    }
  };
  for (const LineCurve& curve : model.curves) {
    for (const auto* lines : {&curve.raw, &curve.line, &curve.lowest, &curve.highest}) include(*lines);
  }
  if (range.empty()) return range;
  for (const ChartBound& bound : model.bounds) {
    if (!model.logarithmic || bound.value > 0) range.include(bound.value);
  }
  return range;
}

std::vector<double> xTicksOf(const ChartModel& model, const AxisScale& scale, double width) {
  const int most = std::max(2, static_cast<int>(width / labelRoomX) + 1);
  switch (model.xKind) {
    case ChartX::step:
    case ChartX::samples:
      return ticksWithin(scale, most, true);
    case ChartX::epoch:
      return ticksWithin(scale, most);
    case ChartX::wallTime: {
      const double zone = QDateTime::fromSecsSinceEpoch(static_cast<qint64>(model.first)).offsetFromUtc();
      return timeTicks(scale.low, scale.high, most, zone);
    }
    case ChartX::relativeTime:
      return timeTicks(scale.low, scale.high, most, 0);
  }
  return {};
}

double widest(const QStringList& texts, const QFontMetricsF& metrics) {
  double width = 0;
  for (const QString& text : texts) width = std::max(width, metrics.horizontalAdvance(text));
  return width;
}

/// An axis in pixels. The logarithms of its ends are taken once, not for every point.
class PixelAxis {
 public:
  PixelAxis(const AxisScale& scale, double start, double end)
      : logarithmic_(scale.logarithmic),
        start_(start),
        low_(measure(scale.low)),
        pixels_((end - start) / (measure(scale.high) - low_)) {}

  double at(double value) const { return start_ + (measure(value) - low_) * pixels_; }

 private:
  double measure(double value) const { return logarithmic_ ? std::log(value) : value; }

  bool logarithmic_;
  double start_, low_, pixels_;
};

AxisScale xScaleOf(const ChartModel& model) {
  const double first = model.logarithmicX ? std::max(model.first, 1.0) : model.first;
  return {first, std::max(model.last, first + 1e-9), model.logarithmicX};
}

}  // namespace

ChartFrame frameOf(const ChartModel& model, const QSizeF& size) {
  const QFontMetricsF ticks(textFont(TextSize::caption));
  // Names of stages have a line of their own above the curves.
  const double names = model.borders.empty() ? 0 : ticks.height();
  const double top = QFontMetricsF(textFont(TextSize::section)).height() + gapWide + names;
  const double bottom =
      size.height() - (model.xLabels ? ticks.height() + frameTickLength + gapSmall : ticks.height() / 2);
  ChartFrame frame;
  const int mostY = std::max(2, static_cast<int>((bottom - top) / labelRoomY));
  ValueAxis values = valueAxis(valuesIn(model), model.logarithmic, model.upperLimit, std::min(mostY, 6));
  if (model.wholeNumbers) std::erase_if(values.ticks, [](double tick) { return tick != std::floor(tick); });
  frame.y = values.scale;
  frame.yTicks = values.ticks;
  frame.yTexts = yTextsOf(values);
  const double left = std::ceil(std::max({leastLeft, model.leftRoom, widest(frame.yTexts, ticks) + gapText}));
  frame.plot = QRectF(QPointF(left, std::floor(top)),
                      QPointF(std::max(left + 1, size.width() - pageMargin), std::max(top + 1, std::floor(bottom))));
  frame.x = xScaleOf(model);
  if (model.xLabels) frame.xTicks = xTicksOf(model, frame.x, frame.plot.width());
  frame.xTexts = xTextsOf(model, frame.xTicks);
  return frame;
}

QPolygonF polylineOf(const Line& line, const ChartFrame& frame) {
  const double left = frame.plot.left() - 2;
  const double right = frame.plot.right() + 2;
  const PixelAxis x(frame.x, frame.plot.left(), frame.plot.right());
  const PixelAxis y(frame.y, frame.plot.bottom(), frame.plot.top());
  QPolygonF points;
  points.reserve(static_cast<int>(line.x.size()));
  for (std::size_t i = 0; i < line.x.size(); ++i) {
    if ((frame.x.logarithmic && line.x[i] <= 0) || (frame.y.logarithmic && line.y[i] <= 0)) continue;
    const QPointF point(x.at(line.x[i]), y.at(line.y[i]));
    const auto cut = [&](const QPointF& from, const QPointF& to, double edge) {
      return QPointF(edge, from.y() + (to.y() - from.y()) * (edge - from.x()) / (to.x() - from.x()));
    };
    if (point.x() < left) {
      points.clear();
      points.append(point);
      continue;
    }
    if (points.size() == 1 && points.front().x() < left) points.front() = cut(points.front(), point, left);
    if (point.x() > right) {
      if (!points.isEmpty()) points.append(cut(points.back(), point, right));
      break;
    }
    points.append(point);
  }
  if (points.size() == 1 && points.front().x() < left) points.clear();
  return points;
}

int pointsWithin(const ChartModel& model, const ChartFrame& frame, const QRectF& place) {
  const PixelAxis x(frame.x, frame.plot.left(), frame.plot.right());
  const PixelAxis y(frame.y, frame.plot.bottom(), frame.plot.top());
  int count = 0;
  for (const LineCurve& curve : model.curves) {
    for (const Line& line : curve.line) {
      for (std::size_t i = 0; i < line.x.size(); ++i) {
        if (place.contains(x.at(line.x[i]), y.at(line.y[i]))) ++count;
      }
    }
  }
  return count;
}

QString xText(ChartX kind, double value) {
  const QLocale locale;
  switch (kind) {
    case ChartX::step:
      return chartText(QT_TRANSLATE_NOOP("Chart", "step %1")).arg(locale.toString(std::llround(value)));
    case ChartX::epoch:
      return chartText(QT_TRANSLATE_NOOP("Chart", "epoch %1")).arg(locale.toString(value, 'f', 2));
    case ChartX::samples:
      return chartText(QT_TRANSLATE_NOOP("Chart", "sample %1")).arg(locale.toString(std::llround(value)));
    case ChartX::wallTime:
      return clockText(value, 1, false);
    case ChartX::relativeTime:
      return relativeText(value, value < 60 ? 0.1 : 1);
  }
  return {};
}

QString axisName(ChartX kind) {
  switch (kind) {
    case ChartX::step:
      return chartText(QT_TRANSLATE_NOOP("Chart", "step"));
    case ChartX::epoch:
      return chartText(QT_TRANSLATE_NOOP("Chart", "epoch"));
    case ChartX::samples:
      return chartText(QT_TRANSLATE_NOOP("Chart", "samples"));
    case ChartX::wallTime:
      return chartText(QT_TRANSLATE_NOOP("Chart", "wall time, s"));
    case ChartX::relativeTime:
      return chartText(QT_TRANSLATE_NOOP("Chart", "time since start, s"));
  }
  return {};
}

}  // namespace slipstream::ui
