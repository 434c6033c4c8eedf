// SPDX-License-Identifier: GPL-3.0-or-later
// What a checkpoint costs training: eight ranks train an MLP whose weights and momentum are 100 MB together; pairs of
// blocks of steps with and without one checkpoint. "Lost" is the difference of a pair, from the first step to the
// commit.
#include "engine/train/checkpoint.h"
#include "tests/bench/bench_numbers.h"
#include "tests/bench/bench_run.h"

namespace slipstream::bench {
namespace {

constexpr int pairs = 8;
constexpr int steps = 12;

slipstream::NetworkSpec wideNetwork() {
  NetworkSpec network = *builtInNetwork("mlp");
  std::int64_t dense = 0;
  for (LayerSpec& layer : network.layers) {
    if (layer.kind == LayerKind::dense && dense++ < 2) layer.outputs = 3160;
  }
  return network;
}

struct Block {
  double seconds = 0;
  double longestCall = 0;  ///< how long this rank stood still in sendCheckpoint
};

Block runBlock(Stepper& stepper, Link& link, Communicator& world, std::int64_t step, bool checkpoint) {
  Block block;
  world.barrier();
  const Stopwatch watch;
  stepper.run(1, true);
  if (checkpoint) {
    const Stopwatch call;
    const CheckpointContent content(stepper.state(), true, world.rank(), world.size());
    link.sendCheckpoint(step, true, "{}", content.tensors());
    block.longestCall = call.seconds();
  }
  stepper.run(steps - 1, true);
  world.barrier();
  block.seconds = watch.seconds();
  link.flush();  // what is still under way would weigh on the next block
  return block;
}

nlohmann::json measure(Link& link, Communicator& world) {
  Stepper stepper(link, world);
  stepper.run(2, true);
  std::vector<double> lost;
  std::vector<double> plain;
  std::vector<double> stood;
  std::int64_t bytes = stepper.state().network.layout().size() * 8;
  for (int pair = 0; pair < pairs; ++pair) {
    const bool first = pair % 2 == 0;
    const Block a = runBlock(stepper, link, world, 2 * pair, first);
    const Block b = runBlock(stepper, link, world, 2 * pair + 1, !first);
    const Block& with = first ? a : b;
    const Block& without = first ? b : a;
    lost.push_back(with.seconds - without.seconds);
    plain.push_back(without.seconds);
    stood.push_back(with.longestCall);
  }
  return {{"bench", "checkpoint while training"},
          {"ranks", world.size()},
          {"bytes", bytes},
          {"pairs", pairs},
          {"block_seconds", median(plain)},
          {"step_seconds", median(plain) / steps},
          {"lost_seconds_per_100_mb", median(lost) * 1e8 / static_cast<double>(bytes)},
          {"lost_quartiles", {quantile(lost, 0.25), quantile(lost, 0.75)}},
          {"rank_0_stood_still_seconds", median(stood)}};
}

}  // namespace
}  // namespace slipstream::bench

int main(int count, char** values) {
  using namespace slipstream::bench;
  return benchmarkUnderHub(count, values, openEndedPlan(wideNetwork(), 8), measure);
}
