// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>
#include <QTimer>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/store/run_store.h"
#include "ui/launch/launch_queue.h"

namespace slipstream::ui {

/// The command line's program: beside the running one.
std::filesystem::path commandLineProgram();

struct CommandResult {
  int exitCode = 0;  ///< negative: it could not be started, or was killed
  QByteArray output;
  QString message;  ///< what it said on its error stream; never empty where it failed
};

/// Runs the command line program once; nothing passes through a shell. `input` is what it reads. `done` is called in
/// the window's thread unless `owner` is gone by then, which ends the program.
void runCommand(QObject* owner, const QStringList& arguments, const std::function<void(const CommandResult&)>& done,
                const std::string& input = {});
/// Waits for the programs that `owner` runs, and for none of their answers.
void finishCommands(QObject* owner);

/// The same for what people want to have, as a file: the program runs to its end also where `owner` is gone by then,
/// and the window's program waits for it before it ends.
void runToTheEnd(QObject* owner, const QStringList& arguments, const std::function<void(const CommandResult&)>& done);

class StoreWatcher;
struct RunRow;

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
  /// The same on a remote, at once: it has a queue of its own.
  void runThere(const std::string& remote, const QString& title, const std::string& text,
                const std::filesystem::path& experiment);
  /// The same as run() of `slipstream resume RUN`; without a step from its newest checkpoint.
  void resume(const std::string& run, const std::filesystem::path& store, std::optional<std::int64_t> fromStep = {});
  /// Asks runs of the open store to stop; those that have ended are left alone. Of copies their remote is asked.
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
  void refused(const QString& message);
  void queueChanged();
  void reported(const QString& message);  ///< for the line of messages

 private:
  /// Whether the program ran to an answer: it started, or it refused what it was given.
  using Answered = std::function<void(bool answered)>;
  void run(const Launch& launch, bool waited, const Answered& answered);
  void start(const QStringList& arguments, const std::string& input, bool waited, const Answered& answered);
  void ended(const CommandResult& result, bool waited);
  void stopThere(const RunRow& row, StopKind kind);
  void startNext();
  void findAwaited();
  void greet();

  StoreWatcher& store_;
  LaunchQueue queue_;
  QTimer timer_;
  int starting_ = 0;       ///< processes that have not answered yet
  std::string awaited_;    ///< a run that has started and is not in the snapshot yet
  int polls_ = 0;          ///< at the store since then
  bool greeted_ = false;   ///< has told what was found running
  bool isTaking_ = false;  ///< asks for the first that waits
  int failed_ = 0;         ///< one that waits and could not be started; not tried again in this window
};

}  // namespace slipstream::ui
