// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/parts/fact_table.h"

#include <QGridLayout>
#include <QPainter>

#include "ui/parts/parts.h"

namespace slipstream::ui {
namespace {

constexpr int squareSize = 10;
constexpr int rowHeight = 24;
constexpr int squareColumn = 0, nameColumn = 1, firstValueColumn = 2;

}  // namespace

class FactTable::Square : public QWidget {
 public:
  explicit Square(std::function<QColor()> colour) : colour_(std::move(colour)) { setFixedSize(squareSize, squareSize); }

 protected:
  void paintEvent(QPaintEvent*) override { QPainter(this).fillRect(rect(), colour_()); }

 private:
  std::function<QColor()> colour_;
};

FactTable::FactTable(QWidget* parent) : QWidget(parent), grid_(new QGridLayout(this)) {
  grid_->setContentsMargins(0, 0, 0, 0);
  grid_->setHorizontalSpacing(gapText);
  grid_->setVerticalSpacing(0);
  grid_->setColumnStretch(nameColumn, 1);
}

QLabel* FactTable::cell(int row, int column) {
  if (QLayoutItem* item = grid_->itemAtPosition(row, column)) return qobject_cast<QLabel*>(item->widget());
  QLabel* made = column == nameColumn ? new ElidedLabel : new QLabel;
  if (column != nameColumn) made->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  made->setTextInteractionFlags(Qt::TextSelectableByMouse);
  grid_->addWidget(made, row, column);
  return made;
}

/// Lines and columns that are no more wanted go.
void FactTable::trim(int rows, int columns) {
  for (int row = 0; row < rows_; ++row) {
    for (int column = 0; column < columns_; ++column) {
      const bool stays = row < rows && column < columns && column != squareColumn;
      QLayoutItem* item = stays ? nullptr : grid_->itemAtPosition(row, column);
      if (item != nullptr) delete item->widget();
    }
    grid_->setRowMinimumHeight(row, 0);
  }
  rows_ = rows;
  columns_ = columns;
}

void FactTable::setRows(const QStringList& heads, const std::vector<FactRow>& rows) {
  const int headRows = heads.isEmpty() ? 0 : 1;
  qsizetype values = heads.size();
  for (const FactRow& row : rows) values = std::max(values, row.values.size());
  trim(headRows + static_cast<int>(rows.size()), firstValueColumn + static_cast<int>(values));
  for (int column = 0; column < static_cast<int>(heads.size()); ++column) {
    QLabel* head = cell(0, firstValueColumn + column);
    head->setText(heads[column]);
    head->setFont(textFont(TextSize::secondary));
    head->setProperty("second", true);
  }
  for (int i = 0; i < static_cast<int>(rows.size()); ++i) {
    const FactRow& fact = rows[static_cast<std::size_t>(i)];
    const int row = headRows + i;
    grid_->setRowMinimumHeight(row, std::max(rowHeight, fontMetrics().height() + gapText));
    if (fact.colour) grid_->addWidget(new Square(fact.colour), row, squareColumn);
    static_cast<ElidedLabel*>(cell(row, nameColumn))->setWhole(fact.name);
    for (int column = 0; column < static_cast<int>(values); ++column) {
      cell(row, firstValueColumn + column)->setText(fact.values.value(column));
    }
  }
}

}  // namespace slipstream::ui
