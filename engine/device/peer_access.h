// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace slipstream {

class DevicePoint;

/// Where bytes of a device lie, as other ranks of the host can find them.
struct PeerAddress {
  std::array<std::byte, 64> block{};  ///< names the whole block of memory that they lie in
  std::uint64_t offset = 0;           ///< bytes from its start
};

/// How a rank reaches into the memory of the devices of other ranks of its host. What it is given runs in order, beside
/// the device's other work, and is ordered against the work of peers by marks: nobody spins on a GPU that others may
/// need to get ahead. A rank's marks are known to its peers from meet() on. One thread at a time.
class PeerAccess {
 public:
  static constexpr int markCount = 4;

  virtual ~PeerAccess() = default;
  /// What the peers need to know of this rank's marks.
  virtual std::vector<std::byte> introduction() = 0;
  /// Everybody's introductions, in rank order. False where a peer's memory cannot be reached.
  virtual bool meet(std::span<const std::vector<std::byte>> introductions) = 0;

  /// Of memory of this rank's device, as `peer` finds it.
  virtual PeerAddress addressOf(int peer, const std::byte* own) = 0;
  /// The same bytes of another rank's, as this rank can use them.
  virtual const std::byte* reach(int peer, const PeerAddress& address) = 0;

  /// What the device was given before the point comes before what is given here from now on.
  virtual void follow(const DevicePoint* point) = 0;
  /// Sets a mark behind what was given here so far.
  virtual void mark(int number) = 0;
  /// What is given here from now on waits for the mark of a peer that has told that it set it.
  virtual void waitFor(int peer, int number) = 0;
  virtual void copy(std::byte* to, const std::byte* from, std::size_t bytes) = 0;
  /// result[i] = parts[0][i] + parts[1][i] + ..., in this order; `result` may be one of the parts.
  virtual void sum(std::span<const float* const> parts, float* result, std::size_t elements) = 0;
  virtual void sum(std::span<const double* const> parts, double* result, std::size_t elements) = 0;
  /// The largest; NaN where one is none.
  virtual void maximum(std::span<const double* const> parts, double* result, std::size_t elements) = 0;
  /// Whether this rank's own mark has been reached; never blocks.
  virtual bool reached(int number) = 0;
  /// What the device is given from now on, beside what is given here, comes behind this rank's own mark.
  virtual void holdBack(int number) = 0;
};

}  // namespace slipstream
