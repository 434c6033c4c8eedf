#include "engine/boost/algorithms.h"
// SPDX-License-Identifier: GPL-3.0-or-later
// What recording costs a training step, and where the rest of the step goes: 8 ranks x 32 samples. Without arguments
// the MLP 784-512-512-10; with `everything` the small residual network with every algorithm that adds metrics to a
// step. Blocks of steps with recording on and off alternate in one process a rank; each block is preceded by an untimed
// one of its own kind, so that what is sent late falls into a block of the same kind.
#include <string>

#include "tests/bench/bench_numbers.h"
#include "tests/bench/bench_run.h"

namespace slipstream::bench {
namespace {

constexpr int blocks = 24;
constexpr int stepsTimed = 120;
constexpr int slowStepsTimed = 12;  ///< of the network whose steps take fifteen times as long

double secondsOf(Stepper& stepper, Communicator& communicator, int steps, bool record) {
  stepper.run(steps / 2, record);
  communicator.barrier();
  const Stopwatch watch;
  stepper.run(steps, record);
  communicator.barrier();
  return watch.seconds() / steps;
}

/// Seconds that a step spends on handing its metrics on, which recording off does not save.
double secondsOfMetrics(const std::map<std::string, double>& metrics) {
  constexpr int times = 1000;
  const Stopwatch watch;
  for (int i = 0; i < times; ++i) {
    const std::map<std::string, double> copy = metrics;
    if (copy.size() != metrics.size()) return -1;
  }
  return watch.seconds() / times;
}

RunPlan planOf(bool everything) {
  if (!everything) return openEndedPlan(*builtInNetwork("mlp"), 8);
  RunPlan plan = openEndedPlan(*builtInNetwork("small_resnet"), 8);
  Experiment& experiment = plan.experiment;
  experiment.boost.setOn("adasum", true);
  experiment.boost.edit<AdasumOptions>().mode = AdasumMode::gradients;
  experiment.boost.setOn("grad_freeze", true);
  experiment.boost.edit<GradFreezeOptions>().paramGroups = 4;
  experiment.lossScale = {LossScaleKind::dynamic, 1024};
  experiment.optimizer.gradCentralization = true;
  experiment.parallel.optimizerParallel = {ShardingLevel::level1, 8, 0};
  experiment.train.microSize = 2;
  return plan;
}

nlohmann::json resultOf(const std::vector<double>& on, const std::vector<double>& off,
                        const std::vector<double>& again) {
  std::vector<double> recording;
  std::vector<double> noise;
  for (std::size_t i = 0; i < on.size(); ++i) {
    recording.push_back(on[i] / off[i] - 1);
    noise.push_back(again[i] / off[i] - 1);
  }
  const double step = median(off);
  return {{"bench", "recording"},
          {"ranks", 8},
          {"batch", 32},
          {"blocks", on.size()},
          {"steps_per_second", 1 / step},
          {"step_ms", 1000 * step},
          {"recording_share", median(recording)},
          {"recording_quartiles", {quantile(recording, 0.25), quantile(recording, 0.75)}},
          {"off_against_off", median(noise)},
          {"off_against_off_quartiles", {quantile(noise, 0.25), quantile(noise, 0.75)}}};
}

nlohmann::json measure(Link& link, Communicator& world) {
  Stepper stepper(link, world);
  const std::string network = link.task().plan.experiment.network.name;
  const int steps = network == "mlp" ? stepsTimed : slowStepsTimed;
  std::vector<double> seconds[3];  // on, off, off again
  for (int block = 0; block < blocks; ++block) {
    // The order turns, so that a drift of the machine touches every kind alike.
    for (int turn = 0; turn < 3; ++turn) {
      const int kind = (block + turn) % 3;
      seconds[kind].push_back(secondsOf(stepper, world, steps, kind == 0));
    }
  }
  nlohmann::json result = resultOf(seconds[0], seconds[1], seconds[2]);
  const double step = median(seconds[1]);
  const double communication = median(stepper.communicationSeconds()) / step;
  result.update({{"network", network},
                 {"communication_share", communication},
                 {"compute_share", 1 - communication},
                 {"metrics", stepper.metrics().size()},
                 {"metrics_share", secondsOfMetrics(stepper.metrics()) / step}});
  return result;
}

}  // namespace
}  // namespace slipstream::bench

int main(int count, char** values) {
  using namespace slipstream::bench;
  const bool everything = count > 1 && std::string(values[1]) == "everything";
  return benchmarkUnderHub(count, values, planOf(everything), measure);
}
