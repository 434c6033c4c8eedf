// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPixmap>
#include <QWidget>
#include <functional>
#include <memory>

#include "ui/charts/chart_painter.h"
#include "ui/charts/curve_layer.h"

namespace slipstream::ui {

/// A chart of curves over one x axis, drawn by Qt Charts from thinned data, with title, grid, bands, bounds, stages,
/// cursor and legend. It shows a ShownChart and says what people do with it; its owner answers by another model:
///
///     auto* chart = new LineChart;
///     chart->setModel(model);
///     connect(chart, &LineChart::rangeWanted, …);   // asks the reader for `columns()` columns of that range
///
/// A model costs its drawing once; moving the cursor redraws the cursor alone. Very many curves are drawn in another
/// thread: until they come, those that were drawn before are shown at their new place.
class LineChart : public QWidget {
  Q_OBJECT

 public:
  explicit LineChart(QWidget* parent = nullptr);

  const ShownChart& model() const { return *model_; }
  void setModel(ShownChart model);
  /// Changes the model in place, all but its curves.
  void restyle(const std::function<void(ShownChart&)>& change);
  /// Another range of x: at once, by what is drawn already, scaled to its new place; until the lines thinned for the
  /// range arrive.
  void setRange(double first, double last);
  /// Curves that are drawn wider, and all others paler; none: all alike.
  void pointOut(std::vector<std::size_t> curves);
  /// `readings` as in ShownChart.
  void setCursor(std::optional<double> x, std::vector<std::optional<CursorReading>> readings = {});

  /// The order of the curves in the row of values, as in ShownChart.
  void setReadingOrder(std::vector<std::size_t> order, std::vector<int> withoutCurve);

  /// What is behind the chart where it lies on another colour than `base`.
  void setSurface(QColor Tokens::*surface) { surface_ = surface; }

  /// Device pixels across the plot: what curves are thinned to, or a multiple of it.
  int columns() const;
  /// What was painted last, or is with the next paint, has all curves of the model; before the first paint it has none.
  bool isDrawn() const;
  QRectF plot() const { return rectOf(painter_.frame().plot); }
  double xAt(double pixel) const { return painter_.frame().fromX(pixel); }
  double pixelOf(double x) const { return painter_.frame().toX(x); }
  double pixelOfValue(double value) const { return painter_.frame().toY(value); }

  /// Draws the whole chart, cursor included, for files and printers.
  void render(QPainter& painter, const QSizeF& size) const;

  QSize sizeHint() const override { return {480, 240}; }
  QSize minimumSizeHint() const override { return {200, 120}; }

 Q_SIGNALS:
  void rangeWanted(double first, double last);  ///< by dragging, by the wheel or by + and -
  void wholeRangeWanted();                      ///< by a double click
  void cursorMoved(std::optional<double> x);    ///< by the mouse; nothing: it left
  void cursorStepped(int samples);              ///< by the arrow keys, Home and End: many
  void columnsChanged();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void invalidate();
  void markStale();
  void layOut();
  void redraw();
  void redrawCurves();
  void redrawFront(QPainter& painter);
  std::shared_ptr<const ChartModel> pointedOutCurves() const;
  void zoom(double factor, double aboutPixel);
  void pan(double pixels);
  void want(double first, double last);

  /// Curves are drawn in other threads meanwhile: another model is another object, and curves never change.
  std::shared_ptr<ShownChart> model_ = std::make_shared<ShownChart>();
  ChartPainter painter_;
  QColor Tokens::*surface_ = &Tokens::base;
  QPixmap drawn_;      ///< all but the cursor
  CurveLayer curves_;  ///< the curves alone
  CurveLayer front_;   ///< those that are pointed out, of very many
  bool stale_ = true;
  bool laidOut_ = false;
  QSize laidOutFor_;
  int columns_ = 0;
  std::vector<std::size_t> pointedOut_;
  std::optional<double> pressedAt_, draggedTo_;  ///< pixels
  bool panning_ = false;
};

}  // namespace slipstream::ui
