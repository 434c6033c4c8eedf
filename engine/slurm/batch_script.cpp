// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/slurm/batch_script.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "engine/base/characters.h"
#include "engine/base/shell_line.h"
#include "engine/base/text.h"

namespace slipstream {
namespace {

/// What the script says by itself, under every name that sbatch has for it.
constexpr std::array<std::string_view, 23> ownOptions{
    "--array",  "-a",     "--signal",  "--requeue", "--no-requeue", "--open-mode", "--nodes",           "-N",
    "--ntasks", "-n",     "--output",  "-o",        "--error",      "--chdir",     "--ntasks-per-node", "--partition",
    "-p",       "--time", "--account", "--wrap",    "-A",           "-t",          "--job-name"};

std::vector<std::string> wordsOf(const std::string& text) {
  std::vector<std::string> words;
  for (const std::string& word : split(text, ' ')) {
    if (!word.empty()) words.push_back(word);
  }
  return words;
}

bool isOneWord(const std::string& text) {
  return std::ranges::all_of(text, [](unsigned char letter) { return letter > ' ' && letter != 0x7f; });
}

bool isPrintedInOneLine(const std::string& text) {
  return std::ranges::none_of(text, [](unsigned char letter) { return letter < ' ' || letter == 0x7f; });
}

bool isTime(const std::string& text) {
  return std::ranges::all_of(
             text,
             [](char letter) { return std::string_view("0123456789:-").find(letter) != std::string_view::npos; }) &&
         std::ranges::any_of(text, [](char letter) { return letter >= '0' && letter <= '9'; });
}

int mostRanksOfANode(const RunPlan& plan) {
  std::map<std::string, int> ranks;
  for (const RankPlacement& place : plan.places) ++ranks[place.host];
  return std::ranges::max_element(ranks, {}, [](const auto& one) { return one.second; })->second;
}

/// An option as sbatch reads it: in quotation marks it still takes a backslash for itself.
std::string optionWord(const std::string& option) {
  std::string escaped;
  for (const char letter : option) {
    if (letter == '\'') {
      escaped += "'\\''";
    } else {
      escaped += (letter == '\\' ? "\\" : "") + std::string(1, letter);
    }
  }
  const std::string plain = shellLine({option});
  return plain == option ? plain : "'" + escaped + "'";
}

}  // namespace

Status checkSlurmRequest(const SlurmRequest& request, const std::string& store) {
  Failures failures;
  if (!isOneWord(request.partition))
    failures.push_back({"--partition", request.partition, "is not the name of a partition", "sinfo lists them"});
  if (!isOneWord(request.account))
    failures.push_back(
        {"--account", request.account, "is not the name of an account", "sacctmgr show user -s lists yours"});
  if (!request.time.empty() && !isTime(request.time)) {
    failures.push_back({"--time", request.time, "is not a time as Slurm writes it",
                        "write minutes (30), hours:minutes:seconds (2:00:00) or days-hours (1-12)"});
  }
  if (!isPrintedInOneLine(request.extra))
    failures.push_back({"--extra", "", "has line ends or other control characters", "write it in one line"});
  for (const std::string& word : wordsOf(request.extra)) {
    if (word.front() != '-') {
      failures.push_back({"--extra", word, "is not an option of sbatch",
                          "write options with their values in one word: --gres=gpu:2 --constraint=a100"});
    } else if (std::ranges::find(ownOptions, word.substr(0, word.find('='))) != ownOptions.end()) {
      failures.push_back({"--extra", word, "is not for you to give: the job relies on what slipstream says there",
                          "leave it out (slipstream plan --slurm shows the script)"});
    }
  }
  if (!isPrintedInOneLine(store)) {
    failures.push_back({"--store", printable(store), "has line ends or other control characters in its path",
                        "choose a folder without: batch scripts of Slurm cannot name this one"});
  }
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return {};
}

std::string batchScript(const SlurmRequest& request, const RunPlan& plan, const BatchJob& job) {
  std::string text = "#!/bin/bash\n";
  const auto say = [&](const std::string& option) { text += "#SBATCH " + optionWord(option) + "\n"; };
  say("--job-name=" + job.name);
  if (!request.partition.empty()) say("--partition=" + request.partition);
  if (!request.account.empty()) say("--account=" + request.account);
  if (!request.time.empty()) say("--time=" + request.time);
  say(fmt::format("--nodes={}", request.nodes));
  say(fmt::format("--ntasks-per-node={}", mostRanksOfANode(plan)));
  say("--requeue");
  say("--open-mode=append");
  say(fmt::format("--signal=B:TERM@{}", secondsToCheckpoint));
  say("--chdir=" + job.folder);  // in the name of an output file, Slurm would replace what follows a percent sign
  say("--output=slurm.log");
  for (const std::string& word : wordsOf(request.extra)) say(word);
  return text + "exec " + shellLine(job.command) + "\n";
}

}  // namespace slipstream
