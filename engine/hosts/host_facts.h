// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/base/failure.h"

namespace slipstream {

/// A file or folder of data as a host sees it.
struct DataFacts {
  bool present = false;
  std::int64_t files = 0;
  std::int64_t bytes = 0;  ///< of all files; both -1 where there are more than 20,000 of them
  bool operator==(const DataFacts&) const = default;
};

/// What a host says of itself.
struct HostFacts {
  std::string name;            ///< its own
  std::string build;           ///< SHA-256 of its worker program
  std::string openMpi;         ///< as its MPI library names itself
  std::string instructionSet;  ///< processor.h
  int cores = 0;
  std::int64_t memory = 0;        ///< bytes
  std::int64_t sharedMemory = 0;  ///< bytes free in /dev/shm; 0 where nothing can be written there
  int gpus = 0;
  int npus = 0;
  std::string devices;                    ///< what its worker program prints of them (--devices), where it was asked
  std::int64_t wallNanoseconds = 0;       ///< its clock when it answered
  std::map<std::string, DataFacts> data;  ///< by the path that was asked for
  std::string wayBack;  ///< why the supervisor cannot be reached; empty where it can, or was not asked
};

/// What one asks a host, and whether it is to keep a run.
struct HostRequest {
  std::vector<std::string> data;  ///< absolute paths
  std::string supervisor;         ///< "ADDRESS:PORT" to try to connect to; empty: not
  std::string runId;              ///< empty: nothing is kept
  bool devices = false;           ///< the host's devices are asked for: they are opened
  bool measures = false;          ///< the session goes on, for links to other hosts (host_links.h)
  /// Folders of the run as they are on the supervisor's machine, and the text of their owner files: a host that sees
  /// the same text has the same folder (a shared /tmp), and makes none of its own.
  std::vector<std::string> folders;
  std::string owner;
  std::map<std::string, std::string> programs;  ///< name -> text of scripts that the first of the folders needs
};

std::string toJsonLine(const HostFacts& facts);
std::string toJsonLine(const HostRequest& request);
/// Fail where the text is no such document.
Result<HostFacts> parseHostFacts(const std::string& text);
Result<HostRequest> parseHostRequest(const std::string& text);

/// This host's; `openMpi` names the library that the calling program runs with.
HostFacts factsOfThisHost(const HostRequest& request, const std::string& openMpi);

}  // namespace slipstream
