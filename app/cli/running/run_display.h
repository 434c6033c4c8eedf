// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/launch/run_observer.h"

namespace slipstream::cli {

enum class DisplayKind { quiet, lines, bar };

/// A bar where stdout is a terminal, else lines; nothing where quiet.
DisplayKind chooseDisplay(bool quiet);

/// Shows a run while it goes: a progress bar with step, loss, samples a second and time left, or the tutorials' lines.
/// Warnings and errors of the run go to stderr.
std::unique_ptr<RunObserver> makeDisplay(DisplayKind kind, const RunPlan& plan);

}  // namespace slipstream::cli
