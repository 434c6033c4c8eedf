// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/schedule_curve.h"

#include <QLocale>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>

#include "engine/base/text.h"
#include "engine/plan/schedule.h"
#include "engine/record/chart_scale.h"
#include "ui/experiment/experiment_document.h"
#include "ui/experiment/experiment_editing.h"
#include "ui/theme/theme.h"

namespace slipstream::ui {
namespace {

constexpr int samples = 240;
constexpr int top = 8, bottom = 20, left = 52, right = 8;

/// Round rates from zero to at least the highest one.
std::vector<double> rateTicks(double highest) {
  constexpr int most = 3;
  return niceTicks(0, highest, false, most);
}

QString rateText(double rate, const std::vector<double>& ticks) {
  constexpr int mostDecimals = 5;
  const int decimals = tickDecimals(ticks);
  return decimals <= mostDecimals ? QLocale().toString(rate, 'f', decimals) : QLocale().toString(rate, 'g', 2);
}

}  // namespace

ScheduleCurve::ScheduleCurve(ExperimentEditing& editing, QWidget* parent) : QWidget(parent), editing_(editing) {
  setMinimumHeight(sizeHint().height());
  setAccessibleName(tr("Learning rate over the steps"));
}

void ScheduleCurve::refresh() {
  rates_.clear();
  const auto stage = editing_.stage();
  if (stage && stage->updates() > 0) {
    steps_ = stage->updates();
    const std::int64_t begin = stage->scheduleStep;
    for (int i = 0; i < samples; ++i) {
      const std::int64_t step = begin + (steps_ - 1) * i / (samples - 1);
      rates_.push_back(learningRate(stage->experiment.optimizer.schedule, step,
                                    static_cast<double>(stage->stepsPerEpoch), begin + steps_));
    }
  }
  highest_ = rates_.empty() ? 0 : *std::ranges::max_element(rates_);
  const QString words = tr("Learning rate up to %1 in %2 steps")
                            .arg(QString::fromStdString(numberText(highest_)), QLocale().toString(qlonglong(steps_)));
  setAccessibleDescription(words);
  setToolTip(rates_.empty() ? QString() : words);
  update();
}

QRectF ScheduleCurve::place() const {
  return QRectF(left, top, width() - left - right, height() - top - bottom);
}

void ScheduleCurve::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const QRectF area = place();
  painter.setFont(textFont(TextSize::caption));
  painter.setPen(tokens().secondText);
  if (rates_.empty()) {
    painter.drawText(rect(), Qt::AlignCenter, tr("The schedule is drawn once the experiment can be planned"));
    return;
  }
  const std::vector<double> ticks = rateTicks(highest_ > 0 ? highest_ : 1);
  const double scale = ticks.back();
  for (const double tick : ticks) {
    const double y = area.bottom() - tick / scale * area.height();
    painter.setPen(tick == 0 ? tokens().chartAxis : tokens().chartGrid);
    painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    painter.setPen(tokens().secondText);
    painter.drawText(QRectF(0, y - 8, left - 6, 16), Qt::AlignRight | Qt::AlignVCenter, rateText(tick, ticks));
  }
  const QLocale locale;
  painter.drawText(QRectF(area.left(), area.bottom() + 3, area.width(), 16), Qt::AlignLeft, QStringLiteral("0"));
  painter.drawText(QRectF(area.left(), area.bottom() + 3, area.width(), 16), Qt::AlignRight,
                   tr("step %1").arg(locale.toString(static_cast<qlonglong>(steps_))));
  QPainterPath path;
  for (std::size_t i = 0; i < rates_.size(); ++i) {
    const QPointF point(area.left() + area.width() * static_cast<double>(i) / (samples - 1),
                        area.bottom() - rates_[i] / scale * area.height());
    i == 0 ? path.moveTo(point) : path.lineTo(point);
  }
  painter.setRenderHint(QPainter::Antialiasing);
  painter.strokePath(path, QPen(tokens().accent, 2));
}

}  // namespace slipstream::ui
