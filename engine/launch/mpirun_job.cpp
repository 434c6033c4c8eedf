// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/launch/mpirun_job.h"

#include <filesystem>

#include <unistd.h>

#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/base/private_files.h"
#include "engine/base/text.h"
#include "engine/probe/this_host.h"
#include "engine/scheduler/scheduler.h"

namespace slipstream {
namespace {

void require(const Status& status) {
  if (!status) throw Error(trim(toText(status.error())));
}

void writeFiles(const LaunchPlan& launch, const std::filesystem::path& folder) {
  for (const auto& [name, text] : launch.files) {
    require(writeFile(folder / name, text));
    if (text.starts_with("#!")) std::filesystem::permissions(folder / name, std::filesystem::perms::owner_all);
  }
}

}  // namespace

LaunchSettings MpirunJob::settings(const std::string& hubEndpoint) const {
  LaunchSettings settings;
  settings.runId = attempt_.runId;
  settings.attempt = attempt_.number;
  settings.hubEndpoint = hubEndpoint;
  settings.workerProgram = attempt_.worker.string();
  settings.privateFolder = folders_.privateFolder().string();
  settings.sharedMemoryFolder = folders_.sharedMemoryFolder().string();
  // mpirun takes a colon in a path of the store for an option of its own; this path has none.
  settings.logFolder = (folders_.privateFolder() / "logs").string();
  settings.coresOnHost = coresOnHost();
  settings.asRoot = ::geteuid() == 0;
  return settings;
}

void MpirunJob::start(const LaunchPlan& launch, const std::map<std::string, std::string>& environment) {
  const std::filesystem::path& logs = attempt_.logs;
  for (const auto& folder : {logs.parent_path().parent_path(), logs.parent_path(), logs})
    require(makePrivateFolder(folder));
  std::filesystem::create_directory_symlink(std::filesystem::absolute(logs.parent_path()),
                                            folders_.privateFolder() / "logs");
  writeFiles(launch, folders_.privateFolder());
  ProcessSettings settings{launch.argv, launch.environment, logs / "mpirun.log"};
  settings.environment[runVariable] = attempt_.runId;
  settings.keepsOn = isTerminatedWithJob();
  for (const auto& [name, value] : environment) settings.environment[name] = value;
  process_ = std::make_unique<ChildProcess>(settings);
}

}  // namespace slipstream
