#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/wire/messages.h"

namespace slipstream {

/// Puts one checkpoint together from what the ranks offer: asks for tensors that the store lacks, each from one rank
/// only, and completes when every rank's tensors and every metric up to the step are in. Complete or absent: whatever
/// goes wrong on the way gives the checkpoint up and training goes on. What throws StoreBusy has changed nothing and
/// may be called again.
class CheckpointReceiver {
 public:
  using Send = std::function<void(int rank, const Message&)>;
  using Note = std::function<void(EventLevel level, const std::string& code, const std::string& text)>;

  CheckpointReceiver(CheckpointStore& store, int ranks, int attempt, Send send, Note note);
  ~CheckpointReceiver();
  CheckpointReceiver(const CheckpointReceiver&) = delete;
  CheckpointReceiver& operator=(const CheckpointReceiver&) = delete;

  void offered(int rank, const message::CheckpointTensor& offer);
  void ended(int rank, const message::CheckpointEnd& end);
  void part(int rank, const message::TensorPart& part);
  /// The rank has connected anew: a checkpoint of which it still owed a part is given up.
  void reconnected(int rank);

  /// Completes where all is there; `committed` holds each rank's committed data sequence. Returns what became visible.
  std::optional<CheckpointRow> completeWhenReady(const std::vector<std::uint64_t>& committed);
  /// Forgets the checkpoint under way, if there is one; ranks and events hear why.
  void giveUp(const std::string& why);
  /// The step of the checkpoint under way.
  std::optional<std::int64_t> step() const { return step_; }

 private:
  struct RankPart {
    std::vector<TensorRecord> offers;
    std::optional<message::CheckpointEnd> end;
    std::int64_t partsTaken = 0;
  };
  struct Transfer {
    int rank = 0;
    std::int64_t nextIndex = 0;
    bool whole = false;
  };

  bool belongs(std::int64_t step);
  void want(int rank, const std::string& hash);
  bool allIn(const std::vector<std::uint64_t>& committed) const;
  std::optional<CheckpointManifest> manifest() const;
  void close();

  CheckpointStore& store_;
  const int attempt_;
  const Send send_;
  const Note note_;
  std::optional<std::int64_t> step_;  ///< of the checkpoint under way
  bool begun_ = false;                ///< in the store
  std::optional<std::int64_t> over_;  ///< the last one that was completed or given up
  std::vector<RankPart> ranks_;
  std::map<std::string, Transfer> transfers_;  ///< by hash
};

}  // namespace slipstream
