// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/record/html.h"
#include "engine/record/report_sections.h"
#include "engine/record/step_timing.h"
#include "engine/record/svg_shapes.h"

namespace slipstream {
namespace {

/// A part of a whole: its name in the store, its name for people, its colour.
struct Part {
  std::string key;
  std::string name;
  std::string_view colour;
};

const std::array<Part, 7> memoryParts{{{"activations", "activations", "#3F63AB"},
                                       {"weights", "weights", "#5C8AD1"},
                                       {"gradients", "gradients", "#949393"},
                                       {"boost", "boost buffers", "#B6783C"},
                                       {"optimizer_state", "optimizer state", "#767480"},
                                       {"gather", "gather buffers", "#C9A36A"},
                                       {"data", "data", "#A74836"}}};

struct TimePart {
  double StepTiming::*seconds;
  std::string name;
  std::string_view colour;
};

const std::array<TimePart, 5> timeParts{{{&StepTiming::compute, "compute", "#3F63AB"},
                                         {&StepTiming::optimizer, "optimizer", "#5C8AD1"},
                                         {&StepTiming::communication, "exposed communication", "#B6783C"},
                                         {&StepTiming::recording, "recording", "#767480"},
                                         {&StepTiming::data, "waiting for data", "#A74836"}}};
constexpr std::string_view otherColour = "#949393";

std::string legendEntry(std::string_view colour, const std::string& text) {
  return fmt::format("<span><i style=\"background:{}\"></i>{}</span>", colour, escaped(text));
}

std::int64_t bytesOf(const std::map<std::string, std::int64_t>& categories, const std::string& key) {
  const auto found = categories.find(key);
  return found == categories.end() ? 0 : found->second;
}

Bar memoryBar(const std::string& name, const std::map<std::string, std::int64_t>& categories) {
  Bar bar{name, {}, ""};
  std::int64_t total = 0;
  for (const Part& part : memoryParts) {
    const std::int64_t bytes = bytesOf(categories, part.key);
    bar.parts.push_back({static_cast<double>(bytes), part.colour});
    total += bytes;
  }
  bar.total = sizeText(total);
  return bar;
}

/// Forecast and measured, category by category: over all ranks from the lowest to the highest.
std::string memoryTable(const MemoryForecast& forecast,
                        const std::map<int, std::map<std::string, std::int64_t>>& measured) {
  std::string html =
      "<table><caption>Memory a rank by category.</caption><thead><tr><th>Category</th><th class=\"number\">forecast a "
      "rank</th><th class=\"number\">measured</th>"
      "<th class=\"number\">difference</th></tr></thead><tbody>";
  for (const Part& part : memoryParts) {
    std::int64_t low = bytesOf(measured.begin()->second, part.key);
    std::int64_t high = low;
    for (const auto& [rank, categories] : measured) {
      low = std::min(low, bytesOf(categories, part.key));
      high = std::max(high, bytesOf(categories, part.key));
    }
    const std::int64_t expected = bytesOf(forecast, part.key);
    if (expected == 0 && high == 0) continue;
    const std::string difference = sizeText(std::abs(high - expected));
    html += fmt::format(
        "<tr><td>{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\">{}{}</td></tr>",
        part.name, sizeText(expected), low == high ? sizeText(high) : sizeText(low) + " … " + sizeText(high),
        high == expected  ? ""
        : high > expected ? "+"
                          : "−",
        difference);
  }
  return html + "</tbody></table>";
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

/// Ranks that took the same, once: "rank 3", "ranks 0–2".
std::vector<std::pair<std::string, MemoryForecast>> equalRanks(const std::map<int, MemoryForecast>& measured) {
  std::vector<std::pair<std::vector<int>, MemoryForecast>> groups;
  for (const auto& [rank, categories] : measured) {
    const auto same =
        std::find_if(groups.begin(), groups.end(), [&](const auto& group) { return group.second == categories; });
    if (same == groups.end()) {
      groups.push_back({{rank}, categories});
    } else {
      same->first.push_back(rank);
    }
  }
  std::vector<std::pair<std::string, MemoryForecast>> named;
  for (const auto& [ranks, categories] : groups) {
    named.emplace_back((ranks.size() == 1 ? "rank " : "ranks ") + intervalsText(ranks), categories);
  }
  return named;
}

std::string memoryOf(const ReportInput& input, const Arm& arm, const RunPlan& plan) {
  const auto measured = input.store.memory(arm.outcomes.front().run.id);
  if (measured.empty()) return "";
  std::vector<Bar> bars{memoryBar("forecast", plan.memoryPerRank)};
  for (const auto& [name, categories] : equalRanks(measured)) bars.push_back(memoryBar(name, categories));
  return fmt::format(
      "<h3>{}</h3><figure>{}<figcaption>Memory by rank of {}.</figcaption></figure><div class=\"scroll\">{}</div>",
      armHead(arm), stackedBars(bars), escaped(arm.label), memoryTable(plan.memoryPerRank, measured));
}

std::string shareText(double share) {
  return fmt::format("{:.1f} %", 100 * share);
}

/// Empty where the run's program did not measure it.
std::string besideSteps(const StepTiming& timing) {
  const std::string hidden = timing.hidden ? shareText(*timing.hidden / timing.whole) : "";
  const std::string checkpoints = timing.hidden ? quantityText(timing.checkpoints, Quantity::seconds) + " s" : "";
  return fmt::format("<td class=\"number\">{}</td><td class=\"number\">{}</td>", hidden, checkpoints);
}

/// Nothing where values of it are damaged: part of the times would mislead.
std::optional<StepTiming> timingOf(const ReportInput& input, const Arm& arm) {
  try {
    return stepTiming(input.store, arm.outcomes.front().run.id);
  } catch (const StoreDamaged&) {
    return std::nullopt;
  }
}

}  // namespace

std::string memorySection(const ReportInput& input) {
  std::string runs;
  for (std::size_t i = 0; i < input.comparison.arms.size(); ++i) {
    runs += memoryOf(input, input.comparison.arms[i], input.plans[i]);
  }
  if (runs.empty()) return "";
  std::string legend;
  for (const Part& part : memoryParts) legend += legendEntry(part.colour, part.name);
  return "<h2>Memory by rank</h2><div class=\"legend\">" + legend + "</div>" + runs;
}

std::string timeSection(const ReportInput& input) {
  std::vector<Bar> bars;
  std::string rows;
  for (const Arm& arm : input.comparison.arms) {
    const auto timed = timingOf(input, arm);
    if (!timed) {
      rows += "<tr><td>" + armHead(arm) + "</td><td>values damaged</td></tr>";
      continue;
    }
    const StepTiming& timing = *timed;
    if (timing.whole <= 0) continue;
    Bar bar{arm.label, {}, ""};
    rows += "<tr><td>" + armHead(arm) + "</td>";
    for (const TimePart& part : timeParts) {
      const double share = timing.*part.seconds / timing.whole;
      bar.parts.push_back({share, part.colour});
      rows += "<td class=\"number\">" + shareText(share) + "</td>";
    }
    const double rest = timing.other() / timing.whole;
    bar.parts.push_back({rest, otherColour});
    const double milliseconds = 1e3 * timing.whole / static_cast<double>(timing.steps);
    bar.total = quantityText(milliseconds, Quantity::milliseconds) + " ms a step";
    bars.push_back(std::move(bar));
    rows += "<td class=\"number\">" + shareText(rest) + "</td>" + besideSteps(timing) + "</tr>";
  }
  if (bars.empty()) return "";
  std::string head;
  for (const TimePart& part : timeParts) {
    head += fmt::format("<th class=\"number\"><span class=\"swatch\" style=\"background:{}\"></span>{}</th>",
                        part.colour, part.name);
  }
  head +=
      fmt::format("<th class=\"number\"><span class=\"swatch\" style=\"background:{}\"></span>other</th>", otherColour);
  head += "<th class=\"number\">hidden communication</th><th class=\"number\">checkpoints</th>";
  return "<h2>Where the time of a step went</h2><figure>" + stackedBars(bars) +
         "<figcaption>Time of a step: shares of all steps, mean over ranks.</figcaption></figure><div class=\"scroll\">"
         "<table><caption>The same in numbers. Hidden communication was under way while ranks computed, and is part of "
         "that; checkpoints are written between steps.</caption><thead><tr><th>Run</th>" +
         head + "</tr></thead><tbody>" + rows + "</tbody></table></div>";
}

}  // namespace slipstream
