// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "engine/comm/communicator.h"

namespace slipstream {

/// The longest message between hosts that is sent at once. Longer ones than Open MPI's eager limit of 64 KB over TCP
/// wait for the receiver's consent, which comes behind everything that travels the same way: measured at 500 Mbit/s, an
/// exchange of 16.8 MB took 1.0 to 1.2 times the time that the links need by messages of this length and 1.5 to 2.0
/// times by long ones (tests/bench/README.md).
inline constexpr std::size_t shortMessageBytes = 59'904;

/// What a rank receives in such messages before it has used them: enough for a link to be busy while others are late.
inline constexpr std::size_t shortMessagesAhead = std::size_t{4} << 20;

/// Communicator::startExchange of parts of any length, waited for, in short messages. `longest`: of the parts that any
/// rank of the group sends, in bytes. Collective.
void exchangeShort(Communicator& group, std::span<const std::span<const std::byte>> out,
                   std::span<const std::span<std::byte>> in, std::size_t longest);

/// The same, started at once for all messages.
std::vector<std::unique_ptr<Request>> startShort(Communicator& group, std::span<const std::span<const std::byte>> out,
                                                 std::span<const std::span<std::byte>> in, std::size_t longest);

}  // namespace slipstream
