// SPDX-License-Identifier: GPL-3.0-or-later
// Training steps as a run makes them, recording included: the MLP 784-512-512-10 on 8 ranks x 32 samples.
#include "tests/bench/bench_numbers.h"
#include "tests/bench/bench_run.h"

namespace slipstream::bench {
namespace {

constexpr int ranks = 8;
constexpr int stepsBefore = 60;
constexpr int blocks = 7;
constexpr int stepsTimed = 100;

nlohmann::json measure(Link& link, Communicator& world) {
  Stepper stepper(link, world);
  stepper.run(stepsBefore, true);
  std::vector<double> rates;
  for (int block = 0; block < blocks; ++block) {
    world.barrier();
    const Stopwatch watch;
    stepper.run(stepsTimed, true);
    world.barrier();
    rates.push_back(stepsTimed / watch.seconds());
  }
  const auto batch = static_cast<double>(link.task().plan.experiment.dataset.batchSize);
  return {{"bench", "rate"},
          {"network", "mlp 784-512-512-10"},
          {"ranks", ranks},
          {"batch", batch},
          {"repetitions", blocks},
          {"steps_per_second", median(rates)},
          {"samples_per_second", median(rates) * ranks * batch}};
}

}  // namespace
}  // namespace slipstream::bench

int main(int count, char** values) {
  using namespace slipstream::bench;
  return benchmarkUnderHub(count, values, openEndedPlan(*slipstream::builtInNetwork("mlp"), ranks), measure);
}
