// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "engine/data/loader.h"
#include "engine/device/device.h"
#include "engine/spec/stage_plan.h"
#include "engine/train/data_waiting.h"
#include "engine/train/training_data.h"

namespace slipstream {

/// What one stage of the run sees of the data: batches that are prepared ahead, and what the record should hold of it.
class StageData {
 public:
  /// `data` must live as long.
  StageData(const TrainingData& data, const StagePlan& stage, Link& link, Communicator& communicator,
            MemoryMeter& memory);

  SampleShape shape() const { return training_->shape(); }
  const SampleSource& evaluation() const { return *evaluation_; }
  Loader& loader() { return loader_; }

  /// This rank's samples at a step of the sampler's count, valid until the next call; the step's clock starts.
  const Batch& batchOf(std::int64_t dataStep);
  /// How many of them others stand in for.
  std::int64_t skippedSamples() const { return std::ssize(loader_.skipped()); }
  /// Over all ranks.
  std::int64_t samplesAt(std::int64_t dataStep) const { return sampler_.countOfAllRanks(dataStep); }
  /// The step's clock stops.
  void stepDone() { waiting_.end(); }

  /// Puts what was said of samples into the record, each sentence once.
  void reportSkipped(const std::vector<std::string>& skipped);
  /// Puts into the record whether training waited. Collective.
  void reportWaiting() { waiting_.report(dataset_, link_, communicator_); }

 private:
  const DatasetSpec& dataset_;
  Link& link_;
  Communicator& communicator_;
  std::unique_ptr<SampleSource> training_;
  std::unique_ptr<SampleSource> evaluation_;
  Sampler sampler_;
  Loader loader_;
  CountedMemory batches_;
  DataWaiting waiting_;
  std::set<std::string> told_;
};

}  // namespace slipstream
