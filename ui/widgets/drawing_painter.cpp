// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/drawing_painter.h"

#include <QFontMetricsF>
#include <QPainterPath>
#include <array>
#include <cmath>

#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

/// What of a text is left of its place, as a share of its width.
double shareBefore(Anchor anchor) {
  return anchor == Anchor::end ? 1 : anchor == Anchor::middle ? 0.5 : 0;
}

/// A horizontal or upright line of one pixel fills a row or a column of them.
void putOnPixels(QPolygonF& line) {
  if (line.size() != 2) return;
  for (double& (QPointF::*place)() : {&QPointF::rx, &QPointF::ry}) {
    if ((line[0].*place)() != (line[1].*place)()) continue;
    for (QPointF& point : line) (point.*place)() = std::floor((point.*place)()) + 0.5;
  }
}

}  // namespace

QColor inkColour(Ink ink) {
  constexpr std::array<QColor Tokens::*, 18> colours{nullptr,
                                                     &Tokens::text,
                                                     &Tokens::secondText,
                                                     &Tokens::base,
                                                     &Tokens::hairline,
                                                     &Tokens::alternate,
                                                     &Tokens::shade,
                                                     &Tokens::accent,
                                                     &Tokens::chartGrid,
                                                     &Tokens::chartAxis,
                                                     &Tokens::control,
                                                     &Tokens::secondText,
                                                     &Tokens::control,
                                                     &Tokens::good,
                                                     &Tokens::error,
                                                     &Tokens::warning,
                                                     &Tokens::lost,
                                                     &Tokens::warningTint};
  return tokens().*colours.at(static_cast<std::size_t>(ink));
}

QPolygonF polygonOf(const std::vector<Point>& points) {
  QPolygonF polygon;
  polygon.reserve(std::ssize(points));
  for (const Point& point : points) polygon << QPointF(point.x, point.y);
  return polygon;
}

QPen penOf(const DrawnPath& path, const QColor& colour) {
  QList<double> dashes;
  for (const QString& length : text(std::string(path.dashes)).split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
    dashes << length.toDouble() / path.width;  // Qt counts in pen widths
  }
  const bool round = path.stroke == Ink::series && dashes.isEmpty();
  QPen pen(colour, path.width, Qt::SolidLine, round ? Qt::RoundCap : Qt::FlatCap, Qt::RoundJoin);
  if (!dashes.isEmpty()) pen.setDashPattern(dashes);
  return pen;
}

QColor DrawingPainter::colourOf(Ink ink, std::string_view own) const {
  if (font) return ink == Ink::series ? seriesColour(own) : inkColour(ink);
  return {text(std::string(ink == Ink::series ? own : printColour(ink)))};
}

void DrawingPainter::operator()(const DrawnPath& drawn) const {
  QPainterPath path;
  for (const auto& line : drawn.lines) {
    QPolygonF points = polygonOf(line);
    if (font && drawn.width == 1) putOnPixels(points);
    path.addPolygon(points);
  }
  painter.save();
  painter.setOpacity(drawn.opacity);
  if (drawn.fill != Ink::none) painter.fillPath(path, colourOf(drawn.fill, drawn.colour));
  if (drawn.stroke != Ink::none) painter.strokePath(path, penOf(drawn, colourOf(drawn.stroke, drawn.colour)));
  painter.restore();
}

void DrawingPainter::operator()(const DrawnBox& box) const {
  // Cells of maps have their colours in both themes.
  const QColor colour =
      box.fill == Ink::series ? QColor(text(std::string(box.colour))) : colourOf(box.fill, box.colour);
  painter.fillRect(QRectF(box.x, box.y, box.width, box.height), colour);
}

void DrawingPainter::operator()(const DrawnDot& dot) const {
  painter.setPen(QPen(colourOf(Ink::base, {}), 1));
  painter.setBrush(colourOf(Ink::series, dot.colour));
  painter.drawEllipse(QPointF(dot.at.x, dot.at.y), dot.radius + 0.5, dot.radius + 0.5);
}

void DrawingPainter::operator()(const DrawnText& drawn) const {
  if (!font) return paintOnPaper(drawn);
  const QString words = text(drawn.text);
  painter.setFont(*font);
  painter.setPen(colourOf(drawn.ink, {}));
  const double before = shareBefore(drawn.anchor) * QFontMetricsF(*font).horizontalAdvance(words);
  painter.drawText(QPointF(drawn.at.x - before, drawn.at.y), words);
}

void DrawingPainter::paintOnPaper(const DrawnText& drawn) const {
  const QString words = text(drawn.text);
  QFont fine(drawn.font == slipstream::Font::fixed ? QStringLiteral("monospace") : QStringLiteral("sans-serif"));
  constexpr int scale = 16;  // fonts have whole sizes
  fine.setPixelSize(static_cast<int>(drawn.size * scale));
  fine.setBold(drawn.font == slipstream::Font::strong);
  const double wanted = textWidth(drawn.text, drawn.size, drawn.font);
  const double natural = QFontMetricsF(fine).horizontalAdvance(words) / scale;
  painter.save();
  painter.translate(drawn.at.x - shareBefore(drawn.anchor) * wanted, drawn.at.y);
  painter.scale((natural > 0 ? wanted / natural : 1) / scale, 1.0 / scale);
  painter.setFont(fine);
  painter.setPen(colourOf(drawn.ink, {}));
  painter.drawText(QPointF(), words);
  painter.restore();
}

}  // namespace slipstream::ui
