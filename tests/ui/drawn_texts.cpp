// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/drawn_texts.h"

#include <QFontMetricsF>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <QWidget>
#include <cmath>

#include "ui/charts/chart_painter.h"
#include "ui/charts/line_chart.h"

namespace slipstream::test {
namespace {

/// Keeps texts and where they stand; everything else is drawn nowhere.
class TextEngine : public QPaintEngine {
 public:
  TextEngine() : QPaintEngine(QPaintEngine::AllFeatures) {}

  void take(const QWidget& widget, std::vector<DrawnText>& texts) {
    widget_ = &widget;
    texts_ = &texts;
    right_ = baseline_ = NAN;
  }

  bool begin(QPaintDevice*) override { return true; }
  bool end() override { return true; }
  void updateState(const QPaintEngineState&) override {}
  Type type() const override { return User; }
  void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
  void drawTiledPixmap(const QRectF&, const QPixmap&, const QPointF&) override {}
  void drawImage(const QRectF&, const QImage&, const QRectF&, Qt::ImageConversionFlags) override {}
  void drawPath(const QPainterPath&) override {}
  void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
  void drawPolygon(const QPoint*, int, PolygonDrawMode) override {}
  void drawRects(const QRect*, int) override {}
  void drawRects(const QRectF*, int) override {}
  void drawLines(const QLine*, int) override {}
  void drawLines(const QLineF*, int) override {}
  void drawEllipse(const QRectF&) override {}
  void drawEllipse(const QRect&) override {}
  void drawPoints(const QPointF*, int) override {}
  void drawPoints(const QPoint*, int) override {}

  void drawTextItem(const QPointF& at, const QTextItem& item) override {
    const QTransform placed = painter()->deviceTransform();
    const QRectF ink = placed.mapRect(QFontMetricsF(item.font()).tightBoundingRect(item.text()).translated(at));
    QRectF room = widget_->rect();
    if (painter()->hasClipping()) room &= placed.mapRect(painter()->clipBoundingRect());
    const QPointF begin = placed.map(at);
    const bool goesOn = std::abs(begin.x() - right_) < 1 && std::abs(begin.y() - baseline_) < 0.5;
    right_ = begin.x() + item.width();
    baseline_ = begin.y();
    if (goesOn) {
      texts_->back().text += item.text();
      texts_->back().ink |= ink;
    } else {
      texts_->push_back({item.text(), ink, room, widget_});
    }
  }

 private:
  const QWidget* widget_ = nullptr;
  std::vector<DrawnText>* texts_ = nullptr;
  double right_ = NAN, baseline_ = NAN;  ///< where the text before ends
};

class TextDevice : public QPaintDevice {
 public:
  explicit TextDevice(const QWidget& model) : model_(model) {}
  TextEngine& engine() { return engine_; }
  QPaintEngine* paintEngine() const override { return &engine_; }

 protected:
  int metric(PaintDeviceMetric metric) const override {
    switch (metric) {
      case PdmWidth:
        return model_.width();
      case PdmHeight:
        return model_.height();
      case PdmDpiX:
      case PdmPhysicalDpiX:
        return model_.logicalDpiX();
      case PdmDpiY:
      case PdmPhysicalDpiY:
        return model_.logicalDpiY();
      case PdmDevicePixelRatio:
        return 1;
      case PdmDevicePixelRatioScaled:
        return static_cast<int>(devicePixelRatioFScale());
      default:
        return QPaintDevice::metric(metric);
    }
  }

 private:
  const QWidget& model_;
  mutable TextEngine engine_;
};

}  // namespace

std::vector<DrawnText> drawnTexts(QWidget& window) {
  std::vector<DrawnText> texts;
  QList<QWidget*> widgets = window.findChildren<QWidget*>();
  widgets.prepend(&window);
  for (QWidget* widget : widgets) {
    if (widget->window() != &window || !widget->isVisibleTo(&window) || widget->rect().isEmpty()) continue;
    TextDevice device(*widget);
    device.engine().take(*widget, texts);
    widget->render(&device, {}, widget->rect(), {});
    // A chart paints an image that it keeps: it is painted once more.
    if (const auto* chart = qobject_cast<ui::LineChart*>(widget)) {
      ui::ChartPainter painter;
      painter.layOut(chart->model(), chart->size());
      QPainter onto(&device);
      painter.paint(onto);
    }
  }
  std::erase_if(texts, [](const DrawnText& drawn) { return drawn.text.trimmed().isEmpty() || drawn.ink.isEmpty(); });
  return texts;
}

QString pathOf(const QWidget& widget) {
  QStringList names;
  for (const QWidget* at = &widget; at != nullptr && !at->isWindow(); at = at->parentWidget()) {
    const QString name = QString::fromLatin1(at->metaObject()->className()).section(QStringLiteral("::"), -1);
    if (name != QStringLiteral("QWidget") && !name.startsWith(QStringLiteral("qt_"))) names.prepend(name);
  }
  return names.join(QStringLiteral(" > "));
}

}  // namespace slipstream::test
