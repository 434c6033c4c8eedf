// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <random>
#include <string>

namespace slipstream::test {

/// The text with one to three of its values taken out, replaced by ones that programs stumble over, or put in the place
/// of others: it can still be parsed, and says something else. Unchanged where it cannot be parsed as it is.
std::string damagedJson(const std::string& text, std::mt19937_64& random);

}  // namespace slipstream::test
