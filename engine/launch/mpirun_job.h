// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "engine/hosts/process.h"
#include "engine/hosts/run_folder.h"
#include "engine/launch/launcher.h"
#include "engine/launch/mpirun_line.h"

namespace slipstream {

/// mpirun of one attempt, with its folders of logs. What it refers to must outlive it.
class MpirunJob {
 public:
  MpirunJob(const LaunchedAttempt& attempt, const RunFolders& folders) : attempt_(attempt), folders_(folders) {}

  /// For launchPlan(), with what this machine and the attempt say.
  LaunchSettings settings(const std::string& hubEndpoint) const;
  /// Makes the folders of logs and the files of the plan, and starts mpirun. `environment` is added to the plan's.
  /// Throws Error where that fails.
  void start(const LaunchPlan& launch, const std::map<std::string, std::string>& environment);

  std::optional<ProcessEnd> poll() { return process_->poll(); }
  bool ignoresDeadChild() const { return process_->ignoresDeadChild(); }

 private:
  const LaunchedAttempt& attempt_;
  const RunFolders& folders_;
  std::unique_ptr<ChildProcess> process_;
};

}  // namespace slipstream
