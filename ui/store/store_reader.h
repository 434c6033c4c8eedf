#pragma once

#include <QObject>
#include <QPointer>
#include <QThread>
#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "engine/record/run_store.h"

namespace slipstream::ui {

/// Reads a store in a thread of its own with a connection of its own, so that the window never waits for a disk.
/// Lives in the window's thread; results come back to it.
class StoreReader : public QObject {
  Q_OBJECT

 public:
  explicit StoreReader(QObject* parent = nullptr);
  ~StoreReader() override;

  /// Further jobs read this folder. Jobs that wait are dropped.
  void open(const std::filesystem::path& folder);

  /// Called instead of `done` where nothing could be read: why not.
  using Unread = std::function<void(const QString& words)>;

  /// Runs `job` in the reader's thread, and `done` with its value in the window's, unless `receiver` is gone by then or
  /// another store was opened. Jobs run one after the other. Where the store cannot be opened or `job` throws, `unread`
  /// is called instead, and `failed` emitted.
  template <class Job, class Done>
  void read(QObject* receiver, Job job, Done done, Unread unread = {}) {
    using Value = std::invoke_result_t<Job, RunStore&>;
    auto value = std::make_shared<std::optional<Value>>();
    enqueue(
        receiver, [job = std::move(job), value](RunStore& store) { *value = job(store); },
        [done = std::move(done), value] { done(std::move(**value)); }, std::move(unread));
  }

  /// Another number for every connection that was opened; of the one at hand where a job asks.
  int connection() const { return connection_; }

 Q_SIGNALS:
  void failed(const QString& words);

 private:
  class Worker;
  void enqueue(QObject* receiver, std::function<void(RunStore&)> job, std::function<void()> done, Unread unread);

  QThread thread_;
  std::atomic<int> connection_ = 0;
  Worker* worker_;  ///< lives in thread_
  int generation_ = 0;
};

/// Drops results that a newer request has overtaken: `take()` before asking, `isNewest(ticket)` when it arrives.
class Newest {
 public:
  int take() { return ++last_; }
  bool isNewest(int ticket) const { return ticket == last_; }

 private:
  int last_ = 0;
};

}  // namespace slipstream::ui
