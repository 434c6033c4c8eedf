// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "engine/spec/host_layout.h"
#include "tests/boost/withheld_memory.h"

namespace slipstream::test {

/// A communicator as on several hosts: only ranks of one host get shared memory.
class HostMemory final : public WithheldMemory {
 public:
  HostMemory(Communicator& group, std::vector<std::string> hostOfRank)
      : WithheldMemory(group), hostOfRank_(std::move(hostOfRank)) {}
  HostMemory(std::unique_ptr<Communicator> group, std::vector<std::string> hostOfRank)
      : WithheldMemory(std::move(group)), hostOfRank_(std::move(hostOfRank)) {}

  std::unique_ptr<Communicator> split(int colour, int key) override {
    auto part = group().split(colour, key);
    std::vector<int> members(static_cast<std::size_t>(part->size()));
    const int me = rank();
    part->allGather(std::as_bytes(std::span(&me, 1)), std::as_writable_bytes(std::span(members)));
    std::vector<std::string> names;
    for (const int member : members) names.push_back(hostOfRank_[static_cast<std::size_t>(member)]);
    return std::make_unique<HostMemory>(std::move(part), std::move(names));
  }
  std::unique_ptr<SharedBuffer> allocateShared(std::size_t bytes) override {
    return HostLayout(hostOfRank_).oneHost() ? group().allocateShared(bytes) : nullptr;
  }

 private:
  std::vector<std::string> hostOfRank_;
};

/// In single precision: the ranks of each host in rank order, then the hosts in their order. `valuesOf(rank)`: equally
/// many.
template <class ValuesOf>
std::vector<float> sumInHostOrder(const std::vector<std::string>& hostOfRank, ValuesOf&& valuesOf) {
  std::vector<std::string> names;
  std::vector<std::vector<float>> sums;
  for (std::size_t rank = 0; rank < hostOfRank.size(); ++rank) {
    const auto values = valuesOf(static_cast<int>(rank));
    const auto host = static_cast<std::size_t>(std::ranges::find(names, hostOfRank[rank]) - names.begin());
    if (host == names.size()) {
      names.push_back(hostOfRank[rank]);
      sums.emplace_back(values.begin(), values.end());
      continue;
    }
    for (std::size_t i = 0; i < values.size(); ++i) sums[host][i] += values[i];
  }
  std::vector<float> sum = sums[0];
  for (std::size_t host = 1; host < sums.size(); ++host) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += sums[host][i];
  }
  return sum;
}

}  // namespace slipstream::test
