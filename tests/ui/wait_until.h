// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QMessageBox>
#include <QTest>
#include <QTimer>
#include <functional>
#include <utility>

#include "ui/workspace/workspace.h"

namespace slipstream::test {

/// How long tests wait for what must come: as long as a machine that is many times slower needs. Nothing is measured.
inline constexpr int timeoutMilliseconds = 300'000;

template <class Condition>
[[nodiscard]] bool eventually(Condition condition, int milliseconds = timeoutMilliseconds) {
  return QTest::qWaitFor(std::move(condition), milliseconds);
}

/// Does something with the next question of the program, as soon as it is there.
inline void whenAsked(std::function<void(QMessageBox&)> act) {
  if (auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget())) return act(*box);
  QTimer::singleShot(10, qApp, [act = std::move(act)]() mutable { whenAsked(std::move(act)); });
}

/// Waits until all that pages have asked the store for has been answered and taken up, and what they asked for in turn.
inline bool answered(ui::Workspace& workspace) {
  constexpr int rounds = 4;
  for (int round = 0; round < rounds; ++round) {
    int answers = 0;
    for (ui::StoreReader* reader : {&workspace.store().reader(), &workspace.store().longReader()}) {
      reader->read(
          &workspace, [](RunStore&) { return 0; }, [&](int) { ++answers; }, [&](const QString&) { ++answers; });
    }
    const auto settled = [&] {
      const bool isChecked = workspace.studyDraft().isBlank() || workspace.studyDraft().isCurrent();
      return answers == 2 && !workspace.experiment().isPlanning() && isChecked;
    };
    if (!eventually(settled)) return false;
    QCoreApplication::sendPostedEvents();
    QCoreApplication::processEvents();
  }
  return true;
}

}  // namespace slipstream::test
