// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/step_recorder.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/record/metric_info.h"

namespace slipstream {

namespace {

/// The metrics of one step, each name beside its value.
struct StepMetrics {
  std::vector<std::string> names;
  std::vector<double> values;

  void add(std::string name, double value) {
    names.push_back(std::move(name));
    values.push_back(value);
  }
  void add(const std::map<std::string, double>& metrics) {
    for (const auto& [name, value] : metrics) add(name, value);
  }
};

}  // namespace

void StepRecorder::start() {
  stepWatch_.restart();
  recordSeconds_ = betweenSeconds_ = 0;
}

void StepRecorder::record(std::int64_t step, const StepResult& result, double learningRate, std::int64_t samples) {
  const double stepSeconds = stepWatch_.restart() - std::exchange(betweenSeconds_, 0.0);
  const CommunicationTime& communication = result.outcome.communication;
  const double compute = std::max(0.0, stepSeconds - communication.exposed - dataSeconds_ - recordSeconds_);
  const Stopwatch recording;

  StepMetrics metrics{{metric::loss, metric::stepSeconds, metric::computeSeconds, metric::communicationSeconds,
                       metric::hiddenCommunicationSeconds, metric::dataSeconds, metric::recordSeconds},
                      {result.loss, stepSeconds, compute, communication.exposed,
                       std::min(communication.hidden, compute), dataSeconds_, recordSeconds_}};
  if (skippedSamples_ > 0) metrics.add(metric::skippedSamples, static_cast<double>(skippedSamples_));
  metrics.add(result.slotSeconds);
  if (rank_ == 0) {
    metrics.add(metric::learningRate, learningRate);
    metrics.add(metric::samplesPerSecond, static_cast<double>(samples) / stepSeconds);
    metrics.add(result.outcome.metrics);
  }
  link_.record(step, metrics.names, metrics.values);
  recordSeconds_ = recording.seconds();
}

void StepRecorder::evaluated(std::int64_t done, const Evaluation& evaluation) {
  if (rank_ != 0) return;
  StepMetrics metrics{{metric::accuracy, metric::evaluationLoss, metric::evaluationSamples},
                      {evaluation.accuracy, evaluation.loss, static_cast<double>(evaluation.samples)}};
  if (evaluation.lossError) metrics.add(metric::evaluationLossError, *evaluation.lossError);
  if (evaluation.unreadable > 0) metrics.add(metric::unreadableSamples, static_cast<double>(evaluation.unreadable));
  link_.record(done, metrics.names, metrics.values);
}

}  // namespace slipstream
