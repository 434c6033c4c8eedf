// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/curve_layer.h"

#include <QPainter>
#include <cmath>

#include "ui/store/pool_job.h"

namespace slipstream::ui {
namespace {

constexpr double mostRescale = 4;

/// Where the plot of `from` comes to lie in `to`, which has the same kinds of axes.
QRectF placeOf(const ChartLayout& from, const ChartLayout& to) {
  return QRectF(QPointF(to.toX(from.x.low), to.toY(from.y.high)), QPointF(to.toX(from.x.high), to.toY(from.y.low)));
}

}  // namespace

void CurveLayer::take(QPixmap picture, const ChartLayout& frame) {
  picture_ = std::move(picture);
  frame_ = frame;
  stale_ = false;
  outdated_ = drawing_;
}

/// What was asked for while one is drawn is stale when it comes: whoever hears of it asks again.
void CurveLayer::draw(std::shared_ptr<const ChartModel> chart, const ChartLayout& frame, const QSize& size,
                      double ratio, double width) {
  stale_ = drawing_;
  if (std::exchange(drawing_, true)) return;
  const auto picture = [chart = std::move(chart), frame, size, ratio, width] {
    return pictureOfCurves(*chart, frame, size, ratio, width);
  };
  runInPool(this, picture, [this, frame](QImage image) {
    drawing_ = false;
    if (!std::exchange(outdated_, false)) {
      picture_ = QPixmap::fromImage(std::move(image));
      frame_ = frame;
    }
    Q_EMIT drawn();
  });
}

void CurveLayer::clear() {
  take({}, {});
  stale_ = true;
}

bool CurveLayer::fits(const ChartLayout& frame) const {
  if (frame_.x.logarithmic != frame.x.logarithmic || frame_.y.logarithmic != frame.y.logarithmic) return false;
  const QRectF place = placeOf(frame_, frame);
  const auto rescales = [](double drawn, double wanted) {
    return wanted < mostRescale * drawn && drawn < mostRescale * wanted;
  };
  return rescales(place.width(), frame.plot.width()) && rescales(place.height(), frame.plot.height());
}

void CurveLayer::paint(QPainter& painter, const ChartLayout& frame) const {
  if (picture_.isNull() || !fits(frame)) return;
  if (frame.x == frame_.x && frame.y == frame_.y && rectOf(frame.plot) == rectOf(frame_.plot)) {
    return painter.drawPixmap(0, 0, picture_);
  }
  const QRectF source = rectOf(frame_.plot), place = placeOf(frame_, frame);
  const QSizeF stretch = place.size() - source.size();
  const double ratio = picture_.devicePixelRatio();
  painter.save();
  painter.setClipRect(curvesRect(frame));
  // A smooth transform takes longer than a frame, and what it is for is drawn anew within a few.
  if (std::abs(stretch.width()) < 0.5 && std::abs(stretch.height()) < 0.5) {
    painter.drawPixmap((place.topLeft() - source.topLeft()).toPoint(), picture_);
  } else {
    painter.drawPixmap(place, picture_, QRectF(source.topLeft() * ratio, source.size() * ratio));
  }
  painter.restore();
}

}  // namespace slipstream::ui
