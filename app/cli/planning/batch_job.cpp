// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/planning/batch_job.h"

#include <filesystem>

#include "engine/base/files.h"

namespace slipstream::cli {

std::string scriptOf(const SlurmRequest& request, const RunPlan& plan, const std::string& run,
                     const std::string& jobName, const std::string& storeFolder) {
  const std::string program = (programFolder() / "slipstream").string();
  std::vector<std::string> command{program, "resume", run, "--store", storeFolder, "--quiet"};
  // sbatch passes the environment on, unless somebody's settings keep it from that: of this, the store's files depend.
  if (const auto journal = environment("SLIPSTREAM_STORE_JOURNAL"))
    command.insert(command.begin(), {"env", "SLIPSTREAM_STORE_JOURNAL=" + *journal});
  return batchScript(request, plan,
                     {.name = jobName,
                      .command = std::move(command),
                      .folder = (std::filesystem::path(storeFolder) / "logs" / run).string()});
}

}  // namespace slipstream::cli
