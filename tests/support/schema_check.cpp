// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/schema_check.h"

#include <algorithm>
#include <regex>
#include <set>
#include <stdexcept>

namespace slipstream::test {
namespace {

using Json = nlohmann::json;
using Problems = std::vector<std::string>;

bool isOfType(const Json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "null") return value.is_null();
  if (type == "integer") return value.is_number_integer();
  if (type == "number") return value.is_number();
  throw std::runtime_error("the type " + type + " is not known here");
}

class Check {
 public:
  explicit Check(const Json& root) : root_(root) {}

  Problems of(const Json& schema, const Json& value, const std::string& place) const {
    Problems problems;
    for (const auto& [word, meaning] : schema.items()) add(problems, word, meaning, schema, value, place);
    return problems;
  }

 private:
  void add(Problems& problems, const std::string& word, const Json& meaning, const Json& schema, const Json& value,
           const std::string& place) const {
    static const std::set<std::string> silent{"$schema", "$defs",      "title",      "description",
                                              "default", "properties", "uniqueItems"};
    const auto refuse = [&](bool bad) {
      if (bad) problems.push_back(place + ": " + word);
    };
    const auto join = [&](Problems more) { problems.insert(problems.end(), more.begin(), more.end()); };
    if (word == "$ref") {
      join(of(root_.at(Json::json_pointer(meaning.get<std::string>().substr(1))), value, place));
    } else if (word == "anyOf") {
      refuse(std::ranges::none_of(meaning, [&](const Json& form) { return of(form, value, place).empty(); }));
    } else if (word == "enum") {
      refuse(std::ranges::find(meaning, value) == meaning.end());
    } else if (word == "type") {
      const Json types = meaning.is_array() ? meaning : Json::array({meaning});
      refuse(std::ranges::none_of(types, [&](const Json& type) { return isOfType(value, type.get<std::string>()); }));
    } else if (word == "additionalProperties") {
      join(ofMembers(meaning, schema, value, place));
    } else if (word == "required") {
      for (const Json& key : meaning) {
        if (value.is_object() && !value.contains(key.get<std::string>()))
          problems.push_back(place + ": lacks " + key.get<std::string>());
      }
    } else if (word == "items") {
      for (std::size_t i = 0; value.is_array() && i < value.size(); ++i)
        join(of(meaning, value[i], place + "/" + std::to_string(i)));
    } else if (word == "pattern") {
      refuse(value.is_string() && !std::regex_search(value.get<std::string>(), std::regex(meaning.get<std::string>())));
    } else if (word == "minItems") {
      refuse(value.is_array() && value.size() < meaning.get<std::size_t>());
    } else if (word == "minimum" || word == "exclusiveMinimum") {
      refuse(value.is_number() && (value < meaning || (word != "minimum" && value == meaning)));
    } else if (word == "maximum" || word == "exclusiveMaximum") {
      refuse(value.is_number() && (value > meaning || (word != "maximum" && value == meaning)));
    } else if (!silent.contains(word)) {
      throw std::runtime_error("the word " + word + " of a schema is not known here");
    }
  }

  /// Of objects: known members by their schemas, others by `additional`, which may be false.
  Problems ofMembers(const Json& additional, const Json& schema, const Json& value, const std::string& place) const {
    Problems problems;
    if (!value.is_object()) return problems;
    for (const auto& [key, member] : value.items()) {
      const std::string inside = place + "/" + key;
      const bool isKnown = schema.contains("properties") && schema["properties"].contains(key);
      if (!isKnown && additional == false) {
        problems.push_back(inside + ": is not a known key");
        continue;
      }
      const Json& own = isKnown ? schema["properties"][key] : additional;
      const Problems more = of(own, member, inside);
      problems.insert(problems.end(), more.begin(), more.end());
    }
    return problems;
  }

  const Json& root_;
};

}  // namespace

std::vector<std::string> problemsBySchema(const nlohmann::json& schema, const nlohmann::json& document) {
  return Check(schema).of(schema, document, "");
}

}  // namespace slipstream::test
