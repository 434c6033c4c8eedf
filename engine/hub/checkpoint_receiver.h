// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/store/checkpoint_store.h"
#include "engine/wire/messages.h"

namespace slipstream {

/// Puts one checkpoint, or one snapshot, together from what the ranks offer: asks for tensors that the store lacks,
/// each from one rank only, and completes when every rank's tensors and every metric up to the step are in. Complete or
/// absent: whatever goes wrong on the way gives the checkpoint up and training goes on. What throws StoreBusy has
/// changed nothing and may be called again.
class CheckpointReceiver {
 public:
  using Send = std::function<void(int rank, const Message&)>;
  using Note = std::function<void(EventLevel level, const std::string& code, const std::string& text)>;

  CheckpointReceiver(CheckpointStore& store, int ranks, int attempt, Send send, Note note);
  ~CheckpointReceiver();
  CheckpointReceiver(const CheckpointReceiver&) = delete;
  CheckpointReceiver& operator=(const CheckpointReceiver&) = delete;

  void offered(int rank, const wire::CheckpointTensor& offer);
  void ended(int rank, const wire::CheckpointEnd& end);
  void part(int rank, const wire::TensorPart& part);

  /// Completes where all is there; `committed` holds each rank's committed data sequence. Returns the checkpoint that
  /// became visible; a snapshot is in no list.
  std::optional<CheckpointRow> completeWhenReady(const std::vector<std::uint64_t>& committed);
  /// Forgets the checkpoint under way, if there is one; ranks and events hear why.
  void giveUp(const std::string& why);
  /// Something is being put together.
  bool busy() const { return subject_.has_value(); }

 private:
  struct RankPart {
    std::vector<TensorRecord> offers;
    std::optional<wire::CheckpointEnd> end;
    std::int64_t partsTaken = 0;
    std::uint64_t round = 0;
  };
  struct Transfer {
    int rank = 0;
    std::int64_t nextIndex = 0;
    bool whole = false;
  };

  /// What is put together. A rank sends the snapshot of a step before its checkpoint.
  struct Subject {
    std::int64_t step = 0;
    bool snapshot = false;
    bool operator==(const Subject&) const = default;
    bool isBefore(const Subject& other) const {
      return step < other.step || (step == other.step && snapshot && !other.snapshot);
    }
    std::string text() const;
  };
  template <class Offer>
  static Subject subjectOf(const Offer& offer) {
    return {offer.step, offer.snapshot};
  }

  bool belongs(const Subject& subject);
  void beginRound(int rank, std::uint64_t round);
  void want(int rank, const std::string& hash);
  bool allIn(const std::vector<std::uint64_t>& committed) const;
  std::optional<CheckpointManifest> manifest() const;
  void close();

  CheckpointStore& store_;
  const int attempt_;
  const Send send_;
  const Note note_;
  std::optional<Subject> subject_;  ///< what is under way
  bool begun_ = false;              ///< in the store
  std::optional<Subject> over_;     ///< the last one that was completed or given up
  std::vector<RankPart> ranks_;
  std::map<std::string, Transfer> transfers_;  ///< by hash
};

}  // namespace slipstream
