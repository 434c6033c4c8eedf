// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDockWidget>
#include <QItemSelection>
#include <QModelIndex>
#include <set>

#include "ui/runs/run_delegate.h"
#include "ui/runs/run_model.h"
#include "ui/workspace/workspace.h"

class QLabel;
class QStackedWidget;
class QToolButton;
class QVBoxLayout;

namespace slipstream::ui {

class ElidedLabel;
class Notice;
class RunActions;
class RunFilter;
class RunModel;
class RunTreeView;
struct Actions;

/// The runs of the store, on the left: what is chosen here is what the pages show.
class RunsDock : public QDockWidget {
  Q_OBJECT

 public:
  RunsDock(Workspace& workspace, const Actions& actions, QWidget* parent);

  void focusFilter();
  RunModel& model() const { return *model_; }
  RunActions& runActions() const { return *runActions_; }
  RunFilter& filter() const { return *filter_; }
  Notice& notice() const { return *notice_; }
  RunTreeView& view() const { return *view_; }
  void setGrouping(RunGrouping grouping);
  /// What is marked as selected: nothing beside a page of something else.
  void setMarks(RunDelegate::Marks marks);
  /// Puts a widget between the filter and the runs.
  void addGroup(QWidget* group);

 Q_SIGNALS:
  void detailsWanted();  ///< of the current run, to read or to edit

 private:
  void buildTitle(const Actions& actions);
  void buildBody();
  void buildView();
  QWidget* buildEmpty();
  QWidget* buildFooter();
  void connectModel();
  void refresh();
  void refreshFooter();
  void refreshEmpty();
  /// What is chosen in the list: runs, and numbers of queued launches.
  struct Chosen {
    std::vector<std::string> runs;
    std::vector<int> queued;
    bool operator==(const Chosen&) const = default;
  };
  static Chosen sorted(Chosen chosen);
  Chosen chosenOf(const QModelIndexList& rows) const;
  void choose(const QItemSelection& selected, const QItemSelection& deselected);
  void completeVariants(const QItemSelection& selected, const QItemSelection& deselected);
  void applySelection();
  void followLaunch(const StoreSnapshot& before, const StoreSnapshot& now);
  QItemSelection rowsOf(const QModelIndexList& runs) const;
  QModelIndex rowInSight(const QModelIndex& run, const QItemSelection& chosen) const;
  /// `isLong`: of a group with many runs.
  bool beginsOpen(const QModelIndex& index, bool isLong) const;
  void toggleGroup(const QModelIndex& index);
  void openNew(const QModelIndex& parent, int first, int last);
  void showMenu(const QPoint& place);

  Workspace& workspace_;
  RunModel* model_;
  Notice* notice_;
  QString refusal_;  ///< of the last launch, while the notice may show it
  RunActions* runActions_;
  RunFilter* filter_;
  RunTreeView* view_;
  RunDelegate* delegate_ = nullptr;
  QVBoxLayout* body_ = nullptr;
  QStackedWidget* stack_;
  QLabel* empty_;
  QLabel* emptyWhy_;
  ElidedLabel* count_;
  QToolButton* group_;
  StoreSnapshotPointer shown_;
  RunGrouping grouping_;
  std::set<std::string> closed_;    ///< groups that were closed by hand
  Chosen chosen_;                   ///< also what the filter hides for now
  std::string current_;             ///< the run that was brought into sight last
  std::vector<std::string> given_;  ///< what the pages were told to show of it, or what somebody else chose
  bool merging_ = false;
  bool applying_ = false;
};

}  // namespace slipstream::ui
