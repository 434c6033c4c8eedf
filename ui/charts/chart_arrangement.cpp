// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_arrangement.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>
#include <array>

#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int leastHeight = 130, leastLarge = 220;
/// Of the room's height: one of the middle size over one of the smallest fill it.
constexpr std::array<double, mostChartSize> heightShares{0.4, 0.6, 1.0};

int heightOf(int size, int room) {
  const int share = static_cast<int>(heightShares.at(static_cast<std::size_t>(size - 1)) * (room - gapWide));
  if (size == mostChartSize) return std::max(leastLarge, room);
  return std::max(size == 1 ? leastHeight : leastLarge, share);
}

QJsonObject toJson(const ChartSlot& slot) {
  QJsonObject object{{QStringLiteral("metric"), text(slot.metric)},
                     {QStringLiteral("width"), slot.width},
                     {QStringLiteral("height"), slot.height}};
  if (slot.view.logarithmic) object[QStringLiteral("logarithmic")] = *slot.view.logarithmic;
  if (slot.view.everything) object[QStringLiteral("everything")] = true;
  if (slot.view.range) {
    object[QStringLiteral("range")] = QJsonArray{slot.view.range->first, slot.view.range->second};
  }
  return object;
}

/// What somebody has edited may be anything.
std::optional<ChartSlot> slotOf(const QJsonObject& object) {
  ChartSlot slot{object[QStringLiteral("metric")].toString().toStdString()};
  if (slot.metric.empty()) return std::nullopt;
  slot.width = std::clamp(object[QStringLiteral("width")].toInt(1), 1, mostChartSize);
  slot.height = std::clamp(object[QStringLiteral("height")].toInt(1), 1, mostChartSize);
  const QJsonValue logarithmic = object[QStringLiteral("logarithmic")];
  if (logarithmic.isBool()) slot.view.logarithmic = logarithmic.toBool();
  slot.view.everything = object[QStringLiteral("everything")].toBool();
  const QJsonArray range = object[QStringLiteral("range")].toArray();
  if (range.size() == 2 && range[0].toDouble() < range[1].toDouble()) {
    slot.view.range = std::pair(range[0].toDouble(), range[1].toDouble());
  }
  return slot;
}

}  // namespace

int ChartArrangement::indexOf(const std::string& metric) const {
  const auto found = std::ranges::find(slots_, metric, &ChartSlot::metric);
  return found == slots_.end() ? -1 : static_cast<int>(found - slots_.begin());
}

const ChartSlot* ChartArrangement::find(const std::string& metric) const {
  const int index = indexOf(metric);
  return index < 0 ? nullptr : &slots_[static_cast<std::size_t>(index)];
}

ChartSlot* ChartArrangement::slotOf(const std::string& metric) {
  const int index = indexOf(metric);
  return index < 0 ? nullptr : &slots_[static_cast<std::size_t>(index)];
}

void ChartArrangement::add(ChartSlot slot) {
  if (!has(slot.metric)) slots_.push_back(std::move(slot));
}

void ChartArrangement::remove(const std::string& metric) {
  std::erase_if(slots_, [&](const ChartSlot& slot) { return slot.metric == metric; });
}

void ChartArrangement::move(const std::string& metric, int place) {
  const int from = indexOf(metric);
  if (from < 0) return;
  ChartSlot slot = std::move(slots_[static_cast<std::size_t>(from)]);
  slots_.erase(slots_.begin() + from);
  slots_.insert(slots_.begin() + std::clamp(place, 0, static_cast<int>(slots_.size())), std::move(slot));
}

void ChartArrangement::resize(const std::string& metric, int width, int height) {
  ChartSlot* slot = slotOf(metric);
  if (slot == nullptr) return;
  slot->width = std::clamp(width, 1, mostChartSize);
  slot->height = std::clamp(height, 1, mostChartSize);
}

void ChartArrangement::setView(const std::string& metric, const ChartView& view) {
  if (ChartSlot* slot = slotOf(metric)) slot->view = view;
}

std::vector<QRect> ChartArrangement::places(const std::vector<std::string>& metrics, const QSize& room,
                                            int inRow) const {
  std::vector<QRect> places;
  if (metrics.size() == 1) return {QRect(QPoint(), QSize(room.width(), std::max(leastLarge, room.height())))};
  const int cell = (room.width() - (inRow - 1) * gapText) / inRow;
  int column = 0, top = 0, rowHeight = 0;
  for (const std::string& metric : metrics) {
    const ChartSlot* slot = find(metric);
    const int wanted = slot == nullptr ? 1 : slot->width;
    const int columns = std::min(wanted, inRow);
    if (column + columns > inRow) {
      top += rowHeight + gapWide;
      column = rowHeight = 0;
    }
    const int height = heightOf(slot == nullptr ? 1 : slot->height, room.height());
    // The last column reaches to the edge, whatever the division left over.
    const int left = column * (cell + gapText);
    const int right = column + columns == inRow ? room.width() : left + columns * cell + (columns - 1) * gapText;
    places.emplace_back(left, top, right - left, height);
    column += columns;
    rowHeight = std::max(rowHeight, height);
  }
  return places;
}

QString ChartArrangement::toText() const {
  QJsonArray charts;
  for (const ChartSlot& slot : slots_) charts << toJson(slot);
  const QJsonObject object{{QStringLiteral("charts"), charts}};
  return QString::fromUtf8(QJsonDocument(object).toJson(QJsonDocument::Compact));
}

std::optional<ChartArrangement> ChartArrangement::fromText(const QString& text) {
  const QJsonArray charts = QJsonDocument::fromJson(text.toUtf8()).object()[QStringLiteral("charts")].toArray();
  ChartArrangement arrangement;
  for (const QJsonValue& chart : charts) {
    if (auto slot = ui::slotOf(chart.toObject())) arrangement.add(std::move(*slot));
  }
  if (arrangement.slots().empty()) return std::nullopt;
  return arrangement;
}

}  // namespace slipstream::ui
