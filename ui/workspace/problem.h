// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>
#include <vector>

#include "engine/plan/rank_table.h"

namespace slipstream::ui {

/// One thing to put right, as the panel below the pages lists it. The words are the command line's.
struct Problem {
  Verdict severity = Verdict::reject;
  QString where;  ///< key path, flag or file
  QString value;  ///< as written; empty where there is none
  QString problem;
  QString remedy;
  QString document = {};            ///< title of the document it is in
  QString fixLabel = {};            ///< the result of the fix in words; empty: there is none
  std::function<void()> fix = {};   ///< one undo step
  std::function<void()> show = {};  ///< goes to the place at fault
};
using Problems = std::vector<Problem>;

}  // namespace slipstream::ui
