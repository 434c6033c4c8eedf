// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/nn/cuda/kernels/batch_norm.h"
#include "engine/nn/cuda/layers/layer_ops.h"

namespace slipstream {

/// y = line(x), plus `second` where it is not null, at least zero where `cuts`; `count` values, of which every
/// `channels` make a row.
template <class Ops, class Value>
void normalizeOn(const Ops& ops, const Value* x, const Value* second, Value* y, const AppliedLines& lines,
                 std::int64_t count, std::int64_t channels, bool cuts) {
  withLanes(
      channels,
      [&](auto lanes) {
        ops.each(count / lanes(),
                 Normalize<lanes(), Value>{x, second, y, lines, static_cast<std::uint32_t>(channels), cuts});
      },
      x, second, y);
}

}  // namespace slipstream
