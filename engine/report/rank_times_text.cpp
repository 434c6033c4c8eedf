// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/rank_times_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/base/number_format.h"
#include "engine/document/text_table.h"

namespace slipstream {
namespace {

constexpr double even = 1.05;  ///< a straggler index below says nothing

struct Column {
  const char* name;
  double (*seconds)(const StepTiming&);
};

const Column optimizer{"optimizer", [](const StepTiming& time) { return time.optimizer; }};
const Column hidden{"hidden", [](const StepTiming& time) { return time.hidden.value_or(0); }};

/// Of a run whose mean is `mean`: without what its program did not measure.
std::vector<Column> columnsOf(const StepTiming& mean) {
  std::vector<Column> columns{{"step", [](const StepTiming& time) { return time.whole; }},
                              {"compute", [](const StepTiming& time) { return time.compute; }}};
  if (mean.optimizer > 0) columns.push_back(optimizer);
  columns.insert(columns.end(), {{"communication", [](const StepTiming& time) { return time.communication; }},
                                 {"data", [](const StepTiming& time) { return time.data; }},
                                 {"recording", [](const StepTiming& time) { return time.recording; }},
                                 {"other", [](const StepTiming& time) { return time.other(); }}});
  if (mean.hidden) columns.push_back(hidden);
  return columns;
}

TextRow rowOf(const std::string& name, const StepTiming& timing, const std::vector<Column>& columns) {
  TextRow row{name};
  const double steps = static_cast<double>(std::max<std::int64_t>(1, timing.steps));
  for (const Column& column : columns) row.push_back(fmt::format("{:.3f}", 1e3 * column.seconds(timing) / steps));
  return row;
}

std::string secondsText(double seconds) {
  return quantityText(seconds, Quantity::seconds) + " s";
}

std::string paceText(const std::vector<RankTime>& ranks) {
  const RankBalance balance = balanceOf(ranks);
  if (balance.stragglerIndex < even) return "no rank is clearly the slowest\n";
  return fmt::format("rank {} sets the pace: {:.2f} times the median work, it {}\n", balance.slowest,
                     balance.stragglerIndex, delayText(balance.cause).in());
}

}  // namespace

Text delayText(Delay delay) {
  switch (delay) {
    case Delay::compute:
      return phrase("computes longer");
    case Delay::optimizer:
      return phrase("spends longer in its optimizer's step");
    case Delay::data:
      return phrase("waits for data");
    case Delay::recording:
      return phrase("records longer");
  }
  return {};
}

std::string rankTimesText(const std::vector<RankTime>& ranks) {
  if (ranks.empty()) return "";
  const StepTiming mean = meanTiming(ranks);
  const std::vector<Column> columns = columnsOf(mean);
  std::vector<TextRow> rows{{"ms a step"}};
  for (const Column& column : columns) rows.front().emplace_back(column.name);
  for (const RankTime& rank : ranks) rows.push_back(rowOf(fmt::format("rank {}", rank.rank), rank.timing, columns));
  if (ranks.size() > 1) rows.push_back(rowOf("mean", mean, columns));
  std::string text = tableText(rows);
  if (mean.hidden) {
    text += "hidden: communication under way while the rank computed, part of compute and optimizer\n";
    text += fmt::format("between steps: checkpoints {}, evaluation {}\n", secondsText(mean.checkpoints),
                        secondsText(mean.evaluation));
  }
  if (ranks.size() > 1) text += paceText(ranks);
  return text;
}

}  // namespace slipstream
