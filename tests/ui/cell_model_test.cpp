// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QSignalSpy>

#include <gtest/gtest.h>

#include "ui/widgets/cell_table.h"

namespace slipstream::ui {
namespace {

CellGrid gridOf(int rows, int columns, const QString& text) {
  CellGrid grid;
  for (int column = 0; column < columns; ++column) grid.headings.push_back({QString::number(column), column > 0});
  grid.rows.assign(static_cast<std::size_t>(rows), std::vector<Cell>(static_cast<std::size_t>(columns), Cell{text}));
  return grid;
}

TEST(CellModel, HoldsItsPromisesWhileGridsComeAndGo) {
  CellModel model;
  const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
  for (const auto& [rows, columns] : {std::pair{2, 3}, {5, 3}, {5, 2}, {1, 4}, {0, 4}, {3, 0}, {2, 2}}) {
    model.setGrid(gridOf(rows, columns, QStringLiteral("x")));
    EXPECT_EQ(model.rowCount(), rows);
    EXPECT_EQ(model.columnCount(), columns);
  }
  EXPECT_EQ(model.data(model.index(1, 1), Qt::DisplayRole).toString(), QStringLiteral("x"));
  EXPECT_EQ(model.headerData(1, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("1"));
}

TEST(CellModel, OnlyRowsThatChangedAreTold) {
  CellModel model;
  model.setGrid(gridOf(3, 2, QStringLiteral("old")));
  QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
  QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
  CellGrid grid = gridOf(3, 2, QStringLiteral("old"));
  grid.rows[1][1].text = QStringLiteral("new");
  model.setGrid(grid);
  ASSERT_EQ(changed.count(), 1);
  EXPECT_EQ(changed[0][0].toModelIndex().row(), 1);
  EXPECT_EQ(reset.count(), 0);
}

TEST(CellTable, IsAsHighAsItsRows) {
  CellTable table;
  table.setGrid(gridOf(2, 2, QStringLiteral("x")));
  const int two = table.sizeHint().height();
  table.setGrid(gridOf(4, 2, QStringLiteral("x")));
  EXPECT_GE(table.sizeHint().height(), two + 2 * 26);
}

TEST(CellTable, ColumnsOfTextsShareTheRoomThatIsLeftAndNumbersStayTogether) {
  constexpr int wide = 600, share = wide / 4;
  CellTable table;
  table.resize(wide, 100);
  CellGrid grid = gridOf(2, 3, QStringLiteral("x"));
  table.setGrid(grid);
  table.show();
  EXPECT_LT(table.columnWidth(1), share);
  for (ColumnHeading& heading : grid.headings) heading.number = false;
  table.setGrid(grid);
  EXPECT_GT(table.columnWidth(1), share);
  EXPECT_EQ(table.columnWidth(0) + table.columnWidth(1) + table.columnWidth(2), table.viewport()->width());
}

}  // namespace
}  // namespace slipstream::ui
