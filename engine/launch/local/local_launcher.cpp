// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/launch/local/local_launcher.h"

#include <unistd.h>

#include "engine/hosts/run_folder.h"
#include "engine/launch/loopback_only.h"
#include "engine/launch/mpirun_job.h"
#include "engine/probe/this_host.h"
#include "engine/wire/supervisor_variable.h"

namespace slipstream {
namespace {

/// Asked for only where it decides how threads wait: the question takes a fiftieth of a second.
double othersRunning(const RunPlan& plan) {
  return plan.threadsPerRank > 1 ? runningOnHost() : 0.0;
}

class LocalLauncher final : public Launcher {
 public:
  explicit LocalLauncher(const LaunchedAttempt& attempt)
      : attempt_(attempt), folders_(attempt.runId, attempt.plan.ranks()), mpirun_(attempt_, folders_) {}

  HubAddress hubAddress() override { return {folders_.hubEndpoint(), std::nullopt}; }

  void start(const std::string& hubEndpoint) override {
    LaunchSettings settings = mpirun_.settings(hubEndpoint);
    settings.othersRunning = othersRunning(attempt_.plan);
    std::map<std::string, std::string> environment{{supervisorVariable, std::to_string(::getpid())}};
    listenOnLoopbackOnly(environment, findLoopbackModule());
    mpirun_.start(launchPlan(attempt_.plan, settings), environment);
  }

  std::optional<ProcessEnd> poll() override { return mpirun_.poll(); }
  bool ignoresDeadChild() const override { return mpirun_.ignoresDeadChild(); }
  std::optional<LostHost> lostHost() override { return std::nullopt; }

  std::string endEverywhere() override {
    killLeftoverProcesses(attempt_.runId);
    return "";
  }

 private:
  const LaunchedAttempt attempt_;
  RunFolders folders_;
  MpirunJob mpirun_;
};

}  // namespace

std::unique_ptr<Launcher> makeLocalLauncher(const LaunchedAttempt& attempt) {
  return std::make_unique<LocalLauncher>(attempt);
}

}  // namespace slipstream
