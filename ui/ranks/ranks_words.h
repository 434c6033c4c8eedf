// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/parts/fact_table.h"
#include "ui/ranks/ranks_reading.h"
#include "ui/ranks/stacked_bars.h"

namespace slipstream::ui {

enum class RankOrder { rank, communication };

// What the ranks page shows of a reading: pictures and tables as values.

BarsPicture timePicture(const RanksReading& reading, RankOrder order);
std::vector<FactRow> timeParts(const RanksReading& reading);
/// The slowest rank and how uneven the work is, what recording costs; and what is not measured.
std::vector<FactRow> timeFacts(const RanksReading& reading);

BarsPicture memoryPicture(const RanksReading& reading);
/// Category, forecast, measured, difference.
std::vector<FactRow> memoryParts(const RanksReading& reading);

}  // namespace slipstream::ui
