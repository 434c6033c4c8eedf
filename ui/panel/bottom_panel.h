// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStackedWidget>
#include <QTimer>
#include <QToolButton>
#include <QWidget>

#include "ui/widgets/widgets.h"
#include "ui/workspace/workspace.h"

class QFrame;
class QHBoxLayout;

namespace slipstream::ui {

class EventsView;
class LogView;
class ProblemsModel;
class ProblemsView;

/// Problems, log and events below the pages: one line until it is opened.
class BottomPanel : public QWidget {
  Q_OBJECT

 public:
  enum class Tab { problems, log, events };
  BottomPanel(Workspace& workspace, QWidget* parent);

  void showNextProblem();
  void showPreviousProblem();
  /// What this rank of the run printed; a negative one: what all did.
  void showLog(const std::string& run, int rank);

  void open(Tab tab);
  /// Opens the problems until there are none left, unless the panel is open already.
  void openForProblems();
  void close();
  bool isOpened() const { return opened_; }

  /// The way it was left; closed, where nothing is kept.
  void restoreLayout();
  void saveLayout() const;

 private:
  void buildHeader();
  QToolButton* addTab(Tab tab, const QString& text);
  void toggle(Tab tab);
  void apply();
  void takeHeight();
  int lineHeight() const;
  int heightOfProblems(int room) const;
  void showCounts();
  void showMessage(const QString& message);
  void showNews(const QDateTime& time, const QString& message);
  void selectionChanged();

  Workspace& workspace_;
  ProblemsModel* model_;
  ProblemsView* problems_;
  LogView* log_;
  EventsView* events_;
  QHBoxLayout* head_ = nullptr;
  std::vector<QToolButton*> tabs_;  ///< in the order of Tab
  QLabel* problemCount_;
  ElidedLabel* message_;
  QTimer forget_;  ///< what was said
  QLabel* counts_;
  QToolButton* chevron_;
  QFrame* line_ = nullptr;  ///< below the header
  QStackedWidget* views_;
  Tab tab_ = Tab::problems;
  bool opened_ = false;
  bool forProblems_ = false;  ///< closes with the last problem
  int openedHeight_;
  int takenHeight_ = 0;  ///< when it was opened; another one was chosen by hand
};

}  // namespace slipstream::ui
