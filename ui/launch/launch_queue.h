// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QStringList>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "engine/base/failure.h"

namespace slipstream::ui {

/// What `slipstream run` is asked for.
struct Launch {
  QString title;
  std::string text;                  ///< of the experiment, as it is to be run whatever becomes of its file
  std::filesystem::path experiment;  ///< the file of the text, or where it would be: paths in it are relative to that
  std::filesystem::path store;
  QStringList flags = {};
  std::string remote = {};  ///< where; empty: here
};

/// One that waits for the runs before it.
struct QueuedLaunch : Launch {
  int number = 0;    ///< names it while the program runs
  std::string name;  ///< names it among all windows; sorts by time
};

/// The launches that wait, of all stores, in the user's data folder: a file each, so that windows beside each other see
/// one queue, and none destroys what another has put there. It outlives them. The launches of a store are carried on by
/// one window at a time. Files are touched in the disk's thread alone.
class LaunchQueue : public QObject {
  Q_OBJECT

 public:
  explicit LaunchQueue(QObject* parent);
  ~LaunchQueue() override;

  /// In order.
  std::vector<QueuedLaunch> of(const std::filesystem::path& store) const;
  /// Puts it behind the others. `done`: whether another window carries them on, or the failures of a disk that takes
  /// nothing.
  struct Added {
    bool elsewhere = false;
    QString failure;
  };
  void add(const Launch& launch, const std::function<void(const Added&)>& done);
  void remove(int number);

  /// Asks to carry on with the first of a store; `mine` is called with it where it still waits and no other window
  /// carries on there. It waits until it is removed.
  void takeFirst(const std::filesystem::path& store, const std::function<void(const QueuedLaunch&)>& mine,
                 const std::function<void()>& done);
  /// Another window may carry on with all of them.
  void letGo();
  /// Nothing that was put here is still on its way to the disk.
  bool isSettled() const { return adding_ == 0; }

 Q_SIGNALS:
  void changed();

 private:
  class Locks;
  void rescan();
  void receive(std::vector<QueuedLaunch> waiting);

  QFileSystemWatcher watcher_;
  std::vector<QueuedLaunch> waiting_;
  std::set<std::string> removed_;  ///< whose files may still be there
  std::map<std::string, int> numbers_;
  std::shared_ptr<Locks> locks_;  ///< for the disk's thread
  int lastNumber_ = 0;
  int adding_ = 0;
};

}  // namespace slipstream::ui
