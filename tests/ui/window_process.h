// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

namespace slipstream::test {

/// What the test program is with `--window STORE EXPERIMENT`: the window of a person who edits a rank table, leaves it
/// unsaved, and launches the experiment. Prints the run's id and shows the window until it is ended.
int showWindow(const std::filesystem::path& store, const std::filesystem::path& experiment);

/// The text that it leaves unsaved.
std::string unsavedTable();

}  // namespace slipstream::test
