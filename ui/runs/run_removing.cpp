// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_removing.h"

#include <QApplication>
#include <QLocale>
#include <QPointer>
#include <QThreadPool>
#include <algorithm>

#include "engine/runs/run_removal.h"
#include "ui/widgets/notice.h"

namespace slipstream::ui {
namespace {

/// Checkpoints may be gigabytes: not in the window's thread.
void removeForGood(Workspace& workspace, Notice& notice, const std::vector<std::string>& runs) {
  QThreadPool::globalInstance()->start([workspace = QPointer<Workspace>(&workspace), notice = QPointer<Notice>(&notice),
                                        runs, folder = workspace.store().folder()] {
    Failures failures;
    try {
      const auto store = RunStore::open(folder, StoreAccess::write);
      if (!collect(store, failures)) throw Error(toText(failures));
      for (const std::string& run : runs) collect(removeRun(**store, run), failures);
    } catch (const std::exception& error) {
      if (failures.empty()) failures.push_back({folder.string(), "", error.what(), "try again"});
    }
    QMetaObject::invokeMethod(qApp, [workspace, notice, failures] {
      if (notice && !failures.empty()) notice->report(QString::fromStdString(toText(failures)));
      if (workspace) workspace->store().poll();
    });
  });
}

}  // namespace

void askToRemove(Workspace& workspace, Notice& notice, const std::vector<std::string>& runs) {
  workspace.store().longReader().read(
      &notice,
      [runs](RunStore& store) {
        std::int64_t bytes = 0;
        for (const std::string& run : runs) {
          if (store.find(run)) bytes += sizeOfRun(store, run).total();
        }
        return bytes;
      },
      [&workspace, &notice, runs](std::int64_t bytes) {
        const QString size = QLocale().formattedDataSize(bytes, 1, QLocale::DataSizeSIFormat);
        const int count = static_cast<int>(runs.size());
        const QString question =
            QCoreApplication::translate(
                "RunActions", "Delete %n run(s) with their checkpoints and logs? This frees %1 and cannot be undone.",
                nullptr, count)
                .arg(size);
        notice.ask(question, QCoreApplication::translate("RunActions", "Delete permanently"),
                   QCoreApplication::translate("RunActions", "Cancel"),
                   [&workspace, &notice, runs] { removeForGood(workspace, notice, runs); });
      },
      [&notice](const QString& message) { notice.report(message); });
}

QString whyUnchangeable(Workspace& workspace, const std::vector<const RunRow*>& runs, bool living) {
  const QString& readOnly = workspace.store().whyReadOnly();
  if (!readOnly.isEmpty()) return readOnly;
  const auto copy = std::ranges::find_if(runs, [](const RunRow* row) { return !row->run.remote.empty(); });
  if (copy != runs.end()) {
    return QCoreApplication::translate("RunActions", "A copy of a run of %1, which is changed there")
        .arg(QString::fromStdString((*copy)->run.remote));
  }
  const bool goesOn = std::ranges::any_of(runs, [](const RunRow* row) { return isLiving(row->run.state); });
  return living && goesOn ? QCoreApplication::translate("RunActions", "A run that is ticked goes on") : QString();
}

}  // namespace slipstream::ui
