// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace slipstream::ui {

/// The loss that the example is expected to show, as it was measured: a small picture, not a chart to work with.
class ExpectedChart : public QWidget {
  Q_OBJECT

 public:
  explicit ExpectedChart(QWidget* parent = nullptr);
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QRectF plot() const;
  double yOf(double loss) const;
  double xOf(double step) const;
  void paintAxes(QPainter& painter) const;
  void paintCurves(QPainter& painter) const;

  double lowest_ = 1, highest_ = 1;
};

}  // namespace slipstream::ui
