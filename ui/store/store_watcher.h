// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

#include "engine/store/run_store.h"
#include "ui/store/job_thread.h"
#include "ui/store/store_reader.h"
#include "ui/store/store_snapshot.h"

namespace slipstream::ui {

/// Watches the open store and signals whenever something in it has changed, at most four times a second; runs whose
/// supervisor is gone are marked lost, and the scheduler is asked for those that its jobs carry on. A store that is
/// deleted has no runs any more, and one that is put in its place is shown instead. Reading and writing happen in
/// threads of their own.
class StoreWatcher : public QObject {
  Q_OBJECT

 public:
  /// What came of a write. The store is another program's as well: it may be locked, full or gone.
  using Written = std::function<void(const Status&)>;

  explicit StoreWatcher(QObject* parent = nullptr);

  /// Opens the store, making it where the folder is new or empty; one that may not be written to is opened to be read.
  /// The failures of one that cannot be used leave the old one open. Waits for the disk: for the start of the program.
  Status open(const std::filesystem::path& folder);
  /// The same without waiting.
  void openLater(const std::filesystem::path& folder, QObject* receiver, const Written& done);
  bool isOpen() const { return !folder_.empty(); }
  const std::filesystem::path& folder() const { return folder_; }
  /// Why nothing can be written to the open store, for people; empty where it can.
  const QString& whyReadOnly() const { return whyReadOnly_; }

  /// Never null.
  StoreSnapshotPointer snapshot() const { return snapshot_; }
  /// For what is read in a moment: lists, curves, one run.
  StoreReader& reader() { return reader_; }
  /// For what may take seconds: reports, statistics, sizes on disk. Nothing else waits for it.
  StoreReader& longReader() { return longReader_; }

  /// Writes to the store that is open now: short transactions of what people do (labels, stop requests), one after the
  /// other, in a thread of their own. They are done even where the window closes meanwhile. `done` is called in the
  /// window's thread unless `receiver` is gone by then.
  void write(QObject* receiver, std::function<void(RunStore&)> action, Written done = {});
  /// Something is being written.
  bool isWriting() const { return !writer_.isIdle(); }

  /// Why it could not be read the last time; empty where it could.
  const QString& trouble() const { return trouble_; }

  /// Polls at once instead of at the next tick.
  void poll();

 Q_SIGNALS:
  void opened();   ///< another store, or none in the place of one that is gone
  void changed();  ///< snapshot() is another one
  void polled();   ///< snapshot() is up to date, changed or not
  /// Something happened to the store that people want to know.
  void noticed(const QString& message);
  /// Reading failed, and is tried again; empty: it works again.
  void troubled(const QString& message);

 private:
  void take(const std::filesystem::path& folder, const QString& whyReadOnly);
  void begin();
  void receive(const PollResult& found);
  void miss(const QString& message);
  void measure();
  void markLost();
  void followScheduler();
  void setTrouble(const QString& message);

  std::filesystem::path folder_;
  QString whyReadOnly_;
  StoreReader reader_, longReader_;
  JobThread writer_;
  QTimer timer_;
  StoreSnapshotPointer snapshot_ = std::make_shared<StoreSnapshot>();
  std::shared_ptr<StorePoller> poller_;  ///< for the reader's thread
  int store_ = 0;                        ///< which one the folder held at the last poll; 0: none yet
  std::int64_t bytes_ = 0;               ///< of all files
  bool hasGrown_ = true;                 ///< it was written to since it was measured
  bool isMeasuring_ = false;
  std::chrono::steady_clock::time_point measuredAt_, askedSchedulerAt_;
  bool isPolling_ = false;
  bool mustPollAgain_ = false;  ///< asked for while a poll was under way
  bool isMarking_ = false;
  QString trouble_;
};

}  // namespace slipstream::ui
