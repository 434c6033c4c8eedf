// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "engine/store/database.h"
#include "engine/store/run_store.h"

namespace slipstream {

/// A payload of the tail; throws StoreDamaged where it is.
MetricBlock storedBlock(std::string_view payload);

/// The metrics of all runs: blocks wait in table `tail` and move on into chunks of one series each, so that appending
/// is one row a block and reading a long series touches nothing else. Runs go by run.number.
class MetricTable {
 public:
  explicit MetricTable(Database& database) : database_(database) {}

  /// False where the block was there already. Moves a rank's tail on when it holds enough for full chunks.
  bool append(std::int64_t run, int attempt, int rank, std::int64_t sequence, const MetricBlock& block);
  /// Moves all of a run's tail into chunks.
  void compactRun(std::int64_t run);

  std::vector<std::string> names(std::int64_t run);
  /// Of one rank, or averaged over all where `rank` is negative.
  /// `steps`: perhaps without the samples that are outside.
  Series read(std::int64_t run, const std::string& name, int rank, const std::optional<StepRange>& steps = {});

  /// The last step of each rank in the newest attempt, by rank.
  std::vector<RankProgress> progress(std::int64_t run);

  /// Forgets what it has learned: after a rollback some of it may be untrue.
  void forget();

 private:
  using Writer = std::tuple<std::int64_t, int, int>;  ///< run, attempt, rank

  bool isCompacted(const Writer& writer, std::int64_t sequence);
  void compact(const Writer& writer);
  void markCompacted(const Writer& writer, const std::vector<std::int64_t>& sequences);
  void appendChunks(std::int64_t series, Series samples);
  std::int64_t seriesNumber(const Writer& writer, const std::string& name);
  std::int64_t waitingSteps(const Writer& writer);

  /// The newest attempt of a run that goes on; -1 where none does.
  struct LiveAttempt {
    int attempt = -1;
    std::int64_t completeStep = 0;  ///< every rank has reported its steps up to here
    bool allReport = false;         ///< every rank has reported some step
  };
  LiveAttempt liveAttempt(std::int64_t run);

  Series readChunks(std::int64_t series, const std::optional<StepRange>& steps);
  /// The position of the last chunk that begins at a step or before it; that of the first chunk where none does.
  std::int64_t chunkAt(std::int64_t series, std::int64_t step);
  /// What each rank of each attempt reported, chunks and tail together: attempt -> rank -> samples.
  std::map<int, std::map<int, Series>> readAll(std::int64_t run, const std::string& name, int rank,
                                               const std::optional<StepRange>& steps);
  /// Where each attempt was overtaken: the least step that a newer one started from.
  std::map<int, std::int64_t> limits(std::int64_t run);

  Database& database_;
  std::map<Writer, std::int64_t> waiting_;  ///< steps in the tail
  std::map<Writer, std::unordered_map<std::string, std::int64_t>> seriesNumbers_;
};

}  // namespace slipstream
