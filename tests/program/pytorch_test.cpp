// SPDX-License-Identifier: GPL-3.0-or-later
// PyTorch models as ranks of runs. Where PyTorch (2.1 or later) is missing, each test says so by name.
#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <map>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "engine/base/random.h"
#include "engine/base/text.h"
#include "engine/hosts/run_folder.h"
#include "tests/program/own_program.h"
#include "tests/support/environment_variable.h"
#include "tests/support/kills.h"

namespace slipstream {
namespace {

using namespace slipstream::test;
using ::testing::HasSubstr;

const std::string examples = SLIPSTREAM_SOURCE "/experiments/own_network/";

bool hasTorch() {
  static const bool there =
      std::system((python() +
                   " -c 'import torch; assert hasattr(torch.Tensor, \"register_post_accumulate_grad_hook\")' "
                   ">/dev/null 2>&1")
                      .c_str()) == 0;
  return there;
}

class PyTorch : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!std::string(SLIPSTREAM_SANITIZED).empty())
      GTEST_SKIP() << "Python has not the runtime of " SLIPSTREAM_SANITIZED;
    if (!hasTorch()) GTEST_SKIP() << python() << " has no PyTorch of 2.1 or later (SLIPSTREAM_PYTHON names another)";
  }

  nlohmann::json example(const std::string& name) {
    nlohmann::json experiment = nlohmann::json::parse(readFile(examples + name + ".json").value());
    if (experiment["network"].contains("program")) experiment["network"]["program"][0] = python();
    return experiment;
  }

  ProgramSandbox sandbox;
};

/// A command of the test itself.
int command(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += "'" + word + "' ";
  return std::system((line + ">/dev/null").c_str());
}

double furthest(const std::vector<double>& ours, const std::vector<double>& theirs) {
  double most = 0;
  for (std::size_t i = 0; i < ours.size(); ++i)
    most = std::max(most, std::abs(ours[i] - theirs[i]) / std::abs(ours[i]));
  return most;
}

constexpr double smallRate = 0.002;

struct Parity {
  const char* name;
  const char* changes;
};

const Parity parities[]{
    {"averaged", "{}"},
    {"adasum_of_gradients", R"({"boost": {"level": "O2", "dictionary": {"boost": {"mode": "manual", "less_bn": false,
      "grad_freeze": false}, "adasum": {"mode": "gradients"}}}})"},
    {"adasum_of_deltas", R"({"boost": {"level": "O2", "dictionary": {"boost": {"mode": "manual", "less_bn": false,
      "grad_freeze": false}, "adasum": {"mode": "deltas"}}}})"},
    {"level1", R"({"parallel": {"optimizer_parallel": {"level": "level1", "threshold": 0}}})"},
    {"level2", R"({"parallel": {"optimizer_parallel": {"level": "level2", "threshold": 0}}})"},
    {"level3", R"({"parallel": {"optimizer_parallel": {"level": "level3", "threshold": 0}}})"},
    {"micro_batches", R"({"train": {"micro_size": 4}})"},
    {"accumulation", R"({"boost": {"level": "O1", "dictionary": {"boost": {"mode": "manual", "less_bn": false,
      "grad_freeze": false, "grad_accumulation": true}, "grad_accumulation": {"grad_accumulation_step": 2}}}})"},
    {"freezing", R"({"boost": {"level": "O1", "dictionary": {"boost": {"mode": "manual", "less_bn": false},
      "grad_freeze": {"total_steps": 100, "param_groups": 3, "freeze_p": 0.5}}}})"},
    {"loss_scale", R"({"precision": {"loss_scale": 1024}})"},
};

// From the same weights, on the same batches. The rate is small, so that what rounding makes different stays small: at
// 0.005 the engine's own losses differ by 1.3e-5 where its weights begin a unit in the last place apart.
TEST_F(PyTorch, TrainsLeNetAsTheEngineDoes) {
  sandbox.bring(examples + "lenet.py", "lenet.py");
  ASSERT_EQ(command({python(), examples + "lenet.py", (sandbox.folder() / "lenet.safetensors").string()}), 0);
  nlohmann::json experiment = example("lenet");
  experiment["parallel"]["ranks"] = 2;
  experiment["train"] = {{"steps", 100}, {"checkpoint", {{"at_end", false}}}};
  experiment["optimizer"]["learning_rate"] = smallRate;
  nlohmann::json variants = nlohmann::json::array();
  for (const Parity& parity : parities) {
    for (const nlohmann::json& side : experiment["variants"]) {
      nlohmann::json variant = side;
      variant["name"] = std::string(parity.name) + "/" + side["name"].get<std::string>();
      if (variant.contains("network")) variant["network"]["program"][0] = python();
      variant.merge_patch(nlohmann::json::parse(parity.changes));
      variants.push_back(variant);
    }
  }
  experiment["variants"] = variants;
  sandbox.run(sandbox.write("lenet.json", experiment));
  const auto runs = sandbox.store()->runs();
  ASSERT_EQ(runs.size(), 2 * std::size(parities));
  for (std::size_t i = 0; i < std::size(parities); ++i) {
    ASSERT_EQ(runs[2 * i + 1].state, RunState::done) << parities[i].name << ": " << runs[2 * i + 1].why;
    const auto engine = sandbox.losses(runs[2 * i].id);
    const auto program = sandbox.losses(runs[2 * i + 1].id);
    ASSERT_EQ(engine.size(), 100U);
    ASSERT_EQ(program.size(), 100U);
    const double most = furthest(engine, program);
    RecordProperty(parities[i].name, fmt::format("{:.1e}", most));
    EXPECT_LT(most, 1e-5) << parities[i].name;
  }
}

TEST_F(PyTorch, ReducesTheDimensionsOfLeNetAsTheEngineDoes) {
  sandbox.bring(examples + "lenet.py", "lenet.py");
  ASSERT_EQ(command({python(), examples + "lenet.py", (sandbox.folder() / "lenet.safetensors").string()}), 0);
  nlohmann::json experiment = example("lenet");
  experiment["parallel"]["ranks"] = 2;
  experiment["train"] = nlohmann::json::object();
  experiment["optimizer"]["learning_rate"] = smallRate;
  experiment["dataset"]["train_samples"] = 512;
  experiment["variants"][1]["network"]["program"][0] = python();
  experiment["stages"] = nlohmann::json::parse(R"([
    {"name": "train", "train": {"steps": 48, "snapshots": {"first_epoch": 1, "per_epoch": 4, "keep": 9}}},
    {"name": "reduce", "start": {"stage": "train"}, "train": {"steps": 6}, "boost": {"level": "O1", "dictionary": {
      "boost": {"mode": "manual", "less_bn": false, "grad_freeze": false, "dim_reduce": true},
      "dim_reduce": {"n_components": 4}}}}])");
  sandbox.run(sandbox.write("lenet.json", experiment));
  const auto runs = sandbox.store()->runs();
  ASSERT_EQ(runs.size(), 2U);
  ASSERT_EQ(sandbox.losses(runs[1].id).size(), 54U) << runs[1].why;
  EXPECT_LT(furthest(sandbox.losses(runs[0].id), sandbox.losses(runs[1].id)), 1e-5);
}

struct GptParity {
  const char* name;
  const char* rule;
  const char* changes;
};

const GptParity gptParities[]{
    {"averaged", "mean", "{}"},
    {"adasum_of_gradients", "adasum", parities[1].changes},
    {"adasum_of_deltas", "adasum_deltas", parities[2].changes},
    {"level1", "mean", parities[3].changes},
    {"level2", "mean", parities[4].changes},
    {"level3", "mean", parities[5].changes},
    {"micro_batches", "mean", parities[6].changes},
    {"loss_scale", "mean", R"({"precision": {"loss_scale": 1024}})"},
};

/// The mean losses of two ranks, computed in one process by PyTorch alone.
std::vector<double> plainLosses(const ProgramSandbox& sandbox, const std::string& rule) {
  const auto file = sandbox.folder() / (rule + ".txt");
  const std::string line = "cd '" + sandbox.folder().string() + "' && PYTHONPATH=" SLIPSTREAM_SOURCE "/app/python '" +
                           python() + "' gpt_parity.py plain 2 100 " + rule + " > '" + file.string() + "'";
  if (std::system(line.c_str()) != 0) return {};
  return nlohmann::json::parse(readFile(file).value()).get<std::vector<double>>();
}

// Two layers with tied embeddings, AdamW and clipping, beside PyTorch's own on the same weights and batches.
TEST_F(PyTorch, TrainsAGptAsItsOwnOptimizerDoes) {
  sandbox.bring(examples + "gpt.py", "gpt.py");
  sandbox.bring(SLIPSTREAM_SOURCE "/tests/program/gpt_parity.py", "gpt_parity.py");
  nlohmann::json experiment{
      {"name", "gpt_parity"},
      {"network", {{"program", {python(), "gpt_parity.py"}}}},
      {"dataset", {{"name", "program"}, {"batch_size", 8}, {"train_samples", 2048}, {"evaluation_samples", 1}}},
      {"optimizer", {{"name", "adamw"}, {"learning_rate", 0.001}, {"weight_decay", 0.01}, {"clip_norm", 1}}},
      {"parallel", {{"ranks", 2}}},
      {"train", {{"steps", 100}, {"checkpoint", {{"at_end", false}}}}},
      {"variants", nlohmann::json::array()}};
  for (const GptParity& parity : gptParities) {
    nlohmann::json variant = nlohmann::json::parse(parity.changes);
    variant["name"] = parity.name;
    experiment["variants"].push_back(variant);
  }
  sandbox.run(sandbox.write("gpt_parity.json", experiment));
  const auto runs = sandbox.store()->runs();
  ASSERT_EQ(runs.size(), std::size(gptParities));
  std::map<std::string, std::vector<double>> expected;
  for (std::size_t i = 0; i < std::size(gptParities); ++i) {
    const GptParity& parity = gptParities[i];
    if (!expected.contains(parity.rule)) expected[parity.rule] = plainLosses(sandbox, parity.rule);
    ASSERT_EQ(expected[parity.rule].size(), 100U) << parity.rule;
    const auto losses = sandbox.losses(runs[i].id);
    ASSERT_EQ(losses.size(), 100U) << parity.name << ": " << runs[i].why;
    const double most = furthest(expected[parity.rule], losses);
    RecordProperty(parity.name, fmt::format("{:.1e}", most));
    EXPECT_LT(most, 1e-5) << parity.name;
    EXPECT_LT(losses.back(), losses.front() - 0.5) << "it learns";
  }
}

TEST_F(PyTorch, ExampleOfMnistChangesEightLines) {
  const std::string count = "diff -w '" + examples + "mnist_plain.py' '" + examples + "mnist.py' | grep -c '^>'";
  FILE* pipe = ::popen(count.c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  int lines = 0;
  EXPECT_EQ(std::fscanf(pipe, "%d", &lines), 1);
  ::pclose(pipe);
  EXPECT_LE(lines, 8 + 1);  // and its docstring
  sandbox.bring(examples + "mnist.py", "mnist.py");
  nlohmann::json experiment = example("mnist");
  experiment["dataset"]["train_samples"] = 4096;
  const EnvironmentVariable none("DATA_PATH", std::nullopt);
  const ProgramEnd refused = sandbox.slipstream({"run", sandbox.write("mnist.json", experiment), "--quiet"});
  EXPECT_EQ(refused.exitCode, 2);
  EXPECT_THAT(refused.errors, HasSubstr("DATA_PATH does not name the folder"));
  experiment["network"]["program"].push_back("--stripes");
  const RunRecord run = sandbox.run(sandbox.write("mnist.json", experiment));
  ASSERT_EQ(run.state, RunState::done) << run.why;
  EXPECT_GT(sandbox.store()->series(run.id, "accuracy").values.back(), 0.9);
}

/// Of the run's processes, one that is the program.
bool killOneProgram(const std::string& runId) {
  for (const pid_t process : processesOfRun(runId)) {
    std::ifstream name("/proc/" + std::to_string(process) + "/comm");
    std::string text;
    std::getline(name, text);
    if (text.starts_with("python")) return ::kill(process, SIGKILL) == 0;
  }
  return false;
}

/// Weights and optimizer state of the newest checkpoint. The program's own state holds Python's random state too, which
/// this program neither seeds nor uses.
std::string trainedState(const Sandbox& sandbox, const std::string& runId) {
  std::vector<std::string> lines = split(sandbox.newestState(runId), '\n');
  std::erase_if(lines, [](const std::string& line) { return line.starts_with("program/state"); });
  return join(lines, "\n");
}

// Its batches are drawn with a random state of the program's own, which a checkpoint keeps.
TEST_F(PyTorch, ExampleOfGptLearnsAndKilledGoesOnWithTheSameBits) {
  sandbox.bring(examples + "gpt.py", "gpt.py");
  nlohmann::json experiment = example("gpt");
  experiment["train"] = {{"steps", 80}, {"checkpoint", {{"save_checkpoint_steps", 10}}}};
  const std::string file = sandbox.write("gpt.json", experiment);
  const RunRecord whole = sandbox.run(file);
  ASSERT_EQ(whole.state, RunState::done) << whole.why;
  const auto losses = sandbox.losses(whole.id);
  EXPECT_LT(losses.back(), losses.front() - 1);
  const std::string expected = trainedState(sandbox, whole.id);
  const int kills = killsToSurvive(2);
  Random random{3, RandomStream::test};
  int killed = 0;
  for (int attempt = 0; killed < kills && attempt < 5 * kills; ++attempt) {
    const auto before = sandbox.store()->runs().size();
    sandbox.start({"run", file, "--quiet"});
    while (sandbox.store()->runs().size() == before && !sandbox.hasEnded())
      std::this_thread::sleep_for(std::chrono::milliseconds{5});
    const std::string id = sandbox.newest().id;
    while (sandbox.losses(id).size() < 15 && !sandbox.hasEnded())
      std::this_thread::sleep_for(std::chrono::milliseconds{5});
    std::this_thread::sleep_for(std::chrono::milliseconds{random.below(500)});
    if (!sandbox.hasEnded() && killOneProgram(id)) ++killed;
    sandbox.end();
    if (sandbox.newest().state != RunState::done) {
      const ProgramEnd resumed = sandbox.slipstream({"resume", "last", "--quiet"});
      ASSERT_EQ(resumed.exitCode, 0) << resumed.errors;
    }
    ASSERT_EQ(trainedState(sandbox, id), expected) << "after " << killed << " kills";
    ASSERT_EQ(sandbox.losses(id), losses);
  }
  EXPECT_GE(killed, kills);
}

// What is wrong with its text is said before a run begins.
TEST_F(PyTorch, ExampleOfGptRefusesNoTextAndOneThatIsTooShort) {
  sandbox.bring(examples + "gpt.py", "gpt.py");
  nlohmann::json experiment = example("gpt");
  const auto planned = [&](const std::vector<std::string>& texts) {
    experiment["network"]["program"] = {python(), "gpt.py"};
    for (const std::string& text : texts) experiment["network"]["program"].push_back(text);
    return sandbox.slipstream({"plan", sandbox.write("gpt.json", experiment)});
  };
  for (const std::vector<std::string>& texts : {std::vector<std::string>{}, {"one", "two"}}) {
    const ProgramEnd end = planned(texts);
    EXPECT_EQ(end.exitCode, 2);
    EXPECT_THAT(end.errors, HasSubstr("name a text: python3 gpt.py FILE"));
  }
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1289}}) {
    std::ofstream(sandbox.folder() / "text") << std::string(bytes, 'a');
    const ProgramEnd end = planned({"text"});
    EXPECT_EQ(end.exitCode, 2);
    EXPECT_THAT(end.errors, HasSubstr("text has " + std::to_string(bytes) + " bytes: name a text of at least 1290"));
  }
}

// The shortest text has two windows held out, whose losses differ; more than 64 windows are evaluated in parts.
TEST_F(PyTorch, ExampleOfGptEvaluatesWhatIsHeldOut) {
  sandbox.bring(examples + "gpt.py", "gpt.py");
  nlohmann::json experiment = example("gpt");
  experiment["train"] = {{"steps", 2}};
  experiment["network"]["program"] = {python(), "gpt.py", "text"};
  for (const int bytes : {1290, 50000}) {
    std::ofstream text(sandbox.folder() / "text");
    Random random{7, RandomStream::test};
    for (int i = 0; i < bytes; ++i) text.put(static_cast<char>('a' + random.below(26)));
    text.close();
    const RunRecord run = sandbox.run(sandbox.write("gpt.json", experiment));
    ASSERT_EQ(run.state, RunState::done) << run.why;
    const auto store = sandbox.store();
    EXPECT_NEAR(store->series(run.id, "evaluation_loss").values.back(), std::log(256), 0.5) << bytes;
    const double error = store->series(run.id, "evaluation_loss_error").values.back();
    EXPECT_GT(error, 0) << bytes;
    EXPECT_LT(error, 0.1) << bytes;
  }
}

// Each run is in a folder of its own, where one of the two has failed before.
TEST_F(PyTorch, GoesOnWithTheSameBitsWhateverStreamsItDrawsFrom) {
  sandbox.bring(SLIPSTREAM_SOURCE "/tests/program/streams.py", "streams.py");
  nlohmann::json experiment{
      {"name", "streams"},
      {"dataset", {{"name", "program"}, {"batch_size", 8}, {"train_samples", 96}, {"evaluation_samples", 1}}},
      {"optimizer", {{"name", "momentum"}, {"learning_rate", 0.1}}},
      {"parallel", {{"ranks", 2}}},
      {"train", {{"steps", 20}, {"checkpoint", {{"save_checkpoint_steps", 1}}}}}};
  experiment["network"]["program"] = {python(), "streams.py", "whole"};
  const RunRecord whole = sandbox.run(sandbox.write("whole.json", experiment));
  ASSERT_EQ(whole.state, RunState::done) << whole.why;
  experiment["network"]["program"] = {python(), "streams.py", "fails"};
  EXPECT_EQ(sandbox.slipstream({"run", sandbox.write("fails.json", experiment), "--quiet"}).exitCode, 1);
  EXPECT_THAT(sandbox.newest().why, HasSubstr("step 7 is broken"));
  const ProgramEnd resumed = sandbox.slipstream({"resume", "last", "--quiet"});
  ASSERT_EQ(resumed.exitCode, 0) << resumed.errors;
  EXPECT_EQ(sandbox.losses(sandbox.newest().id), sandbox.losses(whole.id));
  EXPECT_EQ(sandbox.newestState(sandbox.newest().id), sandbox.newestState(whole.id));
}

struct Behaviour {
  const char* use;
  const char* said = nullptr;  ///< null: it is handled
  const char* changes = "{}";
};

constexpr const char* accumulating =
    R"({"boost": {"level": "O1", "dictionary": {"boost": {"mode": "manual", "less_bn": false, "grad_freeze": false,
    "grad_accumulation": true}, "grad_accumulation": {"grad_accumulation_step": 2}}}})";

class PyTorchBehaviour : public PyTorch, public ::testing::WithParamInterface<Behaviour> {};

TEST_P(PyTorchBehaviour, IsHandledOrRefusedAtOnce) {
  const Behaviour& behaviour = GetParam();
  sandbox.bring(SLIPSTREAM_SOURCE "/tests/program/behaviour.py", "behaviour.py");
  nlohmann::json experiment{
      {"name", behaviour.use},
      {"network", {{"program", {python(), "behaviour.py", behaviour.use}}}},
      {"dataset", {{"name", "program"}, {"batch_size", 8}, {"train_samples", 64}, {"evaluation_samples", 1}}},
      {"optimizer", {{"name", "sgd"}, {"learning_rate", 0.1}}},
      {"parallel", {{"ranks", 2}}},
      {"train", {{"steps", 5}, {"checkpoint", {{"save_checkpoint_steps", 1}}}}}};
  experiment.merge_patch(nlohmann::json::parse(behaviour.changes));
  const ProgramEnd end = sandbox.slipstream({"run", sandbox.write("behaviour.json", experiment), "--quiet"});
  if (behaviour.said == nullptr) {
    EXPECT_EQ(end.exitCode, 0) << end.errors << sandbox.newest().why;
    EXPECT_EQ(sandbox.losses(sandbox.newest().id).size(), 5U);
    return;
  }
  EXPECT_NE(end.exitCode, 0);
  const std::string why = end.exitCode == 1 ? sandbox.newest().why : end.errors;
  EXPECT_THAT(why, HasSubstr(behaviour.said));
}

INSTANTIATE_TEST_SUITE_P(
    All, PyTorchBehaviour,
    ::testing::Values(
        Behaviour{"plain"}, Behaviour{"tied"}, Behaviour{"set_to_none"}, Behaviour{"set_to_none_inside"},
        Behaviour{"channels_last"}, Behaviour{"other_thread"},
        Behaviour{"plain_on_npu_twin", nullptr, R"({"device": "npu-twin"})"},
        Behaviour{"micro_batches", nullptr, R"({"train": {"micro_size": 2}})"}, Behaviour{"forks"},
        Behaviour{"accumulates", nullptr, accumulating}, Behaviour{"plain_parts", "load 16 at a time", accumulating},
        Behaviour{"percent", "divide percent by 100"}, Behaviour{"state_of_objects", "cannot be kept in checkpoints"},
        Behaviour{"moved", "before rank.wrap(model)"}, Behaviour{"channels_last_later", "before rank.wrap(model)"},
        Behaviour{"frozen_later", "before rank.wrap(model)"}, Behaviour{"half", "torch.autocast"},
        Behaviour{"elsewhere", "is on meta, and this rank's weights are on cpu: call model.to(rank.device)"},
        Behaviour{"optimizer_steps", "remove optimizer.step()"}, Behaviour{"wraps_twice", "wrapped already"},
        Behaviour{"joins_twice", "one rank of one run"}, Behaviour{"no_backward", "now.parts(x, y)"},
        Behaviour{"backward_twice", "one step is one batch"}, Behaviour{"backward_outside", "inside `with step():`"},
        Behaviour{"raises", "batch 2 is broken"}),
    [](const auto& behaviour) { return std::string(behaviour.param.use); });

}  // namespace
}  // namespace slipstream
