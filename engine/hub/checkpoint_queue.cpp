// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/hub/checkpoint_queue.h"

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/wire/tensor_parts.h"

namespace slipstream {
namespace {

/// A lock that is held for less is not reported.
constexpr std::chrono::milliseconds reportAfter{1000};

}  // namespace

CheckpointQueue::CheckpointQueue(CheckpointStore& store, int ranks, int attempt, std::chrono::milliseconds lockTimeout,
                                 CheckpointReceiver::Send send, CheckpointReceiver::Note note)
    : store_(store),
      lockTimeout_(lockTimeout),
      send_(std::move(send)),
      note_(std::move(note)),
      receiver_(store, ranks, attempt, send_, note_) {}

std::optional<CheckpointRow> CheckpointQueue::work(const std::vector<std::uint64_t>& committed) {
  for (; !waiting_.empty(); waiting_.pop_front()) {
    const auto& [rank, item] = waiting_.front();
    if (!unlessLocked([&] { handle(rank, item); })) return std::nullopt;
  }
  std::optional<CheckpointRow> row;
  unlessLocked([&] { keepOrGiveUp([&] { row = receiver_.completeWhenReady(committed); }); });
  return row;
}

void CheckpointQueue::handle(int rank, const Item& item) {
  if (const auto* fetch = std::get_if<wire::Fetch>(&item)) return ship(rank, fetch->hash);
  if (const auto* asked = std::get_if<wire::CheckpointQuery>(&item)) return answer(rank, *asked);
  keepOrGiveUp([&] {
    if (const auto* offer = std::get_if<wire::CheckpointTensor>(&item)) receiver_.offered(rank, *offer);
    if (const auto* end = std::get_if<wire::CheckpointEnd>(&item)) receiver_.ended(rank, *end);
    if (const auto* part = std::get_if<wire::TensorPart>(&item)) receiver_.part(rank, *part);
  });
}

void CheckpointQueue::ship(int rank, const std::string& hash) {
  if (fetched_.first != hash) fetched_ = {hash, store_.read(hash)};
  const std::int64_t parts = partCount(fetched_.second.size());
  for (std::int64_t index = 0; index < parts; ++index) send_(rank, tensorPart(hash, fetched_.second, index));
}

void CheckpointQueue::answer(int rank, const wire::CheckpointQuery& asked) {
  auto found = asked.snapshot ? store_.snapshot(asked.step) : store_.manifest(asked.step);
  wire::CheckpointReply reply{asked.step, asked.snapshot, std::nullopt};
  if (found) reply.manifest = std::move(*found);
  send_(rank, reply);
}

/// The older checkpoints stay.
void CheckpointQueue::keepOrGiveUp(const std::function<void()>& write) {
  try {
    write();
  } catch (const StoreBusy&) {
    throw;
  } catch (const StoreFull&) {
    receiver_.giveUp("the disk is full");
  } catch (const Error& error) {
    receiver_.giveUp(error.what());
  }
}

/// False where `action` has to be tried again.
bool CheckpointQueue::unlessLocked(const std::function<void()>& action) {
  try {
    action();
  } catch (const StoreBusy& busy) {
    wait(busy.what());
    return false;
  }
  blockedSince_.reset();
  reported_ = false;
  return true;
}

void CheckpointQueue::wait(const std::string& cause) {
  if (!blockedSince_) blockedSince_ = Clock::now();
  const auto waited = Clock::now() - *blockedSince_;
  const double seconds = std::chrono::duration<double>(waited).count();
  if (waited >= lockTimeout_) {
    if (!receiver_.busy()) throw Error(fmt::format("{} (for {:.0f} s)", cause, seconds));
    receiver_.giveUp(fmt::format("{} (for {:.0f} s)", cause, seconds));
    blockedSince_.reset();
    reported_ = false;
    return;
  }
  if (reported_ || waited < std::min<Clock::duration>(reportAfter, lockTimeout_ / 2)) return;
  reported_ = true;
  note_(EventLevel::warning, "checkpoint.waits", cause + ": another program holds it; the checkpoint waits for that");
}

}  // namespace slipstream
