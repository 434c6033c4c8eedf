// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/reading_row.h"

#include <QFontMetricsF>
#include <algorithm>

#include "engine/base/number_format.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr std::size_t mostReadings = 3, mostNames = 8;
constexpr double rowSwatchWidth = 14, rowSwatchHeight = 3;

/// "0.061", or "adasum 0.061". Without a cursor a name stands alone: the ends of lines are seen.
QString entryOf(const ShownChart& model, std::size_t curve, const std::optional<CursorReading>& reading) {
  const QString value = reading ? QString::fromStdString(threeDigits(reading->smoothed)) : QStringLiteral("–");
  if (model.readingRow == ReadingRow::values) return value;
  const QString name = text(model.curves[curve].name());
  return model.cursor ? QStringLiteral("%1 %2").arg(name, value) : name;
}

struct Entry {
  int colourSlot = 0;
  QString text;
};

/// In the wanted order. The ideal curve is named at its line.
std::vector<std::size_t> listedCurves(const ShownChart& model) {
  std::vector<std::size_t> curves;
  const auto add = [&](std::size_t curve) {
    const bool isListed = curve < model.curves.size() && !model.curves[curve].ideal;
    if (isListed && std::ranges::find(curves, curve) == curves.end()) curves.push_back(curve);
  };
  for (const std::size_t curve : model.readingOrder) add(curve);
  for (std::size_t curve = 0; curve < model.curves.size(); ++curve) add(curve);
  return curves;
}

/// Those of the curves, then "–" for each run of the page that has none here.
std::vector<Entry> entriesOf(const ShownChart& model, const std::vector<std::optional<CursorReading>>& readings) {
  std::vector<Entry> entries;
  for (const std::size_t curve : listedCurves(model)) {
    entries.push_back({model.curves[curve].colourSlot,
                       entryOf(model, curve, curve < readings.size() ? readings[curve] : std::nullopt)});
  }
  if (model.readingRow != ReadingRow::values) return entries;
  for (const int slot : model.withoutCurve) entries.push_back({slot, QStringLiteral("–")});
  return entries;
}

/// "at step 500", where the samples that were read are all there and not where the cursor is.
QString elsewhereText(const ShownChart& model, const std::vector<std::optional<CursorReading>>& readings) {
  if (!model.cursor || model.readingRow != ReadingRow::values) return {};
  std::optional<double> place;
  for (const std::optional<CursorReading>& reading : readings) {
    if (!reading) continue;
    if (place && *place != reading->x) return {};
    place = reading->x;
  }
  if (!place || *place == *model.cursor) return {};
  const QString there = xText(model.x, *place);
  return there == xText(model.x, *model.cursor) ? QString() : chartText(QT_TRANSLATE_NOOP("Chart", "at %1")).arg(there);
}

}  // namespace

double readingRowHeight() {
  return QFontMetricsF(textFont(TextSize::secondary)).height() + gapSmall;
}

void paintReadingRow(QPainter& painter, const ShownChart& model, const QSizeF& size,
                     const std::vector<std::optional<CursorReading>>& readings) {
  const QFont font = textFont(TextSize::secondary);
  const QFontMetricsF metrics(font);
  const double top = QFontMetricsF(textFont(TextSize::section)).height() + gapSmall;
  const double base = top + metrics.ascent();
  const std::vector<Entry> entries = entriesOf(model, readings);
  const std::size_t most = model.readingRow == ReadingRow::values ? mostReadings : mostNames;
  const auto restText = [&](std::size_t shown) { return QStringLiteral("+ %1").arg(entries.size() - shown); };
  painter.setFont(font);
  double left = model.titleLeft;
  std::size_t shown = 0;
  for (; shown < std::min(entries.size(), most); ++shown) {
    const QString& entry = entries[shown].text;
    const double end = left + rowSwatchWidth + gapSmall + metrics.horizontalAdvance(entry);
    const bool more = shown + 1 < entries.size();
    if (end + (more ? gapWide + metrics.horizontalAdvance(restText(shown + 1)) : 0) > size.width()) break;
    paintSwatch(painter, QRectF(left, top + (metrics.height() - rowSwatchHeight) / 2, rowSwatchWidth, rowSwatchHeight),
                entries[shown].colourSlot);
    painter.setPen(tokens().text);
    painter.drawText(QPointF(left + rowSwatchWidth + gapSmall, base), entry);
    left = end + gapWide;
  }
  painter.setPen(tokens().secondText);
  if (shown < entries.size()) return painter.drawText(QPointF(left, base), restText(shown));
  const QString elsewhere = elsewhereText(model, readings);
  if (left + metrics.horizontalAdvance(elsewhere) <= size.width()) painter.drawText(QPointF(left, base), elsewhere);
}

}  // namespace slipstream::ui
