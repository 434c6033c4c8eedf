// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/emulated_gpu/runtime/streams.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <utility>

#include "tests/emulated_gpu/device/draws.h"

namespace emulated_gpu {
namespace {

std::mutex gpus;

/// Streams that were destroyed, or whose thread has ended, stay until they are empty.
std::vector<StreamPointer>& streams() {
  static auto* all = new std::vector<StreamPointer>;
  return *all;
}

bool isReady(const Stream& stream) {
  if (stream.queue.empty()) return false;
  const auto& awaited = stream.queue.front().awaited;
  return !awaited || awaited->isReached();
}

void runFirst(Stream& stream) {
  const Operation operation = std::move(stream.queue.front());
  stream.queue.pop_front();
  if (operation.work) operation.work();
  if (operation.reaches) operation.reaches->reach();
}

Stream* holderOf(const Mark& mark) {
  const auto reaches = [&](const Operation& operation) {
    return operation.reaches && operation.reaches->counts == mark.counts && operation.reaches->number >= mark.number;
  };
  const auto holds = [&](const StreamPointer& stream) { return std::ranges::any_of(stream->queue, reaches); };
  const auto found = std::ranges::find_if(streams(), holds);
  return found == streams().end() ? nullptr : found->get();
}

/// The stream, or one that it waits for, that can go on; null where it is empty or another process has to go on first.
Stream* readyFor(Stream* wanted) {
  for (std::size_t turn = 0; turn <= streams().size(); ++turn) {
    if (wanted == nullptr || wanted->queue.empty()) return nullptr;
    if (isReady(*wanted)) return wanted;
    wanted = holderOf(*wanted->queue.front().awaited);
  }
  std::fprintf(stderr, "emulated GPU: streams wait for each other\n");
  std::abort();
}

Stream* anyReady() {
  std::vector<Stream*> ready;
  for (const auto& stream : streams()) {
    if (isReady(*stream)) ready.push_back(stream.get());
  }
  return ready.empty() ? nullptr : ready[draws().below(static_cast<std::uint32_t>(ready.size()))];
}

void dropEnded() {
  std::erase_if(streams(),
                [](const StreamPointer& stream) { return stream.use_count() == 1 && stream->queue.empty(); });
}

/// One operation that brings `wanted` nearer to its end, or a random other one. False where another process has to go
/// on first.
bool runOneFor(Stream* wanted) {
  Stream* needed = readyFor(wanted);
  if (needed == nullptr) return false;
  runFirst(draws().oneIn(4) ? *anyReady() : *needed);
  return true;
}

void waitForOthers(std::unique_lock<std::mutex>& lock) {
  lock.unlock();
  std::this_thread::sleep_for(std::chrono::microseconds(50));
  lock.lock();
}

/// Once in a while, since what is polled must come about.
bool happensNow() {
  return draws().oneIn(2);
}

void runNowAndThen(const std::stop_token& ends) {
  while (!ends.stop_requested()) {
    {
      const auto lock = holdGpus();
      Stream* stream = happensNow() ? anyReady() : nullptr;
      if (stream != nullptr) runFirst(*stream);
    }
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

}  // namespace

void Mark::reach() const {
  auto before = counts->reached.load();
  while (before < number && !counts->reached.compare_exchange_weak(before, number)) {
  }
}

std::unique_lock<std::mutex> holdGpus() {
  return std::unique_lock(gpus);
}

StreamPointer makeStream(int device) {
  dropEnded();
  return streams().emplace_back(std::make_shared<Stream>(Stream{.device = device}));
}

void give(Stream& stream, Operation operation) {
  if (stream.captured) {
    stream.captured->push_back(std::move(operation));
  } else {
    stream.queue.push_back(std::move(operation));
  }
}

void finish(const Stream& stream, std::unique_lock<std::mutex>& lock) {
  while (!stream.queue.empty()) {
    if (!runOneFor(const_cast<Stream*>(&stream))) waitForOthers(lock);
  }
}

void finishDevice(int device, std::unique_lock<std::mutex>& lock) {
  const auto all = streams();
  for (const auto& stream : all) {
    if (stream->device == device) finish(*stream, lock);
  }
}

void finish(const Mark& mark, std::unique_lock<std::mutex>& lock) {
  while (!mark.isReached()) {
    if (!runOneFor(holderOf(mark))) waitForOthers(lock);
  }
}

void advance(const Stream& stream) {
  if (happensNow()) runOneFor(const_cast<Stream*>(&stream));
}

void advance(const Mark& mark) {
  if (happensNow()) runOneFor(holderOf(mark));
}

void runBesidesOtherProcesses() {
  static std::jthread runner(runNowAndThen);
}

}  // namespace emulated_gpu
