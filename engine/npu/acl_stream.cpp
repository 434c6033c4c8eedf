// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/npu/acl_stream.h"

#include <algorithm>
#include <array>

#include "engine/base/error.h"

namespace slipstream {
namespace {

/// A fence is an event more for each stream.
constexpr std::size_t eventsOfFence = 64;
/// How long a destructor waits while an exception unwinds: work that waits for nobody has ended by then.
constexpr std::int32_t patienceInMilliseconds = 3000;

}  // namespace

bool AclStream::settle() const noexcept {
  const AclLibrary& library = aclLibrary();
  return (unwinding_.begun() ? library.synchronizeStreamFor(stream_, patienceInMilliseconds)
                             : library.synchronizeStream(stream_)) == acl::success;
}

bool AclEvent::settle() const noexcept {
  const AclLibrary& library = aclLibrary();
  return (unwinding_.begun() ? library.synchronizeEventFor(event_, patienceInMilliseconds)
                             : library.synchronizeEvent(event_)) == acl::success;
}

NpuStreams::~NpuStreams() {
  settle();
}

void NpuStreams::synchronize() {
  for (const AclStream* stream : {&work, &outward, &inward}) stream->synchronize();
  fresh_.clear();
  fenced_.clear();
}

bool NpuStreams::settle() noexcept {
  const auto settled = [](const AclStream* stream) { return stream->settle(); };
  if (!stuck_) stuck_ = !std::ranges::all_of(std::array{&work, &outward, &inward}, settled);
  return !stuck_;
}

bool NpuStreams::settle(const AclEvent& event) noexcept {
  if (!stuck_) stuck_ = !event.settle();
  return !stuck_;
}

void NpuStreams::retire(AclEvent event) noexcept {
  try {
    fresh_.push_back(std::move(event));
    if (fresh_.size() >= eventsOfFence) fence();
    dropPassed();
  } catch (const std::exception&) {
    return;
  }
}

void NpuStreams::dropPassed() {
  const auto passed = [](const AclEvent& each) { return each.done(); };
  while (!fenced_.empty() && std::ranges::all_of(fenced_.front().fences, passed)) fenced_.pop_front();
}

void NpuStreams::fence() {
  Retired& retired = fenced_.emplace_back();
  retired.events.swap(fresh_);
  for (const AclStream* stream : {&work, &outward, &inward}) {
    AclEvent& behind = retired.fences.emplace_back();
    behind.record(stream->handle());
  }
}

}  // namespace slipstream
