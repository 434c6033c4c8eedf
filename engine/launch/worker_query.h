// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/plan/device_placement.h"

namespace slipstream {

struct WorkerAnswer {
  int exitCode = 0;
  std::string output;  ///< stdout, one JSON document
  std::string errors;  ///< stderr
};

/// The worker program: beside the running one.
std::filesystem::path workerProgram();

/// Asks the worker program what only the engine knows (devices, data, accuracy of a checkpoint): one process without
/// MPI, started without a shell, waited for. Throws Error where it cannot be started.
WorkerAnswer askWorker(const std::vector<std::string>& arguments, const std::string& input = "");

/// Decides which device each rank of the plans computes on (placeOnDevices), as the worker program sees this machine. A
/// failure where it cannot train a plan on the plan's device: no driver, no device of this number, a build without its
/// kind, too little memory. Starts no process where all plans compute on the CPU.
Status resolveDevices(std::vector<RunPlan>& plans);

}  // namespace slipstream
