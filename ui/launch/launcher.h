#pragma once

#include <QObject>
#include <QStringList>
#include <QTimer>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/record/run_store.h"

namespace slipstream::ui {

class StoreWatcher;

/// An experiment that waits for the runs before it.
struct QueuedLaunch {
  int number = 0;  ///< names it while the program runs
  QString title;
  std::filesystem::path experiment, store;
  QStringList flags;
};

/// Starts the command line, which supervises runs on its own: they outlive the window, and the window outlives them.
/// What waits is remembered between starts, and goes on in the next window.
class Launcher : public QObject {
  Q_OBJECT

 public:
  Launcher(StoreWatcher& store, QObject* parent);

  /// `slipstream run FILE --store STORE --detach --json` with more flags; nothing passes through a shell.
  void run(const std::filesystem::path& experiment, const std::filesystem::path& store, const QStringList& flags = {});
  /// The same once nothing runs in the store any more: at once, or after what waits already. The file is read when its
  /// turn comes.
  void runInTurn(const std::filesystem::path& experiment, const QString& title, const QStringList& flags = {});
  /// The same as run() of `slipstream resume RUN`; without a step from its newest checkpoint.
  void resume(const std::string& run, const std::filesystem::path& store, std::optional<std::int64_t> fromStep = {});
  /// Asks runs of the open store to stop; those that have ended are left alone.
  void stop(const std::vector<std::string>& runs, StopKind kind);

  /// What waits for the open store, in order.
  std::vector<QueuedLaunch> queue() const;
  void removeFromQueue(int number);

  /// A launch is carried on in the open store, also between two of its runs.
  bool isBusy() const;

 Q_SIGNALS:
  void started(const QString& run);
  void refused(const QString& words);
  void queueChanged();
  void told(const QString& words);  ///< something that people want to know

 private:
  void start(const QStringList& arguments);
  void ended(class QProcess& process, bool well);
  void startNext();
  void greet();
  void remember() const;
  void recall();

  StoreWatcher& store_;
  std::vector<QueuedLaunch> queue_;
  QTimer timer_;
  int lastNumber_ = 0;
  int starting_ = 0;      ///< processes that have not answered yet
  std::string awaited_;   ///< a run that has started and is not in the snapshot yet
  bool greeted_ = false;  ///< has told what was found running
};

/// The command line's program: beside the running one.
std::filesystem::path commandLineProgram();

}  // namespace slipstream::ui
