// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace slipstream {

/// Memory of `bytes` a rank that every rank of the group can read and write in place (one host), 64-byte aligned,
/// zeroed. Lives until destroyed on every rank; destroying it is collective.
class SharedBuffer {
 public:
  virtual ~SharedBuffer() = default;
  virtual std::span<std::byte> part(int rank) = 0;
};

/// A started operation. The buffers given to it stay untouched until `done` or wait().
class Request {
 public:
  virtual ~Request() = default;
  /// Drives the operation on and says whether it has ended; never blocks.
  virtual bool done() = 0;
  /// Behind it, memory of the host may be used, and memory of a device by what that device is given from then on: the
  /// device may still be exchanging.
  virtual void wait() = 0;
};

/// A group of ranks that call the same operations in the same order. Every function is collective unless it says
/// otherwise; reductions run in a fixed order, so that equal inputs give equal bits, the same on every rank. Not
/// thread-safe: one thread a rank. A dead peer ends the process (MPI_Abort) or throws Error (thread ranks).
class Communicator {
 public:
  virtual ~Communicator() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// How vectors of a device travel, in a few words, because bits depend on it; empty where they are memory of the
  /// host.
  virtual std::string_view route() const { return ""; }

  virtual void barrier() = 0;
  virtual void allReduceSum(std::span<float> values) = 0;
  virtual void allReduceSum(std::span<double> values) = 0;
  virtual void allReduceMax(std::span<double> values) = 0;
  virtual std::unique_ptr<Request> startAllReduceSum(std::span<float> values) = 0;
  /// The started form of an exchange with all: out[r] goes to rank r, in[r] comes from rank r, size() entries each, of
  /// which some may be empty; a rank's own part is copied where in[rank] has room. Exchanges meet in the order in which
  /// they were started, independent of all other operations.
  virtual std::unique_ptr<Request> startExchange(std::span<const std::span<const std::byte>> out,
                                                 std::span<const std::span<std::byte>> in) = 0;
  virtual void broadcast(std::span<std::byte> bytes, int root) = 0;
  /// `all` holds size() parts of mine.size() bytes, in rank order.
  virtual void allGather(std::span<const std::byte> mine, std::span<std::byte> all) = 0;
  /// Part r of `all` (byte offsets, size() + 1 entries) is rank r's; afterwards every rank has all parts.
  virtual void allGatherInPlace(std::span<std::byte> all, std::span<const std::size_t> offsets) = 0;
  /// Part r of `out` goes to rank r; part r of `in` came from rank r. Parts are given by byte offsets (size() + 1
  /// entries). A rank's own part is left out where `in` has no room for it.
  virtual void allToAll(std::span<const std::byte> out, std::span<const std::size_t> outOffsets,
                        std::span<std::byte> in, std::span<const std::size_t> inOffsets) = 0;
  /// Not collective: pairs `to` and `from` must match.
  virtual void sendReceive(std::span<const std::byte> out, int to, std::span<std::byte> in, int from) = 0;
  /// Ranks of one colour form a group, ordered by key, then rank.
  virtual std::unique_ptr<Communicator> split(int colour, int key) = 0;
  /// Null where the ranks do not share a host or its shared memory is too small (on all ranks alike).
  virtual std::unique_ptr<SharedBuffer> allocateShared(std::size_t bytes) = 0;

  /// Not collective: drives started operations on and notices a dead peer. Loops that wait in shared memory call it.
  virtual void poll() = 0;

  /// Operations begun so far on this group, on those split from it and on the one that it was split from: between ranks
  /// that do the same, the one with the lowest number is the one that the others wait for. From any thread.
  std::uint64_t sequence() const { return operations_->load(std::memory_order_relaxed); }
  /// Not collective: counts `stages` more where ranks wait for each other in shared memory, without an operation.
  void countStages(std::uint64_t stages) { operations_->fetch_add(stages, std::memory_order_relaxed); }

 protected:
  void countOperation() { countStages(1); }
  /// For a group that was split from `parent`, or that works through it.
  void countWith(const Communicator& parent) { operations_ = parent.operations_; }

 private:
  std::shared_ptr<std::atomic<std::uint64_t>> operations_ = std::make_shared<std::atomic<std::uint64_t>>(0);
};

}  // namespace slipstream
