// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace slipstream {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "stored forms are little-endian and copied as they are");

/// Appends values to a string in their stored form.
class ByteWriter {
 public:
  explicit ByteWriter(std::string& bytes) : bytes_(bytes) {}

  template <class T>
  void number(T value) {
    static_assert(std::is_arithmetic_v<T>);
    array(&value, 1);
  }
  template <class T>
  void array(const T* values, std::size_t count) {
    const std::size_t at = bytes_.size();
    bytes_.resize(at + count * sizeof(T));
    if (count > 0) std::memcpy(bytes_.data() + at, values, count * sizeof(T));
  }

 private:
  std::string& bytes_;
};

/// Takes values from stored bytes. After the first read beyond the end everything fails and `good` is false.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  template <class T>
  T number() {
    T value{};
    array(&value, 1);
    return value;
  }
  template <class T>
  bool array(T* values, std::size_t count) {
    if (!holds(count, sizeof(T))) return good_ = false;
    if (count > 0) std::memcpy(values, bytes_.data(), count * sizeof(T));
    bytes_.remove_prefix(count * sizeof(T));
    return true;
  }
  std::string_view text(std::size_t length) {
    if (!holds(length, 1)) {
      good_ = false;
      return {};
    }
    const std::string_view part = bytes_.substr(0, length);
    bytes_.remove_prefix(length);
    return part;
  }
  /// Whether `count` values of `size` bytes are still there: asked before room for them is made.
  bool holds(std::size_t count, std::size_t size) const { return good_ && count <= bytes_.size() / size; }

  bool good() const { return good_; }
  bool atEnd() const { return good_ && bytes_.empty(); }

 private:
  std::string_view bytes_;
  bool good_ = true;
};

}  // namespace slipstream
