// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/failure.h"

namespace slipstream {

/// Types of values of numpy's files that are read; all in little-endian order.
enum class ArrayType { boolean, u8, i8, u16, i16, u32, i32, u64, i64, f16, f32, f64 };

/// Bytes of one value.
std::int64_t bytesOf(ArrayType type);
/// numpy's name: "uint8".
std::string_view nameOf(ArrayType type);
bool isFloat(ArrayType type);

/// What a file of numpy's format begins with.
inline constexpr std::string_view npyMagic = "\x93NUMPY";

/// The header of a file in numpy's format (NEP 1, versions 1 to 3).
struct NpyHeader {
  std::string typeText = {};             ///< as it is written: "<f4", or a list of fields
  std::optional<ArrayType> type = {};    ///< nothing for a type that is not read
  std::vector<std::int64_t> shape = {};  ///< the product of its sizes other than 0 fits into 63 bits
  bool byColumns = false;                ///< the first index runs fastest ("Fortran order")
  std::int64_t start = 0;                ///< of the first value, in bytes
};

/// Fills in the bytes that follow those it was asked for before.
using NextBytes = std::function<Status(std::span<std::byte>)>;

/// Reads the header of a file of `size` bytes and not one byte more. Fails, calling the file `place`, where it is none.
/// Types that are not read are left to the caller, and so is whether the values fit the size.
Result<NpyHeader> readNpyHeader(const std::string& place, std::int64_t size, const NextBytes& next);

/// Python's text of a shape: "(3, 4)", "(3,)", "()".
std::string tupleText(const std::vector<std::int64_t>& shape);

}  // namespace slipstream
