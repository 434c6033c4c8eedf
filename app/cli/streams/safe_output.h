// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdio>

namespace slipstream::cli {

/// From now on whatever is written to stdout and std::cout reaches it with control characters written out, but line
/// ends and tabs: names, logs and notes of a store are somebody's text, and a terminal would obey the escapes in it.
void escapeControlCharacters();

/// The terminal itself, for what draws with control characters of its own.
std::FILE* terminal();

}  // namespace slipstream::cli
