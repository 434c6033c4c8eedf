// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

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

  /// The content is not what it should be.
  void refuse() {
    good_ = false;
    bytes_ = {};
  }
  bool good() const { return good_; }
  bool atEnd() const { return good_ && bytes_.empty(); }

 private:
  std::string_view bytes_;
  bool good_ = true;
};

template <class T>
concept PlainNumber = std::is_arithmetic_v<T> || std::is_enum_v<T>;

/// Appends values as little-endian bytes; texts and lists carry their length (32 bits).
class FrameWriter {
 public:
  template <class... Values>
  void operator()(const Values&... values) {
    (put(values), ...);
  }
  std::string take() { return std::move(bytes_); }
  void reserve(std::size_t size) { bytes_.reserve(size); }

 private:
  template <PlainNumber T>
  void put(T value) {
    ByteWriter(bytes_).array(&value, 1);
  }
  void put(const std::string& text) {
    put(static_cast<std::uint32_t>(text.size()));
    bytes_.append(text);
  }
  template <class T>
  void put(const std::vector<T>& list) {
    put(static_cast<std::uint32_t>(list.size()));
    for (const T& entry : list) put(entry);
  }
  template <class Key, class Value>
  void put(const std::map<Key, Value>& entries) {
    put(static_cast<std::uint32_t>(entries.size()));
    for (const auto& [key, value] : entries) (*this)(key, value);
  }
  template <class T>
  void put(const std::optional<T>& value) {
    put(static_cast<std::uint8_t>(value.has_value()));
    if (value) put(*value);
  }
  template <class T>
  requires requires(FrameWriter& writer, const T& value) { fields(writer, value); }
  void put(const T& value) { fields(*this, value); }

  std::string bytes_;
};

/// Reads what FrameWriter wrote. Past the end, or at a length or enumerator that cannot be, it turns bad and gives
/// zeros: callers ask good() once, at the end. Enumerations name their last value in a function `highest`.
class FrameReader {
 public:
  explicit FrameReader(std::string_view bytes) : reader_(bytes) {}

  template <class... Values>
  void operator()(Values&... values) {
    (get(values), ...);
  }
  /// Everything fitted and nothing is left over.
  bool good() const { return reader_.atEnd(); }
  /// The content is not what it should be.
  void turnBad() { reader_.refuse(); }

 private:
  /// A count of entries, each of which takes at least one byte.
  std::uint32_t length() {
    std::uint32_t count = 0;
    get(count);
    if (reader_.holds(count, 1)) return count;
    turnBad();
    return 0;
  }
  template <class T>
  requires std::is_enum_v<T>
  void get(T& value) {
    std::underlying_type_t<T> raw{};
    get(raw);
    if (raw < 0 || raw > static_cast<std::underlying_type_t<T>>(highest(value))) return turnBad();
    value = static_cast<T>(raw);
  }
  template <class T>
  requires std::is_arithmetic_v<T>
  void get(T& value) { reader_.array(&value, 1); }
  void get(bool& value) {
    std::uint8_t raw = 0;
    get(raw);
    value = raw != 0;
  }
  void get(std::string& text) { text = reader_.text(length()); }
  template <class T>
  void get(std::vector<T>& list) {
    const std::uint32_t count = length();
    for (std::uint32_t index = 0; index < count && reader_.good(); ++index) get(list.emplace_back());
  }
  template <class Key, class Value>
  void get(std::map<Key, Value>& entries) {
    const std::uint32_t count = length();
    for (std::uint32_t index = 0; index < count && reader_.good(); ++index) {
      Key key{};
      Value value{};
      (*this)(key, value);
      entries.emplace(std::move(key), std::move(value));
    }
  }
  template <class T>
  void get(std::optional<T>& value) {
    bool present = false;
    get(present);
    if (present) get(value.emplace());
  }
  template <class T>
  requires requires(FrameReader& reader, T& value) { fields(reader, value); }
  void get(T& value) { fields(*this, value); }

  ByteReader reader_;
};

}  // namespace slipstream
