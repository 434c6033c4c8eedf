// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/runs/live_status.h"
#include "engine/store/run_store.h"

namespace slipstream::ui {

class StoreWatcher;
struct RunRow;

/// A run that a launch under way has not begun.
struct ComingRun {
  std::string group;
  std::string experiment;
  LaunchedRun run;

  QString name() const;
  bool operator==(const ComingRun&) const = default;
};

/// The runs that the launches of the open store are still going to make, in order: a launch makes each when the one
/// before has ended, so the store does not hold them yet.
class ComingRuns : public QObject {
  Q_OBJECT

 public:
  ComingRuns(StoreWatcher& store, QObject* parent);

  const std::vector<ComingRun>& all() const { return coming_; }

 Q_SIGNALS:
  void changed();

 private:
  void refresh();
  void askFor(const RunRow& newest);
  void collect(const RunRow& newest, std::vector<ComingRun>& coming) const;

  StoreWatcher& store_;
  std::map<std::string, std::vector<LaunchedRun>> launches_;  ///< by the newest run of a launch and its attempt
  std::vector<ComingRun> coming_;
};

/// A run that ended otherwise than it was meant to while somebody was looking.
struct RunAlert {
  std::string run;
  RunState state = RunState::failed;
  QString message;  ///< what ended, where and why, and what to do
};

/// Watches the open store for runs that fail or are lost, for losses that are no numbers in runs that go on, and for
/// stops that end a launch before all of its runs were made. What had ended before the store was opened is no alert.
/// Alerts of runs that are resumed or deleted go away. A run that is done is no alert, and said all the same.
class RunAlerts : public QObject {
  Q_OBJECT

 public:
  RunAlerts(StoreWatcher& store, QObject* parent);

  /// The newest one; nothing where all is well.
  std::optional<RunAlert> newest() const;
  void dismiss(const std::string& run);

 Q_SIGNALS:
  void raised(const QString& message);
  void finished(const QString& message);  ///< a run that somebody could see going on is done
  void changed();

 private:
  void check();
  void examine(const RunRow& row);
  void greetDone(const RunRow& row);
  void watchLoss(const RunRow& row);
  void add(RunAlert alert, const QString& said);
  void withdrawResumed();

  StoreWatcher& store_;
  bool hasPolled_ = false;                                 ///< into the open store
  std::map<std::string, std::pair<RunState, int>> known_;  ///< state and attempt of each run
  /// Of runs that go on: when the loss was looked at last, and in which attempt it was found broken.
  struct Watched {
    std::chrono::steady_clock::time_point lookedAt;
    bool isLooking = false;
    int brokenIn = 0;
  };
  std::map<std::string, Watched> watched_;
  std::vector<RunAlert> alerts_;
};

}  // namespace slipstream::ui
