// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/record/run_store.h"
#include "ui/launch/launch_queue.h"

namespace slipstream::ui {

class StoreWatcher;
struct CommandResult;

/// Starts the command line, which supervises runs on its own: they outlive the window, and the window outlives them.
/// What waits is remembered between starts, and goes on in the next window.
class Launcher : public QObject {
  Q_OBJECT

 public:
  Launcher(StoreWatcher& store, QObject* parent);
  /// A start that has not been answered yet is waited for.
  ~Launcher() override;

  /// `slipstream run FILE --stdin --store STORE --detach --json` with more flags and the text; nothing passes through a
  /// shell.
  void run(const Launch& launch);
  /// The same in the open store once nothing runs there any more: at once, or after what waits already. The text is run
  /// as it is now; its file may change meanwhile.
  void runInTurn(const QString& title, const std::string& text, const std::filesystem::path& experiment,
                 const QStringList& flags = {});
  /// The same as run() of `slipstream resume RUN`; without a step from its newest checkpoint.
  void resume(const std::string& run, const std::filesystem::path& store, std::optional<std::int64_t> fromStep = {});
  /// Asks runs of the open store to stop; those that have ended are left alone.
  void stop(const std::vector<std::string>& runs, StopKind kind);

  /// What waits for the open store, in order.
  std::vector<QueuedLaunch> queue() const;
  void removeFromQueue(int number) { queue_.remove(number); }

  /// A launch was asked for, and its first run is not in the store yet.
  bool isStarting() const { return starting_ > 0 || !awaited_.empty(); }
  /// A launch is carried on in the open store, also between two of its runs.
  bool isBusy() const;

 Q_SIGNALS:
  void startingChanged();  ///< isStarting()
  /// `waited`: it was its turn in the queue; nobody has just asked for it.
  void started(const QString& run, bool waited);
  void refused(const QString& words);
  void queueChanged();
  void told(const QString& words);  ///< something that people want to know

 private:
  /// Whether the program ran to an answer: it started, or it refused what it was given.
  using Answered = std::function<void(bool answered)>;
  void run(const Launch& launch, bool waited, const Answered& answered);
  void start(const QStringList& arguments, const std::string& input, bool waited, const Answered& answered);
  void ended(const CommandResult& result, bool waited);
  void startNext();
  void lookForAwaited();
  void greet();

  StoreWatcher& store_;
  LaunchQueue queue_;
  QTimer timer_;
  int starting_ = 0;       ///< processes that have not answered yet
  std::string awaited_;    ///< a run that has started and is not in the snapshot yet
  int looks_ = 0;          ///< at the store since then
  bool greeted_ = false;   ///< has told what was found running
  bool isTaking_ = false;  ///< asks for the first that waits
  int failed_ = 0;         ///< one that waits and could not be started; not tried again in this window
};

}  // namespace slipstream::ui
