// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QWidget>
#include <functional>
#include <utility>
#include <vector>

namespace slipstream::ui {

/// One horizontal bar of several parts.
struct StackedBar {
  int rank = -1;              ///< whose it is; negative: nobody's, a click does nothing
  QString name;               ///< "rank 3"
  std::vector<double> parts;  ///< one a kind
  QString total;              ///< at the right
  QString text;               ///< all of it, for tool tips and screen readers
};

struct BarsModel {
  QString title;
  QString treatment;                             ///< "mean of steps 280 to 320"
  QString unit;                                  ///< of the axis
  double unitSize = 1;                           ///< what one of the unit is of the parts
  std::vector<std::function<QColor()>> colours;  ///< one a kind
  std::vector<StackedBar> bars;
};

/// Horizontal stacked bars on one scale that begins at zero. Arrow keys choose a bar, Enter or a click opens it.
class StackedBars : public QWidget {
  Q_OBJECT

 public:
  explicit StackedBars(QWidget* parent = nullptr);

  const BarsModel& model() const { return model_; }
  void setModel(BarsModel model);
  /// Of the axis, as the bars have it: the tick behind the longest bar.
  double axisEnd() const;
  /// What names at the left and totals at the right need, and the least that both get: charts one above the other have
  /// one pair of edges.
  std::pair<double, double> margins() const;
  void setLeastMargins(std::pair<double, double> least);
  /// The whole row of a bar.
  QRectF row(int index) const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void activated(int rank);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool event(QEvent* event) override;

 private:
  int barAt(const QPointF& place) const;
  void choose(int index);
  std::vector<double> ticks(double end) const;  ///< in the axis's unit; `end` as the bars have it
  QRectF plot() const;
  void paintTitle(QPainter& painter) const;
  void paintAxis(QPainter& painter) const;
  void paintBar(QPainter& painter, int index) const;

  BarsModel model_;
  std::pair<double, double> leastMargins_{0, 0};
  int hovered_ = -1;
  int current_ = 0;
};

}  // namespace slipstream::ui
