// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QPainter>
#include <QPolygonF>
#include <optional>

#include "engine/document/drawing.h"

namespace slipstream::ui {

/// The colour of an ink in the theme in force.
QColor inkColour(Ink ink);
QPolygonF polygonOf(const std::vector<Point>& points);
/// The pen of a path's lines. Solid lines in a colour of their own have round ends.
QPen penOf(const DrawnPath& path, const QColor& colour);

/// Paints what the engine has laid out.
struct DrawingPainter {
  QPainter& painter;
  /// Of all texts on the screen, where colours are the theme's and thin straight lines lie on pixels. On print, colours
  /// are those of paper, and texts keep the widths of the layout, whatever fonts there are.
  std::optional<QFont> font = {};

  void paint(const Drawing& drawing) const {
    for (const Mark& mark : drawing.marks) std::visit(*this, mark);
  }
  void operator()(const DrawnPath& drawn) const;
  void operator()(const DrawnBox& box) const;
  void operator()(const DrawnDot& dot) const;
  void operator()(const DrawnText& drawn) const;

 private:
  QColor colourOf(Ink ink, std::string_view own) const;
  void paintOnPaper(const DrawnText& drawn) const;
};

}  // namespace slipstream::ui
