#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace slipstream {

/// Calls `work(first, count)` for parts of `count` elements that do not depend on each other, on all threads where it
/// is worth their waking.
template <class Work>
void forEachChunk(std::size_t count, const Work& work) {
  constexpr std::size_t chunk = 32'768;
  const auto chunks = static_cast<std::int64_t>((count + chunk - 1) / chunk);
#pragma omp parallel for if (chunks > 1)
  for (std::int64_t i = 0; i < chunks; ++i) {
    const std::size_t first = static_cast<std::size_t>(i) * chunk;
    work(first, std::min(chunk, count - first));
  }
}

}  // namespace slipstream
