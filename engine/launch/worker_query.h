// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/hosts/ask_program.h"
#include "engine/plan/device_placement.h"

namespace slipstream {

/// The worker program: beside the running one.
std::filesystem::path workerProgram();

/// Asks the worker program what only the engine knows (devices, data, accuracy of a checkpoint): one process without
/// MPI, started without a shell, waited for. Throws Error where it cannot be started.
ProgramAnswer askWorker(const std::vector<std::string>& arguments, const std::string& input = "");

/// Whether ranks of the plan compute on devices that a host may lack.
bool wantsNumberedDevices(const RunPlan& plan);

/// The devices of a kind in what the worker program of a host prints of them (--devices). `asked`: the device that was
/// asked for. Fails where there is none that a network can be trained on.
Result<std::vector<HostDevice>> devicesListed(const std::string& list, const DeviceKind& kind,
                                              const std::string& asked);

/// Decides which device each rank of the local plans computes on (placeOnDevices), as the worker program sees this
/// machine; of the others resolveHosts() does. A failure where it cannot train a plan on the plan's device: no driver,
/// no device of this number, a build without its kind, too little memory. Starts no process where all plans compute on
/// the CPU.
Status resolveDevices(std::vector<RunPlan>& plans);

}  // namespace slipstream
