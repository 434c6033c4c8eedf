// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "engine/spec/stage_plan.h"
#include "ui/charts/line_chart.h"

namespace slipstream::ui {

/// The learning rate over the steps of a stage, as its optimizer will use it.
class RateChart : public LineChart {
  Q_OBJECT

 public:
  explicit RateChart(QWidget* parent = nullptr);

  /// Nothing: the experiment cannot be planned.
  void setStage(const std::optional<StagePlan>& stage);

  QSize sizeHint() const override { return {320, 120}; }
};

}  // namespace slipstream::ui
