// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/record/arm_figure.h"
#include "ui/charts/chart_picture.h"

namespace slipstream::ui {

/// Compared curves as charts show them.
ChartPicture accuracyPicture(const ArmFigure& figure, FigureAxis axis);
ChartPicture lossPicture(const ArmFigure& figure, FigureAxis axis);
/// `target` in 0..1.
ChartPicture reachedPicture(const std::vector<ReachedCurve>& curves, double target, FigureAxis axis);

/// Charts of one comparison end at the same x.
void shareAxis(std::vector<ChartPicture>& pictures);

}  // namespace slipstream::ui
