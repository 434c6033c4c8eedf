// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QToolButton>
#include <functional>
#include <optional>
#include <vector>

#include "ui/runs/run_table.h"

class QMenu;

namespace slipstream::ui {

/// How people want the table of runs: kept between starts.
struct TableLayout {
  std::vector<std::size_t> columns;
  std::vector<SortKey> sort;
  std::optional<std::size_t> group;

  static TableLayout usual();
  static TableLayout saved();
  void save() const;
};

/// The button that chooses the columns: a menu that stays open while columns are ticked.
class ColumnChoice : public QToolButton {
  Q_OBJECT

 public:
  explicit ColumnChoice(QWidget* parent = nullptr);

  void setColumns(const std::vector<std::size_t>& columns);
  /// Which columns the shown runs differ in, as in ArrangedRuns.
  void setDiffering(const std::vector<bool>& differs) { differs_ = differs; }

 Q_SIGNALS:
  void chosen(const std::vector<std::size_t>& columns);

 private:
  void fill();
  void choose(std::size_t column, bool shown);
  void chooseDiffering();

  QMenu* menu_;
  std::vector<std::size_t> columns_;
  std::vector<bool> differs_;
};

/// The button that chooses by what runs are grouped.
class GroupChoice : public QToolButton {
  Q_OBJECT

 public:
  explicit GroupChoice(QWidget* parent = nullptr);

  void setGroup(std::optional<std::size_t> column);

 Q_SIGNALS:
  void chosen(std::optional<std::size_t> column);

 private:
  QMenu* menu_;
  std::optional<std::size_t> group_;
};

}  // namespace slipstream::ui
