// SPDX-License-Identifier: GPL-3.0-or-later
// The mean and Adasum over several hosts against MPI_Allreduce of the same values, forms alternating in one run:
//   bench_hosts BYTES_PER_SECOND REPETITIONS BYTES...
// Started on several hosts by tests/bench/hosts/hosts_bench.py. Prints one JSON line a form and size: milliseconds of
// the slowest rank, and ratios to the least that links of so many bytes a second allow, 2 (1 - 1/hosts) BYTES, to
// MPI_Allreduce and to our mean.

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include <unistd.h>

#include "engine/base/clock.h"
#include "engine/base/random.h"
#include "engine/base/text.h"
#include "engine/boost/adasum/combination.h"
#include "engine/boost/adasum/spec.h"
#include "engine/boost/averaged/bucket_sum.h"
#include "engine/comm/mpi_communicator.h"
#include "engine/device/cpu_device.h"

namespace slipstream {
namespace {

constexpr std::int64_t bucketBytes = std::int64_t{4} << 20;

/// By the name of each rank's host.
HostLayout layoutOf(Communicator& world) {
  constexpr std::size_t length = 64;
  std::string mine(length, '\0');
  ::gethostname(mine.data(), length - 1);
  std::string all(length * static_cast<std::size_t>(world.size()), '\0');
  world.allGather(std::as_bytes(std::span(mine)), std::as_writable_bytes(std::span(all)));
  std::vector<std::string> names;
  for (std::size_t at = 0; at < all.size(); at += length) names.emplace_back(all.substr(at, length));
  return HostLayout(names);
}

/// Tensors of a million values.
ParameterLayout parametersOf(std::int64_t elements) {
  NetworkShape shape;
  constexpr std::int64_t most = 1'000'000;
  for (std::int64_t begin = 0; begin < elements; begin += most) {
    TensorSpec tensor;
    tensor.name = "t" + std::to_string(shape.tensors.size());
    tensor.layer = static_cast<int>(shape.tensors.size());
    tensor.shape = {std::min(most, elements - begin)};
    shape.tensors.push_back(tensor);
  }
  return ParameterLayout(shape);
}

struct Form {
  std::string name;
  std::function<void()> run;
  std::span<float> values;
  std::vector<double> milliseconds = {};
};

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

double timed(Communicator& world, const Form& form) {
  world.barrier();
  const Stopwatch watch;
  form.run();
  double seconds = watch.seconds();
  world.allReduceMax(std::span(&seconds, 1));
  return 1000 * seconds;
}

void report(const std::vector<Form>& forms, const HostLayout& hosts, std::int64_t bytes, double bytesPerSecond) {
  const double share = 2.0 * (hosts.hosts() - 1) / hosts.hosts();
  const double bound = bytesPerSecond > 0 ? 1000 * share * static_cast<double>(bytes) / bytesPerSecond : 0;
  for (const Form& form : forms) {
    const double time = median(form.milliseconds);
    std::printf(
        "{\"benchmark\":\"hosts\",\"form\":\"%s\",\"hosts\":\"%s\",\"bytes\":%lld,\"repetitions\":%zu,"
        "\"milliseconds\":%.2f,\"fastest\":%.2f,\"slowest\":%.2f,\"bound\":%.2f,\"ratio_to_bound\":%.3f,"
        "\"all_reduce_ratio\":%.3f,\"ratio_to_mean\":%.3f}\n",
        form.name.c_str(), hosts.text().c_str(), static_cast<long long>(bytes), form.milliseconds.size(), time,
        std::ranges::min(form.milliseconds), std::ranges::max(form.milliseconds), bound, bound > 0 ? time / bound : 0,
        median(forms[0].milliseconds) / time, time / median(forms[1].milliseconds));
  }
  std::fflush(stdout);
}

void measure(Communicator& world, const HostLayout& hosts, std::int64_t bytes, int repetitions, double bytesPerSecond) {
  const ParameterLayout layout = parametersOf(bytes / 4);
  MemoryMeter meter;
  const auto device = openCpuDevice(meter);
  Experiment experiment;
  experiment.boost.edit<AdasumOptions>() = {AdasumMode::gradients, AdasumScope::servers, AdasumExchange::automatic};
  std::vector<int> servers;
  for (int rank = 0; rank < world.size(); ++rank) servers.push_back(hosts.oneHost() ? 0 : hosts.hostOf(rank));
  const UpdateContext parts{layout,
                            bucketsBySize(layout, bucketBytes),
                            experiment,
                            servers,
                            1.0,
                            1,
                            world,
                            *device,
                            cpuKernelTables(),
                            nullptr,
                            hosts};
  const RankMemory memory(world, hosts, *device, layout.size(), MemoryCategory::gradients, true);
  std::vector<float> own(static_cast<std::size_t>(layout.size()));
  const auto mean = makeGradientSum(parts, memory, true);
  const AdasumCombination adasum(parts, memory);
  std::vector<Form> forms{{"all_reduce", [&] { world.allReduceSum(own); }, own},
                          {"mean", [&] { mean->finish(layout.size()); }, memory.own()},
                          {"adasum", [&] { adasum.both()->finish(layout.size()); }, memory.own()}};
  std::vector<float> input(own.size());
  Random random(1, RandomStream::test, static_cast<std::uint64_t>(world.rank()));
  for (float& value : input) value = static_cast<float>(random.uniform(-1, 1));
  for (int repetition = -1; repetition < repetitions; ++repetition) {
    for (Form& form : forms) {
      std::ranges::copy(input, form.values.begin());
      const double time = timed(world, form);
      if (repetition >= 0) form.milliseconds.push_back(time);
    }
  }
  if (world.rank() == 0) report(forms, hosts, bytes, bytesPerSecond);
}

}  // namespace
}  // namespace slipstream

int main(int count, char** arguments) {
  using namespace slipstream;
  if (count < 4) {
    std::fprintf(stderr, "usage: bench_hosts BYTES_PER_SECOND REPETITIONS BYTES...\n");
    return 2;
  }
  MpiJob job;
  const HostLayout hosts = layoutOf(job.world());
  for (int i = 3; i < count; ++i) {
    measure(job.world(), hosts, std::atoll(arguments[i]), std::atoi(arguments[2]), std::atof(arguments[1]));
  }
}
