// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/record/run_glance.h"
#include "ui/store/store_watcher.h"

namespace slipstream::ui {

/// What rows show beyond what the list knows: read when a row is painted for the first time, and again when its run has
/// changed. Rows that nobody sees cost nothing.
class RunGlances : public QObject {
  Q_OBJECT

 public:
  RunGlances(StoreWatcher& store, QObject* parent);

  /// The newest that is known, null before the first; asks for a newer one where the run has changed since.
  const RunGlance* of(const RunRow& row);

 Q_SIGNALS:
  void arrived(const std::string& run);

 private:
  struct Known {
    RunGlance glance;
    std::string stamp;  ///< of the run when it was read
    bool read = false;
    bool asked = false;
  };

  std::string stampOf(const RunRow& row) const;
  void ask();

  StoreWatcher& store_;
  std::unordered_map<std::string, Known> known_;
  std::vector<std::pair<std::string, std::string>> wanted_;  ///< run, stamp
};

}  // namespace slipstream::ui
