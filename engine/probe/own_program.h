// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/base/failure.h"

namespace slipstream {

/// The variable by which a program learns that it is only asked to describe its tensors. It names a folder with
/// experiment.json, the experiment as it was read, in which the program puts tensors.json.
inline constexpr const char* describeVariable = "SLIPSTREAM_DESCRIBE";
inline constexpr const char* askedExperimentFile = "experiment.json";
inline constexpr const char* describedTensorsFile = "tensors.json";

/// A program of the user's own that computes a network, as network.program and the experiment's folder name it.
struct OwnProgram {
  std::vector<std::string> words;  ///< words[0] is a path inside the folder, or looked up in PATH; no shell reads them
  std::string folder;
};

/// Replaces this process by the program, in its folder, with SLIPSTREAM_LIBRARY naming libslipstream.so and PYTHONPATH
/// the package for Python, both as they belong to this program. Returns only where that fails: what is wrong.
Failures becomeProgram(const OwnProgram& program);

/// What the program says of its tensors. It is started once, by itself, and killed after `seconds`. `experiment`: JSON.
Result<std::string> askForTensors(const OwnProgram& program, const std::string& experiment, double seconds = 600);

}  // namespace slipstream
