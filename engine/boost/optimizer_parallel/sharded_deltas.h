// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/boost/exchange.h"

namespace slipstream {

/// Update: the mean inside every server, whose ranks step a shard each; Adasum between servers of how far they went.
/// Collective. The servers' sizes are multiples of the shard size.
std::unique_ptr<Update> makeShardedDeltas(const UpdateContext& parts, const ExchangeMaker& maker);

}  // namespace slipstream
