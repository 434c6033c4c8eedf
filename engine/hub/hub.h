// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/hub/checkpoint_queue.h"
#include "engine/hub/hub_socket.h"
#include "engine/record/metric_block.h"
#include "engine/store/checkpoint_store.h"
#include "engine/store/run_store.h"
#include "engine/wire/rank_status.h"

namespace slipstream {

struct HubSettings {
  HubAddress address;
  std::string runId;
  int attempt = 1;
  int ranks = 1;
  std::string planText;                          ///< toJsonText(RunPlan), given to every worker
  std::optional<CheckpointManifest> checkpoint;  ///< what workers continue from
  std::int64_t keepCheckpoints = 5;              ///< older ones are removed; 0 or less: all are kept
  /// For how long a checkpoint waits for other programs that hold the file of the weights locked.
  std::chrono::milliseconds checkpointLockTimeout{60'000};
  std::set<std::int64_t> pinnedSteps = {};  ///< checkpoints that stay beside those, for a later stage
  /// Where the attempt begins. Later checkpoints of earlier attempts are forgotten with the first values or checkpoint
  /// of this one that are committed, in the same transaction: until then the run can still go on from them.
  std::int64_t fromStep = 0;
};

/// A store that takes nothing for now, although training goes on.
struct BlockedStore {
  double seconds = 0;
  bool byLock = false;  ///< of another program; else the disk is full
};

/// Is told of what was committed, by the thread that serves the hub.
class HubListener {
 public:
  virtual ~HubListener() = default;
  virtual void metrics(int rank, const MetricBlock& block) = 0;
  virtual void event(const Event& event) = 0;
  virtual void checkpoint(const CheckpointRow& row) = 0;
};

/// The supervisor's end of every worker's line: hands out the task, writes what comes in, and acknowledges after the
/// commit. Used by one thread; the store is this thread's too.
class Hub {
 public:
  /// Listens at once. Throws Error where the endpoint cannot be bound. What it refers to must outlive it.
  Hub(HubSettings settings, RunStore& store, CheckpointStore& checkpoints, HubListener& listener);
  Hub(const Hub&) = delete;
  Hub& operator=(const Hub&) = delete;

  /// One round: waits up to `longest` for something to do, writes, and commits at most every 50 ms. Where the disk is
  /// full or another program holds the store locked, nothing is lost: what has come is kept, not acknowledged, and
  /// tried again.
  void serve(std::chrono::milliseconds longest);
  /// Writes everything that has come; for the end, when no worker is left.
  void drain();

  void setStop(StopKind stop) { socket_.setStop(stop); }
  std::vector<RankStatus> ranks() const;
  /// What workers connect to.
  const std::string& endpoint() const { return socket_.endpoint(); }
  /// Whether values or a checkpoint of this attempt are committed: what earlier attempts did after its start no longer
  /// counts.
  bool hasBegun() const { return begun_; }
  /// Nothing where the store takes what comes.
  std::optional<BlockedStore> blocked() const;

 private:
  using Clock = std::chrono::steady_clock;

  /// What one commit writes: a rank's data, or (sequence 0) an event or checkpoint of the hub's own.
  struct Item {
    int rank = -1;
    std::uint64_t sequence = 0;
    std::variant<MetricBlock, wire::EventNote, wire::MemoryUse, CheckpointRow> content;
  };
  /// The message with which a rank ends.
  struct FinalMessage {
    std::optional<wire::Finished> finished;
    std::string failure;
    bool committed = false;
  };
  struct Blocked {
    Clock::time_point since;
    bool byLock = false;
  };

  void receiveAll(std::chrono::milliseconds longest);
  void receive(int rank, wire::Data& data);
  void receive(int rank, wire::Hello& hello);
  void receive(int rank, wire::CheckpointTensor& offer) { queue_.add(rank, std::move(offer)); }
  void receive(int rank, wire::CheckpointEnd& end) { queue_.add(rank, std::move(end)); }
  void receive(int rank, wire::TensorPart& part) { queue_.add(rank, std::move(part)); }
  void receive(int rank, wire::Fetch& fetch) { queue_.add(rank, std::move(fetch)); }
  void receive(int rank, wire::CheckpointQuery& asked) { queue_.add(rank, asked); }
  void receive(int rank, wire::Finished& finished);
  void receive(int rank, wire::Failed& failed);
  /// Only the hub sends the others.
  template <class Other>
  void receive(int rank, Other&) {
    note(EventLevel::warning, "wire.unexpected", "a message that only the supervisor sends was ignored", rank);
  }
  void note(EventLevel level, const std::string& code, const std::string& text, int rank = -1);

  bool flush();
  void commit();
  /// One transaction; false where the store is blocked, and then nothing of the batch is written.
  bool write();
  /// Removes what earlier attempts kept after the step where this one began: nothing may continue from it any more.
  void removeLaterCheckpoints();
  void store(const Item& item, const MetricBlock& block);
  void store(const Item& item, const wire::EventNote& note);
  void store(const Item& item, const wire::MemoryUse& use);
  void store(const Item&, const CheckpointRow& row) { store_.addCheckpoint(settings_.runId, row); }
  double blockedSeconds() const;
  void noteBlocked();
  void acknowledge(const std::vector<Item>& written);
  void announce(const Item& item);
  Event toEvent(const Item& item, const wire::EventNote& note) const;

  void completeCheckpoint();
  std::vector<std::int64_t> unpinnedSteps();
  /// What cannot be removed now goes with the next checkpoint.
  void removeOldCheckpoints();

  const HubSettings settings_;
  RunStore& store_;
  CheckpointStore& checkpoints_;
  HubListener& listener_;
  std::vector<Item> batch_;
  std::vector<std::uint64_t> committed_;     ///< data sequence, by rank
  std::vector<FinalMessage> finalMessages_;  ///< by rank
  Clock::time_point commitDue_ = Clock::now();
  std::optional<Blocked> blocked_;
  bool begun_ = false;
  HubSocket socket_;
  CheckpointQueue queue_;
};

}  // namespace slipstream
