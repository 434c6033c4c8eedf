#pragma once

#include "engine/base/clock.h"
#include "engine/train/train_step.h"
#include "engine/wire/link.h"

namespace slipstream {

/// Turns what a step did into the metrics of the run store. Every rank reports its own loss and times; rank 0 alone
/// what is the same on all.
class StepRecorder {
 public:
  StepRecorder(Link& link, int rank) : link_(link), rank_(rank) {}

  /// The step's data are in place, computing starts.
  void dataReady() { dataSeconds_ = stepWatch_.seconds(); }
  /// The step, of `samples` over all ranks, is over: records it and starts the clock of the next.
  void record(std::int64_t step, const StepResult& result, double learningRate, std::int64_t samples);
  void accuracy(std::int64_t step, double accuracy, double loss);
  /// Time between steps that is no step's: evaluation, checkpoints.
  void restartClock() { stepWatch_.restart(); }

 private:
  Link& link_;
  int rank_;
  Stopwatch stepWatch_;
  double dataSeconds_ = 0;
  double recordSeconds_ = 0;  ///< of the step before: a step's own is known only afterwards
};

}  // namespace slipstream
