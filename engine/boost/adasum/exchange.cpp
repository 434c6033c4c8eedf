// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/adasum/exchange.h"

#include <algorithm>
#include <numeric>

#include "engine/base/error.h"
#include "engine/device/cpu_device.h"

namespace slipstream {
namespace {

AdasumShape shapeOf(std::span<const std::int64_t> offsets) {
  AdasumShape shape;
  for (std::size_t t = 0; t + 1 < offsets.size(); ++t) shape.tensors.push_back({offsets[t], offsets[t + 1]});
  if (!shape.tensors.empty()) {
    shape.buckets.push_back({{offsets.front(), offsets.back()}, 0, static_cast<int>(shape.tensors.size())});
  }
  return shape;
}

std::vector<TensorStatistics> finished(AdasumReduction& reduction, std::int64_t end) {
  reduction.finish(end);
  return {reduction.statistics().begin(), reduction.statistics().end()};
}

template <class T>
std::vector<TensorStatistics> throughSharedMemory(Communicator& communicator, std::span<T> values, AdasumShape shape) {
  const auto memory = communicator.allocateShared(values.size_bytes());
  if (!memory) throw Error("Adasum through shared memory needs ranks that share memory");
  std::vector<std::span<T>> parts;
  for (int rank = 0; rank < communicator.size(); ++rank) {
    parts.emplace_back(reinterpret_cast<T*>(memory->part(rank).data()), values.size());
  }
  const std::span<T> mine = parts[static_cast<std::size_t>(communicator.rank())];
  std::ranges::copy(values, mine.begin());
  std::vector<int> leaves(parts.size());
  std::iota(leaves.begin(), leaves.end(), 0);
  const auto reduction =
      makeSharedMemoryAdasum<T>(communicator, hostQueue(), cpuAdasumKernels<T>(), parts, leaves, std::move(shape));
  auto statistics = finished(*reduction, std::ssize(mine));
  std::ranges::copy(mine, values.begin());
  return statistics;
}

}  // namespace

template <class T>
std::vector<TensorStatistics> adasumAllReduce(Communicator& communicator, std::span<T> values,
                                              std::span<const std::int64_t> offsets, AdasumExchange exchange) {
  AdasumShape shape = shapeOf(offsets);
  MemoryMeter meter;
  const auto device = openCpuDevice(meter);
  const AdasumContext<T> context{*device, cpuAdasumKernels<T>()};
  switch (chooseExchange(exchange, false, communicator.size())) {
    case AdasumExchange::window:
      return throughSharedMemory(communicator, values, std::move(shape));
    case AdasumExchange::halving:
      return finished(*makeHalvingAdasum<T>(communicator, context, values, std::move(shape)), std::ssize(values));
    default:
      return finished(*makeGramAdasum<T>(communicator, context, values, std::move(shape)), std::ssize(values));
  }
}

template std::vector<TensorStatistics> adasumAllReduce(Communicator&, std::span<float>, std::span<const std::int64_t>,
                                                       AdasumExchange);
template std::vector<TensorStatistics> adasumAllReduce(Communicator&, std::span<double>, std::span<const std::int64_t>,
                                                       AdasumExchange);
template std::vector<TensorStatistics> adasumAllReduce(Communicator&, std::span<_Float16>,
                                                       std::span<const std::int64_t>, AdasumExchange);

}  // namespace slipstream
