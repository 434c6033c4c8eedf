// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <string_view>

namespace slipstream {

/// Whether a text is what the store makes as the id of a run: 8 hexadecimal digits. Files and folders are named by it,
/// so that what another program wrote in its place could name any other path.
inline bool isRunId(std::string_view text) {
  constexpr std::size_t digits = 8;
  return text.size() == digits && std::ranges::all_of(text, [](char letter) {
           return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'f');
         });
}

}  // namespace slipstream
