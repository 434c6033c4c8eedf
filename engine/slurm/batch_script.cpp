// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/slurm/batch_script.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "engine/base/characters.h"
#include "engine/base/shell_line.h"
#include "engine/base/text.h"

namespace slipstream {
namespace {

/// What the script says by itself, and what would take the job or its output from us, by the names that sbatch has.
constexpr std::array<std::string_view, 18> ownOptions{
    "--array",     "--signal",  "--requeue",  "--no-requeue", "--open-mode", "--nodes",
    "--ntasks",    "--output",  "--error",    "--chdir",      "--time",      "--ntasks-per-node",
    "--partition", "--account", "--job-name", "--wrap",       "--time-min",  "--wait"};
constexpr std::string_view ownLetters = "aADeJnNoptW";
/// Options of sbatch without a value, behind which further ones may stand in the same word.
constexpr std::string_view lettersWithoutValue = "hHIkOQRsuvV";

/// Of a word such as -a0-3 or -Qa0-3.
bool hasOwnLetter(std::string_view word) {
  for (const char letter : word.substr(1)) {
    if (ownLetters.find(letter) != std::string_view::npos) return true;
    if (lettersWithoutValue.find(letter) == std::string_view::npos) return false;  // the rest is its value
  }
  return false;
}

/// sbatch takes the beginning of a long option for the whole, however short, where only one begins so.
bool isOwnOption(std::string_view word) {
  if (!startsWith(word, "--")) return hasOwnLetter(word);
  const std::string_view name = word.substr(0, word.find('='));
  return std::ranges::any_of(ownOptions, [&](std::string_view own) { return startsWith(own, name); });
}

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

constexpr std::int64_t secondsPerMinute = 60;
constexpr std::int64_t minutesPerDay = 24 * 60;

/// What is shorter is told to terminate as it begins, or before it has got anywhere, and would be queued again for
/// ever.
constexpr std::int64_t leastMinutes = 5;
static_assert(leastMinutes * secondsPerMinute >= 2 * secondsToCheckpoint);

/// Numbers with colons between them, one to three; nothing where the text is anything else.
std::optional<std::vector<std::int64_t>> clockNumbers(const std::string& text) {
  constexpr std::size_t mostDigits = 9;
  std::vector<std::int64_t> numbers;
  for (const std::string& part : split(text, ':')) {
    if (part.empty() || part.size() > mostDigits) return std::nullopt;
    if (part.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
    numbers.push_back(parseInteger(part).value_or(0));
  }
  if (numbers.empty() || numbers.size() > 3) return std::nullopt;
  return numbers;
}

/// The six forms that Slurm has: minutes, minutes:seconds, hours:minutes:seconds, and behind "days-" hours,
/// hours:minutes or hours:minutes:seconds.
std::optional<std::int64_t> secondsAsked(const std::string& time) {
  const auto dash = time.find('-');
  const bool hasDays = dash != std::string::npos;
  const auto days = clockNumbers(hasDays ? time.substr(0, dash) : "0");
  auto hours = clockNumbers(hasDays ? time.substr(dash + 1) : time);
  if (!days || days->size() != 1 || !hours) return std::nullopt;
  if (!hasDays && hours->size() < 3) hours->insert(hours->begin(), 0);
  hours->resize(3, 0);
  const std::int64_t minutes = days->front() * minutesPerDay + hours->at(0) * 60 + hours->at(1);
  return minutes * secondsPerMinute + hours->at(2);
}

bool isNoLimit(std::string time) {
  std::ranges::transform(time, time.begin(),
                         [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  return time == "UNLIMITED" || time == "INFINITE";
}

void checkTime(const std::string& time, Failures& failures) {
  if (time.empty() || isNoLimit(time)) return;
  const auto seconds = secondsAsked(time);
  if (!seconds) {
    failures.push_back({"--time", time, "is not a time as Slurm writes it",
                        "write minutes (30), hours:minutes:seconds (2:00:00), days-hours (1-12) or UNLIMITED"});
  } else if (*seconds > 0 && *seconds < leastMinutes * secondsPerMinute) {  // Slurm takes 0 for no limit
    failures.push_back({"--time", time,
                        fmt::format("is too short: a job is told to stop {} s before its time is over, and would be "
                                    "queued again without getting anywhere",
                                    secondsToCheckpoint),
                        fmt::format("give it {} minutes or more", leastMinutes)});
  }
}

void checkExtra(const std::string& extra, Failures& failures) {
  if (!isPrintedInOneLine(extra))
    failures.push_back({"--extra", "", "has line ends or other control characters", "write it in one line"});
  for (const std::string& word : wordsOf(extra)) {
    if (word.front() != '-') {
      failures.push_back({"--extra", word, "is not an option of sbatch",
                          "write options with their values in one word: --gres=gpu:2 --constraint=a100"});
    } else if (isOwnOption(word)) {
      failures.push_back({"--extra", word, "is not for you to give: the job relies on what slipstream says there",
                          "leave it out (slipstream plan --slurm shows the script)"});
    }
  }
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
  checkTime(request.time, failures);
  checkExtra(request.extra, failures);
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
