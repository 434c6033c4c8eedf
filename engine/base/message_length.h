// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace slipstream {

/// The longest message between hosts that is sent at once. Longer ones than Open MPI's eager limit of 64 KB over TCP
/// wait for the receiver's consent, which comes behind everything that travels the same way: at 500 Mbit/s an exchange
/// of 16.8 MB took 1.0 to 1.2 times the time that the links need by messages of this length, and 1.3 to 2.0 times by
/// ones of 1 MB and more.
inline constexpr std::size_t shortMessageBytes = 59'904;

/// What a rank receives in such messages before it has used them: enough for a link to be busy while others are late.
inline constexpr std::size_t shortMessagesAhead = std::size_t{4} << 20;

}  // namespace slipstream
