// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "engine/wire/messages.h"

namespace slipstream {

/// A worker's numbered data that the supervisor has not yet committed: rows being packed, and a ring of encoded
/// messages. Not thread-safe: the link's lock covers it.
class Outbox {
 public:
  static constexpr std::size_t ringBytes = 64u << 20;
  static constexpr std::size_t packBytes = 64u << 10;

  /// Adds a row to the block being packed, or begins a new one where the names differ.
  void add(std::int64_t step, std::int64_t wallNanoseconds, const std::vector<std::string>& names,
           const std::vector<double>& values);
  void add(wire::EventNote note);
  void add(wire::MemoryUse memory);
  /// Closes the block being packed.
  void pack();

  /// The block being packed is large enough to go.
  bool isDue() const { return packing_.values.size() * sizeof(double) >= packBytes; }
  bool isFull() const { return bytes_ >= ringBytes; }
  bool isEmpty() const { return ring_.empty() && packing_.steps.empty(); }
  std::uint64_t lastSequence() const { return last_; }
  std::uint64_t acknowledgedSequence() const { return acknowledged_; }
  std::uint64_t sentSequence() const { return sent_; }

  /// Everything not sent yet, in order; counts as sent from now on.
  std::vector<std::string> takeUnsent();
  /// Committed up to `sequence`: forgotten.
  void acknowledge(std::uint64_t sequence);
  /// Sends again from `sequence` on (what is acknowledged cannot come again).
  void rewind(std::uint64_t sequence);

 private:
  template <class Content>
  void append(Content content);

  MetricBlock packing_;
  std::deque<std::string> ring_;  ///< sequences acknowledged_ + 1 .. last_
  std::size_t bytes_ = 0;
  std::uint64_t acknowledged_ = 0;
  std::uint64_t sent_ = 0;
  std::uint64_t last_ = 0;
};

}  // namespace slipstream
