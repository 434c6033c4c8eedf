// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLocale>
#include <algorithm>
#include <array>

#include "engine/base/number_format.h"
#include "engine/record/metric_info.h"
#include "ui/ranks/rank_bars.h"
#include "ui/theme/theme.h"

namespace slipstream::ui {
namespace {

constexpr double millisecond = 1e-3;
constexpr double even = 1.05;        ///< a straggler index below says nothing
constexpr double worthNaming = 0.1;  ///< a part of a step beside the largest

/// A kind of time: how it is called, its colour, and what a rank spent on it.
struct TimeKind {
  const char* name;
  Part part;
  double (*seconds)(const StepTiming&);
};

const std::array<TimeKind, 6>& kinds() {
  static const std::array<TimeKind, 6> all{{
      {QT_TRANSLATE_NOOP("Ranks", "Compute"), Part::compute, [](const StepTiming& time) { return time.compute; }},
      {QT_TRANSLATE_NOOP("Ranks", "Optimizer"), Part::optimizer, [](const StepTiming& time) { return time.optimizer; }},
      {QT_TRANSLATE_NOOP("Ranks", "Exposed communication"), Part::communication,
       [](const StepTiming& time) { return time.communication; }},
      {QT_TRANSLATE_NOOP("Ranks", "Data stall"), Part::waiting, [](const StepTiming& time) { return time.data; }},
      {QT_TRANSLATE_NOOP("Ranks", "Logging"), Part::recording, [](const StepTiming& time) { return time.recording; }},
      {QT_TRANSLATE_NOOP("Ranks", "Other"), Part::checkpoint, [](const StepTiming& time) { return time.other(); }},
  }};
  return all;
}

double aStep(const StepTiming& timing, double seconds) {
  return timing.steps == 0 ? 0 : seconds / static_cast<double>(timing.steps);
}

/// `whole`: the time that all figures beside it are parts of, which have as many decimals.
QString millisecondsText(double seconds, double whole) {
  const int decimals = whole < 10 * millisecond ? 2 : 1;
  const double least = decimals == 2 ? 0.01 : 0.1, value = seconds / millisecond;
  const bool isLess = value > 0 && value < least / 2;
  const QString number =
      isLess ? QStringLiteral("< %1").arg(QLocale().toString(least)) : QLocale().toString(value, 'f', decimals);
  return ranksText(QT_TRANSLATE_NOOP("Ranks", "%1 ms")).arg(number);
}

QString shareText(double part, double whole) {
  return ranksText(QT_TRANSLATE_NOOP("Ranks", "%1 %"))
      .arg(QLocale().toString(whole > 0 ? 100 * part / whole : 0, 'f', 1));
}

QString secondsText(double seconds) {
  return ranksText(QT_TRANSLATE_NOOP("Ranks", "%1 s")).arg(QLocale().toString(seconds, 'f', seconds < 10 ? 2 : 1));
}

/// Of all communication, the share that computing hid.
QString hiddenText(const StepTiming& mean) {
  if (!mean.hidden) return ranksText(QT_TRANSLATE_NOOP("Ranks", "not measured"));
  return ranksText(QT_TRANSLATE_NOOP("Ranks", "%1, %2"))
      .arg(millisecondsText(aStep(mean, *mean.hidden), aStep(mean, mean.whole)),
           shareText(*mean.hidden, *mean.hidden + mean.communication));
}

QString barText(const StackedBar& bar, const StepTiming& timing) {
  QStringList lines{ranksText(QT_TRANSLATE_NOOP("Ranks", "%1: %2 a step")).arg(bar.name, bar.total)};
  for (const TimeKind& kind : kinds()) {
    lines << ranksText(QT_TRANSLATE_NOOP("Ranks", "%1: %2"))
                 .arg(ranksText(kind.name),
                      millisecondsText(aStep(timing, kind.seconds(timing)), aStep(timing, timing.whole)));
  }
  lines << ranksText(QT_TRANSLATE_NOOP("Ranks", "A click shows its log"));
  return lines.join(QLatin1Char('\n'));
}

QString delayText(Delay delay) {
  switch (delay) {
    case Delay::compute:
      return ranksText(QT_TRANSLATE_NOOP("Ranks", "slow compute"));
    case Delay::optimizer:
      return ranksText(QT_TRANSLATE_NOOP("Ranks", "slow optimizer"));
    case Delay::data:
      return ranksText(QT_TRANSLATE_NOOP("Ranks", "data stall"));
    case Delay::recording:
      return ranksText(QT_TRANSLATE_NOOP("Ranks", "slow logging"));
  }
  return {};
}

}  // namespace

RanksReading readRanks(RunStore& store, const std::string& runId, const StepsAsked& asked) {
  RanksReading reading;
  const auto run = store.find(runId);
  if (!run) return reading;
  reading.ranks = run->ranks;
  if (const auto plan = parseRunPlan(run->planText)) {
    reading.forecast = plan->memoryPerRank;
    reading.network = plan->experiment.network.name;
    reading.dataset = plan->experiment.dataset.name;
  }
  reading.memory = store.memory(runId);
  const Series steps = store.rankSeries(runId, metric::stepSeconds, 0);
  reading.stepsDone = steps.steps.empty() ? 0 : steps.steps.back() + 1;
  reading.end = std::min(asked.end.value_or(reading.stepsDone), reading.stepsDone);
  reading.first = std::min(asked.first, reading.end);
  reading.times = rankTimes(store, runId, reading.ranks, reading.first, reading.end);
  return reading;
}

BarsModel timeBars(const RanksReading& reading, RankOrder order) {
  BarsModel model;
  model.title = ranksText(QT_TRANSLATE_NOOP("Ranks", "Step time by rank"));
  model.treatment = ranksText(QT_TRANSLATE_NOOP("Ranks", "mean of steps %1 to %2"))
                        .arg(QLocale().toString(static_cast<qlonglong>(reading.first)),
                             QLocale().toString(static_cast<qlonglong>(std::max(reading.first, reading.end - 1))));
  model.unit = QStringLiteral("ms");
  model.unitSize = millisecond;
  for (const TimeKind& kind : kinds()) model.colours.push_back([part = kind.part] { return partColour(part); });
  std::vector<RankTime> times = reading.times;
  if (order == RankOrder::communication) {
    std::stable_sort(times.begin(), times.end(), [](const RankTime& a, const RankTime& b) {
      return aStep(a.timing, a.timing.communication) > aStep(b.timing, b.timing.communication);
    });
  }
  for (const RankTime& time : times) {
    StackedBar bar;
    bar.rank = time.rank;
    bar.name = ranksText(QT_TRANSLATE_NOOP("Ranks", "rank %1")).arg(time.rank);
    for (const TimeKind& kind : kinds()) bar.parts.push_back(aStep(time.timing, kind.seconds(time.timing)));
    bar.total = millisecondsText(aStep(time.timing, time.timing.whole), aStep(time.timing, time.timing.whole));
    bar.text = barText(bar, time.timing);
    model.bars.push_back(std::move(bar));
  }
  return model;
}

std::vector<KeyValueRow> timeParts(const RanksReading& reading) {
  const StepTiming mean = meanTiming(reading.times);
  std::vector<KeyValueRow> rows;
  for (const TimeKind& kind : kinds()) {
    const double seconds = kind.seconds(mean);
    const bool leftover = kind.part == Part::checkpoint;
    const bool unmeasured = kind.part == Part::optimizer && seconds == 0;
    if (unmeasured || (leftover && seconds < 0.0005 * mean.whole)) continue;
    rows.push_back({.colour = [part = kind.part] { return partColour(part); },
                    .name = ranksText(kind.name),
                    .values = {millisecondsText(aStep(mean, seconds), aStep(mean, mean.whole))},
                    .share = shareText(seconds, mean.whole)});
  }
  return rows;
}

QString timeFinding(const RanksReading& reading) {
  const StepTiming mean = meanTiming(reading.times);
  auto all = kinds();
  std::ranges::stable_sort(all, std::greater{}, [&](const TimeKind& kind) { return kind.seconds(mean); });
  if (!(all[0].seconds(mean) > 0)) return {};
  const QString longest = ranksText(all[0].name), share = shareText(all[0].seconds(mean), mean.whole);
  if (all[1].seconds(mean) < worthNaming * mean.whole)
    return ranksText(QT_TRANSLATE_NOOP("Ranks", "<b>%1 takes %2 of a step.</b>")).arg(longest, share);
  return ranksText(QT_TRANSLATE_NOOP("Ranks", "<b>%1 takes %2 of a step</b>, %3 %4."))
      .arg(longest, share, ranksText(all[1].name).toLower(), shareText(all[1].seconds(mean), mean.whole));
}

std::vector<KeyValueRow> timeSummary(const RanksReading& reading) {
  if (reading.times.empty()) return {};
  const StepTiming mean = meanTiming(reading.times);
  std::vector<KeyValueRow> rows;
  if (reading.times.size() > 1) {
    const RankBalance balance = balanceOf(reading.times);
    rows.push_back(
        {{},
         ranksText(QT_TRANSLATE_NOOP("Ranks", "Slowest rank")),
         {balance.stragglerIndex < even
              ? ranksText(QT_TRANSLATE_NOOP("Ranks", "none stands out"))
              : ranksText(QT_TRANSLATE_NOOP("Ranks", "%1, %2")).arg(balance.slowest).arg(delayText(balance.cause))}});
    rows.push_back({{},
                    ranksText(QT_TRANSLATE_NOOP("Ranks", "Straggler index of work")),
                    {QLocale().toString(balance.stragglerIndex, 'f', 2)}});
  }
  rows.push_back({{}, ranksText(QT_TRANSLATE_NOOP("Ranks", "Overlapped communication")), {hiddenText(mean)}});
  rows.push_back({{},
                  ranksText(QT_TRANSLATE_NOOP("Ranks", "Logging overhead")),
                  {ranksText(QT_TRANSLATE_NOOP("Ranks", "%1, %2"))
                       .arg(millisecondsText(aStep(mean, mean.recording), aStep(mean, mean.whole)),
                            shareText(mean.recording, mean.whole))}});
  if (!mean.hidden) return rows;  // nor did that program measure the time between steps
  rows.push_back({{}, ranksText(QT_TRANSLATE_NOOP("Ranks", "Checkpoint time")), {secondsText(mean.checkpoints)}});
  rows.push_back({{}, ranksText(QT_TRANSLATE_NOOP("Ranks", "Evaluation time")), {secondsText(mean.evaluation)}});
  return rows;
}

}  // namespace slipstream::ui
