#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/plan/experiment.h"

namespace slipstream {

/// "PREFIX-EPOCH_STEP.ckpt", both counted from 1. Where files of the prefix exist already (of an earlier training), the
/// prefix becomes PREFIX_N, N one above the largest there is. Files that end in _breakpoint.ckpt do not count.
std::string checkpointPrefix(const std::string& prefix, const std::vector<std::string>& existingFiles);
std::string checkpointFileName(const std::string& prefix, std::int64_t epoch, std::int64_t stepInEpoch);

/// When a checkpoint is due. Steps are updates already done in the run.
class CheckpointSchedule {
 public:
  CheckpointSchedule(const CheckpointSpec& spec, std::int64_t firstStep) : spec_(spec), lastStep_(firstStep) {}

  /// After `stepsDone` updates, `secondsSinceLast` after the last checkpoint (or the start). Steps win where both
  /// intervals are set. A checkpoint that is due counts as made.
  bool due(std::int64_t stepsDone, double secondsSinceLast, bool atEnd);

 private:
  CheckpointSpec spec_;
  std::int64_t lastStep_;
};

/// Which of the kept checkpoints (oldest first, the new one included) go so that at most `keep` stay; 0 keeps all.
std::vector<std::int64_t> checkpointsToRemove(const std::vector<std::int64_t>& steps, std::int64_t keep);

}  // namespace slipstream
