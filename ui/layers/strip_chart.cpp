// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/layers/strip_chart.h"

#include <QKeyEvent>
#include <QLocale>
#include <cmath>

#include "ui/charts/shown_chart.h"
#include "ui/widgets/focus_ring.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr double leastDrag = 4;
constexpr double mostLabel = 196;  ///< of the plot's left room

int axisHeight(const StripModel& model) {
  return model.xLabels ? QFontMetrics(textFont(TextSize::caption)).height() + gapText + 2 : 2;
}

}  // namespace

StripChart::StripChart(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setProperty(drawsFocusProperty, true);
  setMouseTracking(true);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void StripChart::setModel(StripModel model) {
  const bool resized = model.rows.size() != model_.rows.size() || model.xLabels != model_.xLabels;
  model_ = std::move(model);
  row_ = std::min(row_, static_cast<int>(model_.rows.size()) - 1);
  setAccessibleName(model_.title);
  if (resized) updateGeometry();
  update();
}

void StripChart::setPitch(int pitch) {
  if (pitch == pitch_) return;
  pitch_ = pitch;
  updateGeometry();
  update();
}

void StripChart::setCursor(std::optional<double> x) {
  model_.cursor = x;
  setAccessibleDescription(readingText());
  update();
}

double StripChart::roomOf(const std::vector<HeatRow>& rows) {
  const QFontMetricsF metrics(textFont(TextSize::caption));
  double width = 0;
  for (const HeatRow& row : rows) {
    width = std::max(width, metrics.horizontalAdvance(QString::fromStdString(row.name)));
  }
  return std::min(mostLabel, std::ceil(width) + gapText);
}

QSize StripChart::minimumSizeHint() const {
  return {200, stripTitleHeight() + static_cast<int>(model_.rows.size()) * pitch_ + axisHeight(model_)};
}

QSize StripChart::sizeHint() const {
  return {480, minimumSizeHint().height()};
}

QRectF StripChart::plot() const {
  const double left = std::ceil(model_.leftRoom);
  return {left, static_cast<double>(stripTitleHeight()),
          std::max(1.0, width() - std::max<double>(pageMargin, model_.rightRoom) - left),
          static_cast<double>(model_.rows.size()) * pitch_};
}

double StripChart::xAt(double pixel) const {
  return model_.first + (pixel - plot().left()) / plot().width() * (model_.last - model_.first);
}

double StripChart::pixelOf(double x) const {
  return plot().left() + (x - model_.first) / (model_.last - model_.first) * plot().width();
}

std::optional<double> StripChart::valueAt(int row, double x) const {
  if (row < 0 || row >= static_cast<int>(model_.rows.size())) return std::nullopt;
  const std::vector<double>& values = model_.rows[static_cast<std::size_t>(row)].values;
  const double share = (x - model_.first) / (model_.last - model_.first);
  if (share < 0 || share > 1 || values.empty()) return std::nullopt;
  const auto column = std::min(values.size() - 1, static_cast<std::size_t>(share * static_cast<double>(values.size())));
  return std::isfinite(values[column]) ? std::optional<double>(values[column]) : std::nullopt;
}

QString StripChart::readingText() const {
  if (row_ < 0 || !model_.cursor) return {};
  const std::optional<double> value = valueAt(row_, *model_.cursor);
  return tr("%1 · %2 · %3")
      .arg(QString::fromStdString(model_.rows[static_cast<std::size_t>(row_)].name),
           xText(ChartX::step, std::floor(*model_.cursor)), value ? model_.reading(*value) : model_.emptyText);
}

void StripChart::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paintStripTitle(painter, model_, readingText(), width() - pageMargin);
  for (int row = 0; row < static_cast<int>(model_.rows.size()); ++row) paintStrip(painter, model_, row, pitch_, plot());
  if (model_.xLabels) paintStripAxis(painter, model_, plot(), width());
  if (model_.cursor) {
    paintStripCursor(painter, model_, plot(), pixelOf(*model_.cursor), width());
    paintReadings(painter);
  }
  if (!hasFocus()) return;
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(tokens().accent, 2));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);
}

/// What each row is worth at the cursor; words are for one row at a time.
void StripChart::paintReadings(QPainter& painter) const {
  const double pixel = pixelOf(*model_.cursor);
  if (!model_.numbers || pitch_ < leastPitchForNumbers || pixel < plot().left() || pixel > plot().right()) return;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  for (int row = 0; row < static_cast<int>(model_.rows.size()); ++row) {
    const std::optional<double> value = valueAt(row, *model_.cursor);
    if (value) paintStripReading(painter, model_.reading(*value), plot(), row, pitch_);
  }
  painter.restore();
}

void StripChart::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange) updateGeometry();
  update();
}

void StripChart::mouseMoveEvent(QMouseEvent* event) {
  const QPointF place = event->position();
  const int row = static_cast<int>(std::floor((place.y() - plot().top()) / pitch_));
  row_ = row >= 0 && row < static_cast<int>(model_.rows.size()) ? row : -1;
  const bool inside = place.x() >= plot().left() && place.x() <= plot().right();
  Q_EMIT cursorMoved(inside ? std::optional<double>(xAt(place.x())) : std::nullopt);
  update();
}

void StripChart::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && plot().contains(event->position())) pressedAt_ = event->position().x();
}

void StripChart::mouseReleaseEvent(QMouseEvent* event) {
  if (!pressedAt_) return;
  const double from = *pressedAt_;
  const double to = event->position().x();
  pressedAt_.reset();
  if (std::abs(to - from) >= leastDrag) Q_EMIT rangeWanted(xAt(std::min(from, to)), xAt(std::max(from, to)));
}

void StripChart::mouseDoubleClickEvent(QMouseEvent*) {
  Q_EMIT wholeRangeWanted();
}

void StripChart::leaveEvent(QEvent*) {
  row_ = -1;
  Q_EMIT cursorMoved(std::nullopt);
}

void StripChart::keyPressEvent(QKeyEvent* event) {
  const int rows = static_cast<int>(model_.rows.size());
  switch (event->key()) {
    case Qt::Key_Left:
      return Q_EMIT cursorStepped(-1);
    case Qt::Key_Right:
      return Q_EMIT cursorStepped(1);
    case Qt::Key_Up:
    case Qt::Key_Down:
      row_ = std::clamp(row_ + (event->key() == Qt::Key_Down ? 1 : -1), 0, std::max(0, rows - 1));
      return setCursor(model_.cursor);
    default:
      QWidget::keyPressEvent(event);
  }
}

}  // namespace slipstream::ui
