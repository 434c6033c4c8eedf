// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/hub/checkpoint_receiver.h"
#include "engine/wire/messages.h"

namespace slipstream {

/// The messages of ranks about checkpoints, handled in the order in which they came. While another program holds the
/// file of the weights locked, everything waits here and is tried again; for a checkpoint that has waited for too long,
/// and for one that cannot be written, training goes on without it. (A rank has at most a few parts on the way, so
/// little can wait.)
class CheckpointQueue {
 public:
  using Item =
      std::variant<wire::CheckpointTensor, wire::CheckpointEnd, wire::TensorPart, wire::Fetch, wire::CheckpointQuery>;

  CheckpointQueue(CheckpointStore& store, int ranks, int attempt, std::chrono::milliseconds lockTimeout,
                  CheckpointReceiver::Send send, CheckpointReceiver::Note note);

  void add(int rank, Item item) { waiting_.emplace_back(rank, std::move(item)); }
  /// Goes as far as it can; `committed` holds each rank's committed data sequence. Returns the checkpoint that became
  /// visible. Throws Error where a tensor that a rank asks for cannot be read.
  std::optional<CheckpointRow> work(const std::vector<std::uint64_t>& committed);
  /// Something has to be tried again.
  bool isBlocked() const { return blockedSince_.has_value(); }

 private:
  using Clock = std::chrono::steady_clock;

  void handle(int rank, const Item& item);
  void ship(int rank, const std::string& hash);
  void answer(int rank, const wire::CheckpointQuery& asked);
  void keepOrGiveUp(const std::function<void()>& write);
  bool unlessLocked(const std::function<void()>& action);
  void wait(const std::string& cause);

  CheckpointStore& store_;
  const std::chrono::milliseconds lockTimeout_;
  const CheckpointReceiver::Send send_;
  const CheckpointReceiver::Note note_;
  CheckpointReceiver receiver_;
  std::deque<std::pair<int, Item>> waiting_;
  std::optional<Clock::time_point> blockedSince_;
  bool reported_ = false;                                   ///< that it is blocked
  std::pair<std::string, std::vector<std::byte>> fetched_;  ///< the last tensor asked for: ranks ask for the same ones
};

}  // namespace slipstream
