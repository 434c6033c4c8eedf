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
  // The receiver may be gone afterwards.
  Stall stall{
      0, 0,
      QStringLiteral("%1 %2").arg(QString::fromLatin1(receiver->metaObject()->className()), receiver->objectName()),
      static_cast<int>(event->type())};
  const double began = wallMilliseconds();
  const double beganThread = threadMilliseconds();
  const double aloneBefore = std::exchange(alone_, 0);
  const int outerLevel = std::exchange(loopLevel_, level);
  ++depth_;
  const bool handled = QApplication::notify(receiver, event);
  --depth_;
  loopLevel_ = outerLevel;
  stall.milliseconds = wallMilliseconds() - began;
  const double whole = threadMilliseconds() - beganThread;
  stall.cpuMilliseconds = whole - alone_;
  alone_ = aloneBefore + whole;
  if (stall.cpuMilliseconds > longest_.cpuMilliseconds) longest_ = stall;
  return handled;
}

}  // namespace slipstream::ui
