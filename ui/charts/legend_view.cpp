// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/legend_view.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStyledItemDelegate>

#include "ui/charts/legend_model.h"
#include "ui/charts/shown_chart.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int livingSize = 10, eyeSize = 14, legendSwatchWidth = 14, legendSwatchHeight = 3;
constexpr int eyeRoom = eyeSize + gapText, nameLeft = gapSmall + eyeRoom + legendSwatchWidth + gapText;
constexpr int leastName = 60, numberGap = 10;
constexpr int leastRow = 24;

/// What runs of one experiment differ in is at the end, and "· 3" says as much of a seed as "· seed 3".
QString fittingLabel(const QString& label, const QFontMetrics& metrics, int width) {
  if (metrics.horizontalAdvance(label) <= width) return label;
  const QString between = QStringLiteral(" · ");
  QString shorter = label;
  shorter.replace(between + chartText(QT_TRANSLATE_NOOP("Chart", "seed %1")).arg(QString()), between);
  return metrics.elidedText(shorter, Qt::ElideLeft, width);
}

/// Paints the eye and the swatch before the name; figures in the colours of what they are.
class LegendDelegate : public QStyledItemDelegate {
 public:
  LegendDelegate(const LegendModel* model, QObject* parent) : QStyledItemDelegate(parent), model_(model) {}

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const LegendRow& row = model_->row(index.row());
    painter->save();
    const bool marked = option.state.testFlag(QStyle::State_Selected) || option.state.testFlag(QStyle::State_MouseOver);
    if (marked) painter->fillRect(option.rect, tokens().selection);
    painter->setFont(textFont(TextSize::secondary));
    if (index.column() == LegendModel::runColumn) {
      paintName(*painter, option.rect, row);
    } else {
      const bool main = index.column() == LegendModel::valueColumn && !row.hidden;
      painter->setPen(row.hidden ? tokens().disabled : main ? tokens().text : tokens().secondText);
      painter->drawText(option.rect.adjusted(0, 0, -gapText, 0), Qt::AlignRight | Qt::AlignVCenter,
                        index.data().toString());
    }
    painter->restore();
  }

 private:
  static void paintName(QPainter& painter, const QRect& place, const LegendRow& row) {
    const int middle = place.center().y();
    const QRect eye(place.left() + gapSmall, middle - eyeSize / 2, eyeSize, eyeSize);
    icon(row.hidden ? Symbol::eyeOff : Symbol::eye, IconInk::second).paint(&painter, eye);
    const QRectF swatch(eye.right() + gapText, middle - legendSwatchHeight / 2.0, legendSwatchWidth,
                        legendSwatchHeight);
    if (row.hidden) {
      painter.fillRect(swatch, tokens().hairline);
    } else {
      paintSwatch(painter, swatch, row.colourSlot);
    }
    painter.setPen(row.hidden ? tokens().disabled : tokens().text);
    QRect name = place.adjusted(nameLeft, 0, 0, 0);
    if (row.living) {
      const QRectF shape(name.right() - livingSize, middle - livingSize / 2.0, livingSize, livingSize);
      paintState(painter, shape, RunState::running);
      name.setRight(name.right() - livingSize - gapSmall);
    }
    painter.drawText(name, Qt::AlignVCenter, fittingLabel(row.label, painter.fontMetrics(), name.width()));
  }

  const LegendModel* model_;
};

}  // namespace

LegendView::LegendView(LegendModel* model, QWidget* parent) : QTableView(parent) {
  setModel(model);
  setItemDelegate(new LegendDelegate(model, this));
  setAccessibleName(tr("Legend"));
  setToolTip(tr("Click an eye to hide a curve, a name to show it alone"));
  setSelectionBehavior(QAbstractItemView::SelectRows);
  setSelectionMode(QAbstractItemView::SingleSelection);
  setEditTriggers(QAbstractItemView::NoEditTriggers);
  setTabKeyNavigation(false);
  setShowGrid(false);
  setWordWrap(false);
  setFrameShape(QFrame::NoFrame);
  setMouseTracking(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  verticalHeader()->hide();
  verticalHeaderHeight_ = std::max(leastRow, QFontMetrics(textFont(TextSize::secondary)).height() + gapText);
  verticalHeader()->setDefaultSectionSize(verticalHeaderHeight_);
  verticalHeader()->setMinimumSectionSize(verticalHeaderHeight_);
  QHeaderView* head = horizontalHeader();
  head->setProperty("quiet", true);  // its rows come first
  head->setFont(textFont(TextSize::caption));
  head->setSectionsClickable(true);
  head->setHighlightSections(false);
  head->setStretchLastSection(false);
  head->setSectionResizeMode(QHeaderView::Fixed);
  head->setMinimumSectionSize(1);
  head->setAccessibleName(tr("Order of the legend"));
  connect(head, &QHeaderView::sectionClicked, this,
          [this, model, direction = Qt::DescendingOrder](int section) mutable {
            direction = direction == Qt::AscendingOrder ? Qt::DescendingOrder : Qt::AscendingOrder;
            model->sort(section, direction);
          });
  for (const auto changed : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved}) {
    connect(model, changed, this, &LegendView::fitColumns);
  }
  connect(model, &QAbstractItemModel::layoutChanged, this, &LegendView::pointAgain);
  connect(model, &QAbstractItemModel::headerDataChanged, this, &LegendView::fitColumns);
}

int LegendView::widthOf(int column) const {
  const QFontMetrics figures(textFont(TextSize::secondary));
  return std::max(figures.horizontalAdvance(QStringLiteral("−0.0000")) + numberGap,
                  horizontalHeader()->sectionSizeHint(column));
}

int LegendView::widestName() const {
  const QFontMetrics names(textFont(TextSize::secondary));
  int width = 0;
  for (int row = 0; row < model()->rowCount(); ++row) {
    const QString name = model()->index(row, LegendModel::runColumn).data().toString();
    width = std::max(width, names.horizontalAdvance(name));
  }
  return width;
}

int LegendView::wholeWidth() const {
  const auto& rows = static_cast<const LegendModel*>(model())->rows();
  const bool anyLives = std::ranges::any_of(rows, &LegendRow::living);
  int width = widestName() + nameLeft + gapText + (anyLives ? livingSize + gapSmall : 0);
  for (int column = LegendModel::valueColumn; column <= LegendModel::lastColumn; ++column) {
    if (!isColumnHidden(column)) width += widthOf(column);
  }
  return width;
}

void LegendView::fitColumns() {
  int rest = viewport()->width();
  for (int column = LegendModel::valueColumn; column <= LegendModel::lastColumn; ++column) {
    if (isColumnHidden(column)) continue;
    setColumnWidth(column, widthOf(column));
    rest -= widthOf(column);
  }
  setColumnWidth(LegendModel::runColumn, std::max(nameLeft + std::min(leastName, widestName()), rest));
}

void LegendView::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  fitColumns();
}

void LegendView::pointAt(const QModelIndex& index) {
  const QModelIndex name = index.siblingAtColumn(LegendModel::runColumn);
  if (name == pointed_) return;
  pointed_ = name;
  Q_EMIT pointedAt(name.row());
}

/// Under a mouse that stays where it is there may be another curve now.
void LegendView::pointAgain() {
  if (mouseAt_) pointAt(indexAt(*mouseAt_));
}

/// Space and Enter are the legend's own here, whatever they do elsewhere on the page.
bool LegendView::event(QEvent* event) {
  if (event->type() != QEvent::ShortcutOverride) return QTableView::event(event);
  const int key = static_cast<QKeyEvent*>(event)->key();
  const bool own = key == Qt::Key_Space || key == Qt::Key_Return || key == Qt::Key_Enter;
  if (!own) return QTableView::event(event);
  event->accept();
  return true;
}

void LegendView::mousePressEvent(QMouseEvent* event) {
  pressedAt_ = event->pos();
  QTableView::mousePressEvent(event);
}

void LegendView::mouseMoveEvent(QMouseEvent* event) {
  QTableView::mouseMoveEvent(event);
  mouseAt_ = event->pos();
  pointAgain();
}

void LegendView::mouseReleaseEvent(QMouseEvent* event) {
  QTableView::mouseReleaseEvent(event);
  const QModelIndex index = indexAt(event->pos());
  if (event->button() != Qt::LeftButton || !index.isValid() || index != indexAt(pressedAt_)) return;
  if (index.column() == LegendModel::runColumn && event->pos().x() < gapSmall + eyeRoom) {
    Q_EMIT hideWanted(index.row());
  } else {
    Q_EMIT isolateWanted(index.row());
  }
}

void LegendView::leaveEvent(QEvent* event) {
  QTableView::leaveEvent(event);
  mouseAt_.reset();
  pointAt(hasFocus() ? currentIndex() : QModelIndex());
}

/// Space hides, Enter shows alone; the arrows move.
void LegendView::keyPressEvent(QKeyEvent* event) {
  const int row = currentIndex().row();
  const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (row < 0 || (event->key() != Qt::Key_Space && !enter)) return QTableView::keyPressEvent(event);
  if (enter) {
    Q_EMIT isolateWanted(row);
  } else {
    Q_EMIT hideWanted(row);
  }
}

void LegendView::focusInEvent(QFocusEvent* event) {
  QTableView::focusInEvent(event);
  if (!currentIndex().isValid() && model()->rowCount() > 0 && event->reason() != Qt::MouseFocusReason) {
    setCurrentIndex(model()->index(0, 0));
  }
  pointAt(currentIndex());
}

void LegendView::focusOutEvent(QFocusEvent* event) {
  QTableView::focusOutEvent(event);
  pointAt({});
}

void LegendView::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
  QTableView::currentChanged(current, previous);
  if (hasFocus()) pointAt(current);
}

}  // namespace slipstream::ui
