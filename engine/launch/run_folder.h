#pragma once

#include <filesystem>
#include <string>

namespace slipstream {

/// What a run needs outside the store while it lives: a folder that only this user can enter (socket, host files, Open
/// MPI's session) with a path short enough for a socket, and one in shared memory. Both go when this object goes.
class RunFolders {
 public:
  /// Creates both, anew where an old attempt left them. Throws Error where that fails, or where somebody else holds
  /// the name.
  explicit RunFolders(const std::string& runId);
  ~RunFolders();
  RunFolders(const RunFolders&) = delete;
  RunFolders& operator=(const RunFolders&) = delete;

  const std::filesystem::path& privateFolder() const { return private_; }
  const std::filesystem::path& sharedMemoryFolder() const { return sharedMemory_; }
  /// For HubSettings.
  std::string hubEndpoint() const;

 private:
  std::filesystem::path private_;
  std::filesystem::path sharedMemory_;
};

/// Removes the folders (and kills the processes) of this user's runs whose supervisor is gone; returns how many.
int removeAbandonedFolders();

}  // namespace slipstream
