// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QTimer>
#include <QWidget>
#include <vector>

#include "ui/charts/line_chart.h"

class QGridLayout;
class QLabel;
class QTableView;

namespace slipstream::ui {

/// Charts beside each other, in as many columns as fit; their cursors move together.
class ChartFlow : public QWidget {
  Q_OBJECT

 public:
  explicit ChartFlow(QWidget* parent = nullptr);

  /// Lower charts on a low page: tables below them are to be seen, too.
  void fitTo(const QWidget& page);
  /// Of each chart, in pixels.
  void setChartHeight(int height);
  /// Once the page is laid out: grows by less than a row, so that the lower edge of the page, which scrolls, is between
  /// two rows of the table, or two lines of the words below it. To be asked for after each fitTo().
  void endBetweenRowsOf(QTableView* table, QLabel* words = nullptr);
  int chartHeight() const { return height_; }
  /// As many charts as there are; those that stay keep their place.
  void setModels(std::vector<ShownChart> models);
  /// Of all charts in sight.
  void setCursor(std::optional<double> x);
  /// That the charts in sight are in.
  int rows() const;
  const std::vector<LineChart*>& charts() const { return charts_; }

 Q_SIGNALS:
  void cursorLeft();  ///< the mouse, which had it
  void arranged();    ///< in another number of columns

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void arrange();
  void take(int height);
  void growToRow();
  int grown() const;
  LineChart* makeChart();
  /// Of all charts with the same axis.
  void moveCursor(const LineChart& in, std::optional<double> x);

  QGridLayout* grid_;
  std::vector<LineChart*> charts_;  ///< those in use, then hidden ones
  std::size_t used_ = 0;
  int columns_ = 0;
  int asked_ = 250, height_ = 250;  ///< of a chart: what the page set, and what that grew to
  QTimer laidOut_;
  QPointer<QTableView> table_;
  QPointer<QLabel> words_;  ///< below the table
};

}  // namespace slipstream::ui
