// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study/study_fields.h"

#include <set>

namespace slipstream {
namespace {

const EnumNames<RateScale> rateScales{
    {"none", RateScale::none}, {"linear", RateScale::linear}, {"square_root", RateScale::squareRoot}};
const EnumNames<TuningRule> tuningRules{
    {"none", TuningRule::none}, {"external", TuningRule::external}, {"self", TuningRule::self}};

constexpr Limits seedLimits{.least = 0, .most = 1e9};

const EnumNames<bool> axisScales{{"linear", false}, {"log", true}};

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

std::vector<Json> seedLists() {
  return {Json{{"type", "array"},
               {"minItems", 1},
               {"uniqueItems", true},
               {"items", {{"type", "integer"}, {"minimum", 0}, {"maximum", 1'000'000'000}}}}};
}

}  // namespace

void describeStudy(Fields& fields, Study& study, StudySections& raw) {
  fields.text({"$schema", "this schema, for editors"}, raw.schema, {});
  fields.text({"name", "of the study; the file's name where it is missing"}, study.name, {});
  fields.text({"follows", "the study whose question this one changes"}, study.follows, {});
  fields.text({"base", "the experiment that every cell begins from", Key::required}, raw.base, {});
  fields.text({"reference", "the variant that the others are held against; else the first"}, study.reference, {});
  fields.raw({"variants", "named overrides; names alone are variants of the base"}, raw.variants);
  fields.raw({"factors", "key paths, each with a list of values: every combination is a cell"}, raw.factors);
  fields.section({"seeds", "how many seeds each cell is trained with, or which"},
                 [&](Fields& inner) {
                   inner.integer({"least", "that are done at once"}, study.seeds.least, between(1, 1000));
                   inner.integer({"most", "that may be added up to"}, study.seeds.most, between(0, 1000));
                   inner.integer({"first", "the first of them"}, study.seeds.first, seedLimits);
                 },
                 {.read = [&](const Json& value, const std::string& path,
                              Failures& failures) { return readSeedList(value, study.seeds, path, failures); },
                  .forms = seedLists});
  fields.section({"question", "what is measured, and when two are called different"}, [&](Fields& inner) {
    StudyQuestion& question = study.question;
    inner.text({"measure", "what the question is about"}, question.measure, {});
    inner.optionalNumber({"target", "an accuracy of 1, up to which is counted"}, question.target, anyNumber);
    inner.optionalNumber({"margin", "within which two are the same: a share of 1 of accuracies and times"},
                         question.margin, above(0));
    inner.number({"alpha", "how often any claim may be wrong"}, question.alpha, strictlyBetween(0, 0.5));
    inner.texts({"primary", "measures that are judged; the measure alone where it is missing"}, question.primary);
    inner.texts({"stages", "stages to compare with each other, the reference first"}, question.stages);
  });
  fields.section({"tuning", "keys that are tried out before variants are compared"}, [&](Fields& inner) {
    choice(inner, {"rule", "external: one space for all; self: a space of its own for each"}, study.tuning.rule,
           tuningRules);
    inner.integer({"trials", "that each tuned variant gets"}, study.tuning.trials, between(0, 1000));
    inner.texts({"variants", "that are tuned; all where it is missing"}, study.tuning.variants);
    inner.raw({"space", "key paths, each with a list of values or {low, high, scale}"}, raw.space);
  });
  fields.section({"budget", "what the study may take"}, [&](Fields& inner) {
    inner.optionalNumber({"hours", "after which no cell is started"}, study.budget.hours, above(0));
    inner.integer({"cores", "of the machine; 0: all"}, study.budget.cores, between(0, 4096));
  });
  fields.integer({"control", "copies of the reference that it is compared with, in place of the variants"},
                 study.control, between(0, 100));
}

void describeStudyVariant(Fields& fields, StudyVariantKeys& keys) {
  fields.text({"name", "of the variant", Key::required}, keys.name, {});
  fields.raw({"set", "key paths of the experiment, each with a value"}, keys.settings);
  choice(fields, {"scale_rate", "how the learning rate follows the number of ranks"}, keys.scaleRate, rateScales);
  fields.raw({"space",
              "what is tuned of this variant, with the rule self: key paths, each with a list of values or {low, "
              "high, scale}"},
             keys.space);
}

void describeRange(Fields& fields, TuningAxis& axis) {
  fields.number({"low", "the least value that is tried", Key::required}, axis.low, anyNumber);
  fields.number({"high", "the greatest value that is tried", Key::required}, axis.high, anyNumber);
  choice(fields, {"scale", "how values lie between them"}, axis.logarithmic, axisScales);
}

}  // namespace slipstream
