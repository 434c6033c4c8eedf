// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace slipstream {

/// Values that are worth the waking of another thread.
inline constexpr std::size_t chunkValues = 32'768;

/// Calls `work(first, count)` for stretches of at most `most` of `all` things that do not depend on each other, on all
/// threads where there is more than one stretch. Stretches depend on nothing but the two numbers.
template <class Work>
void forEachStretch(std::size_t all, std::size_t most, const Work& work) {
  const auto stretches = static_cast<std::int64_t>((all + most - 1) / most);
#pragma omp parallel for schedule(static) if (stretches > 1)
  for (std::int64_t i = 0; i < stretches; ++i) {
    const std::size_t first = static_cast<std::size_t>(i) * most;
    work(first, std::min(most, all - first));
  }
}

/// The same for rows of `width` values each, with as many together as are worth a thread.
template <class Work>
void forEachRows(std::size_t rows, std::size_t width, const Work& work) {
  forEachStretch(rows, std::max<std::size_t>(1, chunkValues / std::max<std::size_t>(1, width)), work);
}

template <class Work>
void forEachChunk(std::size_t count, const Work& work) {
  forEachStretch(count, chunkValues, work);
}

}  // namespace slipstream
