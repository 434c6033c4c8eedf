// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/metric_info.h"

#include <algorithm>

namespace slipstream {
namespace {

MetricInfo evaluation(const char* name, const char* title) {
  return {.name = name, .title = title, .by = ReportedBy::firstRank, .ofEvaluation = true, .varies = false};
}

MetricInfo seconds(const char* name, const char* title, ReportedBy by = ReportedBy::everyRank) {
  return {.name = name, .title = title, .unit = "ms", .factor = 1000, .better = Better::lower, .by = by};
}

MetricInfo ofAlgorithm(const char* name, const char* title) {
  return {.name = name, .title = title, .by = ReportedBy::algorithm};
}

std::vector<MetricInfo> allMetrics() {
  std::vector<MetricInfo> all{
      {.name = metric::loss,
       .title = "Training loss",
       .better = Better::lower,
       .endsAsMean = true,
       .mayBeLogarithmic = true},
      evaluation(metric::accuracy, "Test accuracy"),
      evaluation(metric::evaluationLoss, "Test loss"),
      evaluation(metric::evaluationLossError, "Standard error of the test loss"),
      evaluation(metric::evaluationSamples, "Evaluated samples"),
      evaluation(metric::unreadableSamples, "Unreadable samples"),
      {.name = metric::skippedSamples, .title = "Replaced samples"},
      ofAlgorithm(metric::skippedUpdates, "Skipped updates"),
      ofAlgorithm(metric::lossScale, "Loss scale"),
      ofAlgorithm(metric::freezeIndex, "First trained group"),
      ofAlgorithm(metric::orthogonality, "Orthogonality"),
      ofAlgorithm(metric::cosine, "Cosine"),
      ofAlgorithm(metric::explainedVariance, "Explained variance"),
      ofAlgorithm(metric::acceptedPower, "Accepted power of rho"),
      ofAlgorithm(metric::gradientShare, "Share of the gradient in the subspace"),
      {.name = metric::learningRate, .title = "Learning rate", .by = ReportedBy::firstRank, .varies = false},
      {.name = metric::samplesPerSecond,
       .title = "Samples per second",
       .better = Better::higher,
       .by = ReportedBy::firstRank},
      seconds(metric::stepSeconds, "Step time"),
      seconds(metric::computeSeconds, "Compute time"),
      seconds(metric::communicationSeconds, "Exposed communication"),
      seconds(metric::hiddenCommunicationSeconds, "Overlapped communication"),
      seconds(metric::updateSeconds, "Optimizer's step"),
      seconds(metric::policySeconds, "Step policies"),
      seconds(metric::dataSeconds, "Data stall"),
      seconds(metric::recordSeconds, "Logging"),
      seconds(metric::checkpointSeconds, "Checkpoint time"),
      seconds(metric::snapshotSeconds, "Snapshot time"),
      seconds(metric::evaluationSeconds, "Evaluation time"),
  };
  const auto named = [&](std::string_view name) -> MetricInfo& {
    return *std::ranges::find(all, name, &MetricInfo::name);
  };
  MetricInfo& accuracy = named(metric::accuracy);
  accuracy.unit = "%";
  accuracy.factor = accuracy.upperLimit = 100;
  accuracy.better = Better::higher;
  named(metric::evaluationLoss).better = Better::lower;
  for (const char* name : {metric::evaluationLoss, metric::lossScale}) named(name).mayBeLogarithmic = true;
  named(metric::lossScale).varies = false;
  return all;
}

}  // namespace

const std::vector<MetricInfo>& metricInfos() {
  static const std::vector<MetricInfo> all = allMetrics();
  return all;
}

const MetricInfo* findMetric(std::string_view name) {
  const auto found = std::ranges::find_if(metricInfos(), [&](const MetricInfo& info) {
    return info.name == name || (info.name.ends_with("/*") && name.starts_with(metric::prefixOf(info.name)));
  });
  return found == metricInfos().end() ? nullptr : &*found;
}

Better betterOf(std::string_view metric) {
  const MetricInfo* info = findMetric(metric);
  return info == nullptr ? Better::neither : info->better;
}

}  // namespace slipstream
