// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "engine/base/failure.h"

namespace slipstream {

/// The worker program and the libraries that it takes along, in a folder that is named by their hash.
struct StagedWorker {
  std::filesystem::path folder;
  std::filesystem::path program;  ///< in it: a script that starts the worker with those libraries
};

/// Libraries of a program by name -> file, from what ldd prints of it; without those that ldd finds no file of.
std::map<std::string, std::filesystem::path> librariesIn(const std::string& lddOutput);

/// Which of the worker's libraries go along: not those of the C and C++ systems, nor what Open MPI is made of, which
/// every host has of its own.
std::map<std::string, std::filesystem::path> librariesToStage(
    const std::map<std::string, std::filesystem::path>& ofWorker,
    const std::map<std::string, std::filesystem::path>& ofOpenMpi);

/// Where programs are staged: SLIPSTREAM_STAGE, or a folder of this user's in /var/tmp, which outlives a restart of a
/// host. The same path on every host.
std::filesystem::path stagingFolder();

/// Copies the worker and its libraries into the staging folder of this machine, where they are not there yet.
Result<StagedWorker> stageHere(const std::filesystem::path& worker);

/// The same on every host that lacks them, over one connection of the remote shell a host, all at once. A host that has
/// them already, by their hash, is sent nothing. Fails naming each host that could not take them, or took and said
/// nothing for as long as `silence`.
Status stageOnHosts(const StagedWorker& staged, const std::vector<std::string>& hosts,
                    std::chrono::seconds silence = std::chrono::seconds{60});

}  // namespace slipstream
