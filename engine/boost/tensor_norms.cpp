// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/tensor_norms.h"

#include <algorithm>
#include <iterator>

namespace slipstream {

void TensorNorms::measure(std::span<const NormPart> parts, std::span<double> squares) {
  std::vector<NormPart> filled;
  std::ranges::copy_if(parts, std::back_inserter(filled), [](const NormPart& part) { return !part.values.empty(); });
  if (filled.empty()) return;
  const float* first =
      std::ranges::min(filled, {}, [](const NormPart& part) { return part.values.data(); }).values.data();
  std::vector<TensorSegment> segments;
  std::vector<std::ptrdiff_t> key;
  for (const NormPart& part : filled) {
    const std::ptrdiff_t start = part.values.data() - first;
    key.insert(key.end(), {start, std::ssize(part.values), static_cast<std::ptrdiff_t>(part.tensor)});
    segments.push_back({static_cast<std::size_t>(start), part.values.size(), part.tensor});
  }
  auto& plan = plans_[key];
  if (!plan) plan = kernels_.plan(queue_, segments);
  kernels_.dotsOfSegments(queue_, *plan, &first, 1, squares.data());
}

}  // namespace slipstream
