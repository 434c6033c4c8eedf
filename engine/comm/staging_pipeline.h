// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "engine/comm/communicator.h"
#include "engine/device/device.h"

namespace slipstream {

/// Staging memory that comes back for the next: making it is slow.
class StagingMemory {
 public:
  explicit StagingMemory(Device& device) : device_(device) {}

  /// At least `bytes` bytes: the smallest that lies free, else new ones.
  std::unique_ptr<Buffer> take(std::size_t bytes);
  void putBack(std::unique_ptr<Buffer> buffer) { free_.push_back(std::move(buffer)); }

 private:
  Device& device_;
  std::vector<std::unique_ptr<Buffer>> free_;
};

/// What one started operation sends and receives, part of it in memory of the device.
struct StagedLeg {
  std::vector<std::span<const std::byte>> out;
  std::vector<std::span<std::byte>> in;
  /// Starts the operation on memory of the host, which holds the bytes of `out`; what it puts into `in` is what
  /// arrives. Both are like the leg's own, entry by entry.
  using Start = std::function<std::unique_ptr<Request>(std::span<const std::span<const std::byte>> out,
                                                       std::span<const std::span<std::byte>> in)>;
  Start start;
  /// Entry i of `in` is entry i of `out`, in the same bytes (a sum in place).
  bool inPlace = false;
};

/// Takes started operations through three stages each: copy out of the device, travel, copy in. A few at a time hold
/// staging memory, so that one is copied while another travels. All of them travel in the order in which they were
/// added, on every rank, whenever whose copies end.
class StagingPipeline {
 public:
  /// `depth` legs hold staging memory at once.
  StagingPipeline(Device& device, Communicator& messages, std::size_t depth)
      : device_(device), messages_(messages), memory_(device), depth_(depth) {}
  ~StagingPipeline() { abandon(); }
  StagingPipeline(const StagingPipeline&) = delete;
  StagingPipeline& operator=(const StagingPipeline&) = delete;

  /// Legs are numbered from 1 in the order of adding. Returns the number.
  std::size_t add(StagedLeg leg);
  /// Whether this leg and all before it have ended.
  bool ended(std::size_t leg) const { return leg <= endedLegs_; }
  /// Moves on what can; never waits.
  void advance();
  void wait(std::size_t leg);
  /// Waits until every leg travels: then other collectives of the group may begin, in the same order on every rank.
  void sendOff();
  /// Drops everything under way: a rank is failing.
  void abandon();
  StagingMemory& memory() { return memory_; }

 private:
  enum class Stage { waiting, copyingOut, travelling, copyingIn };
  /// The request goes first, then copies, then the memory that they use.
  struct Moving {
    StagedLeg leg;
    std::unique_ptr<DevicePoint> given = {};  ///< to the device, when the leg was added
    Stage stage = Stage::waiting;
    std::unique_ptr<Buffer> staging = {};
    std::vector<std::span<const std::byte>> hostOut = {};
    std::vector<std::span<std::byte>> hostIn = {};
    std::vector<std::unique_ptr<StartedCopy>> copies = {};
    std::unique_ptr<Request> request = {};
  };

  void copyOut(Moving& moving);
  void copyIn(Moving& moving);
  /// Takes a leg as far as it goes now; `before`: all earlier ones travel.
  void move(Moving& moving, bool before);
  bool allTravel() const;

  Device& device_;
  Communicator& messages_;
  StagingMemory memory_;
  std::size_t depth_;
  std::deque<Moving> moving_;  ///< leg endedLegs_ + 1 first
  std::size_t endedLegs_ = 0;
};

}  // namespace slipstream
