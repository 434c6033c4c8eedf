// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "engine/plan/rank_table_fix.h"

namespace slipstream::ui {

/// The result of a fix in the language of the window.
QString fixWords(const RankTableFix& fix);

}  // namespace slipstream::ui
