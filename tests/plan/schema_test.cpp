// SPDX-License-Identifier: GPL-3.0-or-later
#include <fstream>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/plan/boost_spelling.h"
#include "engine/plan/experiment_fields.h"
#include "engine/plan/stages_file.h"

namespace slipstream {
namespace {

/// The key paths that a JSON schema describes, in the notation of keyPaths().
class SchemaPaths {
 public:
  explicit SchemaPaths(const Json& root) : root_(root) {}

  std::set<std::string> collect() {
    walk(root_, "");
    return paths_;
  }

 private:
  void walk(const Json& node, const std::string& prefix) {
    if (node.contains("$ref")) {
      const std::string reference = node["$ref"];
      return walk(root_.at(Json::json_pointer(reference.substr(1))), prefix);
    }
    if (node.contains("anyOf")) {
      for (const Json& alternative : node["anyOf"]) walk(alternative, prefix);
    }
    if (node.contains("items")) walk(node["items"], prefix.substr(0, prefix.size() - 1) + "[].");
    if (!node.contains("properties")) return;
    for (const auto& [key, value] : node["properties"].items()) {
      paths_.insert(prefix + key);
      walk(value, prefix + key + ".");
    }
  }

  const Json& root_;
  std::set<std::string> paths_;
};

/// Whole sections; what stages share of them is refused when the file is read.
bool isForStages(const std::string& path) {
  const std::string section = path.substr(0, path.find('.'));
  return section != "$schema" && section != "name" && section != "seed" && section != "device" && section != "network";
}

/// The keys of a dictionary that stands behind `prefix`.
void addDictionary(const std::string& prefix, std::vector<std::string>& paths) {
  for (const std::string& section : boostSections()) paths.push_back(prefix + section);
  for (const BoostKnob& knob : boostKnobs()) {
    std::vector<std::string> spellings = knob.aliases;
    spellings.push_back(knob.key);
    for (const std::string& key : spellings) paths.push_back(prefix + knob.section + "." + key);
  }
}

/// All keys that the parser knows, the dictionary's and the variants' among them.
std::set<std::string> parsedPaths() {
  ExperimentSections sections;
  std::vector<std::string> paths = keyPaths([&](Fields& fields) { describeExperimentFile(fields, sections); });
  const std::vector<std::string> file = paths;
  for (const BoostSpelling& alias : boostAliases()) paths.push_back(alias.written);
  for (const std::string dictionary : {"boost.dictionary.", "boost.", "boost_config_dict."}) {
    addDictionary(dictionary, paths);
  }
  // A stage has the file's sections, and a head; a variant may have stages of its own.
  const std::vector<std::string> alone = paths;
  paths.push_back("stages");
  for (const std::string& key : stageKeys()) paths.push_back("stages[]." + key);
  for (const std::string& path : alone) {
    if (isForStages(path)) paths.push_back("stages[]." + path);
  }
  std::set<std::string> all(paths.begin(), paths.end());
  all.insert("variants");
  for (const std::string& path : paths) {
    if (path != "$schema") all.insert("variants[]." + path);
  }
  return all;
}

Json readSchema() {
  std::ifstream file(std::string(SLIPSTREAM_SOURCE) + "/resources/experiment.schema.json");
  return Json::parse(file);
}

TEST(Schema, DescribesExactlyTheKeysThatTheParserKnows) {
  const Json schema = readSchema();
  EXPECT_EQ(SchemaPaths(schema).collect(), parsedPaths());
}

/// Keys without a description, neither beside them nor where their reference leads.
void collectUndescribed(const Json& root, const Json& node, const std::string& where, std::set<std::string>& keys) {
  for (const auto& [key, value] : node.items()) {
    if (value.is_structured() && key != "properties") collectUndescribed(root, value, where + "/" + key, keys);
  }
  if (!node.contains("properties")) return;
  for (const auto& [key, value] : node["properties"].items()) {
    const std::string place = where + "/" + key;
    const std::string reference = value.value("$ref", "");
    const Json& described =
        value.contains("description") || reference.empty() ? value : root.at(Json::json_pointer(reference.substr(1)));
    if (described.value("description", "").empty()) keys.insert(place);
    collectUndescribed(root, value, place, keys);
  }
}

TEST(Schema, DescribesEveryKeyInWords) {
  const Json schema = readSchema();
  std::set<std::string> keys;
  collectUndescribed(schema, schema, "", keys);
  EXPECT_THAT(keys, testing::IsEmpty());
}

TEST(Schema, AKeyWithoutADescriptionIsFound) {
  const Json schema = Json::parse(R"({"properties": {"said": {"description": "so"}, "led": {"$ref": "#/$defs/d"},
      "outer": {"description": "", "anyOf": [{"type": "string"}, {"properties": {"inner": {"$ref": "#/$defs/e"}}}]}},
      "$defs": {"d": {"description": "there"}, "e": {"type": "string"}}})");
  std::set<std::string> keys;
  collectUndescribed(schema, schema, "", keys);
  EXPECT_THAT(keys, testing::ElementsAre("/outer", "/outer/anyOf/1/inner"));
}

TEST(Schema, RefusesOtherKeysEverywhere) {
  const Json schema = readSchema();
  const auto closed = [](const auto& self, const Json& node, const std::string& where) -> void {
    if (node.is_object() && node.contains("properties") && node["properties"].is_object()) {
      EXPECT_EQ(node.value("additionalProperties", true), false) << where;
    }
    for (const auto& [key, value] : node.items()) {
      if (value.is_structured()) self(self, value, where + "/" + key);
    }
  };
  closed(closed, schema, "");
}

TEST(Schema, DictionaryDefaultsAreTheKnobs) {
  const Json schema = readSchema();
  const Json& dictionary = schema["$defs"]["dictionary"]["properties"];
  BoostConfig config;
  for (const std::string& section : boostSections()) {
    const Json ours = writeFields([&](Fields& fields) { describeBoostSection(fields, section, config); });
    for (const auto& [key, value] : ours.items()) {
      const Json& described = dictionary[section]["properties"][key];
      EXPECT_EQ(described.value("default", value), value) << section << "." << key;
    }
  }
}

}  // namespace
}  // namespace slipstream
