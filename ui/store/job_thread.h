// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QEventLoop>
#include <QObject>
#include <QThreadPool>
#include <functional>
#include <memory>
#include <optional>

namespace slipstream::ui {

/// Does jobs that may wait for a disk one after the other, in a thread of its own. What was asked for is done, also
/// where the window closes meanwhile. Lives in the window's thread; answers come back to it.
class JobThread : public QObject {
  Q_OBJECT

 public:
  explicit JobThread(QObject* parent = nullptr);
  /// Waits for every job.
  ~JobThread() override;

  /// Runs `job` in the thread, then `done` with its value in the window's, unless `receiver` is gone by then. A job may
  /// not throw.
  template <class Job, class Done>
  void run(QObject* receiver, Job job, Done done) {
    using Value = std::invoke_result_t<Job>;
    auto value = std::make_shared<std::optional<Value>>();
    enqueue([job = std::move(job), value] { *value = job(); }, receiver,
            [done = std::move(done), value] { done(std::move(**value)); });
  }
  /// The same where nobody waits for an answer.
  void run(std::function<void()> job);

  /// Runs `job` and returns its value. The window goes on painting meanwhile, and takes no keys or clicks.
  template <class Job>
  std::invoke_result_t<Job> wait(Job job) {
    auto value = std::make_shared<std::optional<std::invoke_result_t<Job>>>();
    QEventLoop loop;
    enqueue([job = std::move(job), value] { *value = job(); }, &loop, [&loop] { loop.quit(); });
    loop.exec(QEventLoop::ExcludeUserInputEvents);
    if (!*value) finish();  // a program that ends leaves its loops early
    return std::move(**value);
  }

  /// Jobs whose answers have not come yet.
  bool isIdle() const { return pending_ == 0; }
  /// Returns once every job is done; answers may still be on their way.
  void finish();

 private:
  void enqueue(std::function<void()> job, QObject* receiver, std::function<void()> done);

  QThreadPool pool_;  ///< of one thread: it keeps the order
  int pending_ = 0;
};

/// The thread for files of people and of the program itself: documents, drafts, what waits to be launched.
JobThread& diskThread();

}  // namespace slipstream::ui
