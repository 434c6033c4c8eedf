// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the file of a study.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/config/document_text.h"
#include "engine/config/fields.h"
#include "engine/config/python_literals.h"
#include "engine/study/study.h"

namespace slipstream {
namespace {

const EnumNames<RateScale> rateScales{
    {"none", RateScale::none}, {"linear", RateScale::linear}, {"square_root", RateScale::squareRoot}};
const EnumNames<TuningRule> tuningRules{
    {"none", TuningRule::none}, {"external", TuningRule::external}, {"self", TuningRule::self}};

constexpr Limits seedLimits{.least = 0, .most = 1e9};

/// Sections that are read by hand, as they are written.
struct RawSections {
  std::string schema, base;
  Json variants, factors, space;
};

bool readSeedList(const Json& value, StudySeeds& seeds, const std::string& path, Failures& failures) {
  if (!value.is_array()) return false;
  for (const Json& seed : value) {
    if (seed.is_number_integer() && seed.get<std::int64_t>() >= 0 && seed.get<std::int64_t>() <= 1'000'000'000) {
      seeds.listed.push_back(seed.get<int>());
    } else {
      failures.push_back({path, shortText(seed), "is not a seed", "write whole numbers from 0 on"});
    }
  }
  if (std::set(seeds.listed.begin(), seeds.listed.end()).size() != seeds.listed.size()) {
    failures.push_back({path, shortText(value), "names a seed twice", "name each once"});
  }
  seeds.least = seeds.most = std::ssize(seeds.listed);
  return true;
}

void describeStudy(Fields& fields, Study& study, RawSections& raw) {
  fields.text({"$schema", "a schema, for editors"}, raw.schema, {});
  fields.text({"name", "of the study; the file's name where it is missing"}, study.name, {});
  fields.text({"follows", "the study whose question this one changes"}, study.follows, {});
  fields.text({"base", "the experiment that every cell begins from", Key::required}, raw.base, {});
  fields.text({"reference", "the variant that the others are held against; else the first"}, study.reference, {});
  fields.raw({"variants", "named overrides; names alone are variants of the base"}, raw.variants);
  fields.raw({"factors", "key paths, each with a list of values: every combination is a cell"}, raw.factors);
  fields.section("seeds",
                 [&](Fields& inner) {
                   inner.integer({"least", "that are done at once"}, study.seeds.least, between(1, 1000));
                   inner.integer({"most", "that may be added up to"}, study.seeds.most, between(0, 1000));
                   inner.integer({"first", "the first of them"}, study.seeds.first, seedLimits);
                 },
                 {.read = [&](const Json& value, const std::string& path, Failures& failures) {
                   return readSeedList(value, study.seeds, path, failures);
                 }});
  fields.section("question", [&](Fields& inner) {
    StudyQuestion& question = study.question;
    inner.text({"measure", "what the question is about"}, question.measure, {});
    inner.optionalNumber({"target", "an accuracy of 1, up to which is counted"}, question.target, anyNumber);
    inner.optionalNumber({"margin", "within which two are the same: a share of 1 of accuracies and times"},
                         question.margin, above(0));
    inner.number({"alpha", "how often any claim may be wrong"}, question.alpha, strictlyBetween(0, 0.5));
    inner.texts({"primary", "measures that are judged; the measure alone where it is missing"}, question.primary);
    inner.texts({"stages", "stages to compare with each other, the reference first"}, question.stages);
  });
  fields.section("tuning", [&](Fields& inner) {
    choice(inner, {"rule", "external: one space for all; self: a space of its own for each"}, study.tuning.rule,
           tuningRules);
    inner.integer({"trials", "that each tuned variant gets"}, study.tuning.trials, between(0, 1000));
    inner.texts({"variants", "that are tuned; all where it is missing"}, study.tuning.variants);
    inner.raw({"space", "key paths, each with a list of values or {low, high, scale}"}, raw.space);
  });
  fields.section("budget", [&](Fields& inner) {
    inner.optionalNumber({"hours", "after which no cell is started"}, study.budget.hours, above(0));
    inner.integer({"cores", "of the machine; 0: all"}, study.budget.cores, between(0, 4096));
  });
  fields.integer({"control", "copies of the reference to compare with it"}, study.control, between(0, 100));
}

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
  StudyVariant variant{.name = own["name"].get<std::string>()};
  own.erase("name");
  if (own.contains("set")) variant.settings = readSettings(own["set"], path + ".set", failures);
  own.erase("set");
  if (own.contains("scale_rate")) {
    const std::string word = own["scale_rate"].is_string() ? own["scale_rate"].get<std::string>() : "";
    const auto scale = valueOf(rateScales, word);
    if (!scale) {
      failures.push_back({path + ".scale_rate", shortText(own["scale_rate"]), "is not one of the choices",
                          suggestion(word, wordsOf(rateScales))});
    }
    variant.scaleRate = scale.value_or(RateScale::none);
  }
  own.erase("scale_rate");
  own.erase("space");
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
      std::string scale = "linear";
      readFields(one.is_object() ? one : Json::object(), place, failures, [&](Fields& fields) {
        fields.number({"low", "", Key::required}, axis.low, anyNumber);
        fields.number({"high", "", Key::required}, axis.high, anyNumber);
        fields.text("scale", scale, {"linear", "log"});
      });
      axis.logarithmic = scale == "log";
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
  RawSections raw;
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
  document["name"] = study.name;
  document["base"] = study.base.string();
  study.document = std::move(document);
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return study;
}

Result<Json> documentOf(const std::filesystem::path& file) {
  SLIPSTREAM_TRY(text, readDocumentText(file));
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
  SLIPSTREAM_TRY(document, documentOf(file));
  if (control > 0) {
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
  if (study && study->document != frozen.document) changed.push_back("the study's file " + file.string());
  return changed;
}

}  // namespace slipstream
