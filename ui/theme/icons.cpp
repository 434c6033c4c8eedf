// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/icons.h"

#include <QCoreApplication>
#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPixmapCache>
#include <QSvgRenderer>
#include <algorithm>
#include <array>

#include "ui/theme/theme.h"

namespace slipstream::ui {
namespace {

/// In the order of Symbol.
constexpr std::array files{"add",    "archive", "bulb",     "close",  "cloud",    "compare",  "copy",        "device",
                           "down",   "drag",    "enlarge",  "error",  "evaluate", "export",   "eye",         "eye-off",
                           "filter", "folder",  "generate", "good",   "help",     "import",   "information", "launch",
                           "layout", "lock",    "merge",    "more",   "pin",      "redo",     "report",      "reset",
                           "resume", "right",   "save",     "search", "server",   "settings", "stop",        "table",
                           "tag",    "trash",   "undo",     "up",     "vary",     "warning"};
static_assert(files.size() == static_cast<std::size_t>(Symbol::warning) + 1);

QColor colourOf(IconInk ink) {
  const Tokens& now = tokens();
  switch (ink) {
    case IconInk::text:
      return now.text;
    case IconInk::second:
      return now.secondText;
    case IconInk::faint:
      return now.control;
    case IconInk::onAccent:
      return now.textOnAccent;
    case IconInk::accent:
      return now.accent;
    case IconInk::good:
      return now.good;
    case IconInk::warning:
      return now.warning;
    case IconInk::error:
      return now.error;
  }
  return now.text;
}

/// Paints an SVG whose strokes are `currentColor`, in a colour of the theme.
class TintedIcon final : public QIconEngine {
 public:
  TintedIcon(Symbol symbol, IconInk ink) : symbol_(symbol), ink_(ink) {}

  /// A wider place has room between the icon and the words behind it.
  void paint(QPainter* painter, const QRect& place, QIcon::Mode mode, QIcon::State) override {
    const QColor colour = mode == QIcon::Disabled ? tokens().disabled : colourOf(ink_);
    const int side = std::min(place.width(), place.height());
    QSvgRenderer(svg(colour)).render(painter, QRect(place.left(), place.center().y() - (side - 1) / 2, side, side));
  }

  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    return scaledPixmap(size, mode, state, 1.0);
  }

  /// `size` is in device pixels.
  QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal) override {
    const QColor colour = mode == QIcon::Disabled ? tokens().disabled : colourOf(ink_);
    const QString key = QStringLiteral("slipstream-icon-%1-%2-%3x%4")
                            .arg(static_cast<int>(symbol_))
                            .arg(colour.name())
                            .arg(size.width())
                            .arg(size.height());
    QPixmap found;
    if (QPixmapCache::find(key, &found)) return found;
    found = QPixmap(size);
    found.fill(Qt::transparent);
    QPainter painter(&found);
    paint(&painter, QRect(QPoint(), size), mode, state);
    QPixmapCache::insert(key, found);
    return found;
  }

  QIconEngine* clone() const override { return new TintedIcon(*this); }

 private:
  QByteArray svg(const QColor& colour) const {
    QFile file(QStringLiteral(":/icons/%1.svg").arg(QLatin1String(files[static_cast<std::size_t>(symbol_)])));
    if (!file.open(QIODevice::ReadOnly)) return {};
    return file.readAll().replace("currentColor", colour.name().toLatin1());
  }

  Symbol symbol_;
  IconInk ink_;
};

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

QIcon icon(Symbol symbol, IconInk ink) {
  return QIcon(new TintedIcon(symbol, ink));
}
QIcon icon(Symbol symbol) {
  return icon(symbol, IconInk::text);
}

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
    case RunState::preempted:
      painter.drawLine(brush.at(4.5, 3), brush.at(4.5, 11));
      painter.drawLine(brush.at(9.5, 3), brush.at(9.5, 11));
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

QString stateText(RunState state) {
  const auto word = [](const char* text) { return QCoreApplication::translate("RunState", text); };
  switch (state) {
    case RunState::draft:
      return word(QT_TRANSLATE_NOOP("RunState", "Draft"));
    case RunState::queued:
      return word(QT_TRANSLATE_NOOP("RunState", "Queued"));
    case RunState::preempted:
      return word(QT_TRANSLATE_NOOP("RunState", "Preempted"));
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
    case RunState::preempted:
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
