// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/hub/checkpoint_receiver.h"

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "engine/base/clock.h"
#include "engine/base/error.h"
#include "engine/base/hash.h"

namespace slipstream {

CheckpointReceiver::CheckpointReceiver(CheckpointStore& store, int ranks, int attempt, Send send, Note note)
    : store_(store),
      attempt_(attempt),
      send_(std::move(send)),
      note_(std::move(note)),
      ranks_(static_cast<std::size_t>(ranks)) {}

CheckpointReceiver::~CheckpointReceiver() {
  try {
    if (subject_) store_.abandon();
  } catch (const std::exception&) {
    // The database rolls back by itself when it is closed.
  }
}

std::string CheckpointReceiver::Subject::text() const {
  return fmt::format("{} of step {}", snapshot ? "snapshot" : "checkpoint", step);
}

bool CheckpointReceiver::belongs(const Subject& subject) {
  if (subject_ != subject) {
    if (over_ && !over_->isBefore(subject)) return false;  // steps rise within an attempt
    if (subject_) giveUp(fmt::format("a rank went on to the {} before it was complete", subject.text()));
    subject_ = subject;
  }
  if (!begun_) store_.begin();
  begun_ = true;
  return true;
}

void CheckpointReceiver::offered(int rank, const wire::CheckpointTensor& offer) {
  if (!belongs(subjectOf(offer))) return send_(rank, wire::CheckpointDone{offer.step, offer.snapshot});
  RankPart& source = ranks_[static_cast<std::size_t>(rank)];
  if (offer.round != source.round) beginRound(rank, offer.round);
  const std::string& hash = offer.tensor.hash;
  const bool known = offer.tensor.bytes == 0 || transfers_.contains(hash) || store_.has(hash);
  source.offers.push_back(offer.tensor);
  if (!known) want(rank, hash);
}

/// The rank sends everything again. What it had not sent whole is asked for once more; parts that are there already do
/// no harm, because the hash names the bytes.
void CheckpointReceiver::beginRound(int rank, std::uint64_t round) {
  ranks_[static_cast<std::size_t>(rank)] = {{}, {}, 0, round};
  std::erase_if(transfers_, [rank](const auto& entry) { return entry.second.rank == rank && !entry.second.whole; });
}

void CheckpointReceiver::want(int rank, const std::string& hash) {
  const std::uint64_t round = ranks_[static_cast<std::size_t>(rank)].round;
  transfers_[hash] = {rank};
  send_(rank, wire::TensorRequest{subject_->step, hash, subject_->snapshot, round});
}

void CheckpointReceiver::ended(int rank, const wire::CheckpointEnd& end) {
  if (!belongs(subjectOf(end))) return send_(rank, wire::CheckpointDone{end.step, end.snapshot});
  ranks_[static_cast<std::size_t>(rank)].end = end;
}

void CheckpointReceiver::part(int rank, const wire::TensorPart& part) {
  const auto found = transfers_.find(part.hash);
  if (!subject_ || found == transfers_.end() || found->second.rank != rank) return;
  Transfer& transfer = found->second;
  if (transfer.whole || part.index != transfer.nextIndex) return;
  const auto bytes = std::as_bytes(std::span(part.bytes));
  if (crc32c(bytes) != part.crc) return giveUp(fmt::format("a part from rank {} came damaged", rank));
  store_.addPart(part.hash, part.index, bytes);
  ++transfer.nextIndex;
  transfer.whole = part.last;
  RankPart& source = ranks_[static_cast<std::size_t>(rank)];
  send_(rank, wire::TransferAck{subject_->step, ++source.partsTaken, subject_->snapshot, source.round});
}

bool CheckpointReceiver::allIn(const std::vector<std::uint64_t>& committed) const {
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    const auto& end = ranks_[rank].end;
    if (!end || ranks_[rank].offers.size() < end->tensors || committed[rank] < end->afterSequence) return false;
  }
  return std::all_of(transfers_.begin(), transfers_.end(), [](const auto& entry) { return entry.second.whole; });
}

std::optional<CheckpointManifest> CheckpointReceiver::manifest() const {
  const wire::CheckpointEnd& first = *ranks_.front().end;
  CheckpointManifest manifest{subject_->step, attempt_, first.full, first.progressText, {}, subject_->snapshot};
  std::map<std::pair<std::string, int>, std::string> hashes;
  for (const RankPart& rank : ranks_) {
    for (const TensorRecord& tensor : rank.offers) {
      const auto [entry, isNew] = hashes.try_emplace({tensor.name, tensor.shard}, tensor.hash);
      if (isNew) manifest.tensors.push_back(tensor);
      if (entry->second != tensor.hash) {
        note_(EventLevel::error, "checkpoint.differs", fmt::format("{} is not the same on all ranks", tensor.name));
        return std::nullopt;
      }
    }
  }
  return manifest;
}

std::optional<CheckpointRow> CheckpointReceiver::completeWhenReady(const std::vector<std::uint64_t>& committed) {
  if (!subject_ || !allIn(committed)) return std::nullopt;
  const auto whole = manifest();
  if (!whole) {
    giveUp("its ranks disagree");
    return std::nullopt;
  }
  CheckpointRow row{subject_->step, attempt_, whole->full, 0, store_.complete(*whole), wallNanoseconds()};
  for (const TensorRecord& tensor : whole->tensors) row.bytes += tensor.bytes;
  close();
  if (whole->snapshot) return std::nullopt;
  return row;
}

void CheckpointReceiver::giveUp(const std::string& why) {
  if (!subject_) return;
  try {
    store_.abandon();
  } catch (const Error& error) {
    note_(EventLevel::warning, "checkpoint.not_undone", error.what());
  }
  note_(EventLevel::warning, "checkpoint.given_up", fmt::format("{} not kept: {}", subject_->text(), why));
  close();
}

void CheckpointReceiver::close() {
  over_ = std::exchange(subject_, std::nullopt);
  begun_ = false;
  transfers_.clear();
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    ranks_[rank] = {};
    send_(static_cast<int>(rank), wire::CheckpointDone{over_->step, over_->snapshot});
  }
}

}  // namespace slipstream
