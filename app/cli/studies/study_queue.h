// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>

#include "app/cli/studies/commands.h"

namespace slipstream::cli {

/// Trains the cells of a study until all have ended, its budget is spent, it is paused or a signal comes: each in a
/// process of its own (`study run NAME --cell N`), which outlives this one. Of one store only one study is carried on
/// at a time. Returns the exit code. `claimed` is called once this process, or one before it, is the queue of the
/// study.
int carryOn(const std::string& study, const CommandLine& line, bool quiet, const std::function<void()>& claimed = {});

/// One cell, here: its run is created and tied to it in one transaction, resumed where it was lost, left alone where it
/// has ended or is alive.
int runCell(const std::string& study, int cell, const CommandLine& line);

}  // namespace slipstream::cli
