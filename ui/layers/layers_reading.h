// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/record/layer_maps.h"
#include "engine/record/series.h"

namespace slipstream::ui {

/// The steps that a page shows, in so many device pixels.
struct LayersAsked {
  std::optional<std::int64_t> first = {}, end = {};  ///< nothing: the whole run
  std::size_t columns = 1000;
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
  std::vector<Decision> decisions;  ///< why something is not there
};

/// In the reader's thread.
LayersReading readLayers(RunStore& store, const std::string& runId, const LayersAsked& asked);

}  // namespace slipstream::ui
