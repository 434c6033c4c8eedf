#include "engine/device/values.h"

#include <algorithm>

#include "engine/base/error.h"

namespace slipstream {

std::vector<float> readValues(Device& device, std::span<const float> values) {
  if (!device.holds(values.data())) return {values.begin(), values.end()};
  std::vector<float> copy(values.size());
  device.copyOut(std::as_writable_bytes(std::span(copy)), std::as_bytes(values));
  return copy;
}

void writeValues(Device& device, std::span<float> to, std::span<const float> from) {
  if (to.size() != from.size()) throw Error("values are put in the place of another number of them");
  if (device.holds(to.data())) {
    device.copyIn(std::as_writable_bytes(to), std::as_bytes(from));
  } else {
    std::ranges::copy(from, to.begin());
  }
}

}  // namespace slipstream
