// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_legend.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/base/number_format.h"
#include "ui/charts/shown_chart.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

using Readings = std::vector<std::optional<CursorReading>>;

constexpr double swatchWidth = labelSwatch, swatchHeight = 3;
constexpr double columnGap = 16, valueWidth = 46, namedValueWidth = 60;  // of a value alone, and behind a name
constexpr double mostLabelWidth = 196;
constexpr int mostRows = 12;

QString moreText(std::size_t curves) {
  return chartText(QT_TRANSLATE_N_NOOP("Chart", "%n more"), curves);
}

QString number(const std::optional<double>& value) {
  return value ? QString::fromStdString(threeDigits(*value)) : QStringLiteral("–");
}

/// The sample nearest to x; nothing before the first one and behind the last one.
std::optional<QPointF> sampleAt(const std::vector<Line>& lines, std::optional<double> x) {
  std::optional<QPointF> nearest;
  for (const Line& line : lines) {
    if (line.x.empty()) continue;
    if (!x) {
      nearest = QPointF(line.x.back(), line.y.back());
      continue;
    }
    if (*x < line.x.front() || *x > line.x.back()) continue;
    const auto after = std::lower_bound(line.x.begin(), line.x.end(), *x);
    auto index = static_cast<std::size_t>(after - line.x.begin());
    if (index > 0 && *x - line.x[index - 1] < line.x[index] - *x) --index;
    nearest = QPointF(line.x[index], line.y[index]);
  }
  return nearest;
}

struct Columns {
  double label = 0;
  double first = 0, second = 0;  ///< of values; the second one only where there is a raw line
  double width() const {
    return swatchWidth + gapText + label + columnGap + first + (second > 0 ? columnGap + second : 0);
  }
};

QString valueTitle(const ShownChart& model) {
  if (model.smoothed) return chartText(QT_TRANSLATE_NOOP("Chart", "smoothed"));
  return model.cursor ? xText(model.x, *model.cursor) : chartText(QT_TRANSLATE_NOOP("Chart", "last"));
}

QString rawTitle(const ShownChart& model) {
  if (!model.cursor) return chartText(QT_TRANSLATE_NOOP("Chart", "raw"));
  return chartText(QT_TRANSLATE_NOOP("Chart", "raw at %1")).arg(xText(model.x, *model.cursor));
}

Columns columnsOf(const ShownChart& model, const QFontMetricsF& body, const QFontMetricsF& captions) {
  Columns columns;
  columns.label = captions.horizontalAdvance(model.legendTitle);
  for (const ChartCurve& curve : model.curves) {
    columns.label = std::max(columns.label, std::min(mostLabelWidth, body.horizontalAdvance(text(curve.name())) + 1));
  }
  // As wide as the longest x will make them, so that the table does not move with the cursor.
  const QString widest = xText(model.x, model.last);
  const auto width = [&](const QString& title) { return std::max(valueWidth, captions.horizontalAdvance(title)); };
  columns.first = width(model.smoothed ? valueTitle(model) : widest);
  if (model.smoothed) columns.second = width(chartText(QT_TRANSLATE_NOOP("Chart", "raw at %1")).arg(widest));
  return columns;
}

/// The corner with the fewest points, the upper right one before others.
QRectF placeOf(const ShownChart& model, const ChartLayout& frame, const QSizeF& size) {
  const double left = frame.plot.left + gapWide;
  const double right = frame.plot.right - size.width();
  const double top = frame.plot.top + 2;
  const double bottom = frame.plot.bottom - size.height() - gapWide;
  QRectF best;
  int least = std::numeric_limits<int>::max();
  for (const QPointF& corner :
       {QPointF(right, top), QPointF(left, bottom), QPointF(right, bottom), QPointF(left, top)}) {
    const QRectF place(corner, size);
    const int points = pointsWithin(model, frame, {place.left(), place.top(), place.right(), place.bottom()});
    if (points >= least) continue;
    least = points;
    best = place;
  }
  return best;
}

/// Returns how many curves the table names. `room`: how many of its rows fit the plot, one of which says how many
/// curves are left out.
std::size_t rowsWithin(std::size_t curves, double room) {
  const auto most = static_cast<std::size_t>(std::max(1.0, room));
  const std::size_t rows = std::min<std::size_t>(curves, mostRows);
  return rows <= most && rows == curves ? rows : std::min(rows, most - 1);
}

void paintInside(QPainter& painter, const ShownChart& model, const ChartLayout& frame, const Readings& readings) {
  const QFontMetricsF body(textFont(TextSize::secondary));
  const QFontMetricsF captions(textFont(TextSize::caption));
  const Columns columns = columnsOf(model, body, captions);
  const double rowHeight = body.height() + gapSmall;
  const double room = frame.plot.height() - captions.height() - 2 * gapText - gapWide;
  const auto rows = rowsWithin(model.curves.size(), room / rowHeight);
  const bool more = rows < model.curves.size();
  const QSizeF size(columns.width() + 2 * gapWide,
                    captions.height() + gapText + rowHeight * static_cast<double>(rows + (more ? 1 : 0)) + gapText);
  const QRectF place = placeOf(model, frame, size);
  painter.setPen(QPen(tokens().hairline, 1));
  painter.setBrush(tokens().base);
  painter.drawRoundedRect(place.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
  const double labelLeft = place.left() + gapWide + swatchWidth + gapText;
  const double firstRight = labelLeft + columns.label + columnGap + columns.first;
  const double secondRight = firstRight + columnGap + columns.second;
  const auto cell = [&](const QString& text, double rightEdge, double top, double height) {
    painter.drawText(QRectF(rightEdge - 200, top, 200, height), Qt::AlignRight | Qt::AlignVCenter, text);
  };
  double top = place.top() + gapSmall;
  painter.setFont(textFont(TextSize::caption));
  painter.setPen(tokens().secondText);
  painter.drawText(QRectF(place.left() + gapWide, top, columns.label + swatchWidth + gapText, captions.height()),
                   Qt::AlignVCenter, model.legendTitle);
  cell(valueTitle(model), firstRight, top, captions.height());
  if (columns.second > 0) cell(rawTitle(model), secondRight, top, captions.height());
  top += captions.height() + gapSmall;
  painter.setFont(textFont(TextSize::secondary));
  for (std::size_t i = 0; i < rows; ++i, top += rowHeight) {
    const ChartCurve& curve = model.curves[i];
    paintSwatch(painter,
                QRectF(place.left() + gapWide, top + (rowHeight - swatchHeight) / 2, swatchWidth, swatchHeight),
                curve.colourSlot);
    painter.setPen(tokens().text);
    painter.drawText(QRectF(labelLeft, top, columns.label + 1, rowHeight), Qt::AlignVCenter,
                     body.elidedText(text(curve.name()), Qt::ElideMiddle, columns.label + 1));
    if (i >= readings.size() || !readings[i]) continue;
    cell(number(readings[i]->smoothed), firstRight, top, rowHeight);
    painter.setPen(tokens().secondText);
    if (columns.second > 0) cell(number(readings[i]->raw), secondRight, top, rowHeight);
  }
  if (!more) return;
  painter.setPen(tokens().secondText);
  painter.drawText(QRectF(labelLeft, top, columns.width(), rowHeight), Qt::AlignVCenter,
                   moreText(model.curves.size() - rows));
}

/// "adasum 0.074", one a curve; as wide as it ever gets.
QStringList titleEntries(const ShownChart& model, const Readings& readings) {
  QStringList entries;
  for (std::size_t i = 0; i < model.curves.size(); ++i) {
    if (model.curves[i].ideal) {
      entries << QString();
      continue;
    }
    const bool read = i < readings.size() && readings[i] && !model.wholeNumbers;
    const QString name = text(model.curves[i].name());
    entries << (read ? QStringLiteral("%1 · %2").arg(name, number(readings[i]->smoothed)) : name);
  }
  return entries;
}

constexpr std::size_t usefulEntries = 2;  ///< fewer, and the treatment gives its room to them

double entryWidth(const QString& label, const QFontMetricsF& metrics) {
  return swatchWidth + gapSmall + std::min(mostLabelWidth, metrics.horizontalAdvance(label) + namedValueWidth) +
         gapText;
}

/// As many entries as have room, with the words for the others.
TitleRow entriesWithin(const ShownChart& model, double room) {
  const QFontMetricsF metrics(textFont(TextSize::secondary));
  TitleRow row;
  double width = pageMargin;
  for (std::size_t i = 0; i < model.curves.size(); ++i) {
    width += entryWidth(text(model.curves[i].name()), metrics);
    const std::size_t others = model.curves.size() - i - 1;
    const double whole = width + (others == 0 ? 0 : metrics.horizontalAdvance(moreText(others)));
    if (whole <= room) {
      row.entries = i + 1;
      row.legendWidth = whole;
    }
  }
  return row;
}

void paintInTitleRow(QPainter& painter, const ShownChart& model, const QSizeF& size, const Readings& readings) {
  const QFont font = textFont(TextSize::secondary);
  const QFontMetricsF metrics(font);
  const QStringList entries = titleEntries(model, readings);
  const TitleRow row = titleRowOf(model, size.width());
  double left = size.width() - model.titleRight - row.legendWidth;
  // The last one ends at the edge, whatever room it might need.
  const bool isWhole = row.entries > 0 && row.entries == model.curves.size();
  if (isWhole) {
    const double width = metrics.horizontalAdvance(entries.back());
    const double room = entryWidth(text(model.curves.back().name()), metrics) - swatchWidth - gapSmall;
    left += std::max(0.0, room - width);
  }
  painter.setFont(font);
  for (std::size_t i = 0; i < row.entries; ++i) {
    const double width = entryWidth(text(model.curves[i].name()), metrics);
    paintSwatch(painter, QRectF(left, (metrics.height() - swatchHeight) / 2 + 2, swatchWidth, swatchHeight),
                model.curves[i].colourSlot);
    painter.setPen(tokens().text);
    painter.drawText(QPointF(left + swatchWidth + gapSmall, metrics.ascent() + 2),
                     metrics.elidedText(entries[static_cast<qsizetype>(i)], Qt::ElideMiddle,
                                        width - swatchWidth - gapSmall - gapText));
    left += width;
  }
  if (row.entries == 0 || row.entries == model.curves.size()) return;
  painter.setPen(tokens().secondText);
  painter.drawText(QPointF(left, metrics.ascent() + 2), moreText(model.curves.size() - row.entries));
}

/// Swatch, label and value of each curve at the right, beside where its line ends; none over another.
void paintEndLabels(QPainter& painter, const ShownChart& model, const ChartLayout& frame, const Readings& readings) {
  const QFont font = textFont(TextSize::secondary);
  std::vector<std::string> texts;
  for (const QString& entry : titleEntries(model, readings)) texts.push_back(entry.toStdString());
  painter.setFont(font);
  for (const EndLabel& label : labelsWithin(model, frame, texts, metricsOf(font))) {
    const QRectF place = rectOf(label.place);
    const QPointF start(place.left() + labelSwatch + labelSwatchGap, place.top() + QFontMetricsF(font).ascent());
    paintHalo(painter, start, font, text(label.text));
    paintSwatch(painter, QRectF(place.left(), place.center().y() - swatchHeight / 2, labelSwatch, swatchHeight),
                label.colourSlot);
    painter.setPen(tokens().text);
    painter.drawText(start, text(label.text));
  }
}

}  // namespace

Readings readingsOf(const ShownChart& model) {
  if (!model.readings.empty()) return model.readings;
  if (!model.cursor && !model.ends.empty()) return model.ends;
  Readings readings;
  for (const ChartCurve& curve : model.curves) {
    if (curve.ideal) {
      readings.emplace_back();
      continue;
    }
    const auto full = sampleAt(curve.line, model.cursor);
    // Where no raw line is drawn beside a smoothed one, its values are not known.
    const auto raw = curve.raw.empty() && !model.smoothed ? full : sampleAt(curve.raw, model.cursor);
    if (!full) {
      readings.emplace_back();
      continue;
    }
    readings.push_back(CursorReading{full->x(), full->y(), raw ? std::optional(raw->y()) : std::nullopt});
  }
  return readings;
}

std::optional<double> cursorOnSample(const ShownChart& model) {
  if (!model.cursor) return std::nullopt;
  std::optional<double> nearest;
  for (const std::optional<CursorReading>& reading : readingsOf(model)) {
    if (!reading) continue;
    const bool nearer = !nearest || std::abs(reading->x - *model.cursor) < std::abs(*nearest - *model.cursor);
    if (nearer) nearest = reading->x;
  }
  return nearest ? nearest : model.cursor;
}

TitleRow titleRowOf(const ShownChart& model, double width) {
  const QFontMetricsF second(textFont(TextSize::secondary));
  const double title = QFontMetricsF(textFont(TextSize::section)).horizontalAdvance(text(model.title)) +
                       model.titleLeft + model.titleRight;
  const bool legend = model.legend == LegendPlace::titleRow && !model.curves.empty();
  const QString whole = text(model.treatment),
                comma = whole.contains(u'，') ? QStringLiteral("，") : QStringLiteral(", ");
  QStringList parts = whole.split(comma, Qt::SkipEmptyParts);
  while (true) {
    const QString treatment = parts.join(comma);
    const double room = width - title - (parts.isEmpty() ? 0 : gapText + second.horizontalAdvance(treatment));
    TitleRow row = legend ? entriesWithin(model, room - gapWide) : TitleRow{};
    row.treatment = treatment;
    const bool enough = legend ? row.entries >= std::min(usefulEntries, model.curves.size()) : room >= pageMargin;
    if (enough || parts.isEmpty()) return row;
    parts.removeLast();
  }
}

void paintLegend(QPainter& painter, const ShownChart& model, const ChartLayout& frame, const QSizeF& size,
                 const Readings& readings) {
  if (model.curves.empty()) return;
  if (model.legend == LegendPlace::inside) paintInside(painter, model, frame, readings);
  if (model.legend == LegendPlace::titleRow) paintInTitleRow(painter, model, size, readings);
  if (model.legend == LegendPlace::lineEnds) paintEndLabels(painter, model, frame, readings);
}

}  // namespace slipstream::ui
