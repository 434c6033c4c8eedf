// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/experiment/experiment_file.h"
#include "tests/support/text_files.h"

namespace slipstream {
namespace {

using ::testing::HasSubstr;

Result<LoadedFile> loadSeeds(const std::string& text, const ExperimentOverrides& overrides = {}) {
  return loadExperimentText(text, "/case.json", overrides, test::environmentOf());
}

std::string orderOf(const LoadedFile& loaded) {
  std::string order;
  for (const LoadedExperiment& one : loaded.experiments) {
    order += fmt::format("{}{} ", one.experiment.variant, one.experiment.seed);
  }
  return order;
}

constexpr const char* twoVariants =
    R"({"network": "mlp", "seeds": [1, 2, 7], "variants": [{"name": "a"}, {"name": "b"}]})";

TEST(Seeds, EachVariantIsTrainedWithEachToAndFro) {
  ExperimentOverrides fifth;
  fifth.seed = 5;
  EXPECT_EQ(orderOf(loadSeeds(twoVariants).value()), "a1 b1 b2 a2 a7 b7 ");
  EXPECT_EQ(orderOf(loadSeeds(R"({"network": "mlp", "seeds": [3, 4]})").value()), "3 4 ");
  EXPECT_EQ(orderOf(loadSeeds(twoVariants, fifth).value()), "a5 b5 ") << "a flag replaces them";
}

TEST(Seeds, AreRefusedWhereTheyCannotBeMeant) {
  const auto problems = [](const std::string& text, const ExperimentOverrides& overrides = {}) {
    const auto loaded = loadSeeds(text, overrides);
    return loaded ? "" : toText(loaded.error());
  };
  ExperimentOverrides flag;
  flag.settings = {"seeds=[1]"};
  EXPECT_THAT(problems(R"({"network": "mlp", "seeds": []})"), HasSubstr("must be a list of different seeds"));
  EXPECT_THAT(problems(R"({"network": "mlp", "seeds": [1, 1]})"), HasSubstr("must be a list of different seeds"));
  EXPECT_THAT(problems(R"({"network": "mlp", "seeds": ["one"]})"), HasSubstr("seeds[0]"));
  EXPECT_THAT(problems(R"({"network": "mlp", "seed": 1, "seeds": [2]})"), HasSubstr("excludes seed"));
  EXPECT_THAT(problems(R"({"network": "mlp", "variants": [{"name": "a", "seeds": [1]}]})"),
              HasSubstr("cannot be inside a variant"));
  EXPECT_THAT(problems(R"({"network": "mlp"})", flag), HasSubstr("cannot be set from the command line"));
}

}  // namespace
}  // namespace slipstream
