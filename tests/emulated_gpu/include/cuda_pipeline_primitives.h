// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace emulated_gpu {

void copyLater(void* to, const void* from, std::size_t bytes);
void commitCopies();
/// Until at most `left` of the thread's commits have copies on their way.
void finishCopies(std::size_t left);

}  // namespace emulated_gpu

inline void __pipeline_memcpy_async(void* to, const void* from, std::size_t bytes) {
  emulated_gpu::copyLater(to, from, bytes);
}
inline void __pipeline_commit() {
  emulated_gpu::commitCopies();
}
inline void __pipeline_wait_prior(std::size_t left) {
  emulated_gpu::finishCopies(left);
}
