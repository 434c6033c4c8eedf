// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/record/run_record.h"
#include "engine/store/run_store.h"

namespace slipstream {

/// One attempt of a run, as it began.
struct AttemptRow {
  int attempt = 0;
  std::int64_t fromStep = 0;
  std::int64_t startedAt = 0;
};

/// About 1,024 samples of one series in their stored form (series_chunk.h).
struct ChunkRow {
  std::string name;
  int attempt = 0;
  int rank = 0;
  std::int64_t position = 0;
  std::int64_t samples = 0;
  std::string data;
};

/// Sequences of a rank that are in chunks, both ends included.
struct CompactedRange {
  int attempt = 0;
  int rank = 0;
  std::int64_t first = 0;
  std::int64_t last = 0;
};

/// A block of metrics that waits for more, in its stored form.
struct WaitingBlock {
  int attempt = 0;
  int rank = 0;
  std::int64_t sequence = 0;
  std::int64_t steps = 0;
  std::string payload;
};

/// What a copy of a run lacks. Whoever applies it to a copy at position `from`, in one transaction, has a copy at
/// position `to`. Positions are texts of whoever makes changes; nobody else reads them.
struct RunChange {
  std::string run;
  std::string from;  ///< empty: of a run that is not there yet
  std::string to;
  bool anew = false;     ///< what the copy holds is to be forgotten first
  bool complete = true;  ///< nothing is left at this moment
  std::optional<RunRecord> record;
  StopKind stopRequest = StopKind::none;  ///< with the record
  std::optional<RunLabel> label;
  std::optional<std::vector<AttemptRow>> attempts;
  std::optional<std::map<int, std::map<std::string, std::int64_t>>> memory;
  std::optional<std::vector<CheckpointRow>> checkpoints;
  std::vector<Event> events;                          ///< new ones, in order
  std::vector<ChunkRow> chunks;                       ///< new ones, and those that have grown
  std::optional<std::vector<CompactedRange>> folded;  ///< all of them: what they name waits no longer
  std::vector<WaitingBlock> waiting;                  ///< new ones; some may be there already
};

class Database;
struct KnownCopy;

/// Reads what copies of the runs of a store lack. A reader like any other: it holds no lock between two calls.
class ReplicaSource {
 public:
  /// `known`: the positions of the copies that somebody has, by run.
  static Result<std::unique_ptr<ReplicaSource>> open(const std::filesystem::path& folder,
                                                     std::map<std::string, std::string> known);
  ~ReplicaSource();
  ReplicaSource(const ReplicaSource&) = delete;
  ReplicaSource& operator=(const ReplicaSource&) = delete;

  /// Names the store, for as long as it exists.
  const std::string& storeId() const { return storeId_; }
  /// Looks at what was written since the last look; `everything`: also at runs that have ended.
  void look(bool everything);
  bool hasChanged();
  /// A run that was deleted, of which somebody has a copy; nothing where there is none (any more).
  std::optional<std::string> nextGone();
  /// Each is told once, and everything that was told before has to be in the copy. Nothing: all is told.
  std::optional<RunChange> next();

 private:
  explicit ReplicaSource(std::unique_ptr<Database> database);
  std::optional<RunChange> changeOf(const std::string& run, std::int64_t number, KnownCopy& known);

  std::unique_ptr<Database> database_;
  std::string storeId_;
  std::map<std::string, KnownCopy> known_;                     ///< by run
  std::deque<std::pair<std::string, std::int64_t>> suspects_;  ///< runs that may have changed, and their numbers
  std::deque<std::string> gone_;
  std::int64_t version_ = -1;
};

/// Writes the copies of one machine's runs into a store. They are its alone: no other run is touched.
class ReplicaTarget {
 public:
  static Result<std::unique_ptr<ReplicaTarget>> open(const std::filesystem::path& folder, std::string remote);
  ~ReplicaTarget();
  ReplicaTarget(const ReplicaTarget&) = delete;
  ReplicaTarget& operator=(const ReplicaTarget&) = delete;

  /// Fails where the copies are of another store than this one.
  Status follow(const std::string& storeId);
  /// The positions of the copies, by run.
  std::map<std::string, std::string> positions();
  enum class Applied {
    done,
    notOurs,  ///< a run of this id is in the store already and is no copy of this machine's; left as it is
    behind    ///< the copy is not where the change begins: somebody else has written it
  };
  /// Throws Error where the change holds what no store can.
  Applied apply(const RunChange& change);
  /// Forgets the copy; false where there is none.
  bool remove(const std::string& run);
  /// Forgets all copies, and the machine itself; the runs whose copies went.
  std::vector<std::string> removeAll();
  void heard(std::int64_t wallNanoseconds);

 private:
  ReplicaTarget(std::unique_ptr<Database> database, std::string remote);
  void write(const RunChange& change, std::int64_t number);

  std::unique_ptr<Database> database_;
  std::string remote_;
};

}  // namespace slipstream
