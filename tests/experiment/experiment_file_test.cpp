// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiment/experiment_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/boost/algorithms.h"
#include "engine/experiment/resolved_form.h"
#include "tests/support/text_files.h"

namespace slipstream {
namespace {

using test::environmentOf;
using testing::HasSubstr;
using testing::Not;

class ExperimentFile : public testing::Test {
 protected:
  Result<LoadedFile> load(const std::string& text, const ExperimentOverrides& overrides = {},
                          std::map<std::string, std::string> variables = {}) {
    return loadExperimentText(text, files_.path() / "case.json", overrides, environmentOf(std::move(variables)));
  }

  Experiment one(const std::string& text, const ExperimentOverrides& overrides = {}) {
    auto loaded = load(text, overrides);
    if (!loaded) throw std::runtime_error(toText(loaded.error()));
    return loaded->experiments.front().experiment;
  }

  std::string problems(const std::string& text, const ExperimentOverrides& overrides = {},
                       std::map<std::string, std::string> variables = {}) {
    const auto loaded = load(text, overrides, std::move(variables));
    return loaded ? "" : toText(loaded.error());
  }

  static ExperimentOverrides set(std::vector<std::string> settings) {
    ExperimentOverrides overrides;
    overrides.settings = std::move(settings);
    return overrides;
  }

  test::TextFiles files_;
};

TEST_F(ExperimentFile, DefaultsFillWhatIsNotWritten) {
  const Experiment experiment = one(R"({"network": "lenet5"})");
  EXPECT_EQ(experiment.name, "case") << "the file's name";
  EXPECT_EQ(experiment.parallel.ranks, 1);
  EXPECT_EQ(experiment.train.epochs, 1);
  EXPECT_FALSE(experiment.train.steps);
  EXPECT_EQ(experiment.optimizer.momentum, 0.9);
  EXPECT_EQ(one(R"({"network": "mlp", "optimizer": "sgd"})").optimizer.momentum, 0.0);
}

TEST_F(ExperimentFile, EveryOptimizerHasDefaultsOfItsOwn) {
  const auto optimizer = [&](const std::string& name) {
    return one(R"({"network": "mlp", "optimizer": ")" + name + "\"}").optimizer;
  };
  EXPECT_EQ(optimizer("adamw").kind, OptimizerKind::adamw);
  EXPECT_EQ(optimizer("adam").beta2, 0.999);
  EXPECT_EQ(optimizer("adam").epsilon, 1e-8);
  EXPECT_EQ(optimizer("lamb").epsilon, 1e-6);
  EXPECT_EQ(optimizer("lion").beta2, 0.99);
  EXPECT_EQ(optimizer("lars").momentum, 0.9);
  EXPECT_EQ(optimizer("lars").trustCoefficient, 0.001);
  EXPECT_EQ(optimizer("adam").clipNorm, 0);
  const auto written =
      one(R"({"network": "mlp", "optimizer": {"name": "lion", "beta1": 0, "beta2": 0.5, "clip_norm": 2},
    "train": {"average_decay": 0.99}})");
  EXPECT_EQ(written.optimizer.beta1, 0);
  EXPECT_EQ(written.optimizer.beta2, 0.5);
  EXPECT_EQ(written.optimizer.clipNorm, 2);
  EXPECT_EQ(written.train.averageDecay, 0.99);
}

TEST_F(ExperimentFile, WhatMakesNoOptimizerIsRefusedAllAtOnce) {
  const std::string text = problems(R"({"network": "mlp", "optimizer": {"name": "adamw", "beta1": 1, "beta2": -0.1,
    "eps": 0, "momentum": 0.9, "nesterov": true, "dampening": 0.1, "trust_coefficient": 0.1, "clip_norm": 0,
    "weight_decay": -1}, "train": {"average_decay": 1}})");
  for (const char* part :
       {"optimizer.beta1: must be", "optimizer.beta2: must be", "optimizer.eps: must be",
        "optimizer.clip_norm: must be", "optimizer.weight_decay: must be", "train.average_decay: must be"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
  const std::string others = problems(R"({"network": "mlp", "optimizer": {"name": "adamw", "momentum": 0.9,
    "nesterov": true, "dampening": 0.1, "trust_coefficient": 0.1}})");
  for (const char* part : {"optimizer.momentum: does not exist in adamw", "optimizer.nesterov: does not exist in adamw",
                           "optimizer.dampening: exists in sgd only", "optimizer.trust_coefficient: does not exist"}) {
    EXPECT_THAT(others, HasSubstr(part));
  }
  EXPECT_THAT(problems(R"({"network": "mlp", "optimizer": {"name": "lars", "trust_coefficient": 0, "beta1": 0.5}})"),
              HasSubstr("optimizer.trust_coefficient: must be"));
  EXPECT_THAT(problems(R"({"network": "mlp", "optimizer": {"name": "momentum", "eps": 1e-8}})"),
              HasSubstr("optimizer.eps: does not exist in momentum"));
}

/// Numbers that were written for one optimizer are not those of another.
TEST_F(ExperimentFile, AnotherOptimizerLeavesTheFirstOnesNumbersOut) {
  const std::string text = R"({"network": "mlp", "optimizer": {"name": "momentum", "momentum": 0.5, "nesterov": true,
    "weight_decay": 0.1}, "variants": [{"name": "a"}, {"name": "b", "optimizer": {"name": "adamw", "beta1": 0.7}},
    {"name": "c", "optimizer": "lars"}, {"name": "d", "optimizer": {"name": "momentum"}}]})";
  const auto loaded = load(text);
  ASSERT_TRUE(loaded) << toText(loaded.error());
  const auto& of = loaded->experiments;
  ASSERT_EQ(of.size(), 4U);
  EXPECT_EQ(of[0].experiment.optimizer.momentum, 0.5);
  EXPECT_EQ(of[1].experiment.optimizer.beta1, 0.7);
  EXPECT_EQ(of[1].experiment.optimizer.weightDecay, 0.1);
  EXPECT_EQ(of[2].experiment.optimizer.momentum, 0.9);
  EXPECT_EQ(of[3].experiment.optimizer.momentum, 0.5);
  const std::string single = R"({"network": "mlp", "optimizer": {"momentum": 0.5}})";
  EXPECT_EQ(one(single, set({"optimizer.name=lion"})).optimizer.kind, OptimizerKind::lion);
  EXPECT_EQ(one(single, set({"optimizer.beta1=0.7", "optimizer.name=lion"})).optimizer.beta1, 0.7);
}

TEST_F(ExperimentFile, NumbersOfListsThatAreTooLargeAreRefusedAsTheyWereWritten) {
  for (const char* number : {"4294967299", "2147483647", "9000000000000000000"}) {
    const std::string text = std::string(R"({"network": "mlp", "parallel": {"all_reduce_fusion_config": [1, )") +
                             number + R"(]}, "boost": {"dictionary": {"common": {"gradient_split_groups": [)" + number +
                             "]}}}}";
    EXPECT_THAT(problems(text), testing::AllOf(HasSubstr("all_reduce_fusion_config[1]"),
                                               HasSubstr("gradient_split_groups[0]"), HasSubstr(number)));
  }
}

TEST_F(ExperimentFile, ResolvedFormReadsBackAsTheSame) {
  const Experiment experiment = one(R"({
    "name": "all", "seed": 7, "network": {"name": "mlp", "hidden": [64], "weight_init": "normal"},
    "dataset": {"name": "digits", "batch_size": 16, "shard": false, "train_samples": 640},
    "loss": {"name": "cross_entropy_smooth", "smooth_factor": 0.1},
    "optimizer": {"name": "momentum", "learning_rate": {"mode": "cosine", "lr_max": 0.1, "warmup_epochs": 0.5},
      "groups": [{"match": "*.bias", "weight_decay": 0}, {"match": ["*"], "weight_decay": 1e-4, "learning_rate": 0.2}]},
    "parallel": {"ranks": 3, "gradients_mean": false, "all_reduce_fusion_config": [1, 3]},
    "boost": {"level": "O2", "dictionary": {"common": {"device_num": 3}, "dim_reduce": {"rho": 0.2}}},
    "train": {"steps": 50, "target_accuracy": 0.9, "checkpoint": {"save_checkpoint_steps": 10}}})");
  const auto again = parseResolved(toJsonText(experiment));
  ASSERT_TRUE(again) << toText(again.error());
  EXPECT_EQ(toJsonText(*again), toJsonText(experiment));
  EXPECT_EQ(again->boost.deviceNumber, 3);
  EXPECT_EQ(again->boost.decisions, experiment.boost.decisions);
  EXPECT_EQ(again->train.steps, 50);
  EXPECT_FALSE(again->train.epochs);
  EXPECT_EQ(again->optimizer.groups[1].schedule->maximum, 0.2);
  EXPECT_EQ(again->network.layers, experiment.network.layers);
}

TEST_F(ExperimentFile, EveryFailureIsListedWithPathValueAndRemedy) {
  const std::string text = problems(R"({
    "nmae": "x", "seed": -1, "network": {"name": "lenet"}, "dataset": {"name": "minst", "batch_size": 0},
    "optimizer": {"name": "sgd", "nesterov": true, "learning_rate": {"mode": "constant", "lr_end": 0.1},
                  "groups": [{"match": ["*"], "weight_decay": 0.1}]},
    "loss": {"smooth_factor": 0.1}, "parallel": {"ranks": 0, "all_reduce_fusion_config": [3, 1]},
    "precision": {"amp_level": "O1"}, "train": {"epochs": 1, "steps": 5, "checkpoint": 5}})");
  EXPECT_THAT(text, HasSubstr("nmae: is not a known key (found \"x\"); did you mean name?"));
  EXPECT_THAT(text, HasSubstr("seed: must be at least 0"));
  EXPECT_THAT(text, HasSubstr("network.name: is not a built-in network (found lenet); did you mean lenet5?"));
  EXPECT_THAT(text, HasSubstr("did you mean mnist?"));
  EXPECT_THAT(text, HasSubstr("dataset.batch_size: must be at least 1"));
  EXPECT_THAT(text, HasSubstr("optimizer.nesterov: needs momentum"));
  EXPECT_THAT(text, HasSubstr("optimizer.learning_rate.mode: ignores the other keys"));
  EXPECT_THAT(text, HasSubstr("optimizer.groups[0].weight_decay: cannot differ by group in sgd"));
  EXPECT_THAT(text, HasSubstr("loss.smooth_factor: has no effect"));
  EXPECT_THAT(text, HasSubstr("parallel.ranks: must be at least 1"));
  EXPECT_THAT(text, HasSubstr("all_reduce_fusion_config: must rise"));
  EXPECT_THAT(text, HasSubstr("precision.amp_level: is not one of O0"));
  EXPECT_THAT(text, HasSubstr("train.epochs: conflicts with train.steps"));
  EXPECT_THAT(text, HasSubstr("train.checkpoint: must be an object"));
}

TEST_F(ExperimentFile, WrongTypesAreNamed) {
  const std::string text = problems(R"({"network": "mlp", "seed": "one", "dataset": {"shard": 1, "mean": "low"},
    "train": {"epochs": true}, "parallel": {"all_reduce_fusion_config": [1, 2.5]}, "name": 5})");
  EXPECT_THAT(text, HasSubstr("seed: must be a whole number (found \"one\")"));
  EXPECT_THAT(text, HasSubstr("dataset.shard: must be true or false"));
  EXPECT_THAT(text, HasSubstr("dataset.mean: must be a number"));
  EXPECT_THAT(text, HasSubstr("train.epochs: must be a number (found true)"));
  EXPECT_THAT(text, HasSubstr("all_reduce_fusion_config[1]: must be a whole number (found 2.5)"));
  EXPECT_THAT(text, HasSubstr("name: must be text"));
}

TEST_F(ExperimentFile, PatternsThatMatchNothingAndNetworksThatDoNotFitAreFound) {
  const std::string text = problems(R"({"network": {"layers": [{"type": "flatten"}, {"type": "dense", "outputs": 7}]},
    "optimizer": {"groups": [{"match": ["*.beta"]}]}})");
  EXPECT_THAT(text, HasSubstr("optimizer.groups[0].match: matches no tensor"));
  EXPECT_THAT(text, HasSubstr("ends with 7 values, but the data has 10 classes"));
}

TEST_F(ExperimentFile, SettingsReplaceKeysAndAreNamedInFailures) {
  const char* text = R"({"network": "lenet5", "train": {"epochs": 2}})";
  EXPECT_EQ(one(text, set({"train.epochs=0.5"})).train.epochs, 0.5);
  EXPECT_EQ(one(text, set({"network=mlp"})).network.name, "mlp");
  EXPECT_EQ(one(text, set({"network.name=mlp", "network.hidden=[30]"})).network.layers[1].outputs, 30);
  EXPECT_EQ(one(text, set({"name=an experiment=1"})).name, "an experiment=1");
  EXPECT_EQ(one(text, set({"boost=O2"})).boost.level, BoostLevel::O2);
  EXPECT_EQ(one(text, set({"optimizer.learning_rate=0.5"})).optimizer.schedule.maximum, 0.5);
  EXPECT_THAT(problems(text, set({"train.epohcs=3"})),
              HasSubstr("--set train.epohcs: is not a known key (found 3); did you mean epochs?"));
  EXPECT_THAT(problems(text, set({"train.epochs=-3"})), HasSubstr("--set train.epochs: must be above 0"));
  EXPECT_THAT(problems(text, set({"train.epochs"})), HasSubstr("not of the form key.path=value"));
  EXPECT_THAT(problems(text, set({"seed.x=1", "seed=3"})), Not(HasSubstr("terminate")));
}

TEST_F(ExperimentFile, SettingsReachIntoLists) {
  const char* text = R"({"network": {"layers": [{"type": "flatten"}, {"type": "dense", "outputs": 7}]}})";
  EXPECT_EQ(one(text, set({"network.layers.1.outputs=10"})).network.layers[1].outputs, 10);
  EXPECT_THAT(problems(text, set({"network.layers.5.outputs=10"})), HasSubstr("not one of the 2 entries"));
  EXPECT_THAT(problems(text, set({"network.layers.1.outputs=no"})),
              HasSubstr("--set network.layers.1.outputs: must be a whole number"));
}

TEST_F(ExperimentFile, EpochsAndStepsReplaceEachOther) {
  const Experiment steps = one(R"({"network": "mlp", "train": {"epochs": 2}})", set({"train.steps=30"}));
  EXPECT_FALSE(steps.train.epochs);
  EXPECT_EQ(steps.train.steps, 30);
  const Experiment epochs = one(R"({"network": "mlp", "train": {"steps": 30}})", set({"train.epochs=2"}));
  EXPECT_FALSE(epochs.train.steps);
}

TEST_F(ExperimentFile, RanksReplaceARankTableAndTheOtherWayRound) {
  const char* table = R"({"network": "mlp", "parallel": {"rank_table": "table.json"}})";
  ExperimentOverrides ranks;
  ranks.ranks = 4;
  EXPECT_EQ(one(table, ranks).parallel.rankTablePath, "");
  EXPECT_EQ(one(table, ranks).parallel.ranks, 4);
  EXPECT_EQ(one(table).parallel.rankTablePath, (files_.path() / "table.json").string()) << "relative to the file";
  ExperimentOverrides rankTable;
  rankTable.rankTable = "other.json";
  const Experiment replaced = one(R"({"network": "mlp", "parallel": {"ranks": 2}})", rankTable);
  EXPECT_EQ(replaced.parallel.rankTablePath, (std::filesystem::current_path() / "other.json").string());
  EXPECT_EQ(replaced.parallel.ranks, 0) << "all of the table";
}

TEST_F(ExperimentFile, FlagsNameThemselvesInFailures) {
  ExperimentOverrides overrides;
  overrides.ranks = 0;
  overrides.device = "tpu";
  const std::string text = problems(R"({"network": "mlp"})", overrides);
  EXPECT_THAT(text, HasSubstr("--ranks: must be at least 1"));
  EXPECT_THAT(text, HasSubstr("--device: is not one of cpu, cuda, npu, npu-twin, cuda:0 to cuda:15, npu:0 to npu:15 "
                              "(found \"tpu\"); did you mean cpu?"));
  overrides.device = "a GPU of mine";
  EXPECT_THAT(problems(R"({"network": "mlp"})", overrides),
              HasSubstr("--device: is not one of cpu, cuda, npu, npu-twin, cuda:0 to cuda:15, npu:0 to npu:15 (found "
                        "\"a GPU of mine\"); write one of these\n"));
}

TEST_F(ExperimentFile, WhatIsNoFiniteNumberIsCalledSo) {
  const auto told = [&](const std::string& optimizer) {
    return problems(R"({"network": "mlp", "optimizer": )" + optimizer + "}");
  };
  EXPECT_EQ(
      told(R"({"learning_rate": "Infinity"})"),
      "optimizer.learning_rate: must be a finite number or a schedule's object (found \"Infinity\"); write 0.1, or "
      "{\"mode\": \"cosine\", \"lr_max\": 0.1}\n");
  EXPECT_THAT(told(R"({"learning_rate": true})"), HasSubstr("must be a number or a schedule's object (found true)"));
  EXPECT_THAT(told(R"({"learning_rate": -1})"), HasSubstr("must be at least 0"));
  for (const char* word : {"NaN", "-inf", "1e999"}) {
    EXPECT_THAT(told(std::string(R"({"weight_decay": ")") + word + "\"}"),
                HasSubstr("weight_decay: must be a finite number"))
        << word;
  }
  EXPECT_THAT(told(R"({"weight_decay": "much"})"), HasSubstr("weight_decay: must be a number (found \"much\")"));
}

TEST_F(ExperimentFile, AnEmptyListOfLayersIsNoNetwork) {
  const std::string file = R"({"network": "lenet5"})";
  ExperimentOverrides overrides;
  overrides.settings = {"network.layers=[]"};
  EXPECT_THAT(problems(file, overrides), HasSubstr("--set network.layers: holds no layer (found [])"));
  EXPECT_THAT(problems(R"({"network": {"layers": []}})"), HasSubstr("network.layers: holds no layer (found [])"));
  overrides.settings = {"network.layers=3"};
  EXPECT_EQ(problems(file, overrides), "--set network.layers: must be a list (found 3); write it in square brackets\n");
  overrides.settings = {"network.layers=null"};
  EXPECT_EQ(one(file, overrides).network.name, "lenet5") << "null is what is not written";
}

TEST_F(ExperimentFile, VariantsOverrideTheFileInOrder) {
  const auto loaded = load(R"({"network": "lenet5", "train": {"epochs": 2, "log_every_steps": 7},
    "boost": {"level": "O2", "dictionary": {"adasum": {"scope": "flat"}}},
    "variants": [{"name": "plain", "boost": "O0"}, {"name": "short", "train": {"steps": 5}, "network": "mlp"},
                 {"name": "own", "boost": {"dictionary": {"adasum": {"mode": "gradients"}}}}]})");
  ASSERT_TRUE(loaded) << toText(loaded.error());
  ASSERT_EQ(loaded->experiments.size(), 3U);
  const Experiment& plain = loaded->experiments[0].experiment;
  const Experiment& brief = loaded->experiments[1].experiment;
  const Experiment& own = loaded->experiments[2].experiment;
  EXPECT_EQ(plain.variant, "plain");
  EXPECT_EQ(plain.boost.level, BoostLevel::O0);
  EXPECT_EQ(brief.train.steps, 5);
  EXPECT_FALSE(brief.train.epochs) << "steps replace the file's epochs";
  EXPECT_EQ(brief.train.logEverySteps, 7);
  EXPECT_EQ(brief.network.name, "mlp");
  EXPECT_EQ(own.boost.level, BoostLevel::O2);
  EXPECT_EQ(own.boost.of<AdasumOptions>().scope, AdasumScope::automatic) << "a dictionary is replaced as a whole";
  EXPECT_EQ(own.boost.of<AdasumOptions>().mode, AdasumMode::gradients);
}

TEST_F(ExperimentFile, FailuresInVariantsNameThem) {
  const std::string text = problems(R"({"network": "mlp", "train": {"epochs": 0}, "variants": [
    {"name": "a", "train": {"epochs": -1}}, {"name": "a", "optimizr": {}}, {"train": {"steps": 5}}, 7]})");
  EXPECT_THAT(text, HasSubstr("variants[0].train.epochs: must be above 0"));
  EXPECT_THAT(text, HasSubstr("variants[1].name: is the name of another variant"));
  EXPECT_THAT(text, HasSubstr("variants[1].optimizr: is not a known key"));
  EXPECT_THAT(text, HasSubstr("variants[2].name: is missing"));
  EXPECT_THAT(text, HasSubstr("variants[3]: must be an object"));
  EXPECT_THAT(text, HasSubstr("\ntrain.epochs: must be above 0")) << "the file's own, for the variants that keep it";
  EXPECT_THAT(problems(R"({"network": "mlp", "variants": []})"), HasSubstr("at least one variant"));
}

TEST_F(ExperimentFile, OverridesHoldForEveryVariant) {
  const auto loaded = load(R"({"network": "mlp", "variants": [{"name": "a", "train": {"steps": 9}}, {"name": "b"}]})",
                           set({"train.steps=3"}));
  ASSERT_TRUE(loaded);
  for (const LoadedExperiment& variant : loaded->experiments) EXPECT_EQ(variant.experiment.train.steps, 3);
}

TEST_F(ExperimentFile, FilesThatAreNoExperimentsAreRefused) {
  EXPECT_THAT(problems("[1]"), HasSubstr("is not an experiment"));
  EXPECT_THAT(problems("{\"a\": 1"), HasSubstr("case.json:1:"));
  EXPECT_THAT(problems("{}"), HasSubstr("network: names no network"));
}

TEST_F(ExperimentFile, TheEnvironmentIsHonouredLast) {
  const std::map<std::string, std::string> variables{{"RANK_SIZE", "6"}, {"DATA_PATH", "/data"}, {"RANK_ID", "3"}};
  const auto used = load(R"({"network": "mlp"})", {}, variables);
  ASSERT_TRUE(used) << toText(used.error());
  EXPECT_EQ(used->experiments[0].experiment.parallel.ranks, 6);
  EXPECT_EQ(used->experiments[0].experiment.dataset.path, "/data");
  EXPECT_EQ(used->experiments[0].dataSource, "DATA_PATH");
  EXPECT_EQ(used->experiments[0].decisions.size(), 3U) << "each variable is recorded";
  const auto beaten =
      load(R"({"network": "mlp", "parallel": {"ranks": 2}, "dataset": {"path": "mine"}})", {}, variables);
  ASSERT_TRUE(beaten);
  EXPECT_EQ(beaten->experiments[0].experiment.parallel.ranks, 2);
  EXPECT_EQ(beaten->experiments[0].experiment.dataset.path, (files_.path() / "mine").string());
  EXPECT_EQ(beaten->experiments[0].dataSource, "dataset.path");
  const auto flag = load(R"({"network": "mlp", "dataset": {"path": "mine"}})", set({"dataset.path=/flag"}), variables);
  EXPECT_EQ(flag->experiments[0].experiment.dataset.path, "/flag");
  EXPECT_EQ(flag->experiments[0].dataSource, "--set dataset.path");
}

TEST_F(ExperimentFile, DimReduceNeedsPastWeights) {
  const std::string demanded = R"({"network": "mlp", "boost": {"level": "O1", "dictionary": {
      "boost": {"mode": "manual", "dim_reduce": true}, "dim_reduce": {)";
  const std::string text = problems(demanded + R"("pca_mat_path": "not_there.npy"}}}})");
  for (const char* part : {"boost.dictionary.boost.dim_reduce", "has no past weights", "weight_load_dir", "`stages`"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
  files_.write("there.npy", "a matrix");
  const Experiment ready = one(demanded + R"("pca_mat_path": "there.npy"}}}})");
  EXPECT_TRUE(ready.boost.isOn("dim_reduce"));
  EXPECT_THAT(ready.boost.of<DimReduceOptions>().pcaMatPath,
              testing::AllOf(testing::StartsWith("/"), testing::EndsWith("/there.npy")));
  EXPECT_TRUE(one(demanded + R"("weight_load_dir": "weights"}}}})").boost.isOn("dim_reduce"));

  const Experiment all = one(R"({"network": "lenet5", "boost": {"level": "O2", "dictionary": {
      "boost": {"mode": "enable_all"}}}})");
  EXPECT_FALSE(all.boost.isOn("dim_reduce"));
  EXPECT_TRUE(all.boost.isOn("adasum"));
}

TEST_F(ExperimentFile, WrongVariablesAreFailuresThatNameThem) {
  const std::string text = problems(R"({"network": "mlp"})", {}, {{"RANK_SIZE", "many"}, {"DEVICE_NUM", "0"}});
  EXPECT_THAT(text, HasSubstr("RANK_SIZE: is not a whole number"));
  EXPECT_THAT(text, HasSubstr("DEVICE_NUM: is not a whole number"));
  EXPECT_THAT(problems(R"({"network": "mlp"})", {}, {{"RANK_SIZE", "99999"}}), HasSubstr("unset RANK_SIZE"));
}

TEST_F(ExperimentFile, VariantsAndStagesAreKnownWhereAKeyIsMisspelt) {
  EXPECT_THAT(problems(R"({"network": "mlp", "variant": []})"), HasSubstr("did you mean variants?"));
  EXPECT_THAT(problems(R"({"network": "mlp", "stage": []})"), HasSubstr("did you mean stages?"));
  EXPECT_THAT(problems(R"({"network": "mlp", "zzzzzzzz": 1})"), AllOf(HasSubstr("variants"), HasSubstr("stages")));
}

}  // namespace
}  // namespace slipstream
