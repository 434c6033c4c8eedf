// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/store/job_thread.h"

#include <QCoreApplication>

namespace slipstream::ui {

JobThread::JobThread(QObject* parent) : QObject(parent) {
  pool_.setMaxThreadCount(1);
}

JobThread::~JobThread() {
  finish();
}

void JobThread::run(std::function<void()> job) {
  enqueue(std::move(job), nullptr, {});
}

void JobThread::finish() {
  pool_.waitForDone();
}

void JobThread::enqueue(std::function<void()> job, QObject* receiver, std::function<void()> done) {
  ++pending_;
  const QPointer<QObject> guard(receiver);
  pool_.start([this, guard, job = std::move(job), done = std::move(done)] {
    job();
    QMetaObject::invokeMethod(this, [this, guard, done] {
      --pending_;
      if (guard && done) done();
    });
  });
}

JobThread& diskThread() {
  static QPointer<JobThread> thread;
  if (!thread) thread = new JobThread(QCoreApplication::instance());
  return *thread;
}

}  // namespace slipstream::ui
