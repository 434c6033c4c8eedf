// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "engine/config/fields.h"

namespace slipstream {
namespace {

/// Whole numbers without a point, as people write limits.
Json numberOf(double value) {
  const bool whole = std::trunc(value) == value && std::abs(value) < 0x1p53;
  return whole ? Json(static_cast<std::int64_t>(value)) : Json(value);
}

Json withLimits(Json schema, const Limits& limits) {
  if (std::isfinite(limits.least)) schema[limits.openBelow ? "exclusiveMinimum" : "minimum"] = numberOf(limits.least);
  if (std::isfinite(limits.most)) schema[limits.openAbove ? "exclusiveMaximum" : "maximum"] = numberOf(limits.most);
  return schema;
}

Json typed(const char* type) {
  return Json{{"type", type}};
}

Json listOf(Json item) {
  return Json{{"type", "array"}, {"items", std::move(item)}};
}

/// An empty text, list or object is no default that is worth a word.
bool saysSomething(const Json& value) {
  return !value.is_null() && (value.is_boolean() || value.is_number() || !value.empty()) && value != "";
}

/// Writes the properties of one object.
class SchemaWriter final : public Fields {
 public:
  void flag(const Key& key, bool& value) override { add(key, typed("boolean"), value); }
  void integer(const Key& key, std::int64_t& value, const Limits& limits) override {
    add(key, withLimits(typed("integer"), limits), limits.allow(static_cast<double>(value)) ? Json(value) : Json());
  }
  void number(const Key& key, double& value, const Limits& limits) override {
    add(key, withLimits(typed("number"), limits), limits.allow(value) ? numberOf(value) : Json());
  }
  void text(const Key& key, std::string& value, const std::vector<std::string>& allowed) override {
    add(key, allowed.empty() ? typed("string") : Json{{"enum", allowed}}, value);
    if (key.wordHelp != nullptr) explain(key, allowed);
  }
  void numbers(const Key& key, std::vector<double>& value, const Limits& limits) override {
    Json one = withLimits(typed("number"), limits);
    Json several = listOf(one);
    several["minItems"] = 1;
    add(key, Json{{"anyOf", Json::array({std::move(one), std::move(several)})}}, value);
  }
  void integers(const Key& key, std::vector<int>& value, const Limits& limits) override {
    add(key, listOf(withLimits(typed("integer"), limits)), value);
  }
  void integersByName(const Key& key, std::map<std::string, std::int64_t>&, const Limits& limits) override {
    add(key, Json{{"type", "object"}, {"additionalProperties", withLimits(typed("integer"), limits)}}, {});
  }
  void texts(const Key& key, std::vector<std::string>&) override {
    add(key, Json{{"anyOf", Json::array({typed("string"), listOf(typed("string"))})}}, {});
  }
  void section(const Key& key, const Describe& describe, const Shorthand& shorthand) override {
    Json object = schemaOf(describe);
    if (!shorthand.forms) return add(key, std::move(object), {});
    Json forms = Json::array();
    for (Json& form : shorthand.forms()) forms.push_back(std::move(form));
    forms.push_back(std::move(object));
    add(key, Json{{"anyOf", std::move(forms)}}, {});
  }
  void list(const Key& key, std::size_t, const std::function<void(std::size_t)>& resize,
            const std::function<void(Fields&, std::size_t)>& item) override {
    resize(1);
    add(key, listOf(schemaOf([&](Fields& fields) { item(fields, 0); })), {});
    resize(0);
  }
  void oneOf(const std::vector<Describe>& forms) override {
    alternatives_ = Json::array();
    for (const Describe& form : forms) alternatives_.push_back(schemaOf(form));
  }
  void raw(const Key& key, Json&) override { add(key, Json::object(), {}); }
  bool wants(const Key&, bool) override { return true; }
  bool everything() const override { return true; }

  Json take() {
    if (!alternatives_.empty()) return Json{{"anyOf", std::move(alternatives_)}};
    Json object{{"type", "object"}, {"additionalProperties", false}, {"properties", std::move(properties_)}};
    if (!required_.empty()) object["required"] = std::move(required_);
    return object;
  }

 private:
  void add(const Key& key, Json schema, const Json& value) {
    if (*key.title != '\0') schema["title"] = key.title;
    if (*key.help != '\0') schema["description"] = key.wholeHelp();
    if (key.presence == Key::hasDefault && saysSomething(value)) schema["default"] = value;
    if (key.presence == Key::required) required_.push_back(key.name);
    properties_[key.name] = std::move(schema);
  }
  /// "HELP; mnist: idx files; …"
  void explain(const Key& key, const std::vector<std::string>& allowed) {
    std::string help = key.wholeHelp();
    for (const std::string& word : allowed) help += "; " + word + ": " + key.wordHelp(word);
    properties_[key.name]["description"] = help;
  }

  Json properties_ = Json::object();
  Json required_ = Json::array();
  Json alternatives_ = Json::array();
};

}  // namespace

Json schemaOf(const Fields::Describe& describe) {
  SchemaWriter writer;
  describe(writer);
  return writer.take();
}

}  // namespace slipstream
