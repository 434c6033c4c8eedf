// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>
#include <unordered_map>

#include "ui/store/store_watcher.h"

namespace slipstream::ui {

/// What runs are called: "adasum · seed 1", or the title that people gave. Runs of one experiment that would be called
/// alike are counted, oldest first: the second one is "adasum · seed 1 #2".
class RunNames {
 public:
  explicit RunNames(const StoreSnapshot& snapshot);

  QString of(const RunRow& row) const;
  /// " #2", or nothing where it is the first one of its name.
  QString markOf(const RunRow& row) const;

 private:
  std::unordered_map<std::string, int> repeats_;  ///< by id, from the second one of a name on
};

/// Of one run, which is faster than naming all.
QString runName(const StoreSnapshot& snapshot, const RunRow& row);

}  // namespace slipstream::ui
