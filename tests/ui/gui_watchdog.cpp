// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/gui_watchdog.h"

#include <QThread>
#include <chrono>
#include <ctime>
#include <utility>

namespace slipstream::ui {
namespace {

double wallMilliseconds() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double threadMilliseconds() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}

}  // namespace

bool WatchedApplication::notify(QObject* receiver, QEvent* event) {
  const int level = thread()->loopLevel();
  if (QThread::currentThread() != thread() || (depth_ > 0 && level == loopLevel_)) {
    return QApplication::notify(receiver, event);
  }
  // The receiver may be gone afterwards, and so may the event.
  const char* const className = receiver->metaObject()->className();
  const QString name = receiver->objectName();
  const auto type = static_cast<int>(event->type());
  const double began = wallMilliseconds();
  const double beganThread = threadAt(began);
  const double aloneBefore = std::exchange(alone_, 0);
  const int outerLevel = std::exchange(loopLevel_, level);
  ++depth_;
  const bool handled = QApplication::notify(receiver, event);
  --depth_;
  loopLevel_ = outerLevel;
  const double ended = wallMilliseconds();
  const double whole = threadAt(ended) - beganThread;
  const double own = whole - alone_;
  alone_ = aloneBefore + whole;
  if (own > longest_.cpuMilliseconds) {
    longest_ = {ended - began, own, QStringLiteral("%1 %2").arg(QString::fromLatin1(className), name), type};
  }
  return handled;
}

/// The thread's time is asked of the kernel, which takes longer than most events do: the last answer serves for a
/// while.
double WatchedApplication::threadAt(double wall) {
  constexpr double asLong = 0.25;
  if (wall - askedAt_ >= asLong) {
    askedAt_ = wall;
    thread_ = threadMilliseconds();
  }
  return thread_;
}

}  // namespace slipstream::ui
