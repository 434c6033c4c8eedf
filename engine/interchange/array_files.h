// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/base/failure.h"
#include "engine/interchange/npy_header.h"

namespace slipstream {

/// One array of a container: numpy's header, and where it is.
struct ArrayInfo {
  std::string name = {};  ///< the member's or file's name without .npy
  ArrayType type = ArrayType::u8;
  std::vector<std::int64_t> shape = {};  ///< empty: a single value; the product of any of its sizes fits into 63 bits

  /// Of values: the product of the shape.
  std::int64_t count() const;
};

/// The values of one array, in C order, read from the first to the last. One thread's own.
class ArrayReader {
 public:
  virtual ~ArrayReader() = default;
  /// The next values.size() values of any type, rounded to fp32. Asking for more than there are fails.
  virtual Status readFloats(std::span<float> values) = 0;
  /// Of uint8, and of bool as 0 and 1; else fails.
  virtual Status readBytes(std::span<std::uint8_t> values) = 0;
  /// Of any integer type, of bool, and of floats that are whole numbers; fails, naming its index, at the first value
  /// that is none or is beyond 63 bits.
  virtual Status readIntegers(std::span<std::int64_t> values) = 0;
  /// Fails where values are left, or where the checksum of what was read is not the file's (.npz).
  virtual Status finish() = 0;
};

/// Arrays by name. It and its readers belong to one thread together; readers may outlive it.
class ArrayContainer {
 public:
  virtual ~ArrayContainer() = default;
  /// Those that can be read, sorted by name.
  virtual const std::vector<ArrayInfo>& arrays() const = 0;
  /// Whether there is one of that name, which find() may yet refuse.
  virtual bool holds(const std::string& name) const = 0;
  /// Fails where there is none of that name, naming those that there are, and where it cannot be read, saying why: big
  /// endian, objects, texts, in Fortran order, cut short.
  virtual Result<ArrayInfo> find(const std::string& name) const = 0;
  /// Fails as find() does.
  virtual Result<std::unique_ptr<ArrayReader>> open(const std::string& name) = 0;
};

/// A folder of .npy files or one .npz file, of which only headers are read. An array that cannot be read does not
/// keep the others from being read, but where there is no other its failure is the container's.
Result<std::unique_ptr<ArrayContainer>> openArrays(const std::filesystem::path& path);

}  // namespace slipstream
