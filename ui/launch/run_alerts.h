// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/record/run_store.h"

namespace slipstream::ui {

class StoreWatcher;
struct RunRow;

/// A run that ended otherwise than it was meant to while somebody was looking.
struct RunAlert {
  std::string run;
  RunState state = RunState::failed;
  QString words;  ///< what ended, where and why, and what to do
};

/// Watches the open store for runs that fail or are lost, and for stops that end a launch before all of its runs were
/// made. What had ended before the store was opened is no alert. Alerts of runs that are resumed or deleted go away.
class RunAlerts : public QObject {
  Q_OBJECT

 public:
  RunAlerts(StoreWatcher& store, QObject* parent);

  /// The newest one; nothing where all is well.
  std::optional<RunAlert> newest() const;
  void dismiss(const std::string& run);

 Q_SIGNALS:
  void raised(const QString& words);
  void changed();

 private:
  void look();
  void examine(const RunRow& row);
  void withdrawMended();

  StoreWatcher& store_;
  bool hasLooked_ = false;                                 ///< into the open store
  std::map<std::string, std::pair<RunState, int>> known_;  ///< state and attempt of each run
  std::vector<RunAlert> alerts_;
};

}  // namespace slipstream::ui
