// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/base/failure.h"
#include "engine/config/json.h"

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

/// A key of a file, and what it means.
struct Key {
  enum Presence {
    hasDefault,  ///< the value that is there before reading
    noDefault,   ///< what a missing key means depends on others
    required,    ///< a file without it is refused
  };

  const char* name;
  const char* title = "";  ///< what a form calls it, in English; empty: by its name
  const char* help = "";
  const char* unit = "";  ///< what its number counts, or what a special one means, in a few words: "per rank"
  Presence presence = hasDefault;
  std::string (*wordHelp)(const std::string& word) = nullptr;  ///< of a text with few words: what each means
  std::vector<std::string> onlyWith = {};  ///< kinds of what its section describes (data sets) that the help is
                                           ///< about; empty: all. When it acts is asked of describe() (FormCondition)

  Key(const char* written, const char* meaning = "", Presence whetherThere = hasDefault)
      : name(written), help(meaning), presence(whetherThere) {}
  Key(const char* written, const char* called, const char* meaning, Presence whetherThere = hasDefault)
      : name(written), title(called), help(meaning), presence(whetherThere) {}

  Key in(const char* counted) const {
    Key key = *this;
    key.unit = counted;
    return key;
  }
  Key only(std::vector<std::string> words) const {
    Key key = *this;
    key.onlyWith = std::move(words);
    return key;
  }
  /// The help behind the words that it is for: "arrays, csv: HELP".
  std::string wholeHelp() const;
  Key explaining(std::string (*meaningOf)(const std::string& word)) const {
    Key key = *this;
    key.wordHelp = meaningOf;
    return key;
  }
};

/// What may be written in place of an object.
struct Shorthand {
  /// Takes a value that is not an object; false where it is of no use. May add failures about the value at `path`.
  std::function<bool(const Json& value, const std::string& path, Failures& failures)> read = {};
  std::function<std::vector<Json>()> forms = {};  ///< JSON schemas of such values
};

/// A walk over the keys of a section. A section's keys are described once, in a function that calls one member a key
/// with the value's home; the walker decides what happens: values are read from JSON, written to JSON, their key paths
/// are listed, or a JSON schema of them is written. The value found there is the default.
class Fields {
 public:
  using Describe = std::function<void(Fields&)>;
  using Shorthand = slipstream::Shorthand;

  virtual ~Fields() = default;
  virtual void flag(const Key& key, bool& value) = 0;
  virtual void integer(const Key& key, std::int64_t& value, const Limits& limits) = 0;
  virtual void number(const Key& key, double& value, const Limits& limits) = 0;
  /// `allowed` empty: any text.
  virtual void text(const Key& key, std::string& value, const std::vector<std::string>& allowed) = 0;
  /// One number or a list of some; a list of one is written as the number.
  virtual void numbers(const Key& key, std::vector<double>& value, const Limits& limits) = 0;
  virtual void integers(const Key& key, std::vector<int>& value, const Limits& limits) = 0;
  /// An object of keys that nobody knows beforehand.
  virtual void integersByName(const Key& key, std::map<std::string, std::int64_t>& values, const Limits& limits) = 0;
  virtual void texts(const Key& key, std::vector<std::string>& value) = 0;
  virtual void section(const Key& key, const Describe& describe, const Shorthand& shorthand = {}) = 0;
  /// `resize` makes room for the elements that `item` then describes.
  virtual void list(const Key& key, std::size_t count, const std::function<void(std::size_t)>& resize,
                    const std::function<void(Fields&, std::size_t)>& item) = 0;
  /// An object of one of several forms.
  virtual void oneOf(const std::vector<Describe>& forms) {
    for (const Describe& form : forms) form(*this);
  }
  /// Anything, taken as it is.
  virtual void raw(const Key& key, Json& value) = 0;
  /// Whether the key is to be visited: it was written, or holds a value to write.
  virtual bool wants(const Key& key, bool present) = 0;

  /// Whether a key that means nothing beside the values at hand is to be visited: it was written, and is refused with
  /// the rest.
  virtual bool takesStray(const Key& key) { return wants(key, false); }

  /// True for walks that read no values: describe the keys of every variety, not only of the one at hand.
  virtual bool everything() const { return false; }

  void integer(const Key& key, int& value, const Limits& limits);
  void optionalInteger(const Key& key, std::optional<std::int64_t>& value, const Limits& limits);
  void optionalNumber(const Key& key, std::optional<double>& value, const Limits& limits);
};

/// A word for each value of an enumeration.
template <class Value>
using EnumNames = std::vector<std::pair<std::string, Value>>;

template <class Value>
const std::string& wordOf(const EnumNames<Value>& words, Value value) {
  for (const auto& [word, meaning] : words) {
    if (meaning == value) return word;
  }
  return words.front().first;
}

template <class Value>
std::optional<Value> valueOf(const EnumNames<Value>& words, const std::string& text) {
  for (const auto& [word, meaning] : words) {
    if (word == text) return meaning;
  }
  return std::nullopt;
}

template <class Value>
std::vector<std::string> wordsOf(const EnumNames<Value>& words) {
  std::vector<std::string> names;
  for (const auto& entry : words) names.push_back(entry.first);
  return names;
}

template <class Value>
void choice(Fields& fields, const Key& key, Value& value, const EnumNames<Value>& words) {
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
/// The JSON schema (draft 2020-12) of an object with the described keys and no others.
Json schemaOf(const Fields::Describe& describe);
/// The paths of all described keys; elements of a list are "key[]".
std::vector<std::string> keyPaths(const Fields::Describe& describe);
/// Those of them that mean something beside the values at hand.
std::vector<std::string> keyPathsAtHand(const Fields::Describe& describe);

/// The problem of a failure about a key that nobody described.
inline constexpr const char* unknownKeyProblem = "is not a known key";

/// "did you mean NEAREST?", else the whole choice.
std::string suggestion(const std::string& word, const std::vector<std::string>& known);

}  // namespace slipstream
