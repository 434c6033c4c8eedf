// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace slipstream {

/// Text as it may stand in an element or in an attribute.
std::string escaped(std::string_view text);
/// A cell of a table, aligned as numbers are, of `more` classes (each after a space).
std::string numberCell(std::string_view text, std::string_view more = "");

/// The colour of a run's slot, the same in light and dark; slots repeat after ten.
std::string_view runColour(int slot);
/// The dashes that tell repeated colours apart; empty for the first ten.
std::string_view runDashes(int slot);

/// A colour of the sequential map for a value in 0..1.
std::string mapColour(double value);

}  // namespace slipstream
