// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <filesystem>
#include <vector>

#include "engine/base/failure.h"

namespace slipstream::ui {

class Workspace;

/// The measured curves of the example, which the program carries, so that the welcome page shows what to expect.
struct ExpectedCurve {
  QString variant;
  double accuracy = 0;              ///< %, at the end
  double seconds = 0;               ///< the run took
  std::vector<double> steps, loss;  ///< smoothed
};
struct Expectation {
  std::int64_t steps = 0;
  std::vector<ExpectedCurve> curves;
};
const Expectation& expectation();

/// The example that the program carries, in the store's folder `experiments`; returns the file. A file that somebody
/// has changed stays: the example is written beside it then, under a free name.
Result<std::filesystem::path> writeExample(const std::filesystem::path& store);

/// Writes and launches it, and opens it as the experiment at hand unless one is being edited.
void launchExample(Workspace& workspace);

}  // namespace slipstream::ui
