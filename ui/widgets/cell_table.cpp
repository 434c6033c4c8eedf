// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/cell_table.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <algorithm>
#include <numeric>

#include "ui/theme/theme.h"
#include "ui/widgets/cell_grid.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int leastRowHeight = 26, leastFirstColumn = 240, leastTextColumn = 140, leastDrawing = 48, mostDrawing = 200;

class CellDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const auto& model = *static_cast<const CellModel*>(index.model());
    if (option.state & QStyle::State_Selected) painter->fillRect(option.rect, tokens().selection);
    paintCell(*painter, option.rect, model.cell(index),
              model.grid().headings[static_cast<std::size_t>(index.column())].number);
    if (index.row() + 1 == model.rowCount()) return;
    paintHairline(*painter, option.rect);
  }
};

class CellHeader : public QHeaderView {
 public:
  CellHeader(const CellModel& cells, QWidget* parent) : QHeaderView(Qt::Horizontal, parent), cells_(cells) {
    setSectionResizeMode(QHeaderView::Fixed);
    setSectionsClickable(false);
    setMinimumSectionSize(1);
  }

  void setWrapped(bool wrapped) {
    if (wrapped == wrapped_) return;
    wrapped_ = wrapped;
    updateGeometry();
  }

  QSize sizeHint() const override {
    const QSize usual = QHeaderView::sizeHint();
    const auto line = static_cast<int>(headingLineHeight());
    return wrapped_ ? QSize(usual.width(), usual.height() + line) : usual;
  }

 protected:
  void paintSection(QPainter* painter, const QRect& place, int section) const override {
    painter->fillRect(place, tokens().window);
    paintHeading(*painter, place, cells_.grid().headings[static_cast<std::size_t>(section)]);
    paintHairline(*painter, place);
  }

 private:
  const CellModel& cells_;
  bool wrapped_ = false;
};

int cellRowHeight() {
  return std::max(leastRowHeight, QFontMetrics(textFont(TextSize::body)).height() + 8);
}

}  // namespace

QTableView* readOnlyTable(CellModel* model, const QString& name) {
  auto* table = new QTableView;
  table->setModel(model);
  table->setAccessibleName(name);
  table->setProperty("framed", true);
  table->setShowGrid(false);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->verticalHeader()->hide();
  table->horizontalHeader()->setStretchLastSection(true);
  return table;
}

CellTable::CellTable(QWidget* parent) : QTableView(parent), cells_(new CellModel(this)) {
  setProperty("framed", true);
  setModel(cells_);
  setItemDelegate(new CellDelegate(this));
  setHorizontalHeader(new CellHeader(*cells_, this));
  verticalHeader()->hide();
  verticalHeader()->setMinimumSectionSize(cellRowHeight());
  verticalHeader()->setDefaultSectionSize(cellRowHeight());
  setShowGrid(false);
  setWordWrap(false);
  setTabKeyNavigation(false);
  setSelectionBehavior(SelectRows);
  setHorizontalScrollMode(ScrollPerPixel);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setEditTriggers(NoEditTriggers);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void CellTable::setGrid(CellGrid grid) {
  if (grid == cells_->grid()) return;
  cells_->setGrid(std::move(grid));
  fitColumns();
  updateGeometry();
}

std::vector<int> CellTable::neededWidths(bool wrapped) const {
  const CellGrid& grid = cells_->grid();
  std::vector<int> widths;
  for (std::size_t column = 0; column < grid.headings.size(); ++column) {
    double width = wrapped ? wrappedHeadingWidth(grid.headings[column]) : headingWidth(grid.headings[column]);
    for (const auto& row : grid.rows) width = std::max(width, cellWidth(row[column]));
    widths.push_back(static_cast<int>(width) + 1);
  }
  return widths;
}

bool CellTable::isWordless(int column) const {
  const auto& rows = cells_->grid().rows;
  return std::all_of(rows.begin(), rows.end(),
                     [&](const auto& row) { return row[static_cast<std::size_t>(column)].text.isEmpty(); });
}

bool CellTable::showsVerdict(std::size_t column) const {
  const auto& rows = cells_->grid().rows;
  return std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return row[column].verdict.has_value(); });
}

bool CellTable::isDrawn(std::size_t column) const {
  const auto& rows = cells_->grid().rows;
  return std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return row[column].interval.has_value(); });
}

/// Drawings of intervals, as far as they can still be read.
void CellTable::narrowDrawings(std::vector<int>& widths, int room) const {
  for (std::size_t column = 0; column < widths.size(); ++column) {
    const int excess = std::accumulate(widths.begin(), widths.end(), 0) - room;
    if (isDrawn(column) && excess > 0)
      widths[column] = std::max(widths[column] - excess, std::min(widths[column], leastDrawing));
  }
}

/// Drawings of intervals get half of what is left, as far as it helps to read them.
void CellTable::widenDrawings(std::vector<int>& widths, int left) const {
  std::vector<std::size_t> drawn;
  for (std::size_t column = 1; column < widths.size(); ++column) {
    if (isDrawn(column) && !isColumnHidden(static_cast<int>(column))) drawn.push_back(column);
  }
  for (const std::size_t column : drawn) {
    const int share = left / 2 / static_cast<int>(drawn.size());
    const int wider = std::max(0, std::min(share, mostDrawing - widths[column]));
    widths[column] += wider;
    widths[0] -= wider;
  }
}

/// The widest columns of text give way first: they are elided, with the whole of it as tool tip. Verdicts are never.
void CellTable::narrowTexts(std::vector<int>& widths, int room) const {
  const std::vector<ColumnHeading>& headings = cells_->grid().headings;
  while (true) {
    const int excess = std::accumulate(widths.begin(), widths.end(), 0) - room;
    std::size_t widest = 0;
    for (std::size_t column = 1; column < widths.size(); ++column) {
      const bool wider = widest == 0 || widths[column] > widths[widest];
      if (headings[column].number || widths[column] <= leastTextColumn || !wider) continue;
      if (!showsVerdict(column)) widest = column;
    }
    if (excess <= 0 || widest == 0) return;
    widths[widest] = std::max(leastTextColumn, widths[widest] - excess);
  }
}

/// Of texts alone the columns share what is left: values that begin at the right edge would be far from their names.
void CellTable::spreadTexts(std::vector<int>& widths, int left) const {
  const std::vector<ColumnHeading>& headings = cells_->grid().headings;
  const bool anyNumbers = std::ranges::any_of(headings, &ColumnHeading::number);
  if (left <= 0 || anyNumbers || widths.size() < 2) return;
  const int share = left / static_cast<int>(widths.size());
  widths[0] -= share * static_cast<int>(widths.size() - 1);
  for (std::size_t column = 1; column < widths.size(); ++column) widths[column] += share;
}

/// Every column as wide as what is in it, the first one what is left. Where there is too little, drawings are narrower,
/// headings of numbers are in two lines and long texts are elided, and columns without words go: empty ones, and
/// drawings of intervals, which the numbers beside them repeat; then the first one keeps a share and the table scrolls
/// sideways.
void CellTable::fitColumns() {
  std::vector<int> widths = neededWidths(false);
  if (widths.empty()) return;
  narrowDrawings(widths, viewport()->width());
  bool wrapped = std::accumulate(widths.begin(), widths.end(), 0) > viewport()->width();
  if (wrapped) {
    std::vector<int> narrower = neededWidths(true);
    narrowDrawings(narrower, viewport()->width());
    wrapped = narrower != widths;
    widths = std::move(narrower);
  }
  static_cast<CellHeader*>(horizontalHeader())->setWrapped(wrapped);
  const int needed = widths[0];
  narrowTexts(widths, viewport()->width());
  int left = viewport()->width() - std::accumulate(widths.begin() + 1, widths.end(), 0);
  for (int column = 1; column < cells_->columnCount(); ++column) {
    const bool hidden = left < needed && isWordless(column);
    setColumnHidden(column, hidden);
    if (hidden) left += widths[static_cast<std::size_t>(column)];
  }
  widths[0] = std::max(left, std::min(needed, leastFirstColumn));
  widenDrawings(widths, std::max(0, left - needed));
  spreadTexts(widths, widths[0] - needed);
  for (int column = 0; column < cells_->columnCount(); ++column) {
    setColumnWidth(column, widths[static_cast<std::size_t>(column)]);
  }
  setHorizontalScrollBarPolicy(widths[0] > left ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAlwaysOff);
}

int CellTable::height() const {
  const int bar = horizontalScrollBarPolicy() == Qt::ScrollBarAlwaysOn ? horizontalScrollBar()->sizeHint().height() : 0;
  return horizontalHeader()->sizeHint().height() + cells_->rowCount() * cellRowHeight() + 2 * frameWidth() + 2 + bar;
}

QSize CellTable::sizeHint() const {
  return {480, height()};
}

QSize CellTable::minimumSizeHint() const {
  return {200, height()};
}

void CellTable::keyPressEvent(QKeyEvent* event) {
  if (!event->matches(QKeySequence::Copy)) return QTableView::keyPressEvent(event);
  QString text;
  for (const QModelIndex& row : selectionModel()->selectedRows()) {
    QStringList fields;
    for (const Cell& cell : cells_->grid().rows[static_cast<std::size_t>(row.row())]) fields << cell.text;
    text += fields.join(QLatin1Char('\t')) + QLatin1Char('\n');
  }
  QGuiApplication::clipboard()->setText(text);
}

void CellTable::wheelEvent(QWheelEvent* event) {
  event->ignore();  // the page scrolls
}

void CellTable::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  const int before = height();
  fitColumns();
  if (before != height()) updateGeometry();
}

}  // namespace slipstream::ui
