// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "engine/base/failure.h"
#include "engine/plan/json.h"

namespace slipstream {

/// The numbers that a key accepts.
struct Limits {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool openBelow = false;  ///< least itself is refused
  bool openAbove = false;  ///< most itself is refused

  bool allow(double value) const;
  /// "at least 1", "above 0 and below 1"
  std::string text() const;
};

/// The limits of a count that is at least one.
inline constexpr Limits positiveCount{.least = 1, .most = 1e9};

inline constexpr Limits anyNumber{};
constexpr Limits atLeast(double least) {
  return {.least = least};
}
constexpr Limits above(double least) {
  return {.least = least, .openBelow = true};
}
constexpr Limits between(double least, double most) {
  return {.least = least, .most = most};
}
constexpr Limits strictlyBetween(double least, double most) {
  return {.least = least, .most = most, .openBelow = true, .openAbove = true};
}

/// A walk over the keys of a section. A section's keys are described once, in a function that calls one member a key
/// with the value's home; the walker decides what happens: values are read from JSON, written to JSON, or their key
/// paths are listed. The value found there is the default.
class Fields {
 public:
  using Describe = std::function<void(Fields&)>;
  /// Takes a value that is not an object; false where it is of no use. May add failures about the value at `path`.
  using Shorthand = std::function<bool(const Json& value, const std::string& path, Failures& failures)>;

  virtual ~Fields() = default;
  virtual void flag(const char* key, bool& value) = 0;
  virtual void integer(const char* key, std::int64_t& value, const Limits& limits) = 0;
  virtual void number(const char* key, double& value, const Limits& limits) = 0;
  /// `allowed` empty: any text.
  virtual void text(const char* key, std::string& value, const std::vector<std::string>& allowed) = 0;
  /// One number or a list of some; a list of one is written as the number.
  virtual void numbers(const char* key, std::vector<double>& value, const Limits& limits) = 0;
  virtual void integers(const char* key, std::vector<int>& value, const Limits& limits) = 0;
  /// An object of keys that nobody knows beforehand.
  virtual void integersByName(const char* key, std::map<std::string, std::int64_t>& values, const Limits& limits) = 0;
  virtual void texts(const char* key, std::vector<std::string>& value) = 0;
  virtual void section(const char* key, const Describe& describe, const Shorthand& shorthand = {}) = 0;
  /// `resize` makes room for the elements that `item` then describes.
  virtual void list(const char* key, std::size_t count, const std::function<void(std::size_t)>& resize,
                    const std::function<void(Fields&, std::size_t)>& item) = 0;
  /// Anything, taken as it stands.
  virtual void raw(const char* key, Json& value) = 0;
  /// Whether the key is to be visited: it was written, or holds a value to write.
  virtual bool wants(const char* key, bool present) = 0;

  /// True for the walk that lists keys: describe the keys of every variety, not only of the one at hand.
  virtual bool everything() const { return false; }

  void integer(const char* key, int& value, const Limits& limits);
  void optionalInteger(const char* key, std::optional<std::int64_t>& value, const Limits& limits);
  void optionalNumber(const char* key, std::optional<double>& value, const Limits& limits);
};

/// A word for each value of an enumeration.
template <class Value>
using Words = std::vector<std::pair<std::string, Value>>;

template <class Value>
const std::string& wordOf(const Words<Value>& words, Value value) {
  for (const auto& [word, meaning] : words) {
    if (meaning == value) return word;
  }
  return words.front().first;
}

template <class Value>
std::optional<Value> valueOf(const Words<Value>& words, const std::string& text) {
  for (const auto& [word, meaning] : words) {
    if (word == text) return meaning;
  }
  return std::nullopt;
}

template <class Value>
std::vector<std::string> wordsOf(const Words<Value>& words) {
  std::vector<std::string> names;
  for (const auto& entry : words) names.push_back(entry.first);
  return names;
}

template <class Value>
void choice(Fields& fields, const char* key, Value& value, const Words<Value>& words) {
  std::string word = wordOf(words, value);
  fields.text(key, word, wordsOf(words));
  value = valueOf(words, word).value_or(value);
}

/// A section that may also be written as the one word of its `key`: "sgd" for {"name": "sgd"}.
Fields::Shorthand wordFor(const char* key, const Fields::Describe& describe);

/// Reads the described keys of `object`. Failures carry the path; a key that nobody described is one of them.
void readFields(const Json& object, const std::string& path, Failures& failures, const Fields::Describe& describe,
                const Fields::Shorthand& shorthand = {});
/// The described keys with their values, in the order of description.
Json writeFields(const Fields::Describe& describe);
/// The paths of all described keys; elements of a list are "key[]".
std::vector<std::string> keyPaths(const Fields::Describe& describe);

/// The problem of a failure about a key that nobody described.
inline constexpr const char* unknownKeyProblem = "is not a known key";

/// "did you mean NEAREST?", else the whole choice.
std::string suggestion(const std::string& word, const std::vector<std::string>& known);

}  // namespace slipstream
