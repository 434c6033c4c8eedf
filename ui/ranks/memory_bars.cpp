// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLocale>
#include <algorithm>
#include <numeric>

#include "engine/base/text.h"
#include "ui/ranks/rank_bars.h"
#include "ui/theme/theme.h"
#include "ui/theme/tokens.h"

namespace slipstream::ui {
namespace {

using Categories = std::map<std::string, std::int64_t>;

std::int64_t bytesOf(const Categories& categories, const char* key) {
  const auto found = categories.find(key);
  return found == categories.end() ? 0 : found->second;
}

QString size(std::int64_t bytes) {
  return QString::fromStdString(sizeText(bytes));
}

StackedBar barOf(int rank, const QString& name, const Categories& categories, bool withData) {
  StackedBar bar;
  bar.rank = rank;
  bar.name = name;
  std::int64_t total = 0;
  QStringList lines;
  for (const MemoryKind& kind : memoryKinds()) {
    const std::int64_t bytes = bytesOf(categories, kind.key);
    const bool isDrawn = withData || kind.part != Part::data;
    bar.parts.push_back(isDrawn ? static_cast<double>(bytes) : 0);
    total += isDrawn ? bytes : 0;
    if (bytes > 0) lines << ranksText(QT_TRANSLATE_NOOP("Ranks", "%1: %2")).arg(kind.name, size(bytes));
  }
  bar.total = size(total);
  lines.prepend(ranksText(QT_TRANSLATE_NOOP("Ranks", "%1: %2")).arg(name, bar.total));
  bar.text = lines.join(QLatin1Char('\n'));
  return bar;
}

QString differenceText(const SizeUnit& unit, std::int64_t difference) {
  if (difference == 0) return QStringLiteral("0");
  return (difference > 0 ? QStringLiteral("+") : QString(QChar(0x2212))) + unit.of(std::abs(difference));
}

double totalOf(const Categories& categories) {
  double total = 0;
  for (const MemoryKind& kind : memoryKinds()) total += static_cast<double>(bytesOf(categories, kind.key));
  return total;
}

std::int64_t dataOf(const Categories& categories) {
  std::int64_t bytes = 0;
  for (const MemoryKind& kind : memoryKinds()) bytes += kind.part == Part::data ? bytesOf(categories, kind.key) : 0;
  return bytes;
}

double highestOf(const std::vector<StackedBar>& bars) {
  double highest = 0;
  for (const StackedBar& bar : bars) {
    highest = std::max(highest, std::accumulate(bar.parts.begin(), bar.parts.end(), 0.0));
  }
  return highest;
}

/// Of the rank that used most in all.
double highestTotal(const RanksReading& reading) {
  double highest = 0;
  for (const auto& [rank, categories] : reading.memory) highest = std::max(highest, totalOf(categories));
  return highest;
}

/// Whether the bars show the data, too.
bool drawsData(const RanksReading& reading) {
  const Categories& one =
      reading.forecast.empty() && !reading.memory.empty() ? reading.memory.begin()->second : reading.forecast;
  return !hidesOtherMemory(dataOf(one), static_cast<std::int64_t>(totalOf(one)));
}

}  // namespace

BarsModel memoryBars(const RanksReading& reading) {
  BarsModel model;
  const bool withData = drawsData(reading);
  model.title = withData ? ranksText(QT_TRANSLATE_NOOP("Ranks", "Memory by rank"))
                         : ranksText(QT_TRANSLATE_NOOP("Ranks", "Memory by rank without data"));
  model.treatment = ranksText(QT_TRANSLATE_NOOP("Ranks", "forecast and highest measured"));
  for (const MemoryKind& kind : memoryKinds()) model.colours.push_back([part = kind.part] { return partColour(part); });
  if (!reading.forecast.empty()) {
    model.bars.push_back(barOf(-1, ranksText(QT_TRANSLATE_NOOP("Ranks", "forecast")), reading.forecast, withData));
  }
  for (const auto& [rank, categories] : reading.memory) {
    model.bars.push_back(barOf(rank, ranksText(QT_TRANSLATE_NOOP("Ranks", "rank %1")).arg(rank), categories, withData));
  }
  const SizeUnit unit = withData ? memoryUnit(reading) : unitFor(highestOf(model.bars));
  model.unit = unit.name;
  model.unitSize = unit.bytes;
  return model;
}

SizeUnit memoryUnit(const RanksReading& reading) {
  return unitFor(std::max(totalOf(reading.forecast), highestTotal(reading)));
}

std::vector<KeyValueRow> memoryParts(const RanksReading& reading, const SizeUnit& unit) {
  const bool planned = !reading.forecast.empty(), measured = !reading.memory.empty();
  const auto values = [&](std::int64_t expected, std::int64_t highest) {
    return QStringList{planned ? unit.of(expected) : QString(), measured ? unit.of(highest) : QString(),
                       planned && measured ? differenceText(unit, highest - expected) : QString()};
  };
  const bool withData = drawsData(reading);
  std::vector<KeyValueRow> rows;
  for (const MemoryKind& kind : memoryKinds()) {
    const std::int64_t expected = bytesOf(reading.forecast, kind.key);
    std::int64_t highest = 0;
    for (const auto& [rank, categories] : reading.memory) highest = std::max(highest, bytesOf(categories, kind.key));
    if (expected == 0 && highest == 0) continue;
    KeyValueRow row{{}, kind.name, values(expected, highest)};
    if (withData || kind.part != Part::data) row.colour = [part = kind.part] { return partColour(part); };
    rows.push_back(std::move(row));
  }
  if (rows.size() < 2) return rows;
  rows.push_back(
      {{},
       ranksText(QT_TRANSLATE_NOOP("Ranks", "Total")),
       values(static_cast<std::int64_t>(totalOf(reading.forecast)), static_cast<std::int64_t>(highestTotal(reading))),
       true});
  return rows;
}

}  // namespace slipstream::ui
