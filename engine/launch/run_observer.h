// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "engine/plan/run_plan.h"
#include "engine/store/run_store.h"

namespace slipstream {

/// One step that every rank has done and that is committed.
struct StepReport {
  std::int64_t step = 0;        ///< updates done before it
  double loss = 0;              ///< mean over ranks
  double stepSeconds = 0;       ///< mean over ranks
  double samplesPerSecond = 0;  ///< of all ranks; 0 where none reported it
};

struct RunEnd {
  RunState state = RunState::done;
  std::string why;  ///< cause of failed and stopped
};

/// Who watches a run from inside its supervisor, on its thread: a terminal, a test.
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  virtual void attemptStarted(int attempt, std::int64_t fromStep) = 0;
  virtual void step(const StepReport& report) = 0;
  virtual void evaluated(std::int64_t step, double accuracy) = 0;
  virtual void event(const Event& event) = 0;
};

}  // namespace slipstream
