// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>
#include <map>
#include <optional>
#include <string>

namespace slipstream::ui {

/// Paints a row of the list of runs: state, colour, name, pin, a sparkline of the loss, and a value.
class RunDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  /// Where the arrow of a row ends, from its left edge: a click before it opens or closes the row.
  static constexpr int arrowEnd = 20;
  /// Right of a row's value: a scroll bar beside it keeps its distance itself.
  static constexpr int usualEdge = 10, edgeBesideBar = 2;

  explicit RunDelegate(QObject* parent);

  /// Slots of the runs that are shown in charts, by id; the others have no swatch.
  void setSlots(std::map<std::string, int> slotsOfRuns) { slots_ = std::move(slotsOfRuns); }

  /// What is marked, also while the list has no focus: beside a selected study nothing is, since it would be a second
  /// selection.
  enum class Marks { none, selection, currentRun };
  void setMarks(Marks marks) { marks_ = marks; }
  void setCurrentRun(std::string run) { current_ = std::move(run); }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const override;

 private:
  void paintGroup(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;
  void paintRun(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;
  void paintHead(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index, int left) const;
  int paintResult(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;
  void paintName(QPainter& painter, const QRect& place, const QModelIndex& index) const;
  std::optional<int> slotOf(const QModelIndex& index) const;
  int shownBelow(const QModelIndex& index) const;
  bool isCurrent(const QStyleOptionViewItem& option, const QModelIndex& index) const;

  std::map<std::string, int> slots_;
  std::string current_;
  Marks marks_ = Marks::selection;
};

}  // namespace slipstream::ui
