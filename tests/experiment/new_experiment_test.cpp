// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/boost/algorithms.h"
#include "engine/config/fields.h"
#include "engine/experiment/experiment_choices.h"
#include "engine/experiment/experiment_form.h"
#include "engine/experiment/experiment_scope.h"
#include "engine/plan/check_file.h"
#include "engine/probe/dataset_kind.h"
#include "engine/spec/network_builtin.h"
#include "tests/support/text_files.h"

namespace slipstream {
namespace {

using testing::ElementsAre;

TEST(NewExperiment, IsAsPeopleWriteOne) {
  EXPECT_EQ(newExperimentText({.name = "first", .network = "lenet5", .dataset = "digits", .ranks = 2}),
            R"({
  "name": "first",
  "network": "lenet5",
  "dataset": {"name": "digits"},
  "parallel": {"ranks": 2},
  "train": {"epochs": 1}
}
)");
}

TEST(NewExperiment, TakesAllRanksOfATable) {
  const Json root = Json::parse(newExperimentText(
      {.name = "x", .network = "mlp", .dataset = "digits", .ranks = 2, .rankTable = "/a/table.json"}));
  EXPECT_EQ(root["parallel"], (Json{{"rank_table", "/a/table.json"}}));
}

TEST(NewExperiment, HasTheAlgorithmsThatWereChosenAndNoOthers) {
  const std::string text = newExperimentText(
      {.name = "x", .network = "lenet5", .dataset = "digits", .ranks = 2, .epochs = 0.5, .algorithms = {"adasum"}});
  const test::TextFiles files;
  const auto planned = planFile(files.write("x.json", text), {}, test::environmentOf());
  ASSERT_TRUE(planned) << toText(planned.error());
  ASSERT_EQ(planned->plans.size(), 1U);
  const BoostConfig& boost = planned->plans[0].experiment.boost;
  for (const AlgorithmSpec& algorithm : switchedAlgorithms()) {
    EXPECT_EQ(boost.isOn(algorithm.key), algorithm.key == "adasum") << algorithm.key;
  }
  EXPECT_EQ(planned->plans[0].ranks(), 2);
}

TEST(NewExperiment, HasNoKeyOrValueThatIsRefusedWhateverIsChosen) {
  const test::TextFiles files;
  for (const std::string& network : builtInNetworks()) {
    for (const DatasetKind* kind : datasetKinds()) {
      const std::string text =
          newExperimentText({.name = "x", .network = network, .dataset = kind->name, .path = "/nowhere"});
      for (const Finding& finding : checkFile(files.write("x.json", text), test::environmentOf()).findings) {
        EXPECT_NE(finding.problem.in(), unknownKeyProblem) << network << " " << kind->name << " " << finding.path;
        EXPECT_FALSE(finding.problem.in().starts_with("is not one of")) << network << " " << kind->name;
      }
    }
  }
}

const FormKey& keyIn(const std::vector<FormKey>& form, const std::string& path) {
  return *std::ranges::find(form, path, &FormKey::path);
}

TEST(VariedValues, AreReadAndHeldAgainstTheKey) {
  const auto form = formOf(Json::object(), {});
  const FormKey& rate = keyIn(form, "optimizer.learning_rate.lr_max");
  EXPECT_THAT(variedValues(rate, "0.01, 0.03,,0.01, 1").value(), ElementsAre(Json(0.01), Json(0.03), Json(1)));
  EXPECT_TRUE(variedValues(rate, "").value().empty());
  const auto wrong = variedValues(rate, "0.1, -2, x");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().size(), 2U);
  EXPECT_EQ(wrong.error()[0].value, "-2");
  EXPECT_FALSE(variedValues(keyIn(form, "dataset.batch_size"), "1.5"));
  EXPECT_THAT(variedValues(keyIn(form, "dataset.shuffle"), "true, false").value(), ElementsAre(true, false));
  EXPECT_FALSE(variedValues(keyIn(form, "dataset.shuffle"), "yes"));
  EXPECT_THAT(variedValues(keyIn(form, "optimizer.name"), "sgd, adam").value(), ElementsAre("sgd", "adam"));
  EXPECT_FALSE(variedValues(keyIn(form, "optimizer.name"), "adan"));
}

TEST(RelativePaths, AreFoundInAFileAndItsVariants) {
  const auto names = [](const char* text) { return namesRelativePaths(Json::parse(text)); };
  EXPECT_FALSE(names(R"({"dataset": {"name": "mnist", "path": "/data"}, "parallel": {"ranks": 2}})"));
  EXPECT_TRUE(names(R"({"dataset": {"name": "mnist", "path": "data"}})"));
  EXPECT_TRUE(names(R"({"parallel": {"rank_table": "two.json"}})"));
  EXPECT_TRUE(names(R"({"variants": [{"name": "a"}, {"name": "b", "network": {"pre_trained": "a.ckpt"}}]})"));
  EXPECT_FALSE(names(R"({"dataset": "mnist", "boost": {"dictionary": "{'boost': {'mode': 'auto'}}"}})"));
  EXPECT_FALSE(names("[1]"));
}

}  // namespace
}  // namespace slipstream
