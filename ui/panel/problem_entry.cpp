// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panel/problem_entry.h"

#include "engine/base/failure.h"

namespace slipstream::ui {

QString ProblemEntry::words() const {
  return QString::fromStdString(toText(Failure{problem.where.toStdString(), problem.value.toStdString(),
                                               problem.problem.toStdString(), problem.remedy.toStdString()}));
}

bool ProblemEntry::sameWords(const ProblemEntry& other) const {
  const Problem& theirs = other.problem;
  return page == other.page && problem.severity == theirs.severity && problem.where == theirs.where &&
         problem.value == theirs.value && problem.problem == theirs.problem && problem.remedy == theirs.remedy &&
         problem.document == theirs.document && problem.fixLabel == theirs.fixLabel;
}

}  // namespace slipstream::ui
