// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/gui_watchdog.h"

#include <QTest>
#include <ctime>

#include <gtest/gtest.h>

#include "tests/ui/wait_until.h"

namespace slipstream::ui {
namespace {

/// The tests' program has a watched application.
WatchedApplication& application() {
  return *static_cast<WatchedApplication*>(qApp);
}

/// Keeps the processor busy for that much of the thread's own time.
void spin(double milliseconds) {
  const std::clock_t end = std::clock() + static_cast<std::clock_t>(milliseconds * CLOCKS_PER_SEC / 1000);
  while (std::clock() < end) {
  }
}

TEST(GuiWatchdog, RemembersTheLongestEventAndWhoseItWas) {
  QObject receiver;
  receiver.setObjectName(QStringLiteral("slow"));
  application().forget();
  bool done = false;
  QMetaObject::invokeMethod(
      &receiver,
      [&] {
        spin(30);
        done = true;
      },
      Qt::QueuedConnection);
  ASSERT_TRUE(test::eventually([&] { return done; }));
  EXPECT_GT(application().longest().cpuMilliseconds, 0);
  EXPECT_TRUE(application().longest().receiver.endsWith(QStringLiteral("slow")));
  application().forget();
  EXPECT_EQ(application().longest().cpuMilliseconds, 0);
}

TEST(GuiWatchdog, ALoopThatWaitsIsNotAStall) {
  QObject waiting, slow;
  waiting.setObjectName(QStringLiteral("waiting"));
  slow.setObjectName(QStringLiteral("slow"));
  application().forget();
  bool done = false;
  QMetaObject::invokeMethod(
      &waiting,
      [&] {
        QEventLoop loop;
        QMetaObject::invokeMethod(
            &slow,
            [&] {
              spin(30);
              loop.quit();
            },
            Qt::QueuedConnection);
        loop.exec();
        done = true;
      },
      Qt::QueuedConnection);
  ASSERT_TRUE(test::eventually([&] { return done; }));
  EXPECT_TRUE(application().longest().receiver.endsWith(QStringLiteral("slow")));
}

}  // namespace
}  // namespace slipstream::ui
