// SPDX-License-Identifier: GPL-3.0-or-later
// A laptop and a machine with ranks, both on this one: a script stands for ssh, and the far side has a home of its own.
#include <fstream>
#include <map>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "engine/base/clock.h"
#include "engine/base/files.h"
#include "engine/base/shell_line.h"
#include "engine/base/text.h"
#include "tests/e2e/program.h"

namespace slipstream {
namespace {

using namespace slipstream::test;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string slipstreamHere = SLIPSTREAM_BUILD "/bin/slipstream";

class RemoteEndToEnd : public testing::Test {
 protected:
  RemoteEndToEnd() {
    const auto far = sandbox_.folder() / "far";
    std::filesystem::create_directories(far);
    std::filesystem::create_directories(here());
    std::ofstream(ssh()) << "#!/bin/sh\n[ -e '" << cut().string()
                         << "' ] && { echo 'ssh: no route to host' >&2; exit 255; }\n"
                         << "shift\nunset SLIPSTREAM_STORE XDG_CONFIG_HOME SLIPSTREAM_SSH\nexport HOME='"
                         << far.string() << "' XDG_DATA_HOME='" << (far / "data").string() << "' PATH='"
                         << (far / "bin").string() << "':\"$PATH\"\ncd \"$HOME\" && exec sh -c \"$*\"\n";
    ::chmod(ssh().c_str(), 0700);
    EXPECT_EQ(onLaptop({"remote", "add", "lab", "me@lab:" + farStore().string(), "--program", slipstreamHere}).exitCode,
              0);
  }

  std::filesystem::path here() const { return sandbox_.folder() / "here"; }
  std::filesystem::path farStore() const { return sandbox_.storeFolder(); }  // which the sandbox tidies up
  std::filesystem::path store() const { return here() / "store"; }
  std::filesystem::path ssh() const { return sandbox_.folder() / "ssh"; }
  std::filesystem::path cut() const { return sandbox_.folder() / "cut"; }

  /// `slipstream WORDS` on the laptop.
  ProgramEnd onLaptop(const std::vector<std::string>& words) {
    std::vector<std::string> line{"env",
                                  "SLIPSTREAM_SSH=" + ssh().string(),
                                  "SLIPSTREAM_STORE=" + store().string(),
                                  "XDG_CONFIG_HOME=" + (here() / "config").string(),
                                  "XDG_RUNTIME_DIR=" + here().string(),
                                  slipstreamHere};
    line.insert(line.end(), words.begin(), words.end());
    const std::string out = (here() / "out").string();
    const std::string errors = (here() / "errors").string();
    const int status = std::system(
        fmt::format("cd '{}' && {} >'{}' 2>'{}' </dev/null", here().string(), shellLine(line), out, errors).c_str());
    return {WEXITSTATUS(status), readFile(out).value_or(""), readFile(errors).value_or("")};
  }
  nlohmann::json json(std::vector<std::string> words) {
    words.emplace_back("--json");
    const ProgramEnd ended = onLaptop(words);
    EXPECT_EQ(ended.exitCode, 0) << ended.errors;
    return nlohmann::json::parse(ended.output, nullptr, false);
  }
  std::string write(const nlohmann::json& experiment) {
    const auto file = here() / "experiment.json";
    std::ofstream(file) << experiment.dump(2);
    return file.string();
  }
  std::string stateOf(const std::string& run) {
    EXPECT_EQ(onLaptop({"remote", "sync", "lab"}).exitCode, 0);
    for (const auto& one : json({"runs"})) {
      if (one["run"] == run) return one["state"].get<std::string>();
    }
    return "";
  }
  bool comesTo(const std::string& run, const std::string& state) {
    const Stopwatch watch;
    while (stateOf(run) != state) {
      if (watch.seconds() > 60) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds{100});
    }
    return true;
  }

  Sandbox sandbox_;
};

TEST_F(RemoteEndToEnd, ALaunchWhereSlurmIsBecomesAJob) {
  const auto programs = sandbox_.folder() / "far" / "bin";
  std::filesystem::create_directories(programs);
  for (const auto& [name, text] : std::map<std::string, std::string>{{"sbatch", "cat > \"$HOME/script\"; echo 17"},
                                                                     {"squeue", "echo '17|PENDING|Resources'"},
                                                                     {"scontrol", "exit 0"},
                                                                     {"scancel", "exit 0"}}) {
    std::ofstream(programs / name) << "#!/bin/sh\n" << text << "\n";
    std::filesystem::permissions(programs / name, std::filesystem::perms::owner_all);
  }
  EXPECT_EQ(onLaptop({"remote", "add", "cluster", "me@cluster:" + farStore().string(), "--slurm", "--program",
                      slipstreamHere})
                .exitCode,
            0);
  const auto launched = json({"run", write(smallExperiment(30, 10)), "--on", "cluster", "--detach"});
  ASSERT_EQ(launched["runs"].size(), 1U) << launched;
  EXPECT_EQ(launched["runs"][0]["job"], "17");
  const auto submitted =
      json({"submit", write(smallExperiment(30, 10)), "--on", "cluster", "--time", "30", "--partition", "short"});
  EXPECT_EQ(submitted["runs"][0]["job"], "17");
  const std::string script = readFile(sandbox_.folder() / "far" / "script").value_or("");
  EXPECT_THAT(script, HasSubstr("#SBATCH --partition=short"));
  EXPECT_THAT(script, HasSubstr("#SBATCH --time=30"));
}

TEST_F(RemoteEndToEnd, HostsAreCheckedFromThere) {
  const auto checked = json({"hosts", "check", "--hosts", "127.0.0.1:1", "--on", "lab"});
  EXPECT_EQ(checked["ready"], true) << checked;
  EXPECT_EQ(checked["hosts"][0]["ranks"], 1) << checked;
}

TEST_F(RemoteEndToEnd, ARunThereIsReadHereAsThere) {
  const std::string file = write(smallExperiment(30, 10));
  const auto started = json({"run", file, "--on", "lab", "--detach"});
  const std::string run = started["run"].get<std::string>();
  ASSERT_TRUE(comesTo(run, "done"));
  EXPECT_THAT(onLaptop({"runs"}).output, HasSubstr("done on lab"));
  for (const std::string ending : {"html", "json", "csv"}) {
    const auto copy = here() / ("copy." + ending);
    ASSERT_EQ(onLaptop({"report", run, "-o", copy.string()}).exitCode, 0);
    const auto original = sandbox_.folder() / ("original." + ending);
    ASSERT_EQ(sandbox_.slipstream({"report", run, "-o", original.string()}).exitCode, 0);
    EXPECT_TRUE(readFile(copy).value() == readFile(original).value()) << ending;
  }
  EXPECT_EQ(onLaptop({"metrics", run}).output, sandbox_.slipstream({"metrics", run}).output);
  // Without the network too, and it is said how old the word is.
  std::ofstream(cut()) << "";
  EXPECT_EQ(onLaptop({"show", run}).exitCode, 0);
  const ProgramEnd offline = onLaptop({"remote", "sync", "lab"});
  EXPECT_EQ(offline.exitCode, 2);
  EXPECT_THAT(offline.errors, HasSubstr("no route to host"));
}

TEST_F(RemoteEndToEnd, WeightsAndLogsComeWhenAskedFor) {
  const std::string run =
      json({"run", write(smallExperiment(30, 10)), "--on", "lab", "--detach"})["run"].get<std::string>();
  ASSERT_TRUE(comesTo(run, "done"));
  EXPECT_FALSE(std::filesystem::exists(store() / "checkpoints" / (run + ".db")));
  EXPECT_EQ(onLaptop({"store", "verify"}).exitCode, 0) << onLaptop({"store", "verify"}).errors;
  const auto copy = (here() / "copy.ckpt").string();
  ASSERT_EQ(onLaptop({"checkpoint", "export", run, copy}).exitCode, 0)
      << onLaptop({"checkpoint", "export", run, copy}).errors;
  const auto original = (sandbox_.folder() / "original.ckpt").string();
  ASSERT_EQ(sandbox_.slipstream({"checkpoint", "export", run, original}).exitCode, 0);
  EXPECT_TRUE(readFile(copy).value() == readFile(original).value());
  EXPECT_EQ(json({"checkpoint", "fetch", run})["bytes"], 0) << "it is here already";
  EXPECT_GT(json({"checkpoint", "fetch", run + "@10"})["bytes"].get<std::int64_t>(), 0);
  EXPECT_EQ(onLaptop({"logs", run}).output, sandbox_.slipstream({"logs", run}).output);
  std::ofstream(cut()) << "";
  const ProgramEnd offline = onLaptop({"logs", run});
  EXPECT_EQ(offline.output, sandbox_.slipstream({"logs", run}).output) << "those that came before";
  EXPECT_THAT(offline.errors, HasSubstr("did not come"));
}

TEST_F(RemoteEndToEnd, StopAndResumeGoThereByThemselves) {
  const std::string run =
      json({"run", write(smallExperiment(1'000'000, 1000)), "--on", "lab", "--detach"})["run"].get<std::string>();
  ASSERT_TRUE(comesTo(run, "running"));
  EXPECT_THAT(onLaptop({"show", run}).output, HasSubstr("running on lab, heard "));
  EXPECT_EQ(onLaptop({"stop", run}).exitCode, 0) << "of a copy, without saying where";
  ASSERT_TRUE(comesTo(run, "stopped"));
  EXPECT_EQ(onLaptop({"stop", run}).exitCode, 2);
  EXPECT_EQ(onLaptop({"resume", run, "--detach"}).exitCode, 0);
  ASSERT_TRUE(comesTo(run, "running"));
  EXPECT_EQ(onLaptop({"stop", run, "--on", "lab"}).exitCode, 0);
  ASSERT_TRUE(comesTo(run, "stopped"));
  for (const std::vector<std::string>& change :
       {std::vector<std::string>{"tag", "mine", run}, {"archive", run}, {"delete", run, "--yes"}}) {
    const ProgramEnd refused = onLaptop(change);
    EXPECT_EQ(refused.exitCode, 2) << change.front();
    EXPECT_THAT(refused.errors, HasSubstr("--on lab"));
  }
  EXPECT_EQ(onLaptop({"tag", "mine", run, "--on", "lab"}).exitCode, 0);
  EXPECT_EQ(onLaptop({"remote", "sync", "lab"}).exitCode, 0);
  EXPECT_THAT(onLaptop({"runs"}).output, HasSubstr("#mine"));
  EXPECT_EQ(onLaptop({"delete", run, "--yes", "--on", "lab"}).exitCode, 0);
  EXPECT_EQ(stateOf(run), "");
}

TEST_F(RemoteEndToEnd, WhatIsWrongIsSaidAsIfItWereHere) {
  auto experiment = smallExperiment(3, 0);
  experiment["train"]["steps"] = -1;
  experiment["dataset"]["batch_size"] = "many";
  const std::string file = write(experiment);
  const ProgramEnd refused = onLaptop({"run", file, "--on", "lab", "--detach", "--json"});
  EXPECT_EQ(refused.exitCode, 2);
  EXPECT_THAT(refused.errors, HasSubstr("train.steps"));
  EXPECT_THAT(refused.errors, HasSubstr("batch_size"));
  EXPECT_EQ(onLaptop({"run", "no-such-file.json", "--on", "lab"}).exitCode, 2);
  EXPECT_THAT(onLaptop({"show", "last", "--on", "nowhere"}).errors, HasSubstr("there is no remote of this name"));
  EXPECT_THAT(onLaptop({"report", "last", "-o", "x.html", "--on", "lab"}).errors, HasSubstr("--on"));
  EXPECT_THAT(onLaptop({"show", "last", "--on", "lab", "--store", "x"}).errors, HasSubstr("leave one of the two out"));
  std::ofstream(cut()) << "";
  EXPECT_EQ(onLaptop({"stop", "last", "--on", "lab"}).exitCode, 2);
}

TEST_F(RemoteEndToEnd, ARemoteAnswersItsCheckAndIsForgotten) {
  EXPECT_EQ(json({"remote", "check", "lab"})["same_version"], true);
  json({"run", write(smallExperiment(3, 0)), "--on", "lab", "--quiet"});
  EXPECT_EQ(json({"remote", "sync", "lab"})["copies"], 1);
  EXPECT_EQ(json({"remote", "list"})[0]["host"], "me@lab");
  EXPECT_EQ(json({"remote", "remove", "lab"})["copies_removed"], 1);
  EXPECT_EQ(json({"runs"}).size(), 0U);
  EXPECT_EQ(json({"remote", "list"}).size(), 0U);
  EXPECT_EQ(sandbox_.json({"runs", "--json"}).size(), 1U) << "there nothing has changed";
}

}  // namespace
}  // namespace slipstream
