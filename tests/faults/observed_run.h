// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <sys/types.h>

#include "engine/store/run_store.h"

namespace slipstream::test {

/// Null where there is none that can be read yet.
std::unique_ptr<RunStore> storeIn(const std::filesystem::path& folder);

/// The newest run that has begun its first attempt; empty where there is none.
std::string begunRunIn(const std::filesystem::path& folder);

/// Step and hash of every tensor of the newest checkpoint: equal texts are equal weights and state.
std::string newestState(const std::filesystem::path& store, const std::string& run);

/// What a reader of the store sees of the losses, by step.
std::map<std::int64_t, double> visibleLosses(RunStore& store, const std::string& run);

std::string nameOfProcess(pid_t process);

/// The processes in whose command line the folder stands: those that supervise runs of a store, and windows on it.
std::vector<pid_t> processesThatName(const std::filesystem::path& folder);

}  // namespace slipstream::test
