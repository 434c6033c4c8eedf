// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/npu/acl_stream.h"

#include <algorithm>

#include "engine/base/error.h"

namespace slipstream {
namespace {

/// A fence is an event more for each stream.
constexpr std::size_t eventsOfFence = 64;

}  // namespace

NpuStreams::~NpuStreams() {
  settle();
}

void NpuStreams::synchronize() {
  for (const AclStream* stream : {&work, &outward, &inward}) stream->synchronize();
  fresh_.clear();
  fenced_.clear();
}

void NpuStreams::settle() noexcept {
  for (const AclStream* stream : {&work, &outward, &inward}) aclLibrary().synchronizeStream(stream->handle());
}

void NpuStreams::retire(AclEvent event) noexcept {
  try {
    fresh_.push_back(std::move(event));
    if (fresh_.size() >= eventsOfFence) fence();
    dropPassed();
  } catch (const Error&) {
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
