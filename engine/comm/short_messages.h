// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "engine/base/message_length.h"
#include "engine/comm/communicator.h"

namespace slipstream {

/// Communicator::startExchange of parts of any length, waited for, in messages of at most shortMessageBytes. `longest`:
/// of the parts that any rank of the group sends, in bytes. Collective.
void exchangeShort(Communicator& group, std::span<const std::span<const std::byte>> out,
                   std::span<const std::span<std::byte>> in, std::size_t longest);

/// The same, started at once for all messages.
std::vector<std::unique_ptr<Request>> startShort(Communicator& group, std::span<const std::span<const std::byte>> out,
                                                 std::span<const std::span<std::byte>> in, std::size_t longest);

}  // namespace slipstream
