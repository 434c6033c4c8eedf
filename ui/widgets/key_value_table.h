// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QWidget>
#include <functional>
#include <vector>

class QGridLayout;
class QLabel;

namespace slipstream::ui {

/// One line of a table of figures.
struct KeyValueRow {
  std::function<QColor()> colour = {};  ///< of the swatch; asked when painting, so that themes may change
  QString name;
  QStringList values;   ///< one a column, right-aligned
  bool strong = false;  ///< a total
  bool code = false;    ///< values are in a fixed width
  QString share = {};   ///< what part of a whole the values are, in second text behind them
};

/// A small table without frame: a swatch, a name, figures that line up; hairlines between.
class KeyValueTable : public QWidget {
  Q_OBJECT

 public:
  explicit KeyValueTable(QWidget* parent = nullptr);

  /// `headings`: of the names, then of the columns of values; empty: none has one.
  void setRows(const QStringList& headings, const std::vector<KeyValueRow>& rows);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  class Square;
  QLabel* cell(int row, int column);
  void trim(int rows, int columns);

  QGridLayout* grid_;
  int rows_ = 0, columns_ = 0;
};

}  // namespace slipstream::ui
