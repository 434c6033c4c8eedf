// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analysis/layer_maps.h"

#include <algorithm>
#include <cmath>

#include "engine/base/text.h"
#include "engine/boost/adasum/spec.h"
#include "engine/boost/dim_reduce/spec.h"
#include "engine/boost/grad_freeze/spec.h"
#include "engine/boost/loss_scale/spec.h"
#include "engine/experiment/experiment_check.h"
#include "engine/probe/dataset_kind.h"
#include "engine/record/metric_info.h"

namespace slipstream {
namespace {

constexpr std::string_view orthogonalityPrefix = metric::prefixOf(metric::orthogonality);
constexpr std::string_view variancePrefix = metric::prefixOf(metric::explainedVariance);

/// The tensors of the network, in its order; others behind them.
std::vector<std::string> inNetworkOrder(std::vector<std::string> tensors, const RunPlan& plan) {
  const auto& layers = plan.experiment.network.layers;
  const auto layerOf = [&](const std::string& tensor) {
    const auto found = std::find_if(layers.begin(), layers.end(),
                                    [&](const LayerSpec& layer) { return startsWith(tensor, layer.name + "."); });
    return found - layers.begin();
  };
  std::stable_sort(tensors.begin(), tensors.end(), [&](const std::string& a, const std::string& b) {
    const auto first = layerOf(a);
    const auto second = layerOf(b);
    return first != second ? first < second : a > b;  // weights before biases
  });
  return tensors;
}

/// What follows the prefix in the names of metrics.
std::vector<std::string> metricsUnder(RunStore& store, const std::string& runId, std::string_view prefix) {
  std::vector<std::string> names;
  for (const std::string& metric : store.metricNames(runId)) {
    if (startsWith(metric, prefix)) names.push_back(metric.substr(prefix.size()));
  }
  return names;
}

/// Layers that every group trains or leaves out together.
struct Segment {
  int firstLayer = 0;
  std::string name;  ///< "conv1", "layer1.0.conv1 … layer2.0.bn2"
};

std::vector<Segment> segmentsOf(const std::vector<TensorSpec>& tensors, const NetworkSpec& network,
                                std::vector<int> firstLayers) {
  firstLayers.push_back(0);
  std::sort(firstLayers.begin(), firstLayers.end());
  firstLayers.erase(std::unique(firstLayers.begin(), firstLayers.end()), firstLayers.end());
  std::vector<Segment> segments;
  for (std::size_t i = 0; i < firstLayers.size(); ++i) {
    const int end = i + 1 < firstLayers.size() ? firstLayers[i + 1] : static_cast<int>(network.layers.size());
    std::vector<int> own;
    for (const TensorSpec& tensor : tensors) {
      if (tensor.layer >= firstLayers[i] && tensor.layer < end) own.push_back(tensor.layer);
    }
    if (own.empty()) continue;
    const std::string& first = network.layers[static_cast<std::size_t>(own.front())].name;
    const std::string& last = network.layers[static_cast<std::size_t>(own.back())].name;
    segments.push_back({firstLayers[i], first == last ? first : first + " … " + last});
  }
  return segments;
}

int firstLayerOf(double group, const std::vector<int>& firstLayers) {
  return firstLayers[static_cast<std::size_t>(std::clamp(group, 0.0, static_cast<double>(firstLayers.size() - 1)))];
}

/// 1 where the step trains the layer, else 0.
Series trainedSteps(const Series& groups, const std::vector<int>& firstLayers, int layer) {
  Series trained{groups.steps, {}, {}};
  for (const double group : groups.values) {
    trained.values.push_back(firstLayerOf(group, firstLayers) <= layer ? 1 : 0);
  }
  return trained;
}

void measureSavings(FreezeTimeline& timeline, const Series& groups, const std::vector<int>& firstLayers,
                    const Series& seconds) {
  double whole = 0, frozen = 0;
  std::int64_t wholeSteps = 0, frozenSteps = 0;
  std::size_t timed = 0;
  for (std::size_t i = 0; i < groups.steps.size(); ++i) {
    while (timed < seconds.steps.size() && seconds.steps[timed] < groups.steps[i]) ++timed;
    const bool known = timed < seconds.steps.size() && seconds.steps[timed] == groups.steps[i];
    const double taken = known && std::isfinite(seconds.values[timed]) ? seconds.values[timed] : 0;
    const bool isWhole = firstLayerOf(groups.values[i], firstLayers) == 0;
    (isWhole ? whole : frozen) += taken;
    ++(isWhole ? wholeSteps : frozenSteps);
  }
  const auto all = static_cast<double>(wholeSteps + frozenSteps);
  timeline.frozenSteps = all > 0 ? static_cast<double>(frozenSteps) / all : 0;
  if (whole > 0) timeline.savedTime = 1 - (whole + frozen) / (all * whole / static_cast<double>(wholeSteps));
}

}  // namespace

std::vector<double> columnMeans(const Series& series, const StepColumns& columns) {
  std::vector<double> sums(columns.count, 0.0);
  std::vector<int> counts(columns.count, 0);
  const auto steps = static_cast<std::size_t>(columns.endStep - columns.firstStep);
  for (std::size_t i = 0; i < series.steps.size(); ++i) {
    if (series.steps[i] < columns.firstStep || series.steps[i] >= columns.endStep) continue;
    if (!std::isfinite(series.values[i])) continue;
    const std::size_t column = static_cast<std::size_t>(series.steps[i] - columns.firstStep) * columns.count / steps;
    sums[column] += series.values[i];
    ++counts[column];
  }
  for (std::size_t i = 0; i < columns.count; ++i) sums[i] = counts[i] == 0 ? std::nan("") : sums[i] / counts[i];
  return sums;
}

std::vector<HeatRow> orthogonalityMap(RunStore& store, const std::string& runId, const RunPlan& plan,
                                      const StepColumns& columns) {
  std::vector<HeatRow> rows;
  for (const std::string& tensor : inNetworkOrder(metricsUnder(store, runId, orthogonalityPrefix), plan)) {
    rows.push_back({tensor, columnMeans(store.series(runId, std::string(orthogonalityPrefix) + tensor), columns)});
  }
  return rows;
}

std::optional<FreezeTimeline> freezeTimeline(RunStore& store, const std::string& runId, const RunPlan& plan,
                                             const StepColumns& columns) {
  const Series groups = store.series(runId, metric::freezeIndex);
  if (groups.steps.empty()) return std::nullopt;
  const std::vector<StagePlan> stages = stagesOf(plan);
  const Experiment& experiment = stageOfStep(stages, groups.steps.front()).experiment;
  const auto shape = networkShape(experiment.network, sampleShape(experiment.dataset));
  if (!shape) return std::nullopt;
  const std::vector<int> firstLayers =
      firstTrainedLayers(shape->tensors, experiment.boost.of<GradFreezeOptions>().paramGroups);
  FreezeTimeline timeline;
  for (const Segment& segment : segmentsOf(shape->tensors, experiment.network, firstLayers)) {
    timeline.rows.push_back(
        {segment.name, columnMeans(trainedSteps(groups, firstLayers, segment.firstLayer), columns)});
  }
  measureSavings(timeline, groups, firstLayers, store.series(runId, metric::stepSeconds));
  return timeline;
}

std::vector<double> explainedVariance(RunStore& store, const std::string& runId) {
  std::vector<double> shares;
  const std::size_t count = metricsUnder(store, runId, variancePrefix).size();
  for (std::size_t k = 1; k <= count; ++k) {
    const Series share = store.series(runId, std::string(variancePrefix) + std::to_string(k));
    if (!share.values.empty()) shares.push_back(share.values.back());
  }
  return shares;
}

std::vector<std::int64_t> skippedSteps(RunStore& store, const std::string& runId) {
  const Series skipped = store.series(runId, metric::skippedUpdates);
  std::vector<std::int64_t> steps;
  double before = 0;
  for (std::size_t i = 0; i < skipped.steps.size(); ++i) {
    if (skipped.values[i] > before) steps.push_back(skipped.steps[i]);
    before = skipped.values[i];
  }
  return steps;
}

}  // namespace slipstream
