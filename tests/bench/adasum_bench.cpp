// SPDX-License-Identifier: GPL-3.0-or-later
// Adasum of 25 MB in 20 uneven tensors against MPI_Allreduce of the same buffer, forms alternating in one run:
//   mpirun --oversubscribe --bind-to none --mca mpi_yield_when_idle 1 -np 4 bench_adasum [repetitions] [megabytes]
// Prints one JSON line a form: median milliseconds (of the slowest rank) and the ratio to MPI_Allreduce.

#include <algorithm>
#include <cstdio>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "engine/base/clock.h"
#include "engine/base/random.h"
#include "engine/base/text.h"
#include "engine/boost/adasum/exchange.h"
#include "engine/boost/averaged/bucket_sum.h"
#include "engine/comm/mpi_communicator.h"
#include "engine/device/cpu_device.h"
#include "tests/bench/rank_environment.h"

namespace slipstream {
namespace {

constexpr int tensorCount = 20;
constexpr std::int64_t bucketElements = 1 << 20;

/// Tensors of lengths 1 : 2 : 3 .. : 20, mixed, in buckets of up to 4 MB.
AdasumShape unevenShape(std::int64_t elements) {
  AdasumShape shape;
  std::int64_t begin = 0;
  for (int t = 0; t < tensorCount; ++t) {
    const std::int64_t share = 1 + t * 7 % tensorCount;
    const std::int64_t end =
        t + 1 == tensorCount ? elements : begin + elements * share * 2 / (tensorCount * (tensorCount + 1)) + t % 3;
    shape.tensors.push_back({begin, end});
    const bool fits = !shape.buckets.empty() && end - shape.buckets.back().range.begin <= bucketElements;
    if (fits) {
      shape.buckets.back().range.end = end;
      shape.buckets.back().endTensor = t + 1;
    } else {
      shape.buckets.push_back({{begin, end}, t, t + 1});
    }
    begin = end;
  }
  return shape;
}

struct Form {
  std::string name;
  std::function<void()> run;
  std::span<float> values;
  std::vector<double> milliseconds = {};
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
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

void measure(Communicator& world, std::vector<Form>& forms, std::span<const float> input, int repetitions) {
  for (int repetition = -1; repetition < repetitions; ++repetition) {
    for (Form& form : forms) {
      std::ranges::copy(input, form.values.begin());
      const double time = timed(world, form);
      if (repetition >= 0) form.milliseconds.push_back(time);
    }
  }
}

void report(Communicator& world, const std::vector<Form>& forms, std::size_t bytes) {
  if (world.rank() != 0) return;
  const double reference = median(forms.front().milliseconds);
  for (const Form& form : forms) {
    std::printf(
        "{\"benchmark\":\"adasum\",\"form\":\"%s\",\"ranks\":%d,\"bytes\":%zu,\"repetitions\":%zu,"
        "\"milliseconds\":%.3f,\"fastest_milliseconds\":%.3f,\"ratio_to_all_reduce\":%.3f}\n",
        form.name.c_str(), world.size(), bytes, form.milliseconds.size(), median(form.milliseconds),
        *std::ranges::min_element(form.milliseconds), median(form.milliseconds) / reference);
  }
}

void run(Communicator& world, int repetitions, std::int64_t megabytes) {
  const std::int64_t elements = megabytes * 1'000'000 / 4;
  const AdasumShape shape = unevenShape(elements);
  std::vector<float> input(static_cast<std::size_t>(elements));
  Random random(1, RandomStream::test, static_cast<std::uint64_t>(world.rank()));
  for (float& value : input) value = static_cast<float>(random.uniform(-1, 1));
  std::vector<float> values(input.size());

  MemoryMeter meter;
  const auto device = openCpuDevice(meter);
  const AdasumContext<float> machine{*device, cpuAdasumKernels<float>()};

  std::vector<Form> forms;
  forms.push_back({"all_reduce", [&] { world.allReduceSum(values); }, values});
  const auto gram = makeGramAdasum<float>(world, machine, values, shape);
  forms.push_back({"adasum_gram", [&] { gram->finish(elements); }, values});
  const auto halving = makeHalvingAdasum<float>(world, machine, values, shape);
  forms.push_back({"adasum_halving", [&] { halving->finish(elements); }, values});

  const auto memory = world.allocateShared(input.size() * sizeof(float));
  std::unique_ptr<AdasumReduction> window;
  std::unique_ptr<BucketExchange> average;
  if (memory) {
    std::vector<std::span<float>> parts;
    for (int rank = 0; rank < world.size(); ++rank) {
      parts.emplace_back(reinterpret_cast<float*>(memory->part(rank).data()), input.size());
    }
    std::vector<int> leaves(parts.size());
    std::iota(leaves.begin(), leaves.end(), 0);
    const auto mine = parts[static_cast<std::size_t>(world.rank())];
    window = makeSharedMemoryAdasum<float>(world, hostQueue(), cpuAdasumKernels<float>(), parts, leaves, shape);
    forms.push_back({"adasum_window", [&] { window->finish(elements); }, mine});
    average = makeBucketSum(world, {}, parts, shape.buckets, 1.0F / static_cast<float>(world.size()), *device,
                            cpuVectorKernels());
    forms.push_back({"averaged_window", [&] { average->finish(elements); }, mine});
  }
  measure(world, forms, input, repetitions);
  report(world, forms, input.size() * sizeof(float));
}

}  // namespace
}  // namespace slipstream

int main(int count, char** arguments) {
  slipstream::bench::becomeRank(1, arguments);
  const auto number = [&](int index, std::int64_t otherwise) {
    return count > index ? slipstream::parseInteger(arguments[index]).value_or(otherwise) : otherwise;
  };
  slipstream::MpiJob job;
  slipstream::run(job.world(), static_cast<int>(number(1, 11)), number(2, 25));
}
