// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config/fields.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/text.h"
#include "engine/config/number_wanted.h"

namespace slipstream {

std::string Key::wholeHelp() const {
  return onlyWith.empty() ? help : join(onlyWith, ", ") + ": " + help;
}

bool Limits::allow(double value) const {
  if (std::isnan(value)) return false;
  const bool high = openBelow ? value > least : value >= least;
  const bool low = openAbove ? value < most : value <= most;
  return high && low;
}

namespace {

/// Whole numbers with all their digits, where people write them so.
std::string limitText(double value) {
  return std::trunc(value) == value && std::abs(value) < 1e19 ? fmt::format("{:.0f}", value) : numberText(value);
}

Key withoutDefault(Key key) {
  if (key.presence == Key::hasDefault) key.presence = Key::noDefault;
  return key;
}

}  // namespace

std::string Limits::text() const {
  std::vector<std::string> parts;
  if (std::isfinite(least)) parts.push_back(fmt::format("{} {}", openBelow ? "above" : "at least", limitText(least)));
  if (std::isfinite(most)) parts.push_back(fmt::format("{} {}", openAbove ? "below" : "at most", limitText(most)));
  return join(parts, " and ");
}

void Fields::integer(const Key& key, int& value, const Limits& limits) {
  Limits narrow = limits;
  narrow.most = std::min(narrow.most, static_cast<double>(std::numeric_limits<int>::max()));
  std::int64_t wide = value;
  integer(key, wide, narrow);
  value = static_cast<int>(wide);
}

void Fields::optionalInteger(const Key& key, std::optional<std::int64_t>& value, const Limits& limits) {
  if (!wants(key, value.has_value())) {
    value.reset();
    return;
  }
  if (!value) value = 0;
  integer(withoutDefault(key), *value, limits);
}

void Fields::optionalNumber(const Key& key, std::optional<double>& value, const Limits& limits) {
  if (!wants(key, value.has_value())) {
    value.reset();
    return;
  }
  if (!value) value = 0;
  number(withoutDefault(key), *value, limits);
}

std::string suggestion(const std::string& word, const std::vector<std::string>& known) {
  if (const auto nearest = nearestWord(word, known)) return fmt::format("did you mean {}?", *nearest);
  return "known here: " + join(known, ", ");
}

namespace {

/// The words, with "cuda:0 to cuda:15" for a row of numbers.
std::string choiceText(const std::vector<std::string>& words) {
  const auto numbered = [&](std::size_t at, const std::string& stem, std::size_t number) {
    return at < words.size() && words[at] == stem + std::to_string(number);
  };
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string stem = words[i].substr(0, words[i].find(':') + 1);
    std::size_t count = 0;
    while (!stem.empty() && numbered(i + count, stem, count)) ++count;
    if (count < 3) {
      parts.push_back(words[i]);
      continue;
    }
    parts.push_back(words[i] + " to " + words[i + count - 1]);
    i += count - 1;
  }
  return join(parts, ", ");
}

class Reader final : public Fields {
 public:
  Reader(const Json& object, std::string path, Failures& failures)
      : object_(object), path_(std::move(path)), failures_(failures) {}

  void flag(const Key& key, bool& value) override {
    const Json* found = find(key);
    if (found == nullptr) return;
    if (!found->is_boolean()) return refuse(key.name, *found, "must be true or false", "write true or false");
    value = found->get<bool>();
  }

  void integer(const Key& key, std::int64_t& value, const Limits& limits) override {
    const Json* found = find(key);
    if (found == nullptr) return;
    if (const auto read = wholeNumber(key.name, *found, limits)) value = *read;
  }

  void number(const Key& key, double& value, const Limits& limits) override {
    const Json* found = find(key);
    if (found == nullptr) return;
    if (!found->is_number())
      return refuse(key.name, *found, "must be " + numberWanted(*found), trim("write a number " + limits.text()));
    if (const auto read = numberIn(key.name, *found, limits)) value = *read;
  }

  void numbers(const Key& key, std::vector<double>& value, const Limits& limits) override {
    const Json* found = find(key);
    if (found == nullptr) return;
    const bool good = found->is_number() ||
                      (found->is_array() && !found->empty() &&
                       std::all_of(found->begin(), found->end(), [](const Json& entry) { return entry.is_number(); }));
    if (!good) return refuse(key.name, *found, "must be a number or a list of numbers", "write 0.5 or [0.5, 0.5, 0.5]");
    const std::vector<Json> entries = found->is_array() ? found->get<std::vector<Json>>() : std::vector<Json>{*found};
    std::vector<double> read;
    for (const Json& entry : entries) {
      if (const auto number = numberIn(key.name, entry, limits)) read.push_back(*number);
    }
    if (read.size() == entries.size()) value = std::move(read);
  }

  void text(const Key& key, std::string& value, const std::vector<std::string>& allowed) override {
    const Json* found = find(key);
    if (found == nullptr) return;
    if (!found->is_string()) return refuse(key.name, *found, "must be text", "write it in double quotes");
    const auto read = found->get<std::string>();
    if (!allowed.empty() && std::find(allowed.begin(), allowed.end(), read) == allowed.end()) {
      const auto nearest = nearestWord(read, allowed);
      return refuse(key.name, *found, "is not one of " + choiceText(allowed),
                    nearest ? fmt::format("did you mean {}?", *nearest) : "write one of these");
    }
    value = read;
  }

  void integers(const Key& key, std::vector<int>& value, const Limits& limits) override {
    const Json* found = find(key);
    if (found == nullptr) return;
    if (!found->is_array()) return refuse(key.name, *found, "must be a list of whole numbers", "write [1, 2]");
    std::vector<int> read;
    Limits ofInt = limits;
    ofInt.most = std::min(ofInt.most, static_cast<double>(std::numeric_limits<int>::max() - 1));
    for (std::size_t i = 0; i < found->size(); ++i) {
      const auto entry = wholeNumber(fmt::format("{}[{}]", key.name, i), (*found)[i], ofInt);
      if (entry) read.push_back(static_cast<int>(*entry));
    }
    value = std::move(read);
  }

  void integersByName(const Key& key, std::map<std::string, std::int64_t>& values, const Limits& limits) override {
    const Json* found = find(key);
    if (found == nullptr) return;
    if (!found->is_object()) {
      return refuse(key.name, *found, "must be an object of names and whole numbers", "write {\"name\": 1}");
    }
    values.clear();
    for (const auto& [name, entry] : found->items()) {
      if (const auto read = wholeNumber(fmt::format("{}.{}", key.name, name), entry, limits)) values[name] = *read;
    }
  }

  void texts(const Key& key, std::vector<std::string>& value) override {
    const Json* found = find(key);
    if (found == nullptr) return;
    if (found->is_string()) {
      value = {found->get<std::string>()};
      return;
    }
    const bool good = found->is_array() &&
                      std::all_of(found->begin(), found->end(), [](const Json& entry) { return entry.is_string(); });
    if (!good) return refuse(key.name, *found, "must be a list of texts", "write [\"first\", \"second\"]");
    value = found->get<std::vector<std::string>>();
  }

  void section(const Key& key, const Describe& describe, const Shorthand& shorthand) override {
    const Json* found = find(key);
    if (found != nullptr) readFields(*found, pathOf(key.name), failures_, describe, shorthand);
  }

  void list(const Key& key, std::size_t, const std::function<void(std::size_t)>& resize,
            const std::function<void(Fields&, std::size_t)>& item) override {
    const Json* found = find(key);
    if (found == nullptr) return;
    if (!found->is_array()) return refuse(key.name, *found, "must be a list", "write it in square brackets");
    resize(found->size());
    for (std::size_t i = 0; i < found->size(); ++i) {
      readFields((*found)[i], fmt::format("{}[{}]", pathOf(key.name), i), failures_,
                 [&](Fields& fields) { item(fields, i); });
    }
  }

  void raw(const Key& key, Json& value) override {
    if (const Json* found = find(key)) value = *found;
  }

  bool wants(const Key& key, bool) override { return find(key) != nullptr; }

  void refuseUnknown() {
    for (const auto& [key, value] : object_.items()) {
      if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
      failures_.push_back({pathOf(key), shortText(value), unknownKeyProblem, suggestion(key, known_)});
    }
  }

 private:
  /// The value of the key; nothing where it is not written, or null, which means the same.
  const Json* find(const Key& key) {
    if (std::find(known_.begin(), known_.end(), key.name) == known_.end()) known_.emplace_back(key.name);
    const auto found = object_.find(key.name);
    return found == object_.end() || found->is_null() ? nullptr : &*found;
  }

  std::string pathOf(const std::string& key) const { return path_.empty() ? key : path_ + "." + key; }

  void refuse(const std::string& key, const Json& found, std::string problem, std::string remedy) {
    failures_.push_back({pathOf(key), shortText(found), std::move(problem), std::move(remedy)});
  }

  void refuseRange(const std::string& key, const Json& found, const Limits& limits) {
    refuse(key, found, "must be " + limits.text(), "give a value in that range");
  }

  std::optional<double> numberIn(const std::string& key, const Json& found, const Limits& limits) {
    const double read = found.get<double>();
    if (std::isfinite(read) && limits.allow(read)) return read;
    refuseRange(key, found, limits);
    return std::nullopt;
  }

  std::optional<std::int64_t> wholeNumber(const std::string& key, const Json& found, const Limits& limits) {
    // A number beyond 64 bits comes as a fraction, though it was written whole.
    const bool huge = found.is_number_float() && std::abs(found.get<double>()) >= 0x1p63;
    if (!found.is_number_integer() && !huge) {
      refuse(key, found, "must be a whole number", "write a whole number " + limits.text());
      return std::nullopt;
    }
    const bool fits =
        !huge && (!found.is_number_unsigned() ||
                  found.get<std::uint64_t>() <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()));
    if (!fits || !limits.allow(found.get<double>())) {
      Limits narrow = limits;
      narrow.most = std::min(narrow.most, 9.2e18);
      refuseRange(key, found, narrow);
      return std::nullopt;
    }
    return found.get<std::int64_t>();
  }

  const Json& object_;
  std::string path_;
  Failures& failures_;
  std::vector<std::string> known_;
};

class Writer final : public Fields {
 public:
  explicit Writer(Json& object) : object_(object) {}
  void flag(const Key& key, bool& value) override { object_[key.name] = value; }
  void integer(const Key& key, std::int64_t& value, const Limits&) override { object_[key.name] = value; }
  void number(const Key& key, double& value, const Limits&) override { object_[key.name] = value; }
  void text(const Key& key, std::string& value, const std::vector<std::string>&) override { object_[key.name] = value; }
  void numbers(const Key& key, std::vector<double>& value, const Limits&) override {
    object_[key.name] = value.size() == 1 ? Json(value.front()) : Json(value);
  }
  void integers(const Key& key, std::vector<int>& value, const Limits&) override { object_[key.name] = value; }
  void integersByName(const Key& key, std::map<std::string, std::int64_t>& values, const Limits&) override {
    object_[key.name] = values;
  }
  void texts(const Key& key, std::vector<std::string>& value) override { object_[key.name] = value; }
  void section(const Key& key, const Describe& describe, const Shorthand&) override {
    object_[key.name] = writeFields(describe);
  }
  void list(const Key& key, std::size_t count, const std::function<void(std::size_t)>&,
            const std::function<void(Fields&, std::size_t)>& item) override {
    Json elements = Json::array();
    for (std::size_t i = 0; i < count; ++i) {
      elements.push_back(writeFields([&](Fields& fields) { item(fields, i); }));
    }
    object_[key.name] = std::move(elements);
  }
  void raw(const Key& key, Json& value) override { object_[key.name] = value; }
  bool wants(const Key&, bool present) override { return present; }

 private:
  Json& object_;
};

class Lister final : public Fields {
 public:
  Lister(std::string prefix, std::vector<std::string>& paths, bool everything)
      : prefix_(std::move(prefix)), paths_(paths), everything_(everything) {}
  void flag(const Key& key, bool&) override { add(key); }
  void integer(const Key& key, std::int64_t&, const Limits&) override { add(key); }
  void number(const Key& key, double&, const Limits&) override { add(key); }
  void text(const Key& key, std::string&, const std::vector<std::string>&) override { add(key); }
  void numbers(const Key& key, std::vector<double>&, const Limits&) override { add(key); }
  void integers(const Key& key, std::vector<int>&, const Limits&) override { add(key); }
  void integersByName(const Key& key, std::map<std::string, std::int64_t>&, const Limits&) override { add(key); }
  void texts(const Key& key, std::vector<std::string>&) override { add(key); }
  void section(const Key& key, const Describe& describe, const Shorthand&) override {
    add(key);
    Lister inner(prefix_ + key.name + ".", paths_, everything_);
    describe(inner);
  }
  void list(const Key& key, std::size_t, const std::function<void(std::size_t)>& resize,
            const std::function<void(Fields&, std::size_t)>& item) override {
    add(key);
    resize(1);
    Lister inner(prefix_ + key.name + "[].", paths_, everything_);
    item(inner, 0);
  }
  void raw(const Key& key, Json&) override { add(key); }
  bool wants(const Key&, bool) override { return true; }
  bool takesStray(const Key&) override { return everything_; }
  bool everything() const override { return everything_; }

 private:
  void add(const Key& key) { paths_.push_back(prefix_ + key.name); }

  std::string prefix_;
  std::vector<std::string>& paths_;
  bool everything_;
};

}  // namespace

void readFields(const Json& object, const std::string& path, Failures& failures, const Fields::Describe& describe,
                const Fields::Shorthand& shorthand) {
  if (!object.is_object()) {
    if (shorthand.read && shorthand.read(object, path, failures)) return;
    failures.push_back({path, shortText(object), "must be an object with keys", "write it in curly brackets"});
    return;
  }
  Reader reader(object, path, failures);
  describe(reader);
  reader.refuseUnknown();
}

Fields::Shorthand wordFor(const char* key, const Fields::Describe& describe) {
  const auto read = [key, describe](const Json& value, const std::string& path, Failures& failures) {
    if (!value.is_string()) return false;
    readFields(Json{{key, value}}, path, failures, describe);
    return true;
  };
  const auto forms = [key, describe] {
    Json form = schemaOf(describe)["properties"][key];
    form.erase("title");
    form.erase("description");
    form.erase("default");
    return std::vector<Json>{std::move(form)};
  };
  return {read, forms};
}

Json writeFields(const Fields::Describe& describe) {
  Json object = Json::object();
  Writer writer(object);
  describe(writer);
  return object;
}

std::vector<std::string> keyPaths(const Fields::Describe& describe) {
  std::vector<std::string> paths;
  Lister lister("", paths, true);
  describe(lister);
  return paths;
}

std::vector<std::string> keyPathsAtHand(const Fields::Describe& describe) {
  std::vector<std::string> paths;
  Lister lister("", paths, false);
  describe(lister);
  return paths;
}

}  // namespace slipstream
