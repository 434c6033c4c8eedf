// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/emulated_gpu/device/grid.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <numeric>

#include <cuda_pipeline_primitives.h>

#include "tests/emulated_gpu/device/bad_access.h"
#include "tests/emulated_gpu/device/block_thread.h"
#include "tests/emulated_gpu/device/draws.h"

uint3 threadIdx;
uint3 blockIdx;
dim3 blockDim;
dim3 gridDim;

namespace emulated_gpu {
namespace {

const Grid* running = nullptr;
BlockThread* current = nullptr;
std::deque<BlockThread> threads;
std::vector<BlockThread*> ready;
std::map<const void*, Kernel> kernels;

[[noreturn]] void refuseThread(const BlockThread& thread, const std::string& what) {
  std::fprintf(stderr, "emulated GPU: %s (block %u, thread %u of %s)\n", what.c_str(), blockIdx.x, thread.index,
               running->kernel->name.c_str());
  std::abort();
}

std::string textOf(const Site& site) {
  return std::string(site.file) + ":" + std::to_string(site.line);
}

const char* whatIt(const BlockThread& thread) {
  if (thread.state == BlockThread::State::ended) return "ended";
  return thread.state == BlockThread::State::atBarrier ? "waits at a barrier" : "waits for other lanes";
}

void runThread() {
  running->thread();
  commitCopies();
  finishCopies(0);
  pauseAs(BlockThread::State::ended, {});
}

void resume(BlockThread& thread) {
  current = &thread;
  threadIdx = {thread.index, 0, 0};
  thread.state = BlockThread::State::running;
  thread.fiber.resume();
}

void beginThreads() {
  while (threads.size() < running->threads) {
    const auto index = static_cast<unsigned>(threads.size());
    threads.emplace_back().index = index;
  }
  ready.clear();
  for (unsigned index = 0; index < running->threads; ++index) {
    BlockThread& thread = threads[index];
    thread.exchanges = 0;
    thread.commits = 0;
    thread.copies.clear();
    thread.fiber.begin(runThread);
    ready.push_back(&thread);
  }
}

/// Not a number, in every type that kernels use.
void spoilSharedMemory() {
  for (const auto array : running->kernel->sharedArrays) std::memset(array.data(), 0xFF, array.size());
}

/// All lanes that an exchange names are at the same one.
void checkExchange(const BlockThread& thread) {
  const unsigned first = thread.index / lanesOfWarp * lanesOfWarp;
  for (unsigned lane = 0; lane < lanesOfWarp; ++lane) {
    if ((thread.lanes >> lane & 1U) == 0) continue;
    if (first + lane >= running->threads)
      refuseThread(thread, "an exchange with a lane that is not there, " + textOf(thread.site));
    const BlockThread& other = threads[first + lane];
    if (other.state == thread.state && other.site == thread.site && other.lanes == thread.lanes &&
        other.exchanges == thread.exchanges)
      continue;
    refuseThread(thread, "an exchange at " + textOf(thread.site) + " that thread " + std::to_string(other.index) +
                             " does not reach: it " + whatIt(other) + " " +
                             (other.site.file ? textOf(other.site) : ""));
  }
}

/// Lets go on whoever waits for lanes. A check of one thread is one of all that its exchange names.
void releaseExchanges() {
  unsigned checked = 0;
  for (unsigned index = 0; index < running->threads; ++index) {
    BlockThread& thread = threads[index];
    if (index % lanesOfWarp == 0) checked = 0;
    if (thread.state != BlockThread::State::atExchange) continue;
    if ((checked >> index % lanesOfWarp & 1U) == 0) {
      checkExchange(thread);
      checked |= thread.lanes;
    }
    ready.push_back(&thread);
  }
}

/// Lets all go on, which are at the same barrier; false where all have ended.
bool releaseBarrier() {
  const BlockThread& first = threads[0];
  for (unsigned index = 0; index < running->threads; ++index) {
    BlockThread& thread = threads[index];
    if (thread.state != first.state || !(thread.site == first.site)) {
      const bool firstWaits = first.state == BlockThread::State::atBarrier;
      const BlockThread& waiting = firstWaits ? first : thread;
      const BlockThread& other = firstWaits ? thread : first;
      refuseThread(waiting, "a barrier at " + textOf(waiting.site) + " that thread " + std::to_string(other.index) +
                                " does not reach: it " + whatIt(other));
    }
    ready.push_back(&thread);
  }
  return first.state == BlockThread::State::atBarrier;
}

void runBlock() {
  spoilSharedMemory();
  beginThreads();
  do {
    while (!ready.empty()) {
      draws().shuffle(ready);
      for (BlockThread* thread : ready) resume(*thread);
      ready.clear();
      releaseExchanges();
    }
  } while (releaseBarrier());
}

}  // namespace

BlockThread& currentThread() {
  return *current;
}
bool isThreadRunning() {
  return current != nullptr && current->state == BlockThread::State::running;
}
BlockThread& threadOfBlock(unsigned index) {
  return threads[index];
}
void refuse(const std::string& what) {
  refuseThread(*current, what);
}

bool isShared(const void* memory, std::size_t bytes) {
  const auto* begin = static_cast<const std::byte*>(memory);
  return std::ranges::any_of(running->kernel->sharedArrays, [&](std::span<std::byte> array) {
    return begin >= array.data() && begin + bytes <= array.data() + array.size();
  });
}

void pauseAs(BlockThread::State state, const Site& site) {
  current->state = state;
  current->site = site;
  current->fiber.pause();
}

const Kernel& kernelAt(const void* function) {
  const auto known = kernels.find(function);
  if (known != kernels.end()) return known->second;
  static const Symbols symbols;
  Kernel kernel{symbols.nameOf(function), symbols.ofKernel(function)};
  const SharedArrays& common = symbols.ofFunctions();
  kernel.sharedArrays.insert(kernel.sharedArrays.end(), common.begin(), common.end());
  return kernels.emplace(function, std::move(kernel)).first->second;
}

void runGrid(const Grid& grid) {
  nameBadAccesses();
  running = &grid;
  gridDim = dim3(grid.blocks);
  blockDim = dim3(grid.threads);
  std::vector<unsigned> blocks(grid.blocks);
  std::iota(blocks.begin(), blocks.end(), 0U);
  draws().shuffle(blocks);
  for (const unsigned block : blocks) {
    blockIdx = {block, 0, 0};
    runBlock();
  }
}

Draws& draws() {
  static Draws ofProcess([] {
    const char* seed = std::getenv("SLIPSTREAM_EMULATED_SEED");
    return seed == nullptr ? 1ULL : std::strtoull(seed, nullptr, 10);
  }());
  return ofProcess;
}

}  // namespace emulated_gpu
