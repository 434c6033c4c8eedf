#include "engine/record/rank_times_text.h"

#include <array>

#include <fmt/format.h>

#include "engine/record/number_format.h"
#include "engine/record/text_table.h"

namespace slipstream {
namespace {

constexpr double even = 1.05;  ///< a straggler index below says nothing

struct Column {
  const char* name;
  double (*seconds)(const StepTiming&);
};

constexpr std::array<Column, 7> columns{{{"step", [](const StepTiming& time) { return time.whole; }},
                                         {"compute", [](const StepTiming& time) { return time.compute; }},
                                         {"optimizer", [](const StepTiming& time) { return time.optimizer; }},
                                         {"communication", [](const StepTiming& time) { return time.communication; }},
                                         {"data", [](const StepTiming& time) { return time.data; }},
                                         {"recording", [](const StepTiming& time) { return time.recording; }},
                                         {"other", [](const StepTiming& time) { return time.other(); }}}};

std::string milliseconds(const StepTiming& timing, double seconds) {
  const double value = timing.steps == 0 ? 0 : 1e3 * seconds / static_cast<double>(timing.steps);
  return fmt::format("{:.{}f}", value, value < 10 ? 3 : 1);
}

TextRow rowOf(const std::string& name, const StepTiming& timing) {
  TextRow row{name};
  for (const Column& column : columns) row.push_back(milliseconds(timing, column.seconds(timing)));
  row.push_back(timing.hidden ? milliseconds(timing, *timing.hidden) : "");
  return row;
}

std::string secondsText(double seconds) {
  return quantityText(seconds, Quantity::seconds) + " s";
}

std::string paceText(const std::vector<RankTime>& ranks) {
  const RankBalance balance = balanceOf(ranks);
  if (balance.stragglerIndex < even) return "no rank stands out as the slowest\n";
  return fmt::format("rank {} sets the pace: {:.2f} times the median work, it {}\n", balance.slowest,
                     balance.stragglerIndex, delayText(balance.cause));
}

}  // namespace

std::string delayText(Delay delay) {
  switch (delay) {
    case Delay::compute:
      return "computes longer";
    case Delay::optimizer:
      return "spends longer in its optimizer's step";
    case Delay::data:
      return "waits for data";
    case Delay::recording:
      return "records longer";
  }
  return "";
}

std::string rankTimesText(const std::vector<RankTime>& ranks) {
  if (ranks.empty()) return "";
  TextRow head{"ms a step"};
  for (const Column& column : columns) head.emplace_back(column.name);
  head.emplace_back("hidden");
  std::vector<TextRow> rows{head};
  for (const RankTime& rank : ranks) rows.push_back(rowOf(fmt::format("rank {}", rank.rank), rank.timing));
  const StepTiming mean = meanTiming(ranks);
  if (ranks.size() > 1) rows.push_back(rowOf("mean", mean));
  std::string text = tableText(rows);
  if (mean.hidden) text += "hidden: communication under way while the rank computed, part of compute and optimizer\n";
  text += fmt::format("between steps: checkpoints {}, evaluation {}\n", secondsText(mean.checkpoints),
                      secondsText(mean.evaluation));
  if (ranks.size() > 1) text += paceText(ranks);
  return text;
}

}  // namespace slipstream
