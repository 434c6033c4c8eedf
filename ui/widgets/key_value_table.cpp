// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/key_value_table.h"

#include <QGridLayout>
#include <QPainter>
#include <algorithm>

#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int squareSize = 10;
constexpr int rowHeight = 24, headedWidth = 48;
constexpr int squareColumn = 0, nameColumn = 1, firstValueColumn = 2;

}  // namespace

class KeyValueTable::Square : public QWidget {
 public:
  explicit Square(std::function<QColor()> colour) : colour_(std::move(colour)) { setFixedSize(squareSize, squareSize); }

 protected:
  void paintEvent(QPaintEvent*) override { QPainter(this).fillRect(rect(), colour_()); }

 private:
  std::function<QColor()> colour_;
};

KeyValueTable::KeyValueTable(QWidget* parent) : QWidget(parent), grid_(new QGridLayout(this)) {
  grid_->setContentsMargins(0, 0, 0, 0);
  grid_->setHorizontalSpacing(gapWide);
  grid_->setVerticalSpacing(0);
  grid_->setColumnStretch(nameColumn, 1);
}

QLabel* KeyValueTable::cell(int line, int column) {
  if (QLayoutItem* item = grid_->itemAtPosition(line, column)) return qobject_cast<QLabel*>(item->widget());
  QLabel* made = column == nameColumn ? new ElidedLabel : new QLabel;
  made->setTextFormat(Qt::PlainText);
  if (column != nameColumn) made->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  made->setTextInteractionFlags(Qt::TextSelectableByMouse);
  grid_->addWidget(made, line, column);
  return made;
}

/// Lines and columns that are no more wanted go.
void KeyValueTable::trim(int rows, int columns) {
  for (int line = 0; line < rows_; ++line) {
    for (int column = 0; column < columns_; ++column) {
      const bool stays = line < rows && column < columns && column != squareColumn;
      QLayoutItem* item = stays ? nullptr : grid_->itemAtPosition(line, column);
      if (item != nullptr) delete item->widget();
    }
    grid_->setRowMinimumHeight(line, 0);
  }
  rows_ = rows;
  columns_ = columns;
}

/// A hairline between two rows.
void KeyValueTable::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setPen(tokens().hairline);
  for (int line = 1; line < rows_; ++line) {
    const int y = grid_->cellRect(line, nameColumn).top();
    painter.drawLine(0, y, width() - 1, y);
  }
}

void KeyValueTable::setRows(const QStringList& headings, const std::vector<KeyValueRow>& rows) {
  const int headingRows = headings.isEmpty() ? 0 : 1;
  qsizetype values = std::max<qsizetype>(0, headings.size() - 1);
  for (const KeyValueRow& line : rows) values = std::max(values, line.values.size());
  const bool hasShares = std::ranges::any_of(rows, [](const KeyValueRow& row) { return !row.share.isEmpty(); });
  const int shareColumn = firstValueColumn + static_cast<int>(values);
  trim(headingRows + static_cast<int>(rows.size()), shareColumn + (hasShares ? 1 : 0));
  for (int column = 0; column < static_cast<int>(headings.size()); ++column) {
    const bool ofNames = column == 0;
    QLabel* heading = cell(0, ofNames ? nameColumn : firstValueColumn + column - 1);
    ofNames ? static_cast<ElidedLabel*>(heading)->setWhole(headings[0]) : heading->setText(headings[column]);
    heading->setFont(textFont(TextSize::secondary));
    heading->setAlignment((ofNames ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (!ofNames) heading->setMinimumWidth(widthForFont(headedWidth));
    heading->setProperty("second", true);
  }
  if (headingRows > 0) grid_->setRowMinimumHeight(0, fontMetrics().height() + gapSmall);
  for (int i = 0; i < static_cast<int>(rows.size()); ++i) {
    const KeyValueRow& row = rows[static_cast<std::size_t>(i)];
    const int line = headingRows + i;
    grid_->setRowMinimumHeight(line, std::max(rowHeight, fontMetrics().height() + 6));
    if (row.colour) grid_->addWidget(new Square(row.colour), line, squareColumn);
    auto* name = static_cast<ElidedLabel*>(cell(line, nameColumn));
    name->setWhole(row.name);
    name->setProperty("second", !row.colour && !row.strong);  // beside its colour it is a key of a picture
    const QFont font = textFont(row.strong ? TextSize::section : TextSize::body);
    name->setFont(font);
    for (int column = 0; column < static_cast<int>(values); ++column) {
      QLabel* value = cell(line, firstValueColumn + column);
      value->setFont(row.code ? fixedFont() : font);
      value->setProperty("second", false);
      value->setText(row.values.value(column));
    }
    if (!hasShares) continue;
    QLabel* share = cell(line, shareColumn);
    share->setProperty("second", true);
    share->setText(row.share);
  }
}

}  // namespace slipstream::ui
