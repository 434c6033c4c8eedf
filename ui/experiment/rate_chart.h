// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/stage_plan.h"
#include "ui/charts/line_chart.h"

namespace slipstream::ui {

/// The learning rate over the steps of a stage, as it was asked for.
class RateChart : public LineChart {
  Q_OBJECT

 public:
  explicit RateChart(QWidget* parent = nullptr);

  void setStage(const StagePlan& stage);

  QSize sizeHint() const override { return {320, 120}; }
};

}  // namespace slipstream::ui
