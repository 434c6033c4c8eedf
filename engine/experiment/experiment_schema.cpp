// SPDX-License-Identifier: GPL-3.0-or-later
#include <utility>

#include "engine/boost/algorithms.h"
#include "engine/experiment/experiment_fields.h"
#include "engine/experiment/stages_file.h"

namespace slipstream {
namespace {

Json reference(const std::string& name) {
  return Json{{"$ref", "#/$defs/" + name}};
}

Json described(Json schema, const std::string& help) {
  schema["description"] = help;
  return schema;
}

Json anyOf(std::vector<Json> forms) {
  return Json{{"anyOf", std::move(forms)}};
}

Json closedObject(Json properties) {
  return Json{{"type", "object"}, {"additionalProperties", false}, {"properties", std::move(properties)}};
}

/// With what a section of the dictionary is about.
Json describedSection(Json schema, const std::string& section) {
  if (section == "boost") return described(std::move(schema), "which algorithms are on");
  if (section == "common") return described(std::move(schema), "what several algorithms go by");
  if (const AlgorithmSpec* algorithm = findAlgorithm(section)) {
    schema["title"] = algorithm->title;
    schema["description"] = algorithm->summary;
  }
  return schema;
}

/// A dictionary pasted from Python has None in places, and one number where a list has one element.
Json asPasted(Json schema) {
  const std::string type = schema.value("type", "");
  if (type == "string") schema["type"] = {"string", "null"};
  if (type != "array") return schema;
  Json one = schema["items"];
  Json either;
  for (const char* key : {"title", "description"}) {
    if (!schema.contains(key)) continue;
    either[key] = schema[key];
    schema.erase(key);
  }
  either.update(anyOf({std::move(schema), std::move(one)}));
  return either;
}

/// The published tutorials' spellings of a section's keys.
void addAliases(const std::string& section, Json& properties) {
  for (const BoostOption& option : boostOptions()) {
    if (option.section != section) continue;
    for (const std::string& alias : option.aliases) {
      properties[alias] = described(properties[option.key], "the tutorials' spelling of " + option.key);
      properties[alias].erase("default");
    }
  }
}

Json dictionarySection(const std::string& section) {
  BoostConfig config;
  Json schema = schemaOf([&](Fields& fields) { describeBoostSection(fields, section, config); });
  for (auto& [key, value] : schema["properties"].items()) value = asPasted(std::move(value));
  addAliases(section, schema["properties"]);
  return describedSection(std::move(schema), section);
}

Json dictionary() {
  Json sections = Json::object();
  for (const std::string& section : boostSections()) sections[section] = dictionarySection(section);
  return described(closedObject(std::move(sections)),
                   "boost_config_dict of the tutorials, word for word; the section adasum is ours");
}

/// A level, the name of a file, level and dictionary, or level and the dictionary's sections side by side.
Json boostSection() {
  Json sections{{"level", reference("boost_level")}};
  for (const std::string& section : boostSections()) sections[section] = reference("dictionary/properties/" + section);
  return described(
      anyOf({reference("boost_level"), reference("dictionary_file"),
             closedObject({{"level", reference("boost_level")}, {"dictionary", reference("boost_config_dict")}}),
             closedObject(std::move(sections))}),
      "acceleration algorithms; a dictionary's sections may be directly in it");
}

void addBoost(Json& definitions) {
  definitions["boost"] = boostSection();
  definitions["boost_level"] = Json{{"enum", wordsOf(boostLevels)},
                                    {"description", "boost_level of the tutorials: O0 none, O1, O2"},
                                    {"default", boostLevels.front().first}};
  definitions["boost_config_dict"] =
      described(anyOf({reference("dictionary"), reference("dictionary_file")}),
                "boost_config_dict of the tutorials, or the name of a JSON file with it");
  definitions["dictionary_file"] = Json{
      {"type", "string"}, {"pattern", R"((\.json|\.py|/))"}, {"description", "name of a JSON file with a dictionary"}};
  definitions["dictionary"] = dictionary();
}

/// Named overrides of the file: the keys of `own`, and those of the file.
Json overrides(Json own, const Json& ofFile, const char* help) {
  for (const auto& [key, value] : ofFile.items()) {
    if (!own["properties"].contains(key)) own["properties"][key] = value;
  }
  return Json{{"type", "array"}, {"minItems", 1}, {"description", help}, {"items", std::move(own)}};
}

Json stages(const Json& ofFile) {
  StageEntry entry;
  Json own = schemaOf([&](Fields& fields) { describeStage(fields, entry); });
  Json sections = Json::object();
  for (const auto& [key, value] : ofFile.items()) {
    if (isOverriddenByStages(key)) sections[key] = value;
  }
  return overrides(std::move(own), sections,
                   "trainings one after the other in one run; each overrides the file's sections key by key");
}

Json variants(const Json& ofFile) {
  Json own = closedObject({{"name", {{"type", "string"}, {"description", "of the variant"}}}});
  own["required"] = {"name"};
  return overrides(
      std::move(own), ofFile,
      "named overrides; one run each, in this order, then a comparison; what is nested deeper than a section, as a "
      "dictionary, is replaced whole");
}

}  // namespace

Json experimentSchema() {
  ExperimentSections sections;
  Json file = schemaOf([&](Fields& fields) { describeExperimentFile(fields, sections); });
  Json& properties = file["properties"];
  Json definitions = Json::object();
  for (auto& [key, value] : properties.items()) {
    const bool isSection = value.contains("anyOf") || value.contains("properties");
    if (isSection) definitions[key] = std::exchange(value, reference(key));
  }
  addBoost(definitions);
  for (const char* key : {"boost_level", "boost_config_dict"}) properties[key] = reference(key);
  Json shared = properties;
  shared.erase("$schema");
  definitions["stages"] = stages(shared);
  properties["stages"] = shared["stages"] = reference("stages");
  properties["variants"] = variants(shared);
  properties["seeds"] = Json{{"type", "array"},
                             {"minItems", 1},
                             {"uniqueItems", true},
                             {"items", {{"type", "integer"}, {"minimum", 0}}},
                             {"description", "each variant is trained with each of them; in place of seed"}};
  Json schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", "Slipstream experiment"}};
  schema.update(file);
  schema["$defs"] = std::move(definitions);
  return schema;
}

}  // namespace slipstream
