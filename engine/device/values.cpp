// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "engine/base/error.h"
#include "engine/device/device.h"

namespace slipstream {
namespace {

template <class T>
std::vector<T> read(Device& device, std::span<const T> values) {
  if (!device.holds(values.data())) return {values.begin(), values.end()};
  std::vector<T> copy(values.size());
  device.copyOut(std::as_writable_bytes(std::span(copy)), std::as_bytes(values));
  return copy;
}

template <class T>
void write(Device& device, std::span<T> to, std::span<const T> from) {
  if (to.size() != from.size()) throw Error("values are put in the place of another number of them");
  if (device.holds(to.data())) {
    device.copyIn(std::as_writable_bytes(to), std::as_bytes(from));
  } else {
    std::ranges::copy(from, to.begin());
  }
}

}  // namespace

std::vector<float> readValues(Device& device, std::span<const float> values) {
  return read(device, values);
}

std::vector<double> readValues(Device& device, std::span<const double> values) {
  return read(device, values);
}

void writeValues(Device& device, std::span<float> to, std::span<const float> from) {
  write(device, to, from);
}

void writeValues(Device& device, std::span<double> to, std::span<const double> from) {
  write(device, to, from);
}

}  // namespace slipstream
