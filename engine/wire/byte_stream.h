// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
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

static_assert(std::endian::native == std::endian::little, "messages are little-endian");

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
    char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof(T));
    bytes_.append(raw, sizeof(T));
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
  explicit FrameReader(std::string_view bytes) : rest_(bytes) {}

  template <class... Values>
  void operator()(Values&... values) {
    (get(values), ...);
  }
  /// Everything fitted and nothing is left over.
  bool good() const { return good_ && rest_.empty(); }
  /// The content is not what it should be.
  void turnBad() {
    good_ = false;
    rest_ = {};
  }

 private:
  /// The next `size` bytes, or nothing.
  std::string_view next(std::size_t size) {
    if (size > rest_.size()) {
      turnBad();
      return {};
    }
    const std::string_view piece = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return piece;
  }
  /// A count of entries, each of which takes at least one byte.
  std::uint32_t length() {
    std::uint32_t count = 0;
    get(count);
    if (count <= rest_.size()) return count;
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
  void get(T& value) {
    const std::string_view piece = next(sizeof(T));
    if (!piece.empty()) std::memcpy(&value, piece.data(), sizeof(T));
  }
  void get(bool& value) {
    std::uint8_t raw = 0;
    get(raw);
    value = raw != 0;
  }
  void get(std::string& text) { text = next(length()); }
  template <class T>
  void get(std::vector<T>& list) {
    const std::uint32_t count = length();
    for (std::uint32_t index = 0; index < count && good_; ++index) get(list.emplace_back());
  }
  template <class Key, class Value>
  void get(std::map<Key, Value>& entries) {
    const std::uint32_t count = length();
    for (std::uint32_t index = 0; index < count && good_; ++index) {
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

  std::string_view rest_;
  bool good_ = true;
};

}  // namespace slipstream
