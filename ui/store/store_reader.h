// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QThread>
#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "engine/store/run_store.h"

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
  using Unread = std::function<void(const QString& message)>;

  /// Runs `job` in the reader's thread, and `done` with its value in the window's, unless `receiver` is gone by then or
  /// another store was opened. Jobs run one after the other. Where the store cannot be opened or `job` throws, `unread`
  /// is called instead, and `failed` emitted unless it is what was read that is damaged: the rest of the store may be
  /// sound.
  template <class Job, class Done>
  void read(QObject* receiver, Job job, Done done, Unread unread = {}) {
    enqueue(receiver, std::move(job), std::move(done), std::move(unread), false);
  }

  /// The same for what people want to have, as a file or gone for good: done also where the reader closes while it
  /// waits.
  template <class Job, class Done>
  void readToTheEnd(QObject* receiver, Job job, Done done, Unread unread = {}) {
    enqueue(receiver, std::move(job), std::move(done), std::move(unread), true);
  }

  /// Another number for every connection that was opened; of the one at hand where a job asks.
  int connection() const { return state_.connection; }
  /// Another number for every store that was found in the folder: somebody may put another one in its place.
  int store() const { return state_.store; }
  /// There was no store any more where a job wanted it last.
  bool isGone() const { return state_.gone; }

 Q_SIGNALS:
  void failed(const QString& message);

 private:
  class Worker;
  struct Task {
    std::function<void(RunStore&)> job;
    std::function<void()> done;
    Unread unread;
    bool toTheEnd = false;
  };
  template <class Job, class Done>
  void enqueue(QObject* receiver, Job job, Done done, Unread unread, bool toTheEnd) {
    using Value = std::invoke_result_t<Job, RunStore&>;
    auto value = std::make_shared<std::optional<Value>>();
    enqueue(receiver, {[job = std::move(job), value](RunStore& store) { *value = job(store); },
                       [done = std::move(done), value] { done(std::move(**value)); }, std::move(unread), toTheEnd});
  }
  void enqueue(QObject* receiver, Task task);
  void answer(const Task& task, const QString& message, bool damaged, bool isWanted);

  /// What both threads know.
  struct State {
    std::atomic<int> connection = 0, store = 0;
    std::atomic<bool> gone = false, closing = false;
  };
  QThread thread_;
  State state_;
  Worker* worker_;  ///< lives in thread_
  int generation_ = 0;
};

}  // namespace slipstream::ui
