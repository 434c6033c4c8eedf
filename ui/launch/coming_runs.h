// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <map>
#include <string>
#include <vector>

namespace slipstream::ui {

class StoreWatcher;
struct RunRow;

/// A run that a launch under way has not begun.
struct ComingRun {
  std::string group;
  std::string experiment;
  std::string variant;

  bool operator==(const ComingRun&) const = default;
};

/// The runs that the launches of the open store are still going to make, in order: a launch makes the run of a variant
/// when the one before has ended, so the store does not hold them yet.
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
  std::map<std::string, std::vector<std::string>> variants_;  ///< by the newest run of a launch and its attempt
  std::vector<ComingRun> coming_;
};

}  // namespace slipstream::ui
