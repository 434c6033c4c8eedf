// SPDX-License-Identifier: GPL-3.0-or-later
#include <utility>

#include "engine/experiment/experiment_fields.h"
#include "engine/study/study_fields.h"

namespace slipstream {
namespace {

Json anyOf(std::vector<Json> forms) {
  return Json{{"anyOf", std::move(forms)}};
}

Json listOfValues() {
  return Json{{"type", "array"}, {"minItems", 1}};
}

/// An object whose keys are key paths of an experiment.
Json byKeyPath(Json value) {
  return Json{{"type", "object"}, {"additionalProperties", std::move(value)}};
}

Json space() {
  TuningAxis axis;
  Json range = schemaOf([&](Fields& fields) { describeRange(fields, axis); });
  return byKeyPath(anyOf({listOfValues(), std::move(range)}));
}

/// Keeps what the description says of the key.
void setForm(Json& properties, const char* key, Json form) {
  properties.at(key).update(form);
}

/// A name of the base's variants, or a variant as an experiment has them, with the keys of studies.
Json variants(const Json& experiment) {
  StudyVariantKeys keys;
  Json object = schemaOf([&](Fields& fields) { describeStudyVariant(fields, keys); });
  setForm(object["properties"], "set", byKeyPath(Json::object()));
  setForm(object["properties"], "space", space());
  const Json& ofExperiment = experiment.at(Json::json_pointer("/properties/variants/items/properties"));
  for (const auto& [key, value] : ofExperiment.items()) {
    if (!object["properties"].contains(key)) object["properties"][key] = value;
  }
  return Json{{"type", "array"}, {"minItems", 1}, {"items", anyOf({Json{{"type", "string"}}, std::move(object)})}};
}

}  // namespace

Json studySchema() {
  const Json experiment = experimentSchema();
  Study study;
  StudySections sections;
  Json file = schemaOf([&](Fields& fields) { describeStudy(fields, study, sections); });
  Json& properties = file["properties"];
  setForm(properties, "variants", variants(experiment));
  setForm(properties, "factors", byKeyPath(listOfValues()));
  setForm(properties["tuning"]["properties"], "space", space());
  Json schema{{"$schema", experiment.at("$schema")}, {"title", "Slipstream study"}};
  schema.update(file);
  schema["$defs"] = experiment.at("$defs");
  return schema;
}

}  // namespace slipstream
