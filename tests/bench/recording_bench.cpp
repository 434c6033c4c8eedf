// What recording costs a training step, and where the rest of the step goes: the MLP 784-512-512-10 on 8 ranks x 32
// samples. Blocks of steps with recording on and off alternate in one process a rank; each block is preceded by an
// untimed one of its own kind, so that what is sent late falls into a block of the same kind.
#include "tests/bench/bench_numbers.h"
#include "tests/bench/bench_run.h"

namespace slipstream::bench {
namespace {

constexpr int blocks = 24;
constexpr int stepsBefore = 60;
constexpr int stepsTimed = 120;

double secondsOf(Stepper& stepper, Communicator& communicator, bool record) {
  stepper.run(stepsBefore, record);
  communicator.barrier();
  const Stopwatch watch;
  stepper.run(stepsTimed, record);
  communicator.barrier();
  return watch.seconds() / stepsTimed;
}

nlohmann::json resultOf(const std::vector<double>& on, const std::vector<double>& off, const std::vector<double>& again,
                        double communication) {
  std::vector<double> recording;
  std::vector<double> noise;
  for (std::size_t i = 0; i < on.size(); ++i) {
    recording.push_back(on[i] / off[i] - 1);
    noise.push_back(again[i] / off[i] - 1);
  }
  const double step = median(off);
  return {{"bench", "recording"},
          {"network", "mlp 784-512-512-10"},
          {"ranks", 8},
          {"batch", 32},
          {"blocks", on.size()},
          {"steps_per_second", 1 / step},
          {"step_ms", 1000 * step},
          {"communication_share", communication / step},
          {"compute_share", 1 - communication / step},
          {"recording_share", median(recording)},
          {"recording_quartiles", {quantile(recording, 0.25), quantile(recording, 0.75)}},
          {"off_against_off", median(noise)},
          {"off_against_off_quartiles", {quantile(noise, 0.25), quantile(noise, 0.75)}}};
}

nlohmann::json measure(Link& link, Communicator& world) {
  Stepper stepper(link, world);
  std::vector<double> seconds[3];  // on, off, off again
  for (int block = 0; block < blocks; ++block) {
    // The order turns, so that a drift of the machine touches every kind alike.
    for (int turn = 0; turn < 3; ++turn) {
      const int kind = (block + turn) % 3;
      seconds[kind].push_back(secondsOf(stepper, world, kind == 0));
    }
  }
  return resultOf(seconds[0], seconds[1], seconds[2], median(stepper.communicationSeconds()));
}

}  // namespace
}  // namespace slipstream::bench

int main(int count, char** values) {
  using namespace slipstream::bench;
  return benchmarkUnderHub(count, values, openEndedPlan(*slipstream::builtInNetwork("mlp"), 8), measure);
}
