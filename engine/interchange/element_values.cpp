// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/interchange/element_values.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "engine/base/error.h"

namespace slipstream {
namespace {

static_assert(std::endian::native == std::endian::little, "stored values are little-endian and copied as they are");

/// IEEE 754 binary16: 1 sign bit, 5 of exponent (bias 15), 10 of fraction.
float ofHalf(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 0x1F;
  const int fraction = bits & 0x3FF;
  float magnitude = 0;
  if (exponent == 0x1F) {
    magnitude = fraction == 0 ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
  } else {
    const int significand = exponent == 0 ? fraction : fraction + 0x400;
    magnitude = std::ldexp(static_cast<float>(significand), (exponent == 0 ? 1 : exponent) - 25);
  }
  return (bits & 0x8000U) != 0 ? -magnitude : magnitude;
}

/// The upper half of an fp32.
float ofBrain(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

template <class Stored, class Convert>
void convert(std::span<const std::byte> bytes, std::span<float> values, const Convert& toFloat) {
  if (bytes.size() != values.size() * sizeof(Stored)) throw Error("a tensor has another number of bytes than values");
  for (std::size_t i = 0; i < values.size(); ++i) {
    Stored stored{};
    std::memcpy(&stored, bytes.data() + i * sizeof(Stored), sizeof(Stored));
    values[i] = toFloat(stored);
  }
}

}  // namespace

bool becomesFloat(ElementType type) {
  return type == ElementType::float32 || type == ElementType::float16 || type == ElementType::bfloat16 ||
         type == ElementType::float64;
}

void toFloats(ElementType type, std::span<const std::byte> bytes, std::span<float> values) {
  if (type == ElementType::float16) return convert<std::uint16_t>(bytes, values, ofHalf);
  if (type == ElementType::bfloat16) return convert<std::uint16_t>(bytes, values, ofBrain);
  if (type == ElementType::float32) return convert<float>(bytes, values, [](float value) { return value; });
  if (type != ElementType::float64) throw Error("values of this type are no weights");
  convert<double>(bytes, values, [](double value) { return static_cast<float>(value); });
}

bool allFinite(std::span<const float> values) {
  return std::ranges::all_of(values, [](float value) { return std::isfinite(value); });
}

Result<std::vector<std::string>> tensorsNotFinite(TensorSource& source) {
  std::vector<std::string> names;
  std::vector<float> values;
  for (std::size_t i = 0; i < source.tensors().size(); ++i) {
    const TensorEntry& entry = source.tensors()[i];
    if (!becomesFloat(entry.type)) continue;
    SLIPSTREAM_TRY(bytes, source.read(i));
    values.resize(bytes.size() / static_cast<std::size_t>(bytesOf(entry.type)));
    toFloats(entry.type, bytes, values);
    if (!allFinite(values)) names.push_back(entry.name);
  }
  return names;
}

}  // namespace slipstream
