// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/workspace/problem.h"

namespace slipstream::ui {

/// A problem in the list of all, and the page that shows its document.
struct ProblemEntry {
  Problem problem;
  QString page;

  /// As the command line says it: "where: problem (found VALUE); remedy".
  QString words() const;
  /// Reads alike, fix included; what the fix does is not compared.
  bool sameWords(const ProblemEntry& other) const;
};

}  // namespace slipstream::ui
