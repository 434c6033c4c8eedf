// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/interchange/array_container.h"
#include "engine/interchange/element_values.h"

namespace slipstream {
namespace {

static_assert(std::endian::native == std::endian::little, "values lie in memory as they are stored");

template <class Stored>
Stored storedAt(std::span<const std::byte> bytes, std::size_t index) {
  Stored value{};
  std::memcpy(&value, bytes.data() + index * sizeof(Stored), sizeof(Stored));
  return value;
}

template <class Stored>
void integersToFloats(std::span<const std::byte> bytes, std::span<float> values) {
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(storedAt<Stored>(bytes, i));
}

void truthToFloats(std::span<const std::byte> bytes, std::span<float> values) {
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = bytes[i] == std::byte{0} ? 0.0F : 1.0F;
}

void convertToFloats(ArrayType type, std::span<const std::byte> bytes, std::span<float> values) {
  switch (type) {
    case ArrayType::boolean:
      return truthToFloats(bytes, values);
    case ArrayType::u8:
      return integersToFloats<std::uint8_t>(bytes, values);
    case ArrayType::i8:
      return integersToFloats<std::int8_t>(bytes, values);
    case ArrayType::u16:
      return integersToFloats<std::uint16_t>(bytes, values);
    case ArrayType::i16:
      return integersToFloats<std::int16_t>(bytes, values);
    case ArrayType::u32:
      return integersToFloats<std::uint32_t>(bytes, values);
    case ArrayType::i32:
      return integersToFloats<std::int32_t>(bytes, values);
    case ArrayType::u64:
      return integersToFloats<std::uint64_t>(bytes, values);
    case ArrayType::i64:
      return integersToFloats<std::int64_t>(bytes, values);
    case ArrayType::f16:
      return toFloats(ElementType::float16, bytes, values);
    case ArrayType::f32:
      return toFloats(ElementType::float32, bytes, values);
    case ArrayType::f64:
      return toFloats(ElementType::float64, bytes, values);
  }
}

/// Nothing for what is no whole number, or none of 63 bits and a sign.
std::optional<std::int64_t> wholeNumber(double value) {
  constexpr double beyond = 9223372036854775808.0;
  if (!(value >= -beyond && value < beyond) || std::trunc(value) != value) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

/// A value as it is shown where it is none of those that were asked for.
struct OddValue {
  std::size_t index = 0;
  std::string text;
  const char* problem = "";
};

template <class Stored>
std::optional<OddValue> integersOf(std::span<const std::byte> bytes, std::span<std::int64_t> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto stored = storedAt<Stored>(bytes, i);
    if (!std::in_range<std::int64_t>(stored)) return OddValue{i, fmt::format("{}", stored), "is beyond 63 bits"};
    values[i] = static_cast<std::int64_t>(stored);
  }
  return std::nullopt;
}

template <class Float>
std::optional<OddValue> wholeOf(std::span<const std::byte> bytes, std::span<std::int64_t> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto stored = static_cast<double>(storedAt<Float>(bytes, i));
    const auto whole = wholeNumber(stored);
    if (!whole) return OddValue{i, numberText(stored), "is no whole number of at most 63 bits"};
    values[i] = *whole;
  }
  return std::nullopt;
}

std::optional<OddValue> wholeHalves(std::span<const std::byte> bytes, std::span<std::int64_t> values) {
  std::vector<float> wide(values.size());
  toFloats(ElementType::float16, bytes, wide);
  return wholeOf<float>(std::as_bytes(std::span(wide)), values);
}

std::optional<OddValue> convertToIntegers(ArrayType type, std::span<const std::byte> bytes,
                                          std::span<std::int64_t> values) {
  switch (type) {
    case ArrayType::boolean:
      std::ranges::transform(bytes, values.begin(), [](std::byte truth) { return truth == std::byte{0} ? 0 : 1; });
      return std::nullopt;
    case ArrayType::u8:
      return integersOf<std::uint8_t>(bytes, values);
    case ArrayType::i8:
      return integersOf<std::int8_t>(bytes, values);
    case ArrayType::u16:
      return integersOf<std::uint16_t>(bytes, values);
    case ArrayType::i16:
      return integersOf<std::int16_t>(bytes, values);
    case ArrayType::u32:
      return integersOf<std::uint32_t>(bytes, values);
    case ArrayType::i32:
      return integersOf<std::int32_t>(bytes, values);
    case ArrayType::u64:
      return integersOf<std::uint64_t>(bytes, values);
    case ArrayType::i64:
      return integersOf<std::int64_t>(bytes, values);
    case ArrayType::f16:
      return wholeHalves(bytes, values);
    case ArrayType::f32:
      return wholeOf<float>(bytes, values);
    case ArrayType::f64:
      return wholeOf<double>(bytes, values);
  }
  return std::nullopt;
}

class StoredArrayReader final : public ArrayReader {
 public:
  StoredArrayReader(std::string place, const ArrayInfo& info, std::unique_ptr<ArrayBytes> bytes)
      : place_(std::move(place)), info_(info), left_(info.count()), bytes_(std::move(bytes)) {}

  Status readFloats(std::span<float> values) override {
    SLIPSTREAM_CHECK(checkLeft(values.size()));
    if (info_.type == ArrayType::f32) return take(std::as_writable_bytes(values));
    return inPieces(values, [&](std::span<const std::byte> bytes, std::span<float> piece) -> Status {
      convertToFloats(info_.type, bytes, piece);
      return {};
    });
  }

  Status readBytes(std::span<std::uint8_t> values) override {
    if (info_.type != ArrayType::u8 && info_.type != ArrayType::boolean) {
      return fail(place_, std::string(nameOf(info_.type)), "holds no bytes", "save array.astype(numpy.uint8)");
    }
    SLIPSTREAM_CHECK(checkLeft(values.size()));
    SLIPSTREAM_CHECK(take(std::as_writable_bytes(values)));
    if (info_.type == ArrayType::u8) return {};
    for (std::uint8_t& value : values) value = value == 0 ? 0 : 1;
    return {};
  }

  Status readIntegers(std::span<std::int64_t> values) override {
    SLIPSTREAM_CHECK(checkLeft(values.size()));
    if (info_.type == ArrayType::i64) return take(std::as_writable_bytes(values));
    return inPieces(values, [&](std::span<const std::byte> bytes, std::span<std::int64_t> piece) -> Status {
      const auto odd = convertToIntegers(info_.type, bytes, piece);
      if (!odd) return {};
      const std::int64_t first = info_.count() - left_ - std::ssize(piece);
      return fail(place_ + " at " + indexText(first + static_cast<std::int64_t>(odd->index)), odd->text, odd->problem,
                  "save whole numbers: array.astype(numpy.int64)");
    });
  }

  Status finish() override {
    if (left_ == 0) return bytes_->finish();
    return fail(place_, "", fmt::format("has {} that were not read", counted(left_, "value")), "read all of them");
  }

 private:
  Status checkLeft(std::size_t count) const {
    if (std::cmp_less_equal(count, left_)) return {};
    return fail(place_, countText(static_cast<std::int64_t>(count)),
                fmt::format("has only {} left", counted(left_, "value")), "ask for no more than its shape says");
  }

  /// Whole values.
  Status take(std::span<std::byte> bytes) {
    SLIPSTREAM_CHECK(bytes_->read(bytes));
    left_ -= std::ssize(bytes) / bytesOf(info_.type);
    return {};
  }

  template <class Value, class Convert>
  Status inPieces(std::span<Value> values, const Convert& convert) {
    const auto width = static_cast<std::size_t>(bytesOf(info_.type));
    while (!values.empty()) {
      const auto piece = values.first(std::min(values.size(), buffer_.size() / width));
      const auto bytes = std::span(buffer_).first(piece.size() * width);
      SLIPSTREAM_CHECK(take(bytes));
      SLIPSTREAM_CHECK(convert(bytes, piece));
      values = values.subspan(piece.size());
    }
    return {};
  }

  /// Python's index of a value: "[2, 3]"
  std::string indexText(std::int64_t position) const {
    std::vector<std::int64_t> index(info_.shape.size());
    for (std::size_t i = index.size(); i-- > 0;) {
      index[i] = position % info_.shape[i];
      position /= info_.shape[i];
    }
    return fmt::format("[{}]", fmt::join(index, ", "));
  }

  std::string place_;
  ArrayInfo info_;
  std::int64_t left_;
  std::unique_ptr<ArrayBytes> bytes_;
  std::array<std::byte, 64 * 1024> buffer_{};
};

}  // namespace

std::unique_ptr<ArrayReader> makeArrayReader(std::string place, const ArrayInfo& info,
                                             std::unique_ptr<ArrayBytes> bytes) {
  return std::make_unique<StoredArrayReader>(std::move(place), info, std::move(bytes));
}

}  // namespace slipstream
