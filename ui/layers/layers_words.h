// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_picture.h"
#include "ui/layers/layers_reading.h"
#include "ui/layers/strip_picture.h"

namespace slipstream::ui {

// What the layers page shows of a reading, as values.

ChartPicture lossPicture(const LayersReading& reading);
StripPicture orthogonalityPicture(const LayersReading& reading);
StripPicture freezePicture(const LayersReading& reading);
ChartPicture powerPicture(const LayersReading& reading);
ChartPicture gradientSharePicture(const LayersReading& reading);
ChartPicture scalePicture(const LayersReading& reading);
/// Over directions, not over steps.
ChartPicture variancePicture(const LayersReading& reading);

/// One line: the panels that are not there, and why.
QString missingWords(const LayersReading& reading);

}  // namespace slipstream::ui
