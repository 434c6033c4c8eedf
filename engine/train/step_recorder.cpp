// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/step_recorder.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

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

  StepMetrics metrics{{"loss", "step_seconds", "compute_seconds", "communication_seconds",
                       "hidden_communication_seconds", "data_seconds", "record_seconds"},
                      {result.loss, stepSeconds, compute, communication.exposed,
                       std::min(communication.hidden, compute), dataSeconds_, recordSeconds_}};
  if (skippedSamples_ > 0) metrics.add("skipped_samples", static_cast<double>(skippedSamples_));
  metrics.add(result.slotSeconds);
  if (rank_ == 0) {
    metrics.add("learning_rate", learningRate);
    metrics.add("samples_per_second", static_cast<double>(samples) / stepSeconds);
    metrics.add(result.outcome.metrics);
  }
  link_.record(step, metrics.names, metrics.values);
  recordSeconds_ = recording.seconds();
}

void StepRecorder::evaluated(std::int64_t done, const Evaluation& evaluation) {
  if (rank_ != 0) return;
  StepMetrics metrics{{"accuracy", "evaluation_loss", "evaluation_samples"},
                      {evaluation.accuracy, evaluation.loss, static_cast<double>(evaluation.samples)}};
  if (evaluation.lossError) metrics.add("evaluation_loss_error", *evaluation.lossError);
  if (evaluation.unreadable > 0) metrics.add("unreadable_samples", static_cast<double>(evaluation.unreadable));
  link_.record(done, metrics.names, metrics.values);
}

}  // namespace slipstream
