// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <set>
#include <string>
#include <vector>

#include "ui/runs/table_choices.h"
#include "ui/workspace/page.h"

class QLabel;
class QStackedWidget;

namespace slipstream::ui {

class BulkBar;
class FilterLine;
class Notice;
class ParallelView;
class RunTableModel;
class RunTableView;
class RunTableSource;

/// All runs of the store as a table: what they were asked, what they came to, how long they took. It sorts, filters,
/// groups and marks what differs, does things to many runs at once, and shows the same runs as parallel coordinates.
class RunsPage : public Page {
  Q_OBJECT

 public:
  RunsPage(Workspace& workspace, QWidget* parent);
  ~RunsPage() override;

  PageId id() const override { return PageId::runs; }
  QString title() const override { return tr("Runs"); }

  RunTableModel& model() const { return *model_; }
  RunTableView& view() const { return *view_; }
  FilterLine& filter() const { return *filter_; }
  ParallelView& parallel() const { return *parallel_; }
  RunTableSource& source() const { return *source_; }
  BulkBar& bulk() const { return *bulk_; }
  /// As the table has them; then those that the filter hides, and those that were archived.
  std::vector<std::string> tickedInOrder() const;
  void setColumns(const std::vector<std::size_t>& columns);
  void setSort(const std::vector<SortKey>& sort);
  void setGroup(std::optional<std::size_t> column);
  /// The table, or the same runs as lines.
  void showParallel(bool parallel);

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void build();
  QWidget* buildHeader();
  void makeActions();
  void connectTable();
  void ask();
  void keepLayout() const;
  std::vector<std::size_t> shownColumns() const;
  void take();
  void showNothing();
  void showCounts();
  void showTicked();
  void choose(const QString& run);
  void open(const QString& run);
  void toggleGroup(const QString& key);
  void copy();
  void tickAll();

  TableLayout layout_;
  std::set<std::string> closed_;
  RunTableSource* source_;
  RunTableModel* model_;
  RunTableView* view_;
  ParallelView* parallel_;
  FilterLine* filter_;
  QLabel* mistake_;
  ElidedLabel* counts_;
  ColumnChoice* columns_;
  GroupChoice* group_;
  SegmentedControl* kinds_;
  QStackedWidget* stack_;
  EmptyState* empty_;
  Notice* notice_;
  BulkBar* bulk_;
  bool fromTop_ = false;  ///< other rows were asked for, or another order: the first ones are shown
};

}  // namespace slipstream::ui
