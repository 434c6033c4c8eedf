// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "engine/base/process_identity.h"

namespace slipstream {

/// The file in such a folder that names its supervisor, so that later ones know whether it is abandoned.
inline constexpr const char* ownerFileName = "owner";

/// A folder that only this user can enter, marked with the identity of this process; it goes when this object goes,
/// which may wait two seconds for others who clear such folders.
class OwnFolder {
 public:
  /// Creates it, anew where it is this user's, and beside it under another name where somebody else has it. Throws
  /// Error where that fails; nothing is left then.
  OwnFolder(std::filesystem::path path, const std::string& runId);
  ~OwnFolder();
  OwnFolder(const OwnFolder&) = delete;
  OwnFolder& operator=(const OwnFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Makes one while nobody clears such folders: before its owner is written into it, it would be taken for an abandoned
/// one. Throws Error as OwnFolder does.
std::unique_ptr<OwnFolder> makeOwnFolder(const std::filesystem::path& path, const std::string& runId);

/// What a run needs outside the store while it lives: a private folder (socket, host files, Open MPI's session) with a
/// path short enough for a socket, and one in shared memory, or the same where shared memory takes none.
class RunFolders {
 public:
  /// Throws Error where the private folder cannot be created, or has no room for a session of `ranks` ranks. `onHosts`:
  /// in places that every host has.
  RunFolders(const std::string& runId, int ranks, bool onHosts = false);

  const std::filesystem::path& privateFolder() const { return private_->path(); }
  const std::filesystem::path& sharedMemoryFolder() const {
    return sharedMemory_ ? sharedMemory_->path() : private_->path();
  }
  /// For HubSettings.
  std::string hubEndpoint() const;

 private:
  std::unique_ptr<OwnFolder> private_;
  std::unique_ptr<OwnFolder> sharedMemory_;
};

/// A folder for a copy of a run in the folder for temporary files (TMPDIR). Throws Error where none can be made.
std::unique_ptr<OwnFolder> makeScratchFolder();

/// Removes the folders (and kills the processes) of this user's runs whose supervisor is gone, and scratch folders
/// whose process is; returns how many. What cannot be killed or removed stays for the next time.
int removeAbandonedFolders();

/// Makes this process the run's only supervisor on this machine for as long as the folder is there, also between
/// attempts. Throws Error where another process is, from whichever store, or where the folder cannot be made.
std::unique_ptr<OwnFolder> claimRun(const std::string& runId);

/// The process of this user that has claimed the run on this machine; not this one.
std::optional<ProcessIdentity> otherSupervisorOf(const std::string& runId);

/// The environment variable that marks every process of a run.
inline constexpr const char* runVariable = "SLIPSTREAM_RUN";

/// The environment variable that marks the program which keeps a run on a host (host_agent.h): RUN@HOST.
inline constexpr const char* sessionVariable = "SLIPSTREAM_SESSION";

/// Processes that carry the run's id in their environment, wherever they hang in the process tree; not ourselves.
std::vector<pid_t> processesOfRun(const std::string& runId);

/// Kills all of them (SIGKILL: also the stopped ones) and waits until none is left; those that became our children
/// (adoptOrphans) are reaped. Returns how many there were. Throws Error where one does not go within 5 s.
int killLeftoverProcesses(const std::string& runId);

/// The same of processes that carry NAME=VALUE in their environment.
int killProcessesWith(const std::string& name, const std::string& value);

/// The same of those that kept the run on this host before: one that is stopped, or that waits for a supervisor which
/// it will never hear again, would end what a later attempt starts here. Nothing where this process keeps no run.
void killEarlierSessions();

/// From now on processes whose parents die become children of this one, so that a sweep can reap them.
void adoptOrphans();

}  // namespace slipstream
