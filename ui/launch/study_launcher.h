// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>
#include <filesystem>
#include <functional>
#include <string>

namespace slipstream::ui {

class StoreWatcher;

/// Asks the command line to carry on studies of the open store: their queue is a process of its own, which outlives the
/// window, and the window follows what it writes to the store.
class StudyLauncher : public QObject {
  Q_OBJECT

 public:
  StudyLauncher(StoreWatcher& store, QObject* parent);
  /// A start that has not been answered yet is waited for.
  ~StudyLauncher() override;

  /// Freezes the study of a file and begins its queue.
  void freeze(const std::filesystem::path& file);
  /// Begins the queue of a study, or lets one that was paused go on.
  void goOn(const std::string& study);
  /// No more cells are started; those that train go on to their ends.
  void pause(const std::string& study);
  /// Adds a round of seeds and goes on.
  void addSeeds(const std::string& study, int count);

  /// Something was asked for and is not answered yet.
  bool isBusy() const { return pending_ > 0; }

 Q_SIGNALS:
  void busyChanged();
  void frozen(const QString& study);   ///< freeze() has come to its end: the queue is alive
  void started(const QString& study);  ///< the same of all others
  void refused(const QString& message);

 private:
  void ask(const QStringList& arguments, const std::function<void(const QByteArray& output)>& done);
  void run(const std::string& study, void (StudyLauncher::*begun)(const QString&));

  StoreWatcher& store_;
  int pending_ = 0;
};

}  // namespace slipstream::ui
