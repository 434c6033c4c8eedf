// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/clock.h"
#include "engine/train/evaluate.h"
#include "engine/train/train_step.h"
#include "engine/wire/link.h"

namespace slipstream {

/// Turns what a step did into the metrics of the run store. Every rank reports its own loss and times; rank 0 alone
/// what is the same on all. The parts of a step's time add up to it: compute_seconds, communication_seconds (what no
/// computing hid), data_seconds (waiting for samples), record_seconds (of the step before: a step's own is known only
/// afterwards). Of compute_seconds, update_seconds went into the optimizer's step, and hidden_communication_seconds
/// passed while an exchange was under way.
class StepRecorder {
 public:
  StepRecorder(Link& link, int rank) : link_(link), rank_(rank) {}

  /// The first step begins.
  void start();
  /// The step's data are in place, computing starts. Others stand in for `skipped` of its samples.
  void dataReady(std::int64_t skipped = 0) {
    dataSeconds_ = stepWatch_.seconds() - recordSeconds_ - betweenSeconds_;
    skippedSamples_ = skipped;
  }
  /// The step, of `samples` over all ranks, is over: records it and starts the clock of the next.
  void record(std::int64_t step, const StepResult& result, double learningRate, std::int64_t samples);
  /// When `done` steps are over.
  void evaluated(std::int64_t done, const Evaluation& evaluation);
  /// Does `work`, which is no step's, when `done` steps are over. Its seconds are kept as a metric of the last of them.
  template <class Work>
  void between(std::int64_t done, const char* metric, const Work& work) {
    const Stopwatch watch;
    work();
    link_.record(done - 1, {metric}, {watch.seconds()});
    betweenSeconds_ += watch.seconds();
  }

 private:
  Link& link_;
  int rank_;
  Stopwatch stepWatch_;
  double dataSeconds_ = 0;
  std::int64_t skippedSamples_ = 0;
  double recordSeconds_ = 0;   ///< of the step before
  double betweenSeconds_ = 0;  ///< since the step before, no step's
};

}  // namespace slipstream
