// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "engine/analysis/rank_times.h"
#include "engine/base/text.h"
#include "engine/report/report_sections.h"

namespace slipstream {
namespace {

/// A part of a whole: its name in the store, its name for people, its colour.
struct MemoryPart {
  const char* key;
  const char* name;
  std::string_view colour;
};

constexpr std::array<MemoryPart, 7> memoryParts{{{"activations", message("activations"), "#3F63AB"},
                                                 {"weights", message("weights"), "#5C8AD1"},
                                                 {"gradients", message("gradients"), "#949393"},
                                                 {"boost", message("boost buffers"), "#B6783C"},
                                                 {"optimizer_state", message("optimizer state"), "#767480"},
                                                 {"gather", message("gather buffers"), "#C9A36A"},
                                                 {"data", message("data"), "#A74836"}}};

struct TimePart {
  double (*seconds)(const StepTiming&);
  const char* name;
  std::string_view colour;
};

constexpr std::array<TimePart, 6> timeParts{
    {{[](const StepTiming& time) { return time.compute; }, message("compute"), "#3F63AB"},
     {[](const StepTiming& time) { return time.optimizer; }, message("optimizer"), "#5C8AD1"},
     {[](const StepTiming& time) { return time.communication; }, message("exposed communication"), "#B6783C"},
     {[](const StepTiming& time) { return time.recording; }, message("recording"), "#767480"},
     {[](const StepTiming& time) { return time.data; }, message("waiting for data"), "#A74836"},
     {[](const StepTiming& time) { return time.other(); }, message("other"), "#949393"}}};

std::int64_t bytesOf(const MemoryForecast& categories, const char* key) {
  const auto found = categories.find(key);
  return found == categories.end() ? 0 : found->second;
}

BarChart::Bar memoryBar(Text name, const MemoryForecast& categories) {
  BarChart::Bar bar{std::move(name), {}, {}};
  std::int64_t total = 0;
  for (const MemoryPart& part : memoryParts) {
    const std::int64_t bytes = bytesOf(categories, part.key);
    bar.parts.push_back({static_cast<double>(bytes), part.colour});
    total += bytes;
  }
  bar.total = sizeText(total);
  return bar;
}

/// Forecast and measured, category by category: over all ranks from the lowest to the highest.
Table memoryTable(const MemoryForecast& forecast, const std::map<int, MemoryForecast>& measured) {
  Table table{.caption = phrase("Memory a rank by category."),
              .columns = {{.title = phrase("Category")},
                          {.title = phrase("forecast a rank"), .number = true},
                          {.title = phrase("measured"), .number = true},
                          {.title = phrase("difference"), .number = true}}};
  for (const MemoryPart& part : memoryParts) {
    std::int64_t low = bytesOf(measured.begin()->second, part.key);
    std::int64_t high = low;
    for (const auto& [rank, categories] : measured) {
      low = std::min(low, bytesOf(categories, part.key));
      high = std::max(high, bytesOf(categories, part.key));
    }
    const std::int64_t expected = bytesOf(forecast, part.key);
    if (expected == 0 && high == 0) continue;
    const char* sign = high == expected ? "" : high > expected ? "+" : "−";
    table.rows.push_back({{.text = phrase(part.name)},
                          {.text = sizeText(expected)},
                          {.text = low == high ? sizeText(high) : sizeText(low) + " … " + sizeText(high)},
                          {.text = sign + sizeText(std::abs(high - expected))}});
  }
  return table;
}

/// "0–3, 6" of rising numbers.
std::string intervalsText(const std::vector<int>& numbers) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    parts.push_back(end - i == 1 ? std::to_string(numbers[i]) : fmt::format("{}–{}", numbers[i], numbers[end - 1]));
    i = end;
  }
  return join(parts, ", ");
}

/// The forecast, then ranks that took the same, once: "rank 3", "ranks 0–2".
BarChart memoryBars(const MemoryForecast& forecast, const std::map<int, MemoryForecast>& measured) {
  std::vector<std::pair<std::vector<int>, MemoryForecast>> groups;
  for (const auto& [rank, categories] : measured) {
    const auto same = std::ranges::find_if(groups, [&](const auto& group) { return group.second == categories; });
    if (same == groups.end())
      groups.push_back({{rank}, categories});
    else
      same->first.push_back(rank);
  }
  BarChart chart{{memoryBar(phrase("forecast"), forecast)}};
  for (const auto& [ranks, categories] : groups) {
    const char* name = ranks.size() == 1 ? message("rank {}") : message("ranks {}");
    chart.bars.push_back(memoryBar(phrase(name, {intervalsText(ranks)}), categories));
  }
  return chart;
}

std::string shareText(double share) {
  return fmt::format("{:.1f} %", 100 * share);
}

/// Nothing where values of it are damaged: part of the times would mislead.
std::optional<StepTiming> timingOf(const ReportInput& input, const Variant& variant) {
  try {
    return stepTiming(input.store, variant.outcomes.front().run.id);
  } catch (const StoreDamaged&) {
    return std::nullopt;
  }
}

/// A bar and a row of shares; beside them what the run's program may not have measured.
void addTiming(const Variant& variant, const StepTiming& timing, BarChart& chart, Table& table) {
  const double milliseconds = 1e3 * timing.whole / static_cast<double>(timing.steps);
  BarChart::Bar bar{variant.label, {}, phrase("{} ms a step", {quantityText(milliseconds, Quantity::milliseconds)})};
  std::vector<Cell> row{{.text = variant.label, .swatch = variant.colourSlot}};
  for (const TimePart& part : timeParts) {
    const double share = part.seconds(timing) / timing.whole;
    bar.parts.push_back({share, part.colour});
    row.push_back({.text = shareText(share), .number = share});
  }
  row.resize(row.size() + 2);
  if (timing.hidden) {
    row[row.size() - 2].text = shareText(*timing.hidden / timing.whole);
    row.back().text = quantityText(timing.checkpoints, Quantity::seconds) + " s";
  }
  chart.bars.push_back(std::move(bar));
  table.rows.push_back(std::move(row));
}

}  // namespace

void addMemory(const ReportInput& input, ReportDocument& document) {
  bool begun = false;
  for (std::size_t i = 0; i < input.comparison.variants.size(); ++i) {
    const Variant& variant = input.comparison.variants[i];
    const auto measured = input.store.memory(variant.outcomes.front().run.id);
    if (measured.empty()) continue;
    if (!begun) {
      document.add(Heading{2, phrase("Memory by rank")});
      Legend legend;
      for (const MemoryPart& part : memoryParts) legend.entries.emplace_back(part.colour, phrase(part.name));
      document.add(std::move(legend));
    }
    begun = true;
    document.add(headingOf(variant));
    document.add(Figure{memoryBars(input.plans[i].memoryPerRank, measured),
                        phrase("Memory by rank of {}.", {variant.label}), fileNameOf("memory " + variant.label)});
    document.add(memoryTable(input.plans[i].memoryPerRank, measured));
  }
}

void addTime(const ReportInput& input, ReportDocument& document) {
  BarChart chart;
  Table table{.caption = phrase("The same in numbers. Hidden communication was under way while ranks computed, and is "
                                "part of that; checkpoints are written between steps."),
              .columns = {{.title = phrase("Run")}}};
  for (const TimePart& part : timeParts) {
    table.columns.push_back({.title = phrase(part.name), .number = true, .colour = part.colour});
  }
  table.columns.push_back({.title = phrase("hidden communication"), .number = true});
  table.columns.push_back({.title = phrase("checkpoints"), .number = true});
  for (const Variant& variant : input.comparison.variants) {
    const auto timing = timingOf(input, variant);
    if (!timing) {
      std::vector<Cell> row(table.columns.size());
      row[0] = {.text = variant.label, .swatch = variant.colourSlot};
      row[1] = {.text = phrase("values damaged")};
      table.rows.push_back(std::move(row));
    } else if (timing->whole > 0) {
      addTiming(variant, *timing, chart, table);
    }
  }
  if (chart.bars.empty()) return;
  document.add(Heading{2, phrase("Where the time of a step went")});
  document.add(Figure{std::move(chart), phrase("Time of a step: shares of all steps, mean over ranks."), "time"});
  document.add(std::move(table));
}

}  // namespace slipstream
