// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <sys/types.h>

#include "engine/plan/run_plan.h"
#include "engine/store/checkpoint_store.h"
#include "engine/store/run_store.h"

namespace slipstream::test {

/// A run of fake workers in a store of its own, with its supervisor in another process; everything goes with the test.
class SupervisedRun {
 public:
  explicit SupervisedRun(const RunPlan& plan, const std::string& storeName = "store");
  ~SupervisedRun();
  SupervisedRun(const SupervisedRun&) = delete;
  SupervisedRun& operator=(const SupervisedRun&) = delete;

  /// Starts the supervisor (again: it continues from the newest checkpoint).
  void start(const std::map<std::string, std::string>& environment = {}, const std::vector<std::string>& more = {});
  /// Waits until `condition` holds; false after `seconds`.
  bool waitUntil(const std::function<bool()>& condition, double seconds = 600);
  /// Waits until every rank has a committed loss of the step.
  bool waitForStep(std::int64_t step);
  /// Waits for the supervisor's end and returns the run as the store has it then; fails the test after `seconds`.
  RunRecord end(double seconds = 600);
  /// Sends a signal to the supervisor, mpirun or a worker (all but those are fake workers).
  void signalSupervisor(int number) const;
  void signalMpirun(int number);
  void signalWorker(int number);

  RunRecord record();
  RunStore& store() { return *store_; }
  std::filesystem::path storeFolder() const { return folder_ / storeName_; }
  const std::string& runId() const { return runId_; }
  /// EXPECTs that no process and no folder of the run is left on the machine.
  void expectNothingLeft();
  /// Hash of the shared weights in the newest checkpoint.
  std::string weightHash();

 private:
  std::filesystem::path folder_;
  const std::string storeName_;
  std::unique_ptr<RunStore> store_;
  std::string runId_;
  pid_t supervisor_ = 0;
};

/// Name of a process, as the kernel has it.
std::string nameOfProcess(pid_t process);

}  // namespace slipstream::test
