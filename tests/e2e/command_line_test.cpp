// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/files.h"
#include "engine/base/hash.h"
#include "engine/base/text.h"
#include "engine/document/true_type.h"
#include "engine/study/design.h"
#include "tests/e2e/program.h"
#include "tests/support/finished_runs.h"
#include "tests/support/jpeg_images.h"

namespace slipstream {
namespace {

using namespace slipstream::test;
using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string program = SLIPSTREAM_BUILD "/bin/slipstream";

/// What a shell makes of a line in a folder, with the built programs first in its PATH.
struct ShellEnd {
  int exitCode = 0;
  std::string output;  ///< stdout and stderr
};
ShellEnd shell(const std::filesystem::path& folder, const std::string& line) {
  const auto script = folder / "line.sh";
  std::ofstream(script) << "cd '" << folder.string() << "'\nexport PATH=" SLIPSTREAM_BUILD "/bin:$PATH\n"
                        << "export SLIPSTREAM_STORE='" << (folder / "store").string() << "'\n"
                        << "export XDG_CONFIG_HOME='" << (folder / "config").string() << "' SLIPSTREAM_SSH='"
                        << (folder / "ssh").string() << "'\n"
                        << line << "\n";
  const int status = std::system(("bash '" + script.string() + "' >'" + (folder / "said").string() + "' 2>&1").c_str());
  return {WEXITSTATUS(status), readFile(folder / "said").value_or("")};
}

/// A remote that is this machine: commands are done in the same place.
void putRemoteInto(const std::filesystem::path& folder) {
  std::ofstream(folder / "ssh") << "#!/bin/sh\nshift\nexec sh -c \"$*\"\n";
  ::chmod((folder / "ssh").c_str(), 0700);
}

/// As `study run` does before it trains anything.
void freezeStudy(RunStore& store, const std::string& name) {
  const Study study = readStudy(SLIPSTREAM_SOURCE "/experiments/studies/" + name + ".json").value();
  StudyRecord record;
  record.name = study.name;
  record.frozenText = frozenTextOf(study);
  record.frozenHash = sha256(record.frozenText);
  store.studies().create(record, cellsOf(study));
}

/// What only another machine's slipstream can talk to.
bool talksInFrames(const std::string& command) {
  return command == " checkpoint fetch" || command == " checkpoint send" || command == " store serve";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

/// A run of a moment: its record is what matters.
nlohmann::json briefExperiment() {
  nlohmann::json experiment = smallExperiment(3, 0);
  experiment["parallel"]["ranks"] = 1;
  return experiment;
}

/// Commands and sub-commands by what `--help` lists.
std::vector<std::string> commandsOf(const std::filesystem::path& folder, const std::string& parent) {
  std::vector<std::string> commands;
  const auto lines = split(shell(folder, "slipstream" + parent + " --help").output, '\n');
  bool listed = false;
  for (const std::string& line : lines) {
    if (startsWith(line, "Subcommands:")) listed = true;
    if (!listed || !startsWith(line, "  ") || startsWith(line, "   ")) continue;
    const std::string name = line.substr(2, line.find(' ', 2) - 2);
    if (name == "slipstream") break;
    commands.push_back(parent + " " + name);
    for (const std::string& inner : commandsOf(folder, commands.back())) commands.push_back(inner);
  }
  return commands;
}

std::vector<std::string> examplesOf(const std::filesystem::path& folder, const std::string& command) {
  std::vector<std::string> examples;
  for (const std::string& line : split(shell(folder, "slipstream" + command + " --help").output, '\n')) {
    if (startsWith(line, "  slipstream ")) examples.push_back(trim(line));
  }
  return examples;
}

TEST(CommandLineEndToEnd, EveryHelpShowsExamplesThatWork) {
  Sandbox sandbox;
  std::filesystem::create_directory_symlink(SLIPSTREAM_SOURCE "/experiments", sandbox.folder() / "experiments");
  putRemoteInto(sandbox.folder());
  const std::string file = sandbox.write("brief.json", briefExperiment());
  for (int time = 0; time < 2; ++time) ASSERT_EQ(sandbox.slipstream({"run", file, "--quiet"}).exitCode, 0);
  const auto runs = sandbox.store()->runs();
  freezeStudy(*RunStore::open(sandbox.storeFolder(), StoreAccess::write).value(), "adasum_lenet5_mnist");
  const auto commands = commandsOf(sandbox.folder(), "");
  EXPECT_GE(commands.size(), 20U);
  for (const std::string& command : commands) {
    const auto examples = examplesOf(sandbox.folder(), command);
    EXPECT_FALSE(examples.empty()) << command;
    for (std::string example : examples) {
      // A plan takes the words of a run; what continues or stops one has tests of its own.
      example = replaced(replaced(example, "slipstream run ", "slipstream plan "), " --detach", "");
      if (startsWith(example, "slipstream resume") || startsWith(example, "slipstream stop")) continue;
      if (example.find(" --resume ") != std::string::npos) continue;
      example = replaced(example, "slipstream submit ", "slipstream plan --slurm ");
      // Studies that are trained have tests of their own (study_test.cpp).
      if (startsWith(example, "slipstream report adasum_lenet5_mnist") && !findPrintFont(PrintFont::regular)) continue;
      if (startsWith(example, "slipstream study") && !startsWith(example, "slipstream study check")) continue;
      // The weights at hand are of this experiment's network.
      example = replaced(example, "experiments/quickstart.json --variant averaged", "brief.json");
      example = replaced(replaced(example, "3f2a", runs[0].id), "9b01", runs[1].id);
      const ShellEnd ended = shell(sandbox.folder(), example);
      EXPECT_EQ(ended.exitCode, 0) << example << "\n" << ended.output;
    }
  }
  EXPECT_THAT(
      shell(sandbox.folder(), "slipstream run --help").output,
      AllOf(HasSubstr("SLIPSTREAM_RESTARTS"), HasSubstr("SLIPSTREAM_RECORDING"), HasSubstr("SLIPSTREAM_MATRIX_UNIT")));
}

/// The first example of each command, with one word more.
TEST(CommandLineEndToEnd, EveryCommandAnswersAndRefusesInJson) {
  Sandbox sandbox;
  std::filesystem::create_directory_symlink(SLIPSTREAM_SOURCE "/experiments", sandbox.folder() / "experiments");
  putRemoteInto(sandbox.folder());
  const std::string file = sandbox.write("brief.json", briefExperiment());
  for (int time = 0; time < 2; ++time) ASSERT_EQ(sandbox.slipstream({"run", file, "--quiet"}).exitCode, 0);
  const auto runs = sandbox.store()->runs();
  ASSERT_EQ(shell(sandbox.folder(), "slipstream checkpoint export last weights.ckpt").exitCode, 0);
  const auto commands = commandsOf(sandbox.folder(), "");
  int asked = 0;
  for (const std::string& command : commands) {
    const bool parent = std::any_of(commands.begin(), commands.end(),
                                    [&](const auto& other) { return startsWith(other, command + " "); });
    if (parent) continue;
    const ShellEnd refused = shell(sandbox.folder(), "slipstream" + command + " --json --no-such-option 2>&1 >printed");
    EXPECT_EQ(refused.exitCode, 2) << command;
    const auto errors = nlohmann::json::parse(refused.output, nullptr, false);
    ASSERT_TRUE(errors.is_object()) << command << ": " << refused.output;
    EXPECT_THAT(errors["errors"][0]["problem"].get<std::string>(), HasSubstr("--no-such-option")) << command;
    EXPECT_EQ(readFile(sandbox.folder() / "printed").value(), "") << command;
    if (command == " run" || command == " resume" || command == " stop" || command == " submit" ||
        talksInFrames(command))
      continue;
    if (startsWith(command, " study") && command != " study check" && command != " study status") continue;
    std::string example = examplesOf(sandbox.folder(), command).front();
    example = replaced(replaced(example, "3f2a", runs[0].id), "9b01", runs[1].id);
    if (example.find("--json") == std::string::npos) example += " --json";
    const ShellEnd ended = shell(sandbox.folder(), example + " 2>/dev/null");
    EXPECT_EQ(ended.exitCode, 0) << example << "\n" << ended.output;
    EXPECT_FALSE(nlohmann::json::parse(ended.output, nullptr, false).is_discarded()) << example << "\n" << ended.output;
    ++asked;
  }
  EXPECT_GE(asked, 25);
  const auto ran = sandbox.json({"run", file, "--json"});
  EXPECT_EQ(ran["runs"][0]["state"], "done");
  const auto resumed = sandbox.json({"resume", "last", "--from", "3", "--json"});
  EXPECT_EQ(resumed["runs"][0]["run"], ran["runs"][0]["run"]);
  const ProgramEnd stopped = sandbox.slipstream({"stop", "last", "--json"});
  EXPECT_EQ(stopped.exitCode, 2);
  EXPECT_EQ(nlohmann::json::parse(stopped.errors)["errors"][0]["remedy"], "nothing to stop");
}

TEST(CommandLineEndToEnd, UnknownCommandsAreRefusedAlsoWhereHelpIsAskedFor) {
  Sandbox sandbox;
  for (const char* words : {"frob --help", "frob", "rank-table frob --help", "--store x runz --help"}) {
    const ShellEnd ended = shell(sandbox.folder(), std::string("slipstream ") + words);
    EXPECT_EQ(ended.exitCode, 2) << words;
    EXPECT_THAT(ended.output, HasSubstr("there is no command '")) << words;
  }
  EXPECT_EQ(shell(sandbox.folder(), "slipstream rank-table new --help").exitCode, 0);
  EXPECT_EQ(shell(sandbox.folder(), "slipstream --help").exitCode, 0);
}

TEST(CommandLineEndToEnd, TheVersionSaysWhatWasBuiltAndWithWhat) {
  Sandbox sandbox;
  const std::string text = shell(sandbox.folder(), "slipstream --version").output;
  EXPECT_THAT(text, ContainsRegex("^slipstream [0-9]+\\.[0-9]+\\.[0-9]+\n"));
  EXPECT_THAT(text, ContainsRegex("\nrevision  [0-9a-f]+|\nrevision  unknown"));
  EXPECT_THAT(text, ContainsRegex("\nOpen MPI  4\\.[0-9]+\\.[0-9]+\n"));
  EXPECT_THAT(text, ContainsRegex("\noneDNN    [0-9]+\\.[0-9]+\\.[0-9]+\n"));
  EXPECT_THAT(text, HasSubstr("\nCUDA      "));
}

/// Each of the ranks that a launcher of MPI programs starts would make runs of its own.
TEST(CommandLineEndToEnd, UnderALauncherNothingIsMade) {
  Sandbox sandbox;
  sandbox.write("brief.json", briefExperiment());
  const std::string root = ::geteuid() == 0 ? "--allow-run-as-root " : "";
  const ShellEnd real =
      shell(sandbox.folder(), "mpirun " + root + "--oversubscribe -np 3 slipstream run brief.json --seed 4");
  EXPECT_EQ(real.exitCode, 2) << real.output;
  EXPECT_THAT(real.output, HasSubstr("type: slipstream run brief.json --seed 4 --ranks 3"));
  EXPECT_EQ(real.output.find("type: "), real.output.rfind("type: ")) << "one rank speaks: " << real.output;
  const ShellEnd once = shell(sandbox.folder(), "mpirun " + root + "-np 1 slipstream run brief.json --ranks 2");
  EXPECT_EQ(once.exitCode, 2) << once.output;
  EXPECT_THAT(once.output, AllOf(HasSubstr("mpirun: started this program once"),
                                 HasSubstr("type: slipstream run brief.json --ranks 2\n")));
  const std::vector<std::pair<std::string, std::string>> cases{
      {"PMI_RANK=0 PMI_SIZE=8", "mpiexec: started this program 8 times"},
      {"PMI_RANK=0 PMI_SIZE=8 SLURM_STEP_NUM_TASKS=8 SLURM_PROCID=0", "srun: started this program 8 times"},
      {"SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=4", "srun: started this program 4 times"}};
  for (const auto& [variables, expected] : cases) {
    const ShellEnd ended = shell(sandbox.folder(), variables + " slipstream run brief.json --ranks 2");
    EXPECT_EQ(ended.exitCode, 2) << variables;
    EXPECT_THAT(ended.output, AllOf(HasSubstr(expected), HasSubstr("type: slipstream run brief.json --ranks 2\n")));
    EXPECT_EQ(shell(sandbox.folder(), variables + " slipstream resume last").exitCode, 2) << variables;
  }
  EXPECT_FALSE(std::filesystem::exists(sandbox.storeFolder()));
  // A batch script and a shell in an allocation are one process.
  for (const char* variables : {"SLURM_PROCID=0 SLURM_NTASKS=8", "SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=1"}) {
    EXPECT_EQ(shell(sandbox.folder(), std::string(variables) + " slipstream plan brief.json").exitCode, 0);
    const ShellEnd ended = shell(sandbox.folder(), std::string(variables) + " slipstream run none.json");
    EXPECT_THAT(ended.output, HasSubstr("none.json")) << variables;
  }
}

/// Debian's names are links to one program, and the kernel tells of each the name that was typed.
TEST(CommandLineEndToEnd, LaunchersOfOtherNamesAreKnown) {
  Sandbox sandbox;
  sandbox.write("brief.json", briefExperiment());
  const std::string root = ::geteuid() == 0 ? " --allow-run-as-root" : "";
  for (const std::string name : {"mpirun.openmpi", "mpiexec.openmpi", "oshrun", "launch"}) {
    const std::string there = name == "launch" ? "ln -sf \"$(command -v mpirun)\" launch && ./" : "";
    if (there.empty() && shell(sandbox.folder(), "command -v " + name).exitCode != 0) continue;
    const ShellEnd ended = shell(sandbox.folder(), there + name + root + " -np 1 slipstream run brief.json --ranks 2");
    EXPECT_EQ(ended.exitCode, 2) << name << ": " << ended.output;
    EXPECT_THAT(ended.output, HasSubstr("type: slipstream run brief.json --ranks 2\n")) << name;
  }
  EXPECT_FALSE(std::filesystem::exists(sandbox.storeFolder()));
}

/// A shell that was opened in a rank, or a script that was, keeps the variables of its launcher.
TEST(CommandLineEndToEnd, VariablesOfALauncherThatIsGoneDisturbNoRun) {
  Sandbox sandbox;
  sandbox.write("brief.json", briefExperiment());
  const std::string root = ::geteuid() == 0 ? "--allow-run-as-root " : "";
  ASSERT_EQ(shell(sandbox.folder(), "mpirun " + root + "-np 1 sh -c 'export -p > left.sh'").exitCode, 0);
  for (const char* left :
       {". ./left.sh;", "OMPI_UNIVERSE_SIZE=4", "OMPI_MCA_ess=pmi", "OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=3"}) {
    const ShellEnd ended = shell(sandbox.folder(), std::string(left) + " slipstream run brief.json --ranks 2 --quiet");
    EXPECT_EQ(ended.exitCode, 0) << left << " " << ended.output;
  }
}

/// Everything in a store has a longer path than the store itself.
TEST(CommandLineEndToEnd, AStoreMayLieAsDeepAsItsRefusalSays) {
  constexpr std::size_t longest = 450;
  constexpr std::size_t component = 100;
  Sandbox sandbox;
  std::string deep = sandbox.folder().string();
  while (deep.size() + component < longest) deep += "/" + std::string(component - 1, 'x');
  deep.resize(longest, 'x');
  sandbox.write("short.json", smallExperiment(20, 10));
  for (const char* command : {"run short.json --quiet", "resume last --from 10 --quiet",
                              "checkpoint export last weights.ckpt", "store verify", "logs last"}) {
    const ShellEnd ended = shell(sandbox.folder(), std::string("slipstream ") + command + " --store " + deep);
    EXPECT_EQ(ended.exitCode, 0) << command << ": " << ended.output;
  }
  EXPECT_THAT(shell(sandbox.folder(), "slipstream run short.json --store " + deep + "x").output,
              HasSubstr("is too long a path for a database"));
}

/// Programs that somebody has copied without what lies beside them.
TEST(CommandLineEndToEnd, OpenPortsAreRecordedWithTheRun) {
  Sandbox sandbox;
  const auto programs = sandbox.folder() / "programs";
  std::filesystem::create_directory(programs);
  for (const char* name : {"slipstream", "slipstream-worker"}) {
    std::filesystem::copy_file(std::filesystem::path(SLIPSTREAM_BUILD) / "bin" / name, programs / name);
  }
  sandbox.write("brief.json", briefExperiment());
  const ShellEnd ended = shell(sandbox.folder(), programs.string() + "/slipstream run brief.json --quiet");
  EXPECT_EQ(ended.exitCode, 0) << ended.output;
  const auto store = sandbox.store();
  const auto events = store->events(store->runs().front().id);
  const auto warning = std::ranges::find(events, "launch.ports_open", &Event::code);
  ASSERT_NE(warning, events.end());
  EXPECT_EQ(warning->level, EventLevel::warning);
  EXPECT_THAT(warning->text, HasSubstr("slipstream-loopback.so is not beside the program"));
}

TEST(CommandLineEndToEnd, ShellsCompleteCommandsAndOptions) {
  Sandbox sandbox;
  const auto complete = [&](const std::string& words, const std::string& current) {
    return shell(sandbox.folder(),
                 "source <(slipstream completion bash)\nCOMP_WORDS=(slipstream " + words + " '" + current +
                     "')\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_slipstream\necho \"${COMPREPLY[@]}\"")
        .output;
  };
  EXPECT_THAT(complete("", "re"), AllOf(HasSubstr("resume"), HasSubstr("report")));
  EXPECT_EQ(complete("checkpoint", "ex"), "export\n");
  EXPECT_EQ(complete("run x.json", "--vari"), "--variant\n");
  EXPECT_EQ(complete("stop last --when", "ch"), "checkpoint\n");
  EXPECT_EQ(complete("show", "la"), "last\n");
  ASSERT_TRUE(writeFile(sandbox.folder() / "my experiment.json", "{}"));
  EXPECT_EQ(complete("check", "my"), "my experiment.json\n") << "a file";
  EXPECT_THAT(shell(sandbox.folder(), "slipstream completion zsh").output, StartsWith("#compdef slipstream\n"));
  const std::string fish = shell(sandbox.folder(), "slipstream completion fish").output;
  EXPECT_THAT(fish, HasSubstr("-n '__fish_use_subcommand' -f -a 'verify'"));
  EXPECT_THAT(fish, HasSubstr("-l when -x -a 'step checkpoint now'"));
}

TEST(CommandLineEndToEnd, TheLineToRepeatARunWorksFromAnywhere) {
  Sandbox sandbox;
  sandbox.write("brief.json", briefExperiment());
  ASSERT_EQ(shell(sandbox.folder(), "slipstream run brief.json --seed 7 --name $'it\\'s\\e[31m' --quiet").exitCode, 0);
  const auto first = sandbox.store()->runs().back();
  EXPECT_THAT(first.commandText, StartsWith(program + " run " + (sandbox.folder() / "brief.json").string()));
  EXPECT_THAT(first.commandText, HasSubstr("--store " + sandbox.storeFolder().string()));
  const auto elsewhere = sandbox.folder() / "elsewhere";
  std::filesystem::create_directory(elsewhere);
  const ShellEnd again = shell(elsewhere, first.commandText + " --quiet");
  ASSERT_EQ(again.exitCode, 0) << again.output;
  const auto runs = sandbox.store()->runs();
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[1].planText, first.planText);
  EXPECT_EQ(runs[1].commandText, first.commandText);
}

TEST(CommandLineEndToEnd, TextsOfARunCannotSteerATerminal) {
  Sandbox sandbox;
  nlohmann::json experiment = briefExperiment();
  experiment["variants"] = {{{"name", "first\nsecond"}}};
  const std::string file = sandbox.write("brief.json", experiment);
  ASSERT_EQ(sandbox.slipstream({"run", file, "--quiet", "--name", "red\x1b[31m"}).exitCode, 0);
  for (const char* command : {"runs", "show", "compare"}) {
    std::vector<std::string> words{command};
    if (words[0] != "runs") words.emplace_back("last");
    const ProgramEnd ended = sandbox.slipstream(words);
    EXPECT_EQ(ended.exitCode, 0);
    EXPECT_EQ(ended.output.find('\x1b'), std::string::npos) << command;
  }
  EXPECT_THAT(sandbox.slipstream({"runs"}).output, HasSubstr("red\\x1b[31m / first\\nsecond"));
  const auto shown = sandbox.json({"show", "last", "--json"});
  EXPECT_EQ(shown["name"], "red\x1b[31m");
  EXPECT_EQ(shown["variant"], "first\nsecond");
}

TEST(CommandLineEndToEnd, TheLongestNameStillHasAReport) {
  Sandbox sandbox;
  std::string name;
  for (int i = 0; i < 200; ++i) name += "层";
  const ProgramEnd ended = sandbox.slipstream({"run", sandbox.write("brief.json", briefExperiment()), "--name", name});
  EXPECT_EQ(ended.exitCode, 0);
  EXPECT_EQ(ended.errors, "");
  EXPECT_THAT(ended.output, HasSubstr("report: /"));
}

TEST(CommandLineEndToEnd, OutputThatDoesNotArriveIsAFailure) {
  Sandbox sandbox;
  const std::string file = sandbox.write("brief.json", briefExperiment());
  ASSERT_EQ(sandbox.slipstream({"run", file, "--quiet"}).exitCode, 0);
  for (const char* words : {"runs", "show last", "metrics last", "metrics last --json", "checkpoints last", "--help",
                            "plan brief.json", "check brief.json", "rank-table new --devices '[0,8)' --server a"}) {
    const ShellEnd full = shell(sandbox.folder(), std::string("slipstream ") + words + " >/dev/full");
    EXPECT_EQ(full.exitCode, 1) << words;
    EXPECT_THAT(full.output, HasSubstr("stdout: cannot be written")) << words;
    const ShellEnd closed = shell(sandbox.folder(), std::string("slipstream ") + words + " | true");
    EXPECT_EQ(closed.output, "") << words << ": who closes a pipe has read enough";
  }
}

TEST(CommandLineEndToEnd, ALineThatCannotBePrintedNeverTouchesTheRun) {
  Sandbox sandbox;
  writeImageFolder(sandbox.folder() / "pictures", {"cat", "dog"}, 16, 5);
  writePicture(sandbox.folder() / "pictures/train/dog/7.jpg", {0xFF, 0xD8, 0xFF});  // warned of
  nlohmann::json experiment = smallExperiment(8, 4);
  experiment["network"] = {{"layers", {{{"type", "global_avg_pool"}}, {{"type", "dense"}}}}};
  experiment["dataset"] = {{"name", "image_folder"}, {"path", "pictures"}, {"batch_size", 4}, {"image_size", 32}};
  sandbox.write("pictures.json", experiment);
  for (const char* nowhere : {"2>&1 | true", "2>&-", "2>/dev/full"}) {
    const std::string line = "set -o pipefail\nslipstream run pictures.json --set dataset.on_broken=";
    EXPECT_EQ(shell(sandbox.folder(), line + "skip " + nowhere).exitCode, 0) << nowhere;
    const RunRecord run = sandbox.store()->runs().back();
    EXPECT_EQ(run.state, RunState::done) << nowhere << ": " << run.why;
    EXPECT_EQ(sandbox.store()->checkpoints(run.id).size(), 2U) << nowhere;
    EXPECT_EQ(shell(sandbox.folder(), line + "fail " + nowhere).exitCode, 1) << nowhere << ": a run that failed";
  }
}

TEST(CommandLineEndToEnd, AClosedStreamNeverBecomesAFileOfTheRun) {
  Sandbox sandbox;
  sandbox.write("brief.json", briefExperiment());
  const ShellEnd ended = shell(sandbox.folder(), "slipstream run brief.json >&- 2>&-");
  EXPECT_EQ(ended.exitCode, 1) << "its lines did not arrive";
  EXPECT_EQ(sandbox.store()->runs().back().state, RunState::done);
  EXPECT_EQ(shell(sandbox.folder(), "slipstream store verify").exitCode, 0);
}

TEST(CommandLineEndToEnd, WhatIsNoFileOrTooLargeIsRefusedAtOnce) {
  Sandbox sandbox;
  ASSERT_EQ(::mkfifo((sandbox.folder() / "pipe.json").c_str(), 0600), 0);
  std::filesystem::create_symlink("/dev/zero", sandbox.folder() / "endless.json");
  ASSERT_TRUE(writeFile(sandbox.folder() / "huge.json", "{}"));
  std::filesystem::resize_file(sandbox.folder() / "huge.json", (std::uintmax_t{8} << 20) + 1);
  for (const char* command : {"check", "plan", "run", "rank-table check", "rank-table fix",
                              "rank-table convert --to 1.0", "rank-table dry-run"}) {
    for (const char* file : {"pipe.json", "endless.json", "huge.json"}) {
      const ShellEnd ended =
          shell(sandbox.folder(), "ulimit -v 8000000; timeout 20 slipstream " + std::string(command) + " " + file);
      EXPECT_EQ(ended.exitCode, 2) << command << ": " << ended.output;
      EXPECT_THAT(ended.output, HasSubstr(file)) << command;
    }
  }
}

TEST(CommandLineEndToEnd, BadFlagsAreRefusedWithPlaceAndRemedy) {
  Sandbox sandbox;
  sandbox.write("brief.json", briefExperiment());
  std::filesystem::create_directory(sandbox.folder() / "photos");
  ASSERT_TRUE(writeFile(sandbox.folder() / "photos/cat.jpg", "meow"));
  const std::vector<std::pair<std::string, std::string>> cases{
      {"run brief.json --store ''", "--store: is empty"},
      {"run brief.json --store photos", "holds no run store"},
      {"run brief.json --seed 99999999999999999999999", "whole number from 0 to 9200000000000000000"},
      {"run brief.json --seed -1", "whole number from 0"},
      {"run brief.json --ranks 99999999999", "--ranks: must be a whole number from 1 to 4096"},
      {"run brief.json --name ''", "--name: is empty"},
      {"run brief.json --name $'\\xff'", "--name: holds bytes that are not UTF-8"},
      {"run brief.json --rnaks 3", "there is no option '--rnaks'; did you mean '--ranks'?"},
      {"rank-table convert brief.json --to hostfile", "is an experiment, not a rank table"},
      {"rank-table new --hosts 'n[1-9'", "--hosts"},
      {"rank-table check brief.json", "is an experiment, not a rank table"},
      {"runs --store photos", "photos"},
      {"run brief.json --set network.layers=[]", "--set network.layers: holds no layer"},
      {"--store one runs --store two", "--store is given twice; give it once"},
      {"runs --store one --store two --store two", "--store is given 3 times"},
      {"plan brief.json --seed 1 --seed 1", "--seed is given twice"},
      {"plan brief.json --json --json", "--json is given twice"},
      {"report last -o one --output two", "--output is given twice"},
      {"plan brief.json --seed", "--seed"},
  };
  for (const auto& [words, expected] : cases) {
    const ShellEnd ended = shell(sandbox.folder(), "slipstream " + words);
    EXPECT_EQ(ended.exitCode, 2) << words;
    EXPECT_THAT(ended.output, HasSubstr(expected)) << words;
  }
  EXPECT_FALSE(std::filesystem::exists(sandbox.storeFolder()));
  EXPECT_FALSE(std::filesystem::exists(sandbox.folder() / "photos/store.db"));
}

/// A machine with a GPU and without its libraries, as the worker program would tell of it.
TEST(CommandLineEndToEnd, AGpuWithoutItsLibrariesIsNotUsable) {
  Sandbox sandbox;
  sandbox.write("brief.json", briefExperiment());
  const auto bin = sandbox.folder() / "bin";
  std::filesystem::create_directory(bin);
  std::filesystem::copy_file(program, bin / "slipstream");
  std::ofstream(bin / "slipstream-worker")
      << "#!/bin/sh\ncat <<'END'\n"
      << R"([{"name": "cpu", "usable": true, "description": "cpu"}, {"name": "cuda:0", "usable": false, "nccl": false,
              "description": "H200, 139 GB: a library cannot be loaded: libcudnn.so.9: no such file",
              "remedy": "install cuDNN 9; or use cpu", "memory_bytes": 1,
              "without_nccl": "no NCCL, so ranks exchange otherwise: libnccl.so.2"}])"
      << "\nEND\n";
  std::filesystem::permissions(bin / "slipstream-worker", std::filesystem::perms::owner_all);
  const ShellEnd listed = shell(sandbox.folder(), "bin/slipstream devices");
  EXPECT_EQ(listed.exitCode, 0);
  EXPECT_THAT(listed.output,
              HasSubstr("cuda:0    not usable  H200, 139 GB: a library cannot be loaded: libcudnn.so.9"));
  EXPECT_THAT(listed.output, HasSubstr("\n                      install cuDNN 9; or use cpu\n"));
  EXPECT_THAT(listed.output, HasSubstr("\n                      no NCCL, so ranks exchange otherwise: libnccl.so.2\n"));
  for (const char* words :
       {"devices --device cuda:0", "run brief.json --device cuda:0", "run brief.json --device cuda"}) {
    const ShellEnd refused = shell(sandbox.folder(), std::string("bin/slipstream ") + words);
    EXPECT_EQ(refused.exitCode, 2) << words;
    EXPECT_THAT(refused.output, HasSubstr("libcudnn.so.9: no such file")) << words;
    EXPECT_THAT(refused.output, HasSubstr("install cuDNN 9")) << words;
  }
  EXPECT_FALSE(std::filesystem::exists(sandbox.storeFolder()));
}

TEST(CommandLineEndToEnd, WithoutMpirunNothingIsMade) {
  Sandbox sandbox;
  sandbox.write("brief.json", briefExperiment());
  for (const char* command : {"run brief.json", "run brief.json --detach", "run brief.json --json"}) {
    const ShellEnd ended = shell(sandbox.folder(), "PATH=/no/such/folder " + program + " " + command);
    EXPECT_EQ(ended.exitCode, 2) << command << ": " << ended.output;
    EXPECT_THAT(ended.output, HasSubstr("the program is in none of the folders of PATH: /no/such/folder"));
    EXPECT_THAT(ended.output, HasSubstr("openmpi-bin"));
  }
  EXPECT_FALSE(std::filesystem::exists(sandbox.storeFolder()));
  ASSERT_EQ(shell(sandbox.folder(), "slipstream run brief.json --quiet").exitCode, 0);
  const ShellEnd resumed = shell(sandbox.folder(), "PATH=/no/such/folder " + program + " resume last --from 3");
  EXPECT_EQ(resumed.exitCode, 2) << resumed.output;
  EXPECT_THAT(resumed.output, HasSubstr("mpirun: "));
  EXPECT_EQ(sandbox.store()->runs().back().attempt, 1) << "nothing was begun";
}

/// Of a machine without a driver, as of a build without CUDA: what a name asks for is said to be missing before
/// anything is made.
TEST(CommandLineEndToEnd, DevicesThatAreNotThereAreRefused) {
  Sandbox sandbox;
  const auto devices = sandbox.json({"devices", "--json"});
  EXPECT_EQ(devices[0]["name"], "cpu");
  EXPECT_EQ(sandbox.slipstream({"devices", "--device", "cpu"}).exitCode, 0);
  const bool hasGpu = devices[1]["usable"].get<bool>();
  const std::string file = sandbox.write("brief.json", briefExperiment());
  std::vector<std::vector<std::string>> refused{
      {"run", file, "--device", "cuda:x"},      {"run", file, "--device", "check:cuda,cpu"},
      {"plan", file, "--device", "tpu"},        {"devices", "--device", "cuda:x"},
      {"devices", "--device", "check:cpu"},     {"devices", "--device", "check:cpu,abacus"},
      {"devices", "--device", "check:cpu,cpu,"}};
  if (!hasGpu) {
    EXPECT_NE(devices[1]["remedy"].get<std::string>().find("use cpu"), std::string::npos);
    for (const char* name : {"cuda", "cuda:1"}) {
      refused.push_back({"run", file, "--device", name});
      refused.push_back({"run", file, "--detach", "--set", std::string("device=") + name});
      refused.push_back({"devices", "--device", name});
    }
    refused.push_back({"devices", "--device", "check:cuda,cpu"});
  }
  for (const auto& words : refused) {
    const ProgramEnd ended = sandbox.slipstream(words);
    EXPECT_EQ(ended.exitCode, 2) << join(words, " ") << "\n" << ended.errors;
    EXPECT_THAT(ended.errors, HasSubstr("device: ")) << join(words, " ");
    EXPECT_THAT(ended.errors, HasSubstr("; ")) << "a remedy: " << ended.errors;
    EXPECT_EQ(ended.output, "");
  }
  EXPECT_FALSE(std::filesystem::exists(sandbox.storeFolder()));
  const ProgramEnd planned = sandbox.slipstream({"plan", file, "--device", "cuda:1", "--ranks", "2"});
  EXPECT_EQ(planned.exitCode, hasGpu ? 0 : 2) << "what runs elsewhere can be planned here";
  EXPECT_THAT(planned.output, HasSubstr("every rank on GPU 1 of its host"));
  EXPECT_EQ(planned.output.find("will refuse") != std::string::npos, !hasGpu);
}

TEST(CommandLineEndToEnd, APlanOfManyServersIsShortAndARunNamesHostsThatAreNotThere) {
  Sandbox sandbox;
  const std::string file = sandbox.write("brief.json", briefExperiment());
  const std::string table = (sandbox.folder() / "table.json").string();
  ASSERT_EQ(sandbox.slipstream({"rank-table", "new", "--hosts", "n[1-100]:2", "-o", table}).exitCode, 0);
  const std::vector<std::string> plan{
      "plan", file, "--rank-table", table, "--set", "dataset.batch_size=1", "--set", "dataset.drop_remainder=false"};
  const ProgramEnd planned = sandbox.slipstream(plan);
  EXPECT_EQ(planned.exitCode, 0) << planned.errors;
  EXPECT_THAT(planned.output, AllOf(HasSubstr("n1 to n100, 100 servers of 2 ranks: ranks 0 to 199"),
                                    HasSubstr("SERVER_ID=0 to 99"), HasSubstr("more, which --json shows")));
  EXPECT_LT(std::ranges::count(planned.output, '\n'), 120);
  std::vector<std::string> json = plan;
  json.push_back("--json");
  EXPECT_EQ(sandbox.slipstream(json).exitCode, 0);
  std::vector<std::string> run = plan;
  run.front() = "run";
  const ProgramEnd refused = sandbox.slipstream(run);
  EXPECT_EQ(refused.exitCode, 2);
  EXPECT_THAT(refused.errors, HasSubstr("the name does not resolve"));
  EXPECT_FALSE(std::filesystem::exists(sandbox.storeFolder() / "store.db")) << "no run is made";
  std::vector<std::string> local = plan;
  local.push_back("--local");
  EXPECT_EQ(sandbox.slipstream(local).exitCode, 0);
}

TEST(CommandLineEndToEnd, ThisMachineIsAHostThatIsReady) {
  Sandbox sandbox;
  const std::string table = (sandbox.folder() / "table.json").string();
  ASSERT_EQ(
      sandbox.slipstream({"rank-table", "new", "--devices", "0-1", "--server", "127.0.0.1", "-o", table}).exitCode, 0);
  const auto answer = sandbox.json({"hosts", "check", table, "--json"});
  EXPECT_TRUE(answer["ready"]);
  ASSERT_EQ(answer["hosts"].size(), 1U);
  EXPECT_EQ(answer["hosts"][0]["ranks"], 2);
  EXPECT_GT(answer["hosts"][0]["cores"], 0);
}

TEST(CommandLineEndToEnd, ADeviceAgreesWithItself) {
  Sandbox sandbox;
  const auto kernels = sandbox.json({"devices", "--device", "check:cpu,cpu", "--json"});
  EXPECT_GE(kernels.size(), 20U);
  for (const auto& kernel : kernels) EXPECT_EQ(kernel["largest"], 0) << kernel;
}

TEST(CommandLineEndToEnd, ABrokenRankTableIsMended) {
  Sandbox sandbox;
  const std::string cases = std::string(SLIPSTREAM_SOURCE) + "/tests/cases/rank_tables/";
  const std::string table = (sandbox.folder() / "mended.json").string();
  const ProgramEnd mended = sandbox.slipstream({"rank-table", "fix", cases + "reject_rank_twice.json", "-o", table});
  EXPECT_EQ(mended.exitCode, 0);
  EXPECT_THAT(mended.errors,
              HasSubstr("reject_rank_twice.json: server_list[0].device[1].rank_id: Renumber ranks 0 to 1"));
  EXPECT_EQ(sandbox.slipstream({"rank-table", "check", table}).exitCode, 0);
  ASSERT_TRUE(writeFile(sandbox.folder() / "torn.json", "{\"version\": "));
  const ProgramEnd torn = sandbox.slipstream({"rank-table", "fix", (sandbox.folder() / "torn.json").string()});
  EXPECT_EQ(torn.exitCode, 2);
  EXPECT_EQ(torn.output, "");
  EXPECT_THAT(torn.errors, HasSubstr("torn.json:1:13"));
}

TEST(CommandLineEndToEnd, ADryRunAsksEveryRank) {
  Sandbox sandbox;
  const std::string table = std::string(SLIPSTREAM_SOURCE) + "/tests/cases/rank_tables/accept_two_servers.json";
  const auto dry = sandbox.json({"rank-table", "dry-run", table, "--local", "--json"});
  EXPECT_EQ(dry["local"], true);
  ASSERT_EQ(dry["ranks"].size(), 4U);
  std::set<int> processes;
  for (const auto& rank : dry["ranks"]) {
    processes.insert(rank["reported"]["pid"].get<int>());
    EXPECT_EQ(rank["reported"]["threads"], rank["threads"]);
  }
  EXPECT_EQ(processes.size(), 4U);
  EXPECT_FALSE(std::filesystem::exists(sandbox.storeFolder())) << "nothing was trained";
  const ProgramEnd remote = sandbox.slipstream({"rank-table", "dry-run", table});
  EXPECT_EQ(remote.exitCode, 0);
  EXPECT_THAT(remote.output, HasSubstr("--mca rmaps seq"));
}

TEST(CommandLineEndToEnd, ARunIsNamedOnceAndComparedInShares) {
  Sandbox sandbox;
  const std::string file = sandbox.write("brief.json", briefExperiment());
  ASSERT_EQ(sandbox.slipstream({"run", file, "--quiet"}).exitCode, 0);
  for (const char* command : {"compare", "report"}) {
    std::vector<std::string> words{command, "last", "last"};
    if (words[0] == "report") words.insert(words.end(), {"-o", (sandbox.folder() / "twice.html").string()});
    const ProgramEnd twice = sandbox.slipstream(words);
    EXPECT_EQ(twice.exitCode, 2) << command;
    EXPECT_THAT(twice.errors, HasSubstr("named already"));
  }
  const auto compared = sandbox.json({"compare", "last", "--json"});
  const auto shown = sandbox.json({"show", "last", "--json"});
  EXPECT_EQ(compared["variants"][0]["runs"][0]["accuracy"], shown["metrics"]["accuracy"]["last"]);
}

TEST(CommandLineEndToEnd, AReportIsWrittenAsItsEndingSays) {
  Sandbox sandbox;
  recordRun(*openStore(sandbox.storeFolder()), {.variant = "mean"});
  const auto write = [&](const std::string& name, const std::string& language) {
    const auto file = sandbox.folder() / name;
    const ProgramEnd end = sandbox.slipstream({"report", "last", "-o", file.string(), "--language", language});
    EXPECT_EQ(std::filesystem::exists(file), end.exitCode == 0) << name;
    return end;
  };
  for (const auto& [name, beginning] : {std::pair{"a.html", "<!DOCTYPE html>"},
                                        {"a.pdf", "%PDF-1.4"},
                                        {"a.csv", "run,variant,"},
                                        {"a.json", "{"},
                                        {"a.tex", "% Needs"}}) {
    EXPECT_EQ(write(name, "en").exitCode, 0) << name;
    EXPECT_THAT(readFile(sandbox.folder() / name).value(), testing::StartsWith(beginning));
  }
  EXPECT_EQ(write("zh.html", "zh").exitCode, 0);
  EXPECT_THAT(readFile(sandbox.folder() / "zh.html").value(), HasSubstr("重现"));
  for (const char* name : {"a.docx", "a"}) {
    const ProgramEnd refused = write(name, "en");
    EXPECT_EQ(refused.exitCode, 2) << name;
    EXPECT_THAT(refused.errors, HasSubstr(".pdf"));
  }
  EXPECT_EQ(write("b.html", "fr").exitCode, 2);
}

/// Four idx files of the MNIST kind.
void writePictures(const std::filesystem::path& folder, int count) {
  std::filesystem::create_directory(folder);
  const auto idx = [&](const std::string& name, const std::vector<int>& sizes, std::size_t bytes) {
    std::string text{'\0', '\0', '\x08', static_cast<char>(sizes.size())};
    for (const int size : sizes) {
      for (const int shift : {24, 16, 8, 0}) text += static_cast<char>((size >> shift) & 0xff);
    }
    std::ofstream(folder / name, std::ios::binary) << text << std::string(bytes, '\1');
  };
  for (const std::string part : {"train", "t10k"}) {
    idx(part + "-images-idx3-ubyte", {count, 28, 28}, static_cast<std::size_t>(count) * 784);
    idx(part + "-labels-idx1-ubyte", {count}, static_cast<std::size_t>(count));
  }
}

TEST(CommandLineEndToEnd, EvaluateNamesItsOwnFlag) {
  Sandbox sandbox;
  writePictures(sandbox.folder() / "data", 64);
  nlohmann::json experiment = briefExperiment();
  experiment["dataset"] = {{"name", "mnist"}, {"path", "data"}, {"batch_size", 16}};
  ASSERT_EQ(sandbox.slipstream({"run", sandbox.write("brief.json", experiment), "--quiet"}).exitCode, 0);
  EXPECT_EQ(sandbox.slipstream({"evaluate", "last"}).exitCode, 0);
  std::filesystem::rename(sandbox.folder() / "data", sandbox.folder() / "moved");
  const ProgramEnd gone = sandbox.slipstream({"evaluate", "last"});
  EXPECT_EQ(gone.exitCode, 2);
  EXPECT_THAT(gone.errors, HasSubstr("--data FOLDER"));
  EXPECT_EQ(sandbox.slipstream({"evaluate", "last", "--data", (sandbox.folder() / "moved").string()}).exitCode, 0);
  const ProgramEnd nowhere = sandbox.slipstream({"evaluate", "last", "--data", "/nowhere"});
  EXPECT_EQ(nowhere.exitCode, 2);
  EXPECT_THAT(nowhere.errors, StartsWith("--data: is not a folder"));
  EXPECT_EQ(nowhere.errors.find("dataset.path"), std::string::npos);
}

TEST(CommandLineEndToEnd, GeneratedDataHasNoFolder) {
  Sandbox sandbox;
  const std::string file = sandbox.write("brief.json", briefExperiment());
  ASSERT_EQ(sandbox.slipstream({"run", file, "--quiet"}).exitCode, 0);
  const ProgramEnd ended = sandbox.slipstream({"evaluate", "last", "--data", "/nowhere"});
  EXPECT_EQ(ended.exitCode, 2);
  EXPECT_THAT(ended.errors, StartsWith("--data: has no effect"));
}

}  // namespace
}  // namespace slipstream
