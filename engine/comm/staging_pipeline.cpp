// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/comm/staging_pipeline.h"

#include <algorithm>
#include <utility>

#include "engine/comm/waiting.h"

namespace slipstream {
namespace {

/// Parts of staging memory begin on cache lines.
constexpr std::size_t alignment = 64;

std::size_t padded(std::size_t bytes) {
  return (bytes + alignment - 1) / alignment * alignment;
}

bool allDone(const std::vector<std::unique_ptr<StartedCopy>>& copies) {
  return std::ranges::all_of(copies, [](const auto& copy) { return copy->done(); });
}

}  // namespace

std::unique_ptr<Buffer> StagingMemory::take(std::size_t bytes) {
  auto best = free_.end();
  for (auto it = free_.begin(); it != free_.end(); ++it) {
    const std::size_t size = (*it)->bytes().size();
    if (size >= bytes && (best == free_.end() || size < (*best)->bytes().size())) best = it;
  }
  if (best == free_.end()) {
    if (!free_.empty()) free_.pop_back();  // too small: a larger one takes its place
    return device_.allocateStaging(bytes);
  }
  auto found = std::move(*best);
  free_.erase(best);
  return found;
}

std::size_t StagingPipeline::add(StagedLeg leg) {
  moving_.push_back({.leg = std::move(leg), .given = device_.point()});
  advance();
  return endedLegs_ + moving_.size();
}

void StagingPipeline::advance() {
  bool before = true;
  for (std::size_t i = 0; i < std::min(depth_, moving_.size()); ++i) {
    move(moving_[i], before);
    before = before && moving_[i].stage >= Stage::travelling;
  }
  while (!moving_.empty() && moving_.front().stage == Stage::copyingIn && allDone(moving_.front().copies)) {
    moving_.front().copies.clear();
    if (moving_.front().staging) memory_.putBack(std::move(moving_.front().staging));
    moving_.pop_front();
    ++endedLegs_;
  }
}

void StagingPipeline::wait(std::size_t leg) {
  waitUntil(messages_, [&] {
    advance();
    return ended(leg);
  });
}

void StagingPipeline::sendOff() {
  if (moving_.empty()) return;
  waitUntil(messages_, [&] {
    advance();
    return allTravel();
  });
}

void StagingPipeline::abandon() {
  endedLegs_ += moving_.size();
  moving_.clear();
}

bool StagingPipeline::allTravel() const {
  return std::ranges::all_of(moving_, [](const Moving& moving) { return moving.stage >= Stage::travelling; });
}

void StagingPipeline::move(Moving& moving, bool before) {
  if (moving.stage == Stage::waiting) copyOut(moving);
  if (moving.stage == Stage::copyingOut && before && allDone(moving.copies)) {
    moving.copies.clear();
    moving.request = moving.leg.start(moving.hostOut, moving.hostIn);
    moving.stage = Stage::travelling;
  }
  if (moving.stage == Stage::travelling && moving.request->done()) {
    moving.request.reset();
    copyIn(moving);
  }
}

void StagingPipeline::copyOut(Moving& moving) {
  const StagedLeg& leg = moving.leg;
  const auto staged = [&](const auto& part) { return !part.empty() && device_.holds(part.data()); };
  std::size_t needed = 0;
  for (const auto& out : leg.out) needed += staged(out) ? padded(out.size()) : 0;
  for (const auto& in : leg.in) needed += staged(in) && !leg.inPlace ? padded(in.size()) : 0;
  if (needed > 0) moving.staging = memory_.take(needed);
  std::size_t used = 0;
  const auto place = [&](std::size_t bytes) {
    const auto part = moving.staging->bytes().subspan(used, bytes);
    used += padded(bytes);
    return part;
  };
  for (std::size_t i = 0; i < leg.out.size(); ++i) {
    const auto out = leg.out[i];
    const auto host = staged(out) ? place(out.size()) : std::span<std::byte>{};
    if (staged(out)) moving.copies.push_back(device_.startCopyOut(host, out, moving.given.get()));
    moving.hostOut.push_back(staged(out) ? host : out);
    if (leg.inPlace) moving.hostIn.push_back(staged(out) ? host : leg.in[i]);
  }
  for (const auto& in : leg.in) {
    if (!leg.inPlace) moving.hostIn.push_back(staged(in) ? place(in.size()) : in);
  }
  moving.stage = Stage::copyingOut;
}

void StagingPipeline::copyIn(Moving& moving) {
  for (std::size_t i = 0; i < moving.leg.in.size(); ++i) {
    const auto in = moving.leg.in[i];
    if (in.data() != moving.hostIn[i].data()) moving.copies.push_back(device_.startCopyIn(in, moving.hostIn[i]));
  }
  moving.stage = Stage::copyingIn;
}

}  // namespace slipstream
