// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/run_selection.h"

namespace slipstream::ui {

void RunSelection::setCurrent(const std::string& run) {
  setShown(run.empty() ? std::vector<std::string>{} : std::vector<std::string>{run}, run);
}

void RunSelection::setShown(const std::vector<std::string>& runs, const std::string& current) {
  if (runs == shown_ && current == current_) return;
  shown_ = runs;
  current_ = current;
  Q_EMIT changed();
}

}  // namespace slipstream::ui
