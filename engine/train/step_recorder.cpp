#include "engine/train/step_recorder.h"

#include <algorithm>
#include <map>

namespace slipstream {

namespace {

const std::vector<std::string>& namesOfEveryRank() {
  static const std::vector<std::string> names{
      "loss", "step_seconds", "compute_seconds", "communication_seconds", "data_seconds", "record_seconds"};
  return names;
}

std::vector<std::string> namesOfRankZero(const std::map<std::string, double>& metrics) {
  std::vector<std::string> names = namesOfEveryRank();
  names.insert(names.end(), {"learning_rate", "samples_per_second"});
  for (const auto& [name, value] : metrics) names.push_back(name);
  return names;
}

}  // namespace

void StepRecorder::record(std::int64_t step, const StepResult& result, double learningRate, std::int64_t samples) {
  const double stepSeconds = stepWatch_.restart();
  const double communication = result.outcome.communicationSeconds;
  const double compute = std::max(0.0, stepSeconds - communication - dataSeconds_ - recordSeconds_);
  const Stopwatch recording;

  std::vector<double> values{result.loss, stepSeconds, compute, communication, dataSeconds_, recordSeconds_};
  if (rank_ != 0) {
    link_.record(step, namesOfEveryRank(), values);
  } else {
    values.insert(values.end(), {learningRate, static_cast<double>(samples) / stepSeconds});
    for (const auto& [name, value] : result.outcome.metrics) values.push_back(value);
    link_.record(step, namesOfRankZero(result.outcome.metrics), values);
  }
  recordSeconds_ = recording.seconds();
}

void StepRecorder::accuracy(std::int64_t step, double accuracy, double loss) {
  if (rank_ == 0) link_.record(step, {"accuracy", "evaluation_loss"}, {accuracy, loss});
}

}  // namespace slipstream
