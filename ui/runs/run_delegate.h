#pragma once

#include <QStyledItemDelegate>

namespace slipstream::ui {

class RunModel;
class RunSelection;

/// Paints a row of the list of runs: state, colour, name, pin, a small picture of the loss, and a value.
class RunDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  /// A run that `selection` does not show keeps its colour, but does not wear it.
  RunDelegate(const RunSelection& selection, QObject* parent);

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const override;

 private:
  void paintGroup(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;
  void paintRun(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;

  const RunSelection& selection_;
};

}  // namespace slipstream::ui
