// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace emulated_gpu {

/// How often an event was recorded, and how many of these records its streams have come to. May be in memory that
/// processes share.
struct EventCounts {
  std::atomic<std::uint64_t> recorded{0};
  std::atomic<std::uint64_t> reached{0};
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

/// One record of an event.
struct Mark {
  std::shared_ptr<EventCounts> counts;
  std::uint64_t number = 0;

  bool isReached() const { return counts->reached.load() >= number; }
  void reach() const;
};

/// What a stream was given.
struct Operation {
  std::function<void()> work{};
  std::optional<Mark> awaited{};  ///< before the work
  std::optional<Mark> reaches{};  ///< by the work
};
using Operations = std::vector<Operation>;

/// Nothing that a stream is given happens before somebody waits for it, asks for it, or for what comes after it; by the
/// seed, other streams then go on or stay behind. So an order that nobody demanded does not come about by luck.
struct Stream {
  int device = 0;
  std::deque<Operation> queue{};
  std::optional<Operations> captured{};  ///< while work is written down instead
  bool isCaptureBroken = false;
};
using StreamPointer = std::shared_ptr<Stream>;

/// Whoever holds it may run kernels and use everything here.
std::unique_lock<std::mutex> holdGpus();

StreamPointer makeStream(int device);
/// Behind all that it was given.
void give(Stream& stream, Operation operation);

/// Runs what the stream was given, and what that waits for; `lock` is released while other processes are waited for.
void finish(const Stream& stream, std::unique_lock<std::mutex>& lock);
/// Of all streams of a GPU.
void finishDevice(int device, std::unique_lock<std::mutex>& lock);
void finish(const Mark& mark, std::unique_lock<std::mutex>& lock);
/// Runs a little of it, or nothing.
void advance(const Stream& stream);
void advance(const Mark& mark);

/// From now on a thread of this process runs work now and then: other processes wait for what nobody here does.
void runBesidesOtherProcesses();

}  // namespace emulated_gpu
