// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string_view>

namespace slipstream {

/// The names of the series that every run may record; an algorithm's own are in its spec.h. A name that ends in "/*" is
/// of a family: the series of all names that begin so, one a tensor, group or direction.
namespace metric {

inline constexpr const char* loss = "loss";
inline constexpr const char* accuracy = "accuracy";
inline constexpr const char* evaluationLoss = "evaluation_loss";
inline constexpr const char* evaluationLossError = "evaluation_loss_error";
inline constexpr const char* evaluationSamples = "evaluation_samples";
inline constexpr const char* unreadableSamples = "unreadable_samples";
inline constexpr const char* skippedSamples = "skipped_samples";
inline constexpr const char* learningRate = "learning_rate";
inline constexpr const char* gradientNorm = "gradient_norm";
inline constexpr const char* samplesPerSecond = "samples_per_second";
inline constexpr const char* stepSeconds = "step_seconds";
inline constexpr const char* computeSeconds = "compute_seconds";
inline constexpr const char* communicationSeconds = "communication_seconds";
inline constexpr const char* hiddenCommunicationSeconds = "hidden_communication_seconds";
inline constexpr const char* updateSeconds = "update_seconds";
inline constexpr const char* policySeconds = "policy_seconds";
inline constexpr const char* passSeconds = "pass_seconds/*";
inline constexpr const char* dataSeconds = "data_seconds";
inline constexpr const char* recordSeconds = "record_seconds";
inline constexpr const char* checkpointSeconds = "checkpoint_seconds";
inline constexpr const char* snapshotSeconds = "snapshot_seconds";
inline constexpr const char* evaluationSeconds = "evaluation_seconds";

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
  std::string_view name;
  const char* title;           ///< of a chart, in English
  std::string_view unit = {};  ///< that it is shown in: "%", "ms"
  double factor = 1;           ///< from the stored unit to that
  Better better = Better::neither;
  ReportedBy by = ReportedBy::everyRank;
  bool ofEvaluation = false;          ///< reported when its step is over, and not once a step
  bool varies = true;                 ///< from step to step, so that a chart may smooth it
  bool endsAsMean = false;            ///< a run ended with the mean of its last steps: one mini-batch says little
  bool mayBeLogarithmic = false;      ///< positive, over several powers of ten
  double upperLimit = 0;              ///< in the shown unit, which values cannot pass; 0: there is none
  bool isUsual = false;               ///< its chart is there before anything was measured
  bool hasTarget = false;             ///< an experiment may say which value it aims at (train.target_accuracy)
  bool isShareOfRanks = false;        ///< 1 / ranks where all ranks do the same, which charts mark
  std::string_view standsInFor = {};  ///< the usual metric whose chart gives way to this one's

  /// Stored as a fraction of 1 and shown in percent.
  constexpr bool isFraction() const { return upperLimit > 0 && upperLimit == factor; }
  /// A family has the series of all names that begin with its prefix.
  constexpr bool isFamily() const { return name.ends_with("/*"); }
  constexpr bool describes(std::string_view series) const {
    return name == series || (isFamily() && series.starts_with(metric::prefixOf(name)));
  }
};

constexpr MetricInfo evaluationMetric(const char* name, const char* title) {
  return {.name = name, .title = title, .by = ReportedBy::firstRank, .ofEvaluation = true, .varies = false};
}
constexpr MetricInfo timeMetric(const char* name, const char* title) {
  return {.name = name, .title = title, .unit = "ms", .factor = 1000, .better = Better::lower};
}
constexpr MetricInfo algorithmMetric(const char* name, const char* title) {
  return {.name = name, .title = title, .by = ReportedBy::algorithm};
}

/// What every run may record, in the order of lists. All metrics there are, the algorithms' too, are listed by
/// engine/boost/metrics.h.
inline constexpr std::array generalMetrics{
    MetricInfo{.name = metric::loss,
               .title = "Training loss",
               .better = Better::lower,
               .endsAsMean = true,
               .mayBeLogarithmic = true,
               .isUsual = true},
    MetricInfo{.name = metric::accuracy,
               .title = "Test accuracy",
               .unit = "%",
               .factor = 100,
               .better = Better::higher,
               .by = ReportedBy::firstRank,
               .ofEvaluation = true,
               .varies = false,
               .upperLimit = 100,
               .isUsual = true,
               .hasTarget = true},
    MetricInfo{.name = metric::evaluationLoss,
               .title = "Test loss",
               .better = Better::lower,
               .by = ReportedBy::firstRank,
               .ofEvaluation = true,
               .varies = false,
               .mayBeLogarithmic = true,
               .isUsual = true},
    evaluationMetric(metric::evaluationLossError, "Standard error of the test loss"),
    evaluationMetric(metric::evaluationSamples, "Evaluated samples"),
    evaluationMetric(metric::unreadableSamples, "Unreadable samples"),
    MetricInfo{.name = metric::skippedSamples, .title = "Replaced samples"},
    MetricInfo{.name = metric::learningRate, .title = "Learning rate", .by = ReportedBy::firstRank, .varies = false},
    MetricInfo{.name = metric::gradientNorm,
               .title = "Gradient norm before clipping",
               .by = ReportedBy::firstRank,
               .mayBeLogarithmic = true},
    MetricInfo{.name = metric::samplesPerSecond,
               .title = "Samples per second",
               .better = Better::higher,
               .by = ReportedBy::firstRank},
    MetricInfo{.name = metric::stepSeconds,
               .title = "Step time",
               .unit = "ms",
               .factor = 1000,
               .better = Better::lower,
               .isUsual = true},
    timeMetric(metric::computeSeconds, "Compute time"),
    timeMetric(metric::communicationSeconds, "Exposed communication"),
    timeMetric(metric::hiddenCommunicationSeconds, "Overlapped communication"),
    timeMetric(metric::updateSeconds, "Optimizer's step"),
    timeMetric(metric::policySeconds, "Step policies"),
    timeMetric(metric::passSeconds, "Time of a gradient pass"),
    timeMetric(metric::dataSeconds, "Data stall"),
    timeMetric(metric::recordSeconds, "Logging"),
    timeMetric(metric::checkpointSeconds, "Checkpoint time"),
    timeMetric(metric::snapshotSeconds, "Snapshot time"),
    timeMetric(metric::evaluationSeconds, "Evaluation time"),
};

}  // namespace slipstream
