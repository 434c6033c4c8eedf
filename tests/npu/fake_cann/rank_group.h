// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace slipstream::fake {

/// What an operation of all ranks must have in common.
struct CommonWords {
  char operation[32];
  std::uint64_t count;
  std::int32_t type;
  std::int32_t root;
  bool operator==(const CommonWords&) const = default;
};

/// Bytes for another rank, or from one.
struct Message {
  bool goesOut;
  std::byte* bytes;
  std::size_t count;
  std::uint32_t peer;
};

/// Ranks that meet in a file in shared memory, which all of them map: threads of one process or several processes. A
/// rank that waits for a minute breaks a rule: a peer does not call the same.
class RankGroup {
 public:
  /// Returns when all ranks are there; `name` is the same for all of them. Each is of a device.
  RankGroup(const std::string& name, std::uint32_t ranks, std::uint32_t rank, int device);
  ~RankGroup();
  RankGroup(const RankGroup&) = delete;
  RankGroup& operator=(const RankGroup&) = delete;

  std::uint32_t ranks() const { return ranks_; }
  std::uint32_t rank() const { return rank_; }
  bool anyShareADevice() const;

  /// A violation where ranks do not call the same operation.
  void agree(const CommonWords& words);
  /// Calls `put(where)` for at most slotBytes of this rank, and when all have, `take(rank, what)` for each in order.
  void round(const std::function<void(std::byte*)>& put,
             const std::function<void(std::uint32_t, const std::byte*)>& take);
  /// All go at once; none waits for another.
  void exchange(std::span<const Message> messages);

  static constexpr std::size_t slotBytes = std::size_t{64} << 10;

 private:
  struct Shared;
  struct Mailbox;
  Mailbox& mailbox(std::uint32_t from, std::uint32_t to) const;
  std::byte* slot(std::uint32_t rank) const;
  void barrier(const std::string& operation);

  std::string name_;
  std::uint32_t ranks_;
  std::uint32_t rank_;
  std::size_t bytes_;
  Shared* shared_;
  std::string operation_ = "HcclCommInitRootInfo";
};

}  // namespace slipstream::fake
