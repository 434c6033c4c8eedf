// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/optimizer_parallel/gathered_weights.h"

#include <algorithm>
#include <utility>

#include "engine/base/clock.h"
#include "engine/base/error.h"
#include "engine/boost/optimizer_parallel/messages.h"

namespace slipstream {
namespace {

std::int64_t largestLayer(const ParameterLayout& layout) {
  std::int64_t largest = 0;
  for (const FlatTensor& tensor : layout.tensors()) {
    largest = std::max(largest, layout.rangeOfLayer(tensor.spec.layer).size());
  }
  return largest;
}

}  // namespace

GatheredWeights::GatheredWeights(Communicator& communicator, const ShardMap& map, RankMemory& kept, Device& device,
                                 const VectorKernels& kernels)
    : communicator_(communicator),
      map_(map),
      kept_(kept),
      queue_(device.queue()),
      kernels_(kernels),
      buffer_(device.allocate(static_cast<std::size_t>(largestLayer(map.layout())) * sizeof(float),
                              MemoryCategory::gather)),
      gathered_(buffer_->as<float>()) {}

std::span<float> GatheredWeights::acquire(Range range) {
  if (held_) throw Error("gathered weights were asked for while others were still in use");
  if (range.size() > std::ssize(gathered_)) throw Error("more weights than the largest layer's were asked for");
  const Stopwatch watch;
  held_ = true;
  if (std::exchange(written_, false) && kept_.shared()) communicator_.barrier();
  const auto& tensors = map_.layout().tensors();
  std::vector<std::unique_ptr<Request>> requests;
  for (int tensor = map_.layout().tensorAt(range.begin); tensor < std::ssize(tensors); ++tensor) {
    const Range whole = tensors[static_cast<std::size_t>(tensor)].range;
    if (whole.begin >= range.end) break;
    if (whole.begin < range.begin || whole.end > range.end) throw Error("part of a tensor was asked for");
    const auto all =
        gathered_.subspan(static_cast<std::size_t>(whole.begin - range.begin), static_cast<std::size_t>(whole.size()));
    if (kept_.shared()) {
      copyFromRanks(tensor, all);
    } else {
      exchange(tensor, all, requests);
    }
  }
  waitForAll(requests);
  seconds_ += watch.seconds();
  return gathered_.first(static_cast<std::size_t>(range.size()));
}

std::vector<PinnedRange> GatheredWeights::kept() {
  written_ = true;
  std::vector<PinnedRange> all;
  for (int tensor = 0; tensor < std::ssize(map_.layout().tensors()); ++tensor) {
    const Range mine = map_.mine(tensor);
    if (mine.size() > 0) all.push_back({mine, ShardedValues{kept_.own(), false}.at(map_, tensor, mine)});
  }
  return all;
}

double GatheredWeights::takeSeconds() {
  return std::exchange(seconds_, 0);
}

void GatheredWeights::copyFromRanks(int tensor, std::span<float> all) {
  for (int rank = 0; rank < map_.ranks(); ++rank) {
    const bool wanted = map_.cut(tensor) ? map_.inMyGroup(rank) : rank == map_.rank();
    if (!wanted) continue;
    const auto part = partOf(rank, tensor, all);
    const auto memory = kept_.all()[static_cast<std::size_t>(rank)];
    kernels_.copy(queue_, memory.subspan(static_cast<std::size_t>(map_.localStart(tensor)), part.size()), part);
  }
}

void GatheredWeights::exchange(int tensor, std::span<float> all, std::vector<std::unique_ptr<Request>>& requests) {
  const auto mine = ShardedValues{kept_.own(), false}.at(map_, tensor, map_.mine(tensor));
  kernels_.copy(queue_, mine, partOf(map_.rank(), tensor, all));
  if (!map_.cut(tensor)) return;
  Letters letters(map_.ranks());
  for (int rank = 0; rank < map_.ranks(); ++rank) {
    if (rank == map_.rank() || !map_.inMyGroup(rank)) continue;
    letters.send(rank, mine);
    letters.receive(rank, partOf(rank, tensor, all));
  }
  requests.push_back(letters.start(communicator_));
}

std::span<float> GatheredWeights::partOf(int rank, int tensor, std::span<float> all) const {
  const Range part = map_.kept(tensor, rank);
  const Range whole = map_.layout().tensors()[static_cast<std::size_t>(tensor)].range;
  return all.subspan(static_cast<std::size_t>(part.begin - whole.begin), static_cast<std::size_t>(part.size()));
}

}  // namespace slipstream
