// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainter>

#include "ui/charts/chart_lines.h"
#include "ui/charts/shown_chart.h"

namespace slipstream::ui {

/// Draws a model. Colours are read from the theme in force when it is laid out.
class ChartPainter {
 public:
  /// Computes the layout, which is cheap; lines are made when they are painted. `model` must live until
  /// the next call.
  void layOut(const ShownChart& model, const QSizeF& size);
  const ChartLayout& frame() const { return frame_; }

  /// Everything but the cursor, over what is behind: what paintBehind, paintCurves and paintBefore draw, in this order.
  void paint(QPainter& painter);
  void paintBehind(QPainter& painter) const;
  /// Bands and lines: what costs time.
  void paintCurves(QPainter& painter);
  void paintBefore(QPainter& painter) const;
  /// Some curves once more, wider than the others.
  void paintPointedOut(QPainter& painter, const std::vector<std::size_t>& curves) const;
  void paintCursor(QPainter& painter) const;

 private:
  void paintTitle(QPainter& painter) const;
  void makeLines();
  void paintLines(QPainter& painter);
  void paintNotes(QPainter& painter) const;
  void paintEmpty(QPainter& painter) const;

  const ShownChart* model_ = nullptr;
  QSizeF size_;
  ChartLayout frame_;
  std::vector<Stroke> raw_;
  std::vector<Stroke> thin_;  ///< the full lines, where they are many
  ChartLines full_;
  bool made_ = false;  ///< the lines are the model's
  bool many_ = false;
  bool crisp_ = false;  ///< raw lines are so dense that blurred edges would hide their spikes
};

}  // namespace slipstream::ui
