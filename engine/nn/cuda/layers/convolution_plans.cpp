// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/cuda/layers/convolution_plans.h"

#include <algorithm>

#include "engine/base/error.h"

namespace slipstream {

ConvolutionPattern ConvolutionPlans::chosen(ConvolutionPattern wanted, std::int64_t batch) {
  for (auto next = plainer(wanted); next && !has(wanted, batch); next = plainer(wanted)) wanted = *next;
  return wanted;
}

std::size_t ConvolutionPlans::bytes(ConvolutionPattern pattern, std::int64_t batch) {
  const auto known = bytes_.find({pattern, batch});
  if (known != bytes_.end() && known->second) return *known->second;
  const auto needed = static_cast<std::size_t>(runner_.prepare(request(pattern, batch)));
  bytes_[{pattern, batch}] = needed;
  return needed;
}

void ConvolutionPlans::run(ConvolutionPattern pattern, std::int64_t batch, const PlanMemory& memory,
                           void* scratch) const {
  const auto stands = [](const auto& place) {
    return reinterpret_cast<std::uintptr_t>(place.second) % planAlignment == 0;
  };
  if (!std::ranges::all_of(memory, stands)) throw Error("a convolution is given memory that is not aligned");
  runner_.run(request(pattern, batch), memory, scratch);
}

std::vector<std::string> ConvolutionPlans::names() const {
  std::vector<std::string> all;
  for (const auto& [planned, bytes] : bytes_) {
    if (bytes) all.push_back(runner_.nameOf(request(planned.first, planned.second)));
  }
  return all;
}

bool ConvolutionPlans::has(ConvolutionPattern pattern, std::int64_t batch) {
  const auto known = bytes_.find({pattern, batch});
  if (known != bytes_.end()) return known->second.has_value();
  if (runner_.has(request(pattern, batch))) {
    bytes(pattern, batch);
    return true;
  }
  bytes_[{pattern, batch}] = std::nullopt;
  return false;
}

}  // namespace slipstream
