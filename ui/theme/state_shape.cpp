// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/state_shape.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPainterPath>

#include "ui/theme/theme.h"

namespace slipstream::ui {
namespace {

struct Brush {
  QPainter& painter;
  QRectF place;

  QPointF at(double x, double y) const {
    return {place.x() + x * place.width() / 14, place.y() + y * place.height() / 14};
  }
  double length(double value) const { return value * place.width() / 14; }

  void ring(double radius) const { painter.drawEllipse(at(7, 7), length(radius), length(radius)); }
  void filledPolygon(std::initializer_list<QPointF> points, const QColor& colour) const {
    painter.setBrush(colour);
    painter.drawPolygon(QPolygonF(QList<QPointF>(points)));
  }
};

void drawDraft(const Brush& brush, QPen pen) {
  pen.setDashPattern({1.6, 1.8});
  brush.painter.setPen(pen);
  brush.ring(5.2);
}

void drawQueued(const Brush& brush) {
  brush.ring(5.2);
  brush.painter.drawLine(brush.at(7, 7), brush.at(7, 4.2));
  brush.painter.drawLine(brush.at(7, 7), brush.at(9.2, 8.2));
}

void drawStarting(const Brush& brush, const QColor& colour) {
  brush.ring(5.2);
  brush.painter.setBrush(colour);
  const QRectF circle(brush.at(1.8, 1.8), brush.at(12.2, 12.2));
  brush.painter.drawPie(circle, 0, 90 * 16);
}

void drawLost(const Brush& brush) {
  brush.painter.drawPolygon(QPolygonF({brush.at(7, 0.8), brush.at(13.2, 7), brush.at(7, 13.2), brush.at(0.8, 7)}));
  QPainterPath mark;
  mark.moveTo(brush.at(5.6, 5.6));
  mark.cubicTo(brush.at(5.6, 3.6), brush.at(8.6, 3.7), brush.at(8.4, 5.7));
  mark.cubicTo(brush.at(8.3, 6.7), brush.at(7, 6.8), brush.at(7, 8));
  brush.painter.drawPath(mark);
  brush.painter.drawPoint(brush.at(7, 9.9));
}

}  // namespace

void paintState(QPainter& painter, const QRectF& place, RunState state) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  const QColor colour = stateColour(state);
  const Brush brush{painter, place};
  QPen pen(colour, brush.length(1.5), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
  painter.setPen(pen);
  switch (state) {
    case RunState::draft:
      drawDraft(brush, pen);
      break;
    case RunState::queued:
      drawQueued(brush);
      break;
    case RunState::starting:
      drawStarting(brush, colour);
      break;
    case RunState::running:
      brush.filledPolygon({brush.at(3.5, 2), brush.at(3.5, 12), brush.at(12, 7)}, colour);
      break;
    case RunState::stopping:
      painter.drawRect(QRectF(brush.at(2, 2), brush.at(12, 12)));
      painter.fillRect(QRectF(brush.at(5, 5), brush.at(9, 9)), colour);
      break;
    case RunState::done:
      painter.drawPolyline(QPolygonF({brush.at(1.8, 7.6), brush.at(5.2, 11), brush.at(12.2, 3.6)}));
      break;
    case RunState::failed:
      painter.drawLine(brush.at(3, 3), brush.at(11, 11));
      painter.drawLine(brush.at(11, 3), brush.at(3, 11));
      break;
    case RunState::stopped:
      painter.fillRect(QRectF(brush.at(3, 3), brush.at(11, 11)), colour);
      break;
    case RunState::lost:
      drawLost(brush);
      break;
  }
  painter.restore();
}

void paintIdle(QPainter& painter, const QRectF& place) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  const Brush brush{painter, place};
  painter.setPen(QPen(tokens().secondText, brush.length(1.5)));
  brush.ring(3.2);
  painter.restore();
}

QString stateWord(RunState state) {
  const auto word = [](const char* text) { return QCoreApplication::translate("RunState", text); };
  switch (state) {
    case RunState::draft:
      return word(QT_TRANSLATE_NOOP("RunState", "Draft"));
    case RunState::queued:
      return word(QT_TRANSLATE_NOOP("RunState", "Queued"));
    case RunState::starting:
      return word(QT_TRANSLATE_NOOP("RunState", "Starting"));
    case RunState::running:
      return word(QT_TRANSLATE_NOOP("RunState", "Running"));
    case RunState::stopping:
      return word(QT_TRANSLATE_NOOP("RunState", "Stopping"));
    case RunState::done:
      return word(QT_TRANSLATE_NOOP("RunState", "Done"));
    case RunState::failed:
      return word(QT_TRANSLATE_NOOP("RunState", "Failed"));
    case RunState::stopped:
      return word(QT_TRANSLATE_NOOP("RunState", "Stopped"));
    case RunState::lost:
      return word(QT_TRANSLATE_NOOP("RunState", "Lost"));
  }
  return {};
}

QColor stateColour(RunState state) {
  switch (state) {
    case RunState::starting:
    case RunState::running:
      return tokens().accent;
    case RunState::stopping:
      return tokens().warning;
    case RunState::done:
      return tokens().good;
    case RunState::failed:
      return tokens().error;
    case RunState::lost:
      return tokens().lost;
    default:
      return tokens().secondText;
  }
}

}  // namespace slipstream::ui
