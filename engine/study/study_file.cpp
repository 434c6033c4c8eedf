// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the file of a study.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/config/document_text.h"
#include "engine/config/python_literals.h"
#include "engine/study/study_fields.h"

namespace slipstream {
namespace {

StudySettings readSettings(const Json& value, const std::string& path, Failures& failures) {
  StudySettings settings;
  if (!value.is_object()) {
    failures.push_back({path, shortText(value), "must be an object of key paths", "write {\"train.epochs\": 1}"});
    return settings;
  }
  for (const auto& [key, one] : value.items()) settings[key] = one;
  return settings;
}

const Json* baseVariant(const Json& base, const std::string& name) {
  if (!base.contains("variants") || !base["variants"].is_array()) return nullptr;
  for (const Json& variant : base["variants"]) {
    const bool named = variant.is_object() && variant.contains("name") && variant["name"].is_string();
    if (named && variant["name"].get<std::string>() == name) return &variant;
  }
  return nullptr;
}

std::vector<std::string> namesOfVariants(const Json& base) {
  std::vector<std::string> names;
  if (!base.contains("variants") || !base["variants"].is_array()) return names;
  for (const Json& variant : base["variants"]) {
    if (variant.is_object() && variant.contains("name") && variant["name"].is_string())
      names.push_back(variant["name"]);
  }
  return names;
}

std::optional<StudyVariant> readVariant(const Json& written, const Json& base, const std::string& path,
                                        Failures& failures) {
  Json own = written;
  if (written.is_string()) {
    const Json* known = baseVariant(base, written.get<std::string>());
    if (known == nullptr) {
      failures.push_back({path, shortText(written), "is no variant of the base experiment",
                          suggestion(written.get<std::string>(), namesOfVariants(base))});
      return std::nullopt;
    }
    own = *known;
  }
  if (!own.is_object() || !own.contains("name") || !own["name"].is_string() ||
      trim(own["name"].get<std::string>()).empty()) {
    failures.push_back({path + ".name", "", "is missing", "give every variant a name of its own"});
    return std::nullopt;
  }
  StudyVariantKeys keys;
  const auto describe = [&](Fields& fields) { describeStudyVariant(fields, keys); };
  Json ofStudies = Json::object();
  for (const std::string& key : keyPaths(describe)) {
    if (own.contains(key)) ofStudies[key] = own[key];
    own.erase(key);
  }
  readFields(ofStudies, path, failures, describe);
  StudyVariant variant{.name = keys.name, .scaleRate = keys.scaleRate};
  if (!keys.settings.is_null()) variant.settings = readSettings(keys.settings, path + ".set", failures);
  variant.overrides = std::move(own);
  return variant;
}

TuningSpace readSpace(const Json& value, const std::string& path, Failures& failures) {
  TuningSpace space;
  if (!value.is_object()) {
    failures.push_back({path, shortText(value), "must be an object of key paths",
                        "write {\"optimizer.learning_rate\": {\"low\": 0.001, \"high\": 0.1, \"scale\": \"log\"}}"});
    return space;
  }
  for (const auto& [key, one] : value.items()) {
    TuningAxis axis{.key = key};
    const std::string place = path + "." + key;
    if (one.is_array() && !one.empty()) {
      axis.values = one.get<std::vector<Json>>();
    } else {
      readFields(one.is_object() ? one : Json::object(), place, failures,
                 [&](Fields& fields) { describeRange(fields, axis); });
      if (!(axis.low < axis.high) || (axis.logarithmic && axis.low <= 0)) {
        failures.push_back(
            {place, shortText(one), "is no range", "low is less than high, and above 0 with the scale log"});
      }
    }
    space.push_back(std::move(axis));
  }
  return space;
}

void readVariants(const Json& written, const Json& base, Study& study, Failures& failures) {
  Json list = written;
  if (list.is_null()) {
    list = Json::array();
    for (const std::string& name : namesOfVariants(base)) list.push_back(name);
    if (list.empty()) list.push_back({{"name", "as the file says"}});
  }
  if (!list.is_array() || list.empty()) {
    failures.push_back(
        {"variants", shortText(list), "must be a list of at least one variant", "write [{\"name\": \"first\"}, ...]"});
    return;
  }
  std::set<std::string> names;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string path = fmt::format("variants[{}]", i);
    auto variant = readVariant(list[i], base, path, failures);
    if (!variant) continue;
    if (!names.insert(variant->name).second) {
      failures.push_back({path + ".name", variant->name, "is the name of another variant", "rename one"});
    }
    if (list[i].is_object() && list[i].contains("space")) {
      study.tuning.own[variant->name] = readSpace(list[i]["space"], path + ".space", failures);
    }
    study.variants.push_back(std::move(*variant));
  }
}

void readFactors(const Json& written, Study& study, Failures& failures) {
  if (written.is_null()) return;
  if (!written.is_object()) {
    failures.push_back(
        {"factors", shortText(written), "must be an object of key paths", "write {\"parallel.ranks\": [4, 8]}"});
    return;
  }
  for (const auto& [key, values] : written.items()) {
    if (!values.is_array() || values.empty()) {
      failures.push_back(
          {"factors." + key, shortText(values), "must be a list of values", "write them in square brackets"});
      continue;
    }
    study.factors.push_back({key, values.get<std::vector<Json>>()});
    const std::set<Json> different(values.begin(), values.end());
    if (different.size() != values.size()) {
      failures.push_back({"factors." + key, shortText(values), "has a value twice", "name each once"});
    }
  }
}

/// The reference comes first.
void putReferenceFirst(Study& study, Failures& failures) {
  if (study.variants.empty()) return;
  if (study.reference.empty()) study.reference = study.variants.front().name;
  const auto found = std::ranges::find(study.variants, study.reference, &StudyVariant::name);
  if (found == study.variants.end()) {
    std::vector<std::string> names;
    for (const StudyVariant& variant : study.variants) names.push_back(variant.name);
    failures.push_back({"reference", study.reference, "is none of the variants", suggestion(study.reference, names)});
    return;
  }
  std::rotate(study.variants.begin(), found, found + 1);
}

/// The reference against copies of itself.
void makeControl(Study& study) {
  if (study.control == 0 || study.variants.empty()) return;
  study.variants.resize(1);
  const StudyVariant reference = study.variants.front();
  for (std::int64_t i = 1; i <= study.control; ++i) {
    StudyVariant copy = reference;
    copy.name = fmt::format("{} again {}", reference.name, i);
    study.variants.push_back(std::move(copy));
  }
  study.tuning = {};
}

void checkTuningNames(const Study& study, Failures& failures) {
  for (const std::string& name : study.tuning.variants) {
    if (study.variant(name) != nullptr) continue;
    failures.push_back({"tuning.variants", name, "is none of the variants", "name some of them"});
  }
}

/// An experiment that is a small study by itself.
Json studyOfExperiment(const Json& experiment, const std::filesystem::path& file) {
  Json document{{"base", file.filename().string()}};
  if (experiment.contains("name")) document["name"] = experiment["name"];
  if (experiment.contains("seeds")) document["seeds"] = experiment["seeds"];
  return document;
}

Result<Study> studyOf(Json document, const std::filesystem::path& file, std::optional<std::string> baseText) {
  Study study;
  StudySections raw;
  Failures failures;
  readFields(document, "", failures, [&](Fields& fields) { describeStudy(fields, study, raw); });
  if (raw.base.empty()) {
    // Where it is written as no text, that has been said.
    if (std::ranges::none_of(failures, [](const Failure& one) { return one.where == "base"; }))
      failures.push_back({"base", "", "is missing", "name the file of an experiment"});
    return tl::unexpected(std::move(failures));
  }
  study.base = (std::filesystem::absolute(file).parent_path() / raw.base).lexically_normal();
  if (!baseText) {
    SLIPSTREAM_TRY(read, readDocumentText(study.base));
    baseText = std::move(read);
  }
  study.baseText = std::move(*baseText);
  SLIPSTREAM_TRY(base, parseJson(experimentAsJson(study.baseText), study.base.string()));
  if (!base.is_object()) return fail("base", study.base.string(), "is not an experiment", "name the file of one");
  if (study.name.empty()) study.name = file.stem().string();
  if (study.seeds.most == 0) study.seeds.most = study.seeds.least;
  readVariants(raw.variants, base, study, failures);
  readFactors(raw.factors, study, failures);
  if (!raw.space.is_null()) study.tuning.space = readSpace(raw.space, "tuning.space", failures);
  putReferenceFirst(study, failures);
  checkTuningNames(study, failures);
  makeControl(study);
  document.erase("$schema");  // for editors: the question is the same with and without it
  document["name"] = study.name;
  document["base"] = study.base.string();
  study.document = std::move(document);
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return study;
}

Result<Json> documentOf(const std::string& text, const std::filesystem::path& file) {
  SLIPSTREAM_TRY(root, parseJson(experimentAsJson(text), file.string()));
  if (!root.is_object())
    return fail(file.string(), shortText(root), "is not a study", "write one object in curly brackets");
  if (!root.contains("base") && (root.contains("network") || root.contains("dataset")))
    return studyOfExperiment(root, file);
  return root;
}

}  // namespace

std::uint64_t StudySeeds::at(std::int64_t index) const {
  if (!listed.empty()) return static_cast<std::uint64_t>(listed.at(static_cast<std::size_t>(index)));
  return static_cast<std::uint64_t>(first + index);
}

const StudyVariant* Study::variant(const std::string& called) const {
  const auto found = std::ranges::find(variants, called, &StudyVariant::name);
  return found == variants.end() ? nullptr : &*found;
}

std::int64_t Study::trialsOf(const std::string& called) const {
  if (tuning.rule == TuningRule::none || spaceOf(called).empty()) return 0;
  const bool named = tuning.variants.empty() || std::ranges::find(tuning.variants, called) != tuning.variants.end();
  return named ? tuning.trials : 0;
}

const TuningSpace& Study::spaceOf(const std::string& called) const {
  static const TuningSpace none;
  if (tuning.rule == TuningRule::external) return tuning.space;
  const auto found = tuning.own.find(called);
  return found == tuning.own.end() ? none : found->second;
}

Result<Study> readStudy(const std::filesystem::path& file, std::int64_t control) {
  SLIPSTREAM_TRY(text, readDocumentText(file));
  return readStudyText(text, file, control);
}

Result<Study> readStudyText(const std::string& text, const std::filesystem::path& file, std::int64_t control) {
  SLIPSTREAM_TRY(document, documentOf(text, file));
  const bool isOwn = document.contains("control") && document["control"] == control;
  if (control > 0 && !isOwn) {
    document["control"] = control;
    const std::string name = document.contains("name") && document["name"].is_string()
                                 ? document["name"].get<std::string>()
                                 : file.stem().string();
    document["name"] = name + "_control";
  }
  return studyOf(std::move(document), file, std::nullopt);
}

std::string frozenTextOf(const Study& study) {
  return Json{{"study", study.document}, {"base_text", study.baseText}}.dump(2, ' ', false,
                                                                             Json::error_handler_t::replace);
}

Result<Study> studyOfFrozen(const std::string& text) {
  SLIPSTREAM_TRY(frozen, parseJson(text, "the frozen study"));
  if (!frozen.is_object() || !frozen.contains("study") || !frozen.contains("base_text") ||
      !frozen["base_text"].is_string()) {
    return fail("the frozen study", "", "is not as slipstream writes it", "begin it anew from its file");
  }
  return studyOf(frozen["study"], "/", frozen["base_text"].get<std::string>());
}

std::vector<std::string> changedSince(const Study& frozen, const std::filesystem::path& file) {
  std::vector<std::string> changed;
  const auto base = readDocumentText(frozen.base);
  if (base && *base != frozen.baseText) changed.push_back("the base experiment " + frozen.base.string());
  const auto study = readStudy(file, frozen.control);
  const auto question = [&](Json document) {
    // A control that --control asked for has another name than its file, and in older builds every control had.
    if (frozen.control > 0) document.erase("name");
    return document;
  };
  if (study && question(study->document) != question(frozen.document))
    changed.push_back("the study's file " + file.string());
  return changed;
}

}  // namespace slipstream
