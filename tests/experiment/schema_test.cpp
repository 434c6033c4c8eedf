// SPDX-License-Identifier: GPL-3.0-or-later
#include <fstream>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/experiment/experiment_fields.h"

namespace slipstream {
namespace {

Json readSchema() {
  std::ifstream file(std::string(SLIPSTREAM_SOURCE) + "/resources/experiment.schema.json");
  return Json::parse(file);
}

/// The committed file is for editors that have no slipstream at hand.
TEST(Schema, TheCommittedFileIsWhatTheProgramWrites) {
  // The whole of both would be printed by EXPECT_EQ.
  EXPECT_TRUE(readSchema() == experimentSchema())
      << "write it anew: slipstream schema > resources/experiment.schema.json\n"
      << Json::diff(readSchema(), experimentSchema()).dump(2);
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

}  // namespace
}  // namespace slipstream
