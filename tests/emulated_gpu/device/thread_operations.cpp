// SPDX-License-Identifier: GPL-3.0-or-later
// What kernels call.
#include <cstdint>
#include <cstring>

#include <cuda_pipeline_primitives.h>

#include "tests/emulated_gpu/device/block_thread.h"
#include "tests/emulated_gpu/device/draws.h"

namespace emulated_gpu {
namespace {

bool isMultiple(const void* address, std::size_t bytes) {
  return reinterpret_cast<std::uintptr_t>(address) % bytes == 0;
}

}  // namespace

void meetBlock(const Site& site) {
  pauseAs(BlockThread::State::atBarrier, site);
}

void exchangeWithLane(unsigned lanes, const void* mine, void* theirs, std::size_t bytes, unsigned flip,
                      const Site& site) {
  BlockThread& thread = currentThread();
  const unsigned lane = thread.index % lanesOfWarp;
  const std::size_t place = thread.exchanges++ % 2 * 8;
  if ((lanes >> lane & 1U) == 0) refuse("an exchange of lanes among which the thread is not");
  if ((lanes >> (lane ^ flip) & 1U) == 0) refuse("an exchange with a lane that takes no part");
  std::memcpy(thread.offered.data() + place, mine, bytes);
  thread.lanes = lanes;
  pauseAs(BlockThread::State::atExchange, site);
  std::memcpy(theirs, threadOfBlock(thread.index ^ flip).offered.data() + place, bytes);
}

/// Happens at once or as late as the waiting allows: no kernel may depend on when.
void copyLater(void* to, const void* from, std::size_t bytes) {
  if (bytes != 4 && bytes != 8 && bytes != 16) refuse("an asynchronous copy of other than 4, 8 or 16 bytes");
  if (!isMultiple(to, bytes) || !isMultiple(from, bytes)) refuse("an asynchronous copy of unaligned values");
  if (!isShared(to, bytes)) refuse("an asynchronous copy to other than shared memory");
  BlockThread& thread = currentThread();
  if (draws().oneIn(4)) {
    std::memcpy(to, from, bytes);
  } else {
    thread.copies.push_back({to, from, bytes, thread.commits});
  }
}

void commitCopies() {
  ++currentThread().commits;
}

void finishCopies(std::size_t left) {
  BlockThread& thread = currentThread();
  const auto ends = [&](const OpenCopy& copy) { return copy.commit + left < thread.commits; };
  for (const OpenCopy& copy : thread.copies) {
    if (ends(copy)) std::memcpy(copy.to, copy.from, copy.bytes);
  }
  std::erase_if(thread.copies, ends);
}

}  // namespace emulated_gpu
