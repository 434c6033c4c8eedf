// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>
#include <memory>
#include <type_traits>
#include <utility>

#include "ui/store/latest_request.h"

namespace slipstream::ui {

/// Runs `job` in a thread of the program's pool, then `done` with its value in the window's, unless `receiver` is gone
/// by then. A job may not throw.
template <class Job, class Done>
void runInPool(QObject* receiver, Job job, Done done) {
  const QPointer<QObject> guard(receiver);
  QThreadPool::globalInstance()->start([guard, job = std::move(job), done = std::move(done)]() mutable {
    auto value = std::make_shared<std::invoke_result_t<Job>>(job());
    QMetaObject::invokeMethod(QCoreApplication::instance(), [guard, value, done = std::move(done)] {
      if (guard) done(std::move(*value));
    });
  });
}

/// The same for the newest of several requests: `done` is not called where `latest`, a member of `receiver`, was asked
/// again meanwhile.
template <class Job, class Done>
void runLatestInPool(QObject* receiver, LatestRequest& latest, Job job, Done done) {
  runInPool(receiver, std::move(job), [&latest, ticket = latest.take(), done = std::move(done)](auto value) {
    if (latest.isLatest(ticket)) done(std::move(value));
  });
}

}  // namespace slipstream::ui
