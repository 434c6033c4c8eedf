// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/parameter_store.h"

#include "engine/base/error.h"

namespace slipstream {

WholeParameterStore::WholeParameterStore(Device& device, std::int64_t elements, MemoryCategory category)
    : buffer_(device.allocate(static_cast<std::size_t>(elements) * sizeof(float), category)),
      memory_(buffer_->as<float>()) {}

std::span<float> WholeParameterStore::acquire(Range range) {
  if (range.begin < 0 || range.size() < 0 || range.end > static_cast<std::int64_t>(memory_.size())) {
    throw Error("parameters were asked for outside their memory");
  }
  return memory_.subspan(static_cast<std::size_t>(range.begin), static_cast<std::size_t>(range.size()));
}

}  // namespace slipstream
