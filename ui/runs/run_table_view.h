// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>
#include <map>
#include <string>
#include <vector>

#include "ui/runs/run_table_model.h"

namespace slipstream::ui {

class RunTableHeader;

/// Units are behind the names of columns, in small where that needs less room, or below them.
enum class HeadStyle { oneLine, smallLine, twoLines };

/// The table of runs: a click or the arrow keys choose the one run at hand, a tick or Space marks runs for what is done
/// to several, a click on a head sorts (with Shift behind what is sorted already), heads are dragged to other places. A
/// row that the lower edge would cut is not drawn.
class RunTableView : public QTableView {
  Q_OBJECT

 public:
  explicit RunTableView(RunTableModel* model, QWidget* parent = nullptr);

  RunTableModel& runs() const { return *runs_; }
  const std::vector<SortKey>& sort() const { return sort_; }
  /// Whether names have their seeds behind them, for which all have room.
  bool namesSeeds() const { return namesSeeds_; }
  void setSort(std::vector<SortKey> sort);
  /// Colours of runs that are shown in charts, by id.
  void setSlots(std::map<std::string, int> slots);
  const std::map<std::string, int>& slots() const { return slots_; }
  /// The run's row becomes the one at hand, without saying so by `chosen`.
  void setCurrentRun(const std::string& run);
  std::string currentRun() const;
  /// The row at hand is the head of a group.
  bool isAtGroup() const;
  /// By the column, or where `behind` by it as well, behind what is sorted already.
  void sortBy(int section, bool behind);
  void fitColumns();
  void fitRows();
  int seedWidth() const;
  int measuredWidthOf(int section) const;
  int textWidthOf(int section) const;
  int leastWidthOf(int section, HeadStyle style) const;
  void arrangeHeads(int leastNames);
  /// The column that stands first, whatever was dragged.
  int visualColumn0() const;
  bool isCut(const QRect& row) const;
  QModelIndex indexAt(const QPoint& point) const override;

 Q_SIGNALS:
  void sortChanged();
  void chosen(const QString& run);        ///< by a click or the arrow keys
  void opened(const QString& run);        ///< by a double click or Enter
  void groupToggled(const QString& key);  ///< by a click or Enter
  void columnsMoved(const std::vector<std::size_t>& columns);
  void copyWanted();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void scrollContentsBy(int dx, int dy) override;
  void focusInEvent(QFocusEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  std::string keyAt(const QPoint& place) const;
  void restoreCurrent();
  void takeMoved();

  RunTableModel* runs_;
  RunTableHeader* header_;
  std::vector<SortKey> sort_;
  bool namesSeeds_ = false;
  mutable std::vector<int>
      textWidths_;  ///< of each column's texts, measured where asked for; -1: not since fitColumns()
  std::map<std::string, int> slots_;
  std::string current_;  ///< key of the row at hand
  int currentColumn_ = 0, scrolled_ = 0;
  std::string pressed_;  ///< key of the row
  bool isRestoring_ = false, isTakingMoved_ = false;
};

}  // namespace slipstream::ui
