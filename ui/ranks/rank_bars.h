// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <optional>

#include "engine/analysis/rank_times.h"
#include "engine/plan/run_plan.h"
#include "ui/ranks/stacked_bars.h"
#include "ui/widgets/key_value_table.h"
#include "ui/widgets/size_unit.h"

namespace slipstream::ui {

/// Which steps a page about time is about.
struct StepsAsked {
  std::int64_t first = 0;
  std::optional<std::int64_t> end = {};  ///< nothing: to the last one there is
};

/// What the store says about the ranks of one run.
struct RanksReading {
  std::vector<RankTime> times;
  std::int64_t first = 0, end = 0;  ///< the steps that `times` is about
  std::int64_t stepsDone = 0;
  int ranks = 0;
  std::string network, dataset;
  MemoryForecast forecast;
  std::map<int, std::map<std::string, std::int64_t>> memory;
};

/// In the reader's thread.
RanksReading readRanks(RunStore& store, const std::string& runId, const StepsAsked& asked);

/// A text of ui/ranks marked with QT_TRANSLATE_NOOP("Ranks", ...), in the language of the window.
inline QString ranksText(const char* text) {
  return QCoreApplication::translate("Ranks", text);
}

enum class RankOrder { rank, communication };

// What the ranks page shows of a reading: models and tables as values.

BarsModel timeBars(const RanksReading& reading, RankOrder order);
std::vector<KeyValueRow> timeParts(const RanksReading& reading);
/// "Exposed communication takes 57.6 % of a step." Empty where nothing was measured.
QString timeFinding(const RanksReading& reading);
/// The slowest rank and how uneven the work is, what recording costs; and what is not measured.
std::vector<KeyValueRow> timeSummary(const RanksReading& reading);

BarsModel memoryBars(const RanksReading& reading);
SizeUnit memoryUnit(const RanksReading& reading);
/// Category, forecast, measured, difference.
std::vector<KeyValueRow> memoryParts(const RanksReading& reading, const SizeUnit& unit);

}  // namespace slipstream::ui
