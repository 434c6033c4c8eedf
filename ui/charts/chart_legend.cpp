// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_legend.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/record/number_format.h"
#include "ui/charts/chart_end_labels.h"
#include "ui/charts/chart_text.h"
#include "ui/parts/parts.h"

namespace slipstream::ui {
namespace {

using Readings = std::vector<std::optional<CursorReading>>;

constexpr double swatchWidth = 14, swatchHeight = 3;
constexpr double columnGap = 16, valueWidth = 46;
constexpr double mostLabelWidth = 180;
constexpr int mostRows = 12;

QString moreWords(std::size_t curves) {
  return chartText(QT_TRANSLATE_N_NOOP("Chart", "%n more"), curves);
}

QString number(double value) {
  return QString::fromStdString(threeDigits(value));
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

QString firstHead(const ChartPicture& picture) {
  if (picture.smoothed) return chartText(QT_TRANSLATE_NOOP("Chart", "smoothed"));
  return picture.cursor ? xText(picture.xKind, *picture.cursor) : chartText(QT_TRANSLATE_NOOP("Chart", "last"));
}

QString rawHead(const ChartPicture& picture) {
  if (!picture.cursor) return chartText(QT_TRANSLATE_NOOP("Chart", "raw"));
  return chartText(QT_TRANSLATE_NOOP("Chart", "raw at %1")).arg(xText(picture.xKind, *picture.cursor));
}

Columns columnsOf(const ChartPicture& picture, const QFontMetricsF& body, const QFontMetricsF& heads) {
  Columns columns;
  columns.label = heads.horizontalAdvance(picture.legendHead);
  for (const LineCurve& curve : picture.curves) {
    columns.label = std::max(columns.label, std::min(mostLabelWidth, body.horizontalAdvance(curve.label) + 1));
  }
  // As wide as the longest x will make them, so that the table stands still while the cursor moves.
  const QString widest = xText(picture.xKind, picture.last);
  const auto width = [&](const QString& head) { return std::max(valueWidth, heads.horizontalAdvance(head)); };
  columns.first = width(picture.smoothed ? firstHead(picture) : widest);
  if (picture.smoothed) columns.second = width(chartText(QT_TRANSLATE_NOOP("Chart", "raw at %1")).arg(widest));
  return columns;
}

/// The corner with the fewest points, the upper right one before others.
QRectF placeOf(const ChartPicture& picture, const ChartFrame& frame, const QSizeF& size) {
  const QRectF& plot = frame.plot;
  const double left = plot.left() + gapWide;
  const double right = plot.right() - size.width();
  const double top = plot.top() + 2;
  const double bottom = plot.bottom() - size.height() - gapWide;
  QRectF best;
  int least = std::numeric_limits<int>::max();
  for (const QPointF& corner :
       {QPointF(right, top), QPointF(left, bottom), QPointF(right, bottom), QPointF(left, top)}) {
    const QRectF place(corner, size);
    const int points = pointsWithin(picture, frame, place);
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

void paintInside(QPainter& painter, const ChartPicture& picture, const ChartFrame& frame, const Readings& readings) {
  const QFontMetricsF body(textFont(TextSize::secondary));
  const QFontMetricsF heads(textFont(TextSize::caption));
  const Columns columns = columnsOf(picture, body, heads);
  const double rowHeight = body.height() + gapSmall;
  const double room = frame.plot.height() - heads.height() - 2 * gapText - gapWide;
  const auto rows = rowsWithin(picture.curves.size(), room / rowHeight);
  const bool more = rows < picture.curves.size();
  const QSizeF size(columns.width() + 2 * gapWide,
                    heads.height() + gapText + rowHeight * static_cast<double>(rows + (more ? 1 : 0)) + gapText);
  const QRectF place = placeOf(picture, frame, size);
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
  painter.drawText(QRectF(place.left() + gapWide, top, columns.label + swatchWidth + gapText, heads.height()),
                   Qt::AlignVCenter, picture.legendHead);
  cell(firstHead(picture), firstRight, top, heads.height());
  if (columns.second > 0) cell(rawHead(picture), secondRight, top, heads.height());
  top += heads.height() + gapSmall;
  painter.setFont(textFont(TextSize::secondary));
  for (std::size_t i = 0; i < rows; ++i, top += rowHeight) {
    const LineCurve& curve = picture.curves[i];
    paintSwatch(painter,
                QRectF(place.left() + gapWide, top + (rowHeight - swatchHeight) / 2, swatchWidth, swatchHeight),
                curve.colourSlot);
    painter.setPen(tokens().text);
    painter.drawText(QRectF(labelLeft, top, columns.label + 1, rowHeight), Qt::AlignVCenter,
                     body.elidedText(curve.label, Qt::ElideMiddle, columns.label + 1));
    if (i >= readings.size() || !readings[i]) continue;
    cell(number(readings[i]->smoothed), firstRight, top, rowHeight);
    painter.setPen(tokens().secondText);
    if (columns.second > 0) cell(number(readings[i]->raw), secondRight, top, rowHeight);
  }
  if (!more) return;
  painter.setPen(tokens().secondText);
  painter.drawText(QRectF(labelLeft, top, columns.width(), rowHeight), Qt::AlignVCenter,
                   moreWords(picture.curves.size() - rows));
}

/// "adasum 0.074", one a curve; as wide as it ever gets.
QStringList titleEntries(const ChartPicture& picture, const Readings& readings) {
  QStringList entries;
  for (std::size_t i = 0; i < picture.curves.size(); ++i) {
    const bool read = i < readings.size() && readings[i];
    entries << (read ? QStringLiteral("%1 %2").arg(picture.curves[i].label, number(readings[i]->smoothed))
                     : picture.curves[i].label);
  }
  return entries;
}

constexpr std::size_t usefulEntries = 2;  ///< fewer, and the treatment gives its room to them

double entryWidth(const QString& label, const QFontMetricsF& metrics) {
  return swatchWidth + gapSmall + std::min(mostLabelWidth, metrics.horizontalAdvance(label) + valueWidth) + gapText;
}

/// As many entries as have room, with the words for the others.
TitleRow entriesWithin(const ChartPicture& picture, double room) {
  const QFontMetricsF metrics(textFont(TextSize::secondary));
  TitleRow row;
  double width = pageMargin;
  for (std::size_t i = 0; i < picture.curves.size(); ++i) {
    width += entryWidth(picture.curves[i].label, metrics);
    const std::size_t others = picture.curves.size() - i - 1;
    const double whole = width + (others == 0 ? 0 : metrics.horizontalAdvance(moreWords(others)));
    if (whole <= room) {
      row.entries = i + 1;
      row.legendWidth = whole;
    }
  }
  return row;
}

void paintInTitleRow(QPainter& painter, const ChartPicture& picture, const QSizeF& size, const Readings& readings) {
  const QFont font = textFont(TextSize::secondary);
  const QFontMetricsF metrics(font);
  const QStringList entries = titleEntries(picture, readings);
  const TitleRow row = titleRowOf(picture, size.width());
  double left = size.width() - row.legendWidth;
  painter.setFont(font);
  for (std::size_t i = 0; i < row.entries; ++i) {
    const double width = entryWidth(picture.curves[i].label, metrics);
    paintSwatch(painter, QRectF(left, (metrics.height() - swatchHeight) / 2 + 2, swatchWidth, swatchHeight),
                picture.curves[i].colourSlot);
    painter.setPen(tokens().text);
    painter.drawText(QPointF(left + swatchWidth + gapSmall, metrics.ascent() + 2),
                     metrics.elidedText(entries[static_cast<qsizetype>(i)], Qt::ElideMiddle,
                                        width - swatchWidth - gapSmall - gapText));
    left += width;
  }
  if (row.entries == 0 || row.entries == picture.curves.size()) return;
  painter.setPen(tokens().secondText);
  painter.drawText(QPointF(left, metrics.ascent() + 2), moreWords(picture.curves.size() - row.entries));
}

}  // namespace

Readings readingsOf(const ChartPicture& picture) {
  if (!picture.readings.empty()) return picture.readings;
  Readings readings;
  for (const LineCurve& curve : picture.curves) {
    const auto full = sampleAt(curve.line, picture.cursor);
    const auto raw = curve.raw.empty() ? full : sampleAt(curve.raw, picture.cursor);
    if (full) {
      readings.push_back(CursorReading{full->x(), full->y(), raw ? raw->y() : std::nan("")});
    } else {
      readings.emplace_back();
    }
  }
  return readings;
}

std::optional<double> cursorOnSample(const ChartPicture& picture) {
  if (!picture.cursor) return std::nullopt;
  std::optional<double> nearest;
  for (const std::optional<CursorReading>& reading : readingsOf(picture)) {
    if (!reading) continue;
    const bool nearer = !nearest || std::abs(reading->x - *picture.cursor) < std::abs(*nearest - *picture.cursor);
    if (nearer) nearest = reading->x;
  }
  return nearest ? nearest : picture.cursor;
}

TitleRow titleRowOf(const ChartPicture& picture, double width) {
  const QFontMetricsF second(textFont(TextSize::secondary));
  const double title = QFontMetricsF(textFont(TextSize::section)).horizontalAdvance(picture.title);
  const bool legend = picture.legend == LegendPlace::titleRow && !picture.curves.empty();
  QStringList parts = picture.treatment.split(QStringLiteral(", "), Qt::SkipEmptyParts);
  while (true) {
    const QString treatment = parts.join(QStringLiteral(", "));
    const double room = width - title - (parts.isEmpty() ? 0 : gapText + second.horizontalAdvance(treatment));
    TitleRow row = legend ? entriesWithin(picture, room - gapWide) : TitleRow{};
    row.treatment = treatment;
    const bool enough = legend ? row.entries >= std::min(usefulEntries, picture.curves.size()) : room >= pageMargin;
    if (enough || parts.isEmpty()) return row;
    parts.removeLast();
  }
}

void paintLegend(QPainter& painter, const ChartPicture& picture, const ChartFrame& frame, const QSizeF& size,
                 const Readings& readings) {
  if (picture.curves.empty()) return;
  if (picture.legend == LegendPlace::inside) paintInside(painter, picture, frame, readings);
  if (picture.legend == LegendPlace::titleRow) paintInTitleRow(painter, picture, size, readings);
  if (picture.legend == LegendPlace::lineEnds) paintEndLabels(painter, picture, frame, readings);
}

}  // namespace slipstream::ui
