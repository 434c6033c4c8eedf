// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analysis/layer_maps.h"
#include "engine/record/series.h"
#include "engine/store/run_store.h"
#include "ui/charts/shown_chart.h"
#include "ui/layers/strip_chart.h"

namespace slipstream::ui {

/// The steps that a page shows, in so many device pixels.
struct LayersAsked {
  std::optional<std::int64_t> first = {}, end = {};  ///< nothing: the whole run
  std::size_t columns = 1000;                        ///< device pixels of the curves
  /// Of the maps, at the most: as many on every screen, so that values and colours do not depend on its width, and so
  /// few that neighbours are told apart on a small one.
  std::size_t cells = 120;
};

struct ScaleLine {
  std::string group;  ///< empty: all parameters
  std::vector<Line> line;
};

/// What the algorithms did to the layers of one run, thinned.
struct LayersReading {
  std::int64_t stepsDone = 0;
  StepColumns columns;  ///< of the maps
  int ranks = 0, colourSlot = 0;
  std::string network, dataset;
  std::vector<Line> rawLoss, loss;  ///< `rawLoss` is empty where nothing was smoothed
  bool logarithmicLoss = false;
  std::vector<std::pair<std::int64_t, std::string>> stages;
  std::vector<HeatRow> orthogonality;
  std::optional<FreezeTimeline> freeze;
  std::vector<double> variance;
  std::vector<Line> acceptedPower, gradientShare;
  std::vector<ScaleLine> lossScales;
  std::vector<std::int64_t> skipped;
  BoostConfig boost;                ///< as it was planned
  std::vector<Decision> decisions;  ///< why something is not there
};

/// In the reader's thread.
LayersReading readLayers(RunStore& store, const std::string& runId, const LayersAsked& asked);

// What the layers page shows of a reading, as values.

ShownChart lossChart(const LayersReading& reading);
StripModel orthogonalityStrip(const LayersReading& reading);
StripModel freezeStrip(const LayersReading& reading);
ShownChart powerChart(const LayersReading& reading);
ShownChart gradientShareChart(const LayersReading& reading);
ShownChart scaleChart(const LayersReading& reading);
/// Over directions, not over steps.
ShownChart varianceChart(const LayersReading& reading);

/// One line: the panels that are not there, and why.
QString missingText(const LayersReading& reading);

}  // namespace slipstream::ui
