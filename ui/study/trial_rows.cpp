// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/trial_rows.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <optional>

#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int trialRowHeight = 24, swatchWidth = 14, swatchHeight = 4, triedCircle = 8, chosenCircle = 10;
constexpr int scaleWidth = 64;

/// The one number of the settings.
std::optional<double> numberOf(const StudySettings& settings) {
  if (settings.size() != 1 || !settings.begin()->second.is_number()) return std::nullopt;
  return settings.begin()->second.get<double>();
}

}  // namespace

TrialRows::TrialRows(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void TrialRows::setRows(std::vector<TrialRow> rows) {
  rows_ = std::move(rows);
  values_.clear();
  QStringList told;
  for (const TrialRow& row : rows_) {
    values_.insert(values_.end(), row.tried.begin(), row.tried.end());
    told << QStringLiteral("%1: %2").arg(row.name, row.value);
  }
  setToolTip(plainToolTip(told.join(QLatin1Char('\n')) + QStringLiteral("\n\n") +
                          tr("Circles are the trials on the scale of what they tried; the filled one was chosen")));
  std::ranges::sort(values_);
  values_.erase(std::ranges::unique(values_).begin(), values_.end());
  setAccessibleDescription(told.join(QStringLiteral("; ")));
  updateGeometry();
  update();
}

bool TrialRows::isLogarithmic() const {
  if (values_.size() < 2) return false;
  return std::ranges::all_of(values_, [&](const StudySettings& one) {
    const auto number = numberOf(one);
    return number && *number > 0 && one.begin()->first == values_.front().begin()->first;
  });
}

double TrialRows::place(const StudySettings& settings) const {
  if (values_.size() < 2) return 0.5;
  if (isLogarithmic()) {
    const double first = std::log(*numberOf(values_.front())), last = std::log(*numberOf(values_.back()));
    return (std::log(*numberOf(settings)) - first) / (last - first);
  }
  const auto found = std::ranges::lower_bound(values_, settings);
  return static_cast<double>(found - values_.begin()) / static_cast<double>(values_.size() - 1);
}

int TrialRows::rowHeight() const {
  return std::max(trialRowHeight, QFontMetrics(textFont(TextSize::body)).height() + 6);
}

QSize TrialRows::sizeHint() const {
  return {200, static_cast<int>(rows_.size()) * rowHeight()};
}

void TrialRows::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const int high = rowHeight();
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const QRect place(0, static_cast<int>(i) * high, width(), high);
    if (i > 0) painter.fillRect(place.left(), place.top(), place.width(), 1, tokens().hairline);
    paintRow(painter, rows_[i], place);
  }
}

void TrialRows::paintRow(QPainter& painter, const TrialRow& row, const QRect& place) const {
  const double middle = std::round(place.center().y()) + 1;
  painter.setRenderHint(QPainter::Antialiasing, false);
  paintSwatch(painter, QRectF(place.left(), middle - swatchHeight / 2.0, swatchWidth, swatchHeight), row.pen);
  painter.setFont(textFont(TextSize::body));
  const QFontMetrics metrics(painter.font());
  int room = 0;
  for (const TrialRow& one : rows_) room = std::max(room, metrics.horizontalAdvance(one.value));
  painter.setPen(tokens().text);
  painter.drawText(place, Qt::AlignRight | Qt::AlignVCenter, row.value);
  const int from = place.right() - room - gapWide - scaleWidth, left = place.left() + swatchWidth + gapText;
  painter.drawText(QRect(left, place.top(), from - left - gapText, place.height()), Qt::AlignVCenter,
                   metrics.elidedText(row.name, Qt::ElideMiddle, from - left - gapText));
  if (row.tried.empty()) return;
  painter.fillRect(from, static_cast<int>(middle), scaleWidth, 1, tokens().hairline);
  painter.setRenderHint(QPainter::Antialiasing);
  const QColor colour = runPen(row.pen).colour;
  painter.setPen(QPen(colour, 1.4));
  for (const StudySettings& tried : row.tried) {
    const bool isChosen = tried == row.chosen;
    const double size = isChosen ? chosenCircle : triedCircle;
    const double x = from + chosenCircle / 2.0 + this->place(tried) * (scaleWidth - chosenCircle);
    painter.setBrush(isChosen ? colour : tokens().base);
    painter.drawEllipse(QPointF(x, middle + 0.5), size / 2 - 0.7, size / 2 - 0.7);
  }
}

}  // namespace slipstream::ui
