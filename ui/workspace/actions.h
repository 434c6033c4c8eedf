// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QCoreApplication>
#include <QObject>

namespace slipstream::ui {

/// Everything that the window as a whole can be asked to do, with texts, keys and icons. The main window connects them;
/// menus, tool bar and command box show them.
struct Actions {
  Q_DECLARE_TR_FUNCTIONS(slipstream::ui::Actions)

 public:
  explicit Actions(QObject* parent);

  QAction* newExperiment;
  QAction* openExperiment;
  QAction* openRankTable;
  QAction* openStore;
  QAction* importFiles;
  QAction* importFolder;
  QAction* save;
  QAction* saveAs;
  QAction* quit;

  QAction* undo = nullptr;  ///< made by the undo group
  QAction* redo = nullptr;

  QAction* launch;
  QAction* runExample;
  // Of the runs that are chosen: runs/run_actions.h connects them.
  QAction* stopAfterStep;
  QAction* stopAfterCheckpoint;
  QAction* stopNow;
  QAction* resume;

  QAction* compare;
  QAction* report;
  QAction* saveReport;
  QAction* filterRuns;
  QAction* commandBox;
  QAction* nextProblem;
  QAction* previousProblem;

  QAction* desktopNotices;
  QAction* resetLayout;
  QAction* themeSystem;
  QAction* themeLight;
  QAction* themeDark;
  QAction* languageSystem;
  QAction* languageEnglish;
  QAction* languageChinese;
  QAction* preferences;
  QAction* algorithms;
  QAction* shortcuts;
  QAction* about;
};

}  // namespace slipstream::ui
