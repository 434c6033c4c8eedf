// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiment/experiment_form.h"

#include <fstream>
#include <random>
#include <sstream>

#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "engine/boost/algorithms.h"
#include "engine/config/json_edit.h"
#include "engine/experiment/experiment_fields.h"
#include "engine/plan/plan_file.h"
#include "tests/support/text_files.h"

namespace slipstream {
namespace {

const FormKey& keyAt(const std::vector<FormKey>& form, const std::string& path) {
  for (const FormKey& key : form) {
    if (key.path == path) return key;
  }
  throw std::runtime_error("no key " + path);
}

Json parsed(const std::string& text) {
  auto root = parseJson(text, "case");
  if (!root) throw std::runtime_error(toText(root.error()));
  return *root;
}

const std::string variants = R"({
  "network": "lenet5",
  "optimizer": {"learning_rate": {"mode": "cosine", "lr_max": 0.1}},
  "boost": {"level": "O2", "dictionary": {"common": {"device_num": 4}, "adasum": {"mode": "gradients"}}},
  "variants": [{"name": "plain", "boost": "O0"}, {"name": "same"}]
})";

TEST(ExperimentForm, ShowsWhatHoldsAndWhatIsWritten) {
  const Json root = parsed(variants);
  const auto form = formOf(root, {});
  EXPECT_EQ(keyAt(form, "network.name").value, "lenet5");
  EXPECT_TRUE(keyAt(form, "network.name").written);
  EXPECT_EQ(keyAt(form, "dataset.batch_size").value, 32);
  EXPECT_FALSE(keyAt(form, "dataset.batch_size").written);
  EXPECT_EQ(keyAt(form, "optimizer.learning_rate.lr_max").fallback, 0.01);
  EXPECT_TRUE(keyAt(form, "optimizer.learning_rate.lr_max").unlikeDefault());
  EXPECT_EQ(keyAt(form, "boost.dictionary.common.device_number").value, 4);
  EXPECT_EQ(keyAt(form, "boost.dictionary.adasum.mode").fallback, "deltas");
}

TEST(ExperimentForm, AVariantStandsAboveWhatIsShared) {
  const Json root = parsed(variants);
  const ExperimentScope plain{ExperimentScope::Kind::variant, 0, "plain"};
  const auto form = formOf(root, plain);
  EXPECT_EQ(keyAt(form, "boost.level").value, "O0");
  EXPECT_EQ(keyAt(form, "boost.level").fallback, "O2");
  EXPECT_FALSE(keyAt(form, "network.name").written);
  EXPECT_EQ(keyAt(form, "network.name").value, "lenet5");
}

TEST(ExperimentForm, EveryKeyOfFileAndDictionaryIsThere) {
  const auto form = formOf(Json::object(), {});
  for (const BoostOption& option : boostOptions()) {
    EXPECT_NO_THROW(keyAt(form, "boost.dictionary." + option.section + "." + option.key));
  }
  ExperimentSections sections;
  for (const std::string& path : keyPaths([&](Fields& fields) { describeExperimentFile(fields, sections); })) {
    if (path.find("[]") != std::string::npos || path == "boost.dictionary") continue;
    EXPECT_NO_THROW(keyAt(form, path));
  }
}

TEST(ExperimentForm, KeysThatMeanNothingBesideAChoiceSaySo) {
  const auto digits = formOf(parsed(R"({"dataset": "digits", "optimizer": "adam"})"), {});
  EXPECT_FALSE(keyAt(digits, "dataset.image_size").applies);
  EXPECT_EQ(keyAt(digits, "dataset.image_size").condition.path, "dataset.name");
  EXPECT_FALSE(keyAt(digits, "optimizer.momentum").applies);
  EXPECT_FALSE(keyAt(digits, "optimizer.nesterov").applies);
  EXPECT_TRUE(keyAt(digits, "optimizer.beta1").applies);
  EXPECT_TRUE(keyAt(digits, "optimizer.weight_decay").applies);
  EXPECT_TRUE(keyAt(digits, "dataset.batch_size").condition.path.empty());
  const auto folder = formOf(parsed(R"({"dataset": "image_folder", "optimizer": "momentum"})"), {});
  EXPECT_TRUE(keyAt(folder, "dataset.image_size").applies);
  EXPECT_TRUE(keyAt(folder, "optimizer.nesterov").applies);
  EXPECT_FALSE(keyAt(folder, "optimizer.beta1").applies);
  EXPECT_EQ(keyAt(folder, "optimizer.nesterov").condition.words, (std::vector<std::string>{"sgd", "momentum"}));
}

TEST(ExperimentForm, WithoutAValueAKeyMayMeanSomething) {
  const auto form = formOf(Json::object(), {});
  EXPECT_TRUE(keyAt(form, "train.target_accuracy").applies);
  EXPECT_TRUE(keyAt(form, "parallel.optimizer_parallel.level").applies);
}

TEST(ExperimentForm, AKeyInAVariantCopiesWhatItWouldReplace) {
  const ExperimentScope same{ExperimentScope::Kind::variant, 1, "same"};
  const auto text = setKey(variants, same, "boost.dictionary.adasum.scope", "flat");
  ASSERT_TRUE(text);
  const auto form = formOf(parsed(*text), same);
  EXPECT_EQ(keyAt(form, "boost.dictionary.adasum.mode").value, "gradients");
  EXPECT_EQ(keyAt(form, "boost.dictionary.adasum.scope").value, "flat");
  EXPECT_EQ(keyAt(form, "boost.level").value, "O2");
  EXPECT_FALSE(keyAt(form, "boost.level").written);
}

TEST(ExperimentForm, ShortFormsAreSpelledOut) {
  const ExperimentScope plain{ExperimentScope::Kind::variant, 0, "plain"};
  const auto text = setKey(variants, plain, "boost.dictionary.boost.mode", "manual");
  ASSERT_TRUE(text);
  EXPECT_EQ(keyAt(formOf(parsed(*text), plain), "boost.level").value, "O0");
  EXPECT_EQ(*setKey(R"({"network": "mlp"})", {}, "network.hidden", {8}),
            R"({"network": {"name": "mlp", "hidden": [8]}})");
  EXPECT_EQ(*removeKey(R"({"network": "mlp", "seed": 1})", {}, "network.name"), R"({"seed": 1})");
}

TEST(ExperimentForm, EpochsAndStepsReplaceEachOther) {
  EXPECT_EQ(*setKey(R"({"train": {"epochs": 2}})", {}, "train.steps", 10), R"({"train": {"steps": 10}})");
}

TEST(ExperimentForm, TheTutorialsSpellingsAreFound) {
  const Json root = parsed(variants);
  EXPECT_EQ(placeOf(root, {}, "boost.dictionary.common.device_number"), "boost.dictionary.common.device_num");
  EXPECT_EQ(placeOf(root, {}, "boost.dictionary.adasum.mode"), "boost.dictionary.adasum.mode");
}

/// Another value that the key takes.
Json valueFor(const FormKey& key, std::mt19937& random) {
  const auto upTo = [&](int most) { return static_cast<int>(random() % static_cast<unsigned>(most + 1)); };
  switch (key.kind) {
    case KeyKind::flag:
      return upTo(1) == 1;
    case KeyKind::integer:
      return std::isfinite(key.limits.least) ? static_cast<int>(key.limits.least) + upTo(1) : upTo(100);
    case KeyKind::number:
      return 0.25 + 0.125 * upTo(4);
    case KeyKind::text:
      return key.words.empty() ? "text" + std::to_string(upTo(9))
                               : key.words[static_cast<std::size_t>(upTo(static_cast<int>(key.words.size()) - 1))];
    case KeyKind::integers:
      return Json::array({1 + upTo(3), 5 + upTo(3)});
    default:
      return {};
  }
}

/// Whatever is set in the form stands in the text, and the form made of the text says the same again.
TEST(ExperimentForm, ARandomWalkOverAllKeysIsStable) {
  std::mt19937 random(5);
  std::string text = variants;
  for (int step = 0; step < 300; ++step) {
    const Json root = parsed(text);
    const std::vector<ExperimentScope> scopes = scopesOf(root);
    const ExperimentScope scope = scopes[random() % scopes.size()];
    const auto form = formOf(root, scope);
    const FormKey key = form[random() % form.size()];
    const Json value = valueFor(key, random);
    if (value.is_null()) continue;
    // As the file spells it: an option may be written under its other name.
    const std::string place = placeOf(root, scope, key.path).substr(scope.path().empty() ? 0 : scope.path().size() + 1);
    if (random() % 4 == 0) {
      const auto removed = removeKey(text, scope, place);
      ASSERT_TRUE(removed);
      EXPECT_FALSE(keyAt(formOf(parsed(*removed), scope), key.path).written) << key.path << "\n" << *removed;
      text = *removed;
      continue;
    }
    const auto changed = setKey(text, scope, place, value);
    ASSERT_TRUE(changed) << key.path;
    text = *changed;
    EXPECT_EQ(keyAt(formOf(parsed(text), scope), key.path).value, value) << key.path << "\n" << text;
  }
}

/// The form of a sound experiment holds what its plan holds.
TEST(ExperimentForm, FormsOfTheExperimentsAreTheirPlans) {
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(SLIPSTREAM_SOURCE) / "experiments")) {
    if (entry.path().extension() != ".json") continue;
    PlanProblems problems;
    const PlannedFile planned = planExperiments(entry.path(), {}, test::environmentOf(), problems);
    EXPECT_TRUE(problems.wrong.empty()) << entry.path() << toText(problems.wrong);
    const Json root = parsed(*readFile(entry.path()));
    const auto scopes = scopesOf(root);
    for (std::size_t i = 0; i < planned.plans.size(); ++i) {
      const auto form = formOf(root, scopes[planned.plans.size() == 1 ? 0 : i + 1]);
      const Experiment& experiment = planned.plans[i].experiment;
      EXPECT_EQ(keyAt(form, "dataset.batch_size").value, experiment.dataset.batchSize);
      EXPECT_EQ(keyAt(form, "optimizer.momentum").value, experiment.optimizer.momentum);
      EXPECT_EQ(keyAt(form, "optimizer.learning_rate.lr_max").value, experiment.optimizer.schedule.maximum);
      EXPECT_EQ(keyAt(form, "train.micro_size").value, experiment.train.microSize);
      if (experiment.parallel.rankTablePath.empty()) {
        EXPECT_EQ(keyAt(form, "parallel.ranks").value, experiment.parallel.ranks);
      }
      EXPECT_EQ(keyAt(form, "boost.level").value, wordOf(boostLevels, experiment.boost.level));
    }
  }
}

}  // namespace
}  // namespace slipstream
