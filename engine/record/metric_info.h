// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace slipstream {

/// The names of the series that runs record. A name that ends in "/*" is of a family: the series of all names that
/// begin so, one a tensor, group or direction.
namespace metric {

inline constexpr const char* loss = "loss";
inline constexpr const char* accuracy = "accuracy";
inline constexpr const char* evaluationLoss = "evaluation_loss";
inline constexpr const char* evaluationLossError = "evaluation_loss_error";
inline constexpr const char* evaluationSamples = "evaluation_samples";
inline constexpr const char* unreadableSamples = "unreadable_samples";
inline constexpr const char* skippedSamples = "skipped_samples";
inline constexpr const char* skippedUpdates = "skipped_updates";
inline constexpr const char* lossScale = "loss_scale";
inline constexpr const char* freezeIndex = "freeze_index";
inline constexpr const char* learningRate = "learning_rate";
inline constexpr const char* samplesPerSecond = "samples_per_second";
inline constexpr const char* stepSeconds = "step_seconds";
inline constexpr const char* computeSeconds = "compute_seconds";
inline constexpr const char* communicationSeconds = "communication_seconds";
inline constexpr const char* hiddenCommunicationSeconds = "hidden_communication_seconds";
inline constexpr const char* updateSeconds = "update_seconds";
inline constexpr const char* policySeconds = "policy_seconds";
inline constexpr const char* dataSeconds = "data_seconds";
inline constexpr const char* recordSeconds = "record_seconds";
inline constexpr const char* checkpointSeconds = "checkpoint_seconds";
inline constexpr const char* snapshotSeconds = "snapshot_seconds";
inline constexpr const char* evaluationSeconds = "evaluation_seconds";
inline constexpr const char* orthogonality = "orthogonality/*";
inline constexpr const char* cosine = "cosine/*";
inline constexpr const char* explainedVariance = "dim_reduce/explained_variance/*";
inline constexpr const char* acceptedPower = "dim_reduce/accepted_power";
inline constexpr const char* gradientShare = "dim_reduce/gradient_share";

/// What the names of a family begin with: "cosine/" of "cosine/*".
constexpr std::string_view prefixOf(std::string_view family) {
  return family.substr(0, family.size() - 1);
}

}  // namespace metric

/// Which way a metric is better.
enum class Better { higher, lower, neither };

/// Who reports a metric, and so what several ranks' values are to each other.
enum class ReportedBy { everyRank, firstRank, algorithm };

/// All that is known of one metric. What a program of another version recorded beside these has no such description.
struct MetricInfo {
  std::string name;
  std::string title;      ///< of a chart
  std::string unit = {};  ///< that it is shown in: "%", "ms"
  double factor = 1;      ///< from the stored unit to that
  Better better = Better::neither;
  ReportedBy by = ReportedBy::everyRank;
  bool ofEvaluation = false;      ///< reported when its step is over, and not once a step
  bool varies = true;             ///< from step to step, so that a chart may smooth it
  bool endsAsMean = false;        ///< a run ended with the mean of its last steps: one mini-batch says little
  bool mayBeLogarithmic = false;  ///< positive, over several powers of ten
  double upperLimit = 0;          ///< in the shown unit, which values cannot pass; 0: there is none
};

/// Every metric, in the order of lists.
const std::vector<MetricInfo>& metricInfos();
/// Null for a metric that only another version knows.
const MetricInfo* findMetric(std::string_view name);
Better betterOf(std::string_view metric);

}  // namespace slipstream
