// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <string>
#include <vector>

#include "ui/workspace/workspace.h"

class QAction;
class QMenu;

namespace slipstream::ui {

class Notice;
struct Actions;

/// What can be done to the runs that are chosen in the list, with keys; the context menu and the Run menu show it.
/// Stopping and resuming are actions of the window, which its tool bar shows too.
class RunActions : public QObject {
  Q_OBJECT

 public:
  /// Questions and refusals go to `notice`.
  RunActions(Workspace& workspace, const Actions& actions, Notice& notice, QWidget* parent);

  /// What they are about: runs, else the queued launches of these numbers.
  void setChosen(std::vector<std::string> runs, std::vector<int> queued);
  void fill(QMenu& menu) const;
  QList<QAction*> all() const;

  QAction* rename;
  QAction* describe;  ///< tags and note, in the inspector
  QAction* pin;
  QAction* unpin;
  QAction* const stopAfterStep;
  QAction* const stopAfterCheckpoint;
  QAction* const stopNow;
  QAction* const resume;
  QAction* resumeFrom;
  QAction* unqueue;
  QAction* copyCommand;
  QAction* archive;
  QAction* unarchive;
  QAction* remove;

 private:
  QAction* make(const QString& text, void (RunActions::*slot)());
  void connectLabels();
  void refresh();
  void refuseChangesOfCopies(const std::vector<const RunRow*>& chosen);
  void refuseWrites();
  std::vector<const RunRow*> rows(const StoreSnapshot& snapshot) const;
  void setArchived(bool archived);
  void askToRemove();
  void fillSteps();
  void copyTheCommand();
  void resumeTheRun();
  void dropFromQueue();

  Workspace& workspace_;
  Notice& notice_;
  QMenu* steps_;
  std::vector<std::string> runs_;
  std::vector<int> queued_;
};

}  // namespace slipstream::ui
