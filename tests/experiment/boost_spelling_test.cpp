// SPDX-License-Identifier: GPL-3.0-or-later
// The tutorials' ways to write a level and a dictionary mean the section `boost`.
#include "engine/experiment/boost_spelling.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/config/json_edit.h"
#include "engine/experiment/experiment_form.h"
#include "engine/experiment/resolved_form.h"
#include "engine/plan/check_file.h"
#include "engine/plan/plan_file.h"
#include "tests/support/text_files.h"

namespace slipstream {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const std::string switches = R"({"boost": {"mode": "manual", "less_bn": false, "grad_freeze": false}})";
const std::string python = R"({  # from the tutorial
    'boost': {'mode': 'manual', 'less_bn': False, 'grad_freeze': False,},
  })";

class BoostSpelling : public testing::Test {
 protected:
  Result<PlannedFile> plan(const std::string& keys, const ExperimentOverrides& overrides = {}) {
    const std::string text = R"({"network": "mlp", "dataset": {"name": "digits", "train_samples": 640,
        "batch_size": 16}, "parallel": {"ranks": 2}, )" +
                             keys + "}";
    return planFile(files_.write("case.json", text), overrides, test::environmentOf());
  }
  RunPlan one(const std::string& keys, const ExperimentOverrides& overrides = {}) {
    const auto planned = plan(keys, overrides);
    if (!planned) throw std::runtime_error(keys + "\n" + toText(planned.error()));
    return planned->plans.front();
  }
  std::string problems(const std::string& keys, const ExperimentOverrides& overrides = {}) {
    const auto planned = plan(keys, overrides);
    return planned ? "" : toText(planned.error());
  }

  test::TextFiles files_;
};

TEST_F(BoostSpelling, EveryOneMeansTheSame) {
  files_.write("boost_config.json", switches);
  files_.write("boost_config.py", python);
  const RunPlan canonical = one(R"("boost": {"level": "O2", "dictionary": )" + switches + "}");
  ASSERT_TRUE(canonical.experiment.boost.isOn("adasum"));
  for (const std::string& keys :
       {R"("boost_level": "O2", "boost_config_dict": )" + switches,
        R"("boost_level": "O2", "boost_config_dict": )" + python, R"("boost": "O2", "boost_config_dict": )" + switches,
        R"("boost": {"level": "O2", "dictionary": )" + python + "}",
        R"("boost": {"level": "O2", )" + switches.substr(1), R"("boost_level": "O2", "boost": )" + switches,
        std::string(R"("boost_level": "O2", "boost": "boost_config.json")"),
        std::string(R"("boost_level": "O2", "boost_config_dict": "boost_config.py")"),
        R"("boost_level": "O2", "boost_config_dict": ")" + (files_.path() / "boost_config.json").string() + "\""}) {
    const RunPlan read = one(keys);
    EXPECT_EQ(toJson(read.experiment)["boost"], toJson(canonical.experiment)["boost"]) << keys;
  }
}

TEST_F(BoostSpelling, HoldsInVariantsAndStagesToo) {
  const auto planned = plan(
      R"("variants": [{"name": "off"}, {"name": "on", "boost_level": "O2", "boost_config_dict": )" + switches + "}]");
  ASSERT_TRUE(planned) << toText(planned.error());
  EXPECT_FALSE(planned->plans[0].experiment.boost.isOn("adasum"));
  EXPECT_TRUE(planned->plans[1].experiment.boost.isOn("adasum"));
  EXPECT_THAT(problems(R"("stages": [{"name": "a", "boost_level": "O1", "boost_config_dict": {"grad_freeze":
      {"freeze_p": 2}}}])"),
              HasSubstr("stages[0].boost_config_dict.grad_freeze.freeze_p: must be above 0 and below 1"));
}

TEST_F(BoostSpelling, FailuresNameTheKeyAsItIsWritten) {
  EXPECT_THAT(problems(R"("boost_level": "O2", "boost_config_dict": {"common": {"device_num": 0}})"),
              HasSubstr("boost_config_dict.common.device_number: must be at least 1"));
  EXPECT_THAT(problems(R"("boost_level": "O9")"), HasSubstr("boost_level: is not one of O0, O1, O2"));
  EXPECT_THAT(problems(R"("boost": {"level": "O2", "adasum": {"mode": "sum"}})"),
              HasSubstr("boost.adasum.mode: is not"));
  EXPECT_THAT(problems(R"("boost_config_dict": "none.json")"), HasSubstr("none.json"));
  files_.write("torn.json", "{\"boost\": \n True");
  EXPECT_THAT(problems(R"("boost_config_dict": "torn.json")"), HasSubstr("torn.json:2:6"));
}

TEST_F(BoostSpelling, WhatIsWrittenTwiceIsRefused) {
  EXPECT_THAT(problems(R"("boost": "O1", "boost_level": "O2")"),
              HasSubstr("boost_level: is another spelling of boost.level, which is written too"));
  EXPECT_THAT(problems(R"("boost": {"dictionary": {}, "common": {"device_num": 2}})"),
              HasSubstr("boost.common: belongs into boost.dictionary"));
}

TEST_F(BoostSpelling, FlagsReplaceTheFilesKeysInEitherSpelling) {
  ExperimentOverrides overrides;
  overrides.settings = {"boost_level=O0"};
  EXPECT_EQ(one(R"("boost": "O2")", overrides).experiment.boost.level, BoostLevel::O0);
  EXPECT_EQ(one(R"("boost_level": "O2")", overrides).experiment.boost.level, BoostLevel::O0);
  overrides.settings = {"boost_config_dict.boost.mode=disable_all", "boost.level=O2"};
  EXPECT_FALSE(
      one(R"("boost_level": "O1", "boost_config_dict": )" + switches, overrides).experiment.boost.isOn("adasum"));
  overrides.settings = {"boost.level=O1", "boost_level=O2"};
  EXPECT_THAT(problems(R"("seed": 1)", overrides), HasSubstr("says again what --set boost.level says"));
}

TEST_F(BoostSpelling, PathsOfADictionaryFileAreRelativeToIt) {
  std::filesystem::create_directory(files_.path() / "inner");
  files_.write("inner/config.json", R"({"boost": {"mode": "manual", "dim_reduce": true},
      "dim_reduce": {"weight_load_dir": "weights"}})");
  EXPECT_THAT(problems(R"("boost_level": "O1", "boost_config_dict": "inner/config.json")"),
              HasSubstr((files_.path() / "inner/weights").string()));
}

TEST(BoostForm, EditsOfTheTutorialsKeysMoveThemIntoTheSection) {
  const std::string text =
      R"({"network": "mlp", "boost_level": "O2", "boost_config_dict": {"boost": {"mode": "auto"}}})";
  const Json root = Json::parse(text);
  EXPECT_EQ(placeOf(root, {}, "boost.level"), "boost_level");
  EXPECT_EQ(placeOf(root, {}, "boost.dictionary.boost.mode"), "boost_config_dict.boost.mode");
  EXPECT_EQ(findValue(keysIn(root, {}), "boost.level")->get<std::string>(), "O2");
  const auto edited = setKey(text, {}, "boost.dictionary.boost.mode", "manual");
  ASSERT_TRUE(edited) << toText(edited.error());
  EXPECT_EQ(Json::parse(*edited), Json::parse(R"({"network": "mlp", "boost": {"level": "O2", "dictionary":
      {"boost": {"mode": "manual"}}}})"));
  const auto removed = removeKey(text, {}, "boost.level");
  ASSERT_TRUE(removed) << toText(removed.error());
  EXPECT_EQ(Json::parse(*removed)["boost"], Json::parse(R"({"dictionary": {"boost": {"mode": "auto"}}})"));
}

TEST(BoostForm, AnEditMakesJsonOfAPythonDictionary) {
  const std::string text =
      R"({"network": "mlp", "boost_level": "O2", "boost_config_dict": {'boost': {'adasum': True,}}})";
  const auto edited = setKey(text, {}, "boost.dictionary.boost.mode", "manual");
  ASSERT_TRUE(edited) << toText(edited.error());
  EXPECT_EQ(Json::parse(*edited)["boost"], Json::parse(R"({"level": "O2", "dictionary":
      {"boost": {"adasum": true, "mode": "manual"}}})"));
  const auto other = setKey(text, {}, "seed", 3);
  ASSERT_TRUE(other) << toText(other.error());
  EXPECT_EQ(Json::parse(*other)["boost_config_dict"]["boost"]["adasum"], true);
}

TEST_F(BoostSpelling, CheckReadsAPythonDictionaryToo) {
  const auto file = files_.write("check.json", R"({"network": "mlp", "dataset": {"name": "digits", "train_samples": 64,
      "batch_size": 16}, "boost_level": "O1", "boost_config_dict": )" +
                                                   python + "}");
  EXPECT_NE(checkFile(file, test::environmentOf()).verdict, Verdict::reject);
}

TEST_F(BoostSpelling, KeysKnownElsewhereAreNamedWithTheirPath) {
  EXPECT_THAT(problems(R"("epochs": 3)"), HasSubstr("epochs: is not a known key (found 3); write it as train.epochs"));
  EXPECT_THAT(problems(R"("dataset_size": 3, "batch_size": 3)"), HasSubstr("write it as dataset.batch_size"));
  EXPECT_THAT(problems(R"("train": {"weight_decay": 1})"), HasSubstr("optimizer.weight_decay or"));
  EXPECT_THAT(problems(R"("epochz": 3)"), HasSubstr("did you mean train.epochs?"));
  EXPECT_THAT(problems(R"("stage": [])"), HasSubstr("did you mean stages?"));
  EXPECT_THAT(problems(R"("boost": {"level": "O2", "adasum": true})"),
              HasSubstr("write it as boost.dictionary.boost.adasum"));
  ExperimentOverrides overrides;
  overrides.settings = {"epochs=3"};
  EXPECT_THAT(problems(R"("seed": 1)", overrides), HasSubstr("write it as train.epochs"));
}

TEST_F(BoostSpelling, PrecisionsThatAreNotBuiltAreRefusedWithWhatToWrite) {
  EXPECT_THAT(problems(R"("precision": {"amp_level": "O1"})"),
              AllOf(HasSubstr("precision.amp_level: is not one of O0"), HasSubstr("write O2")));
  EXPECT_THAT(problems(R"("precision": {"amp_level": "auto", "keep_batchnorm_fp32": false})"),
              AllOf(HasSubstr("precision.keep_batchnorm_fp32: is not built"), HasSubstr("remove it")));
  EXPECT_EQ(problems(R"("precision": {"amp_level": "O0", "keep_batchnorm_fp32": false})"), "");
  EXPECT_THAT(problems(R"("precision": {"amp_level": "O2"})"),
              AllOf(HasSubstr("precision.amp_level: changes nothing"), HasSubstr("write O0")));
}

}  // namespace
}  // namespace slipstream
