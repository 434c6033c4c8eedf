// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/slurm/commands.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/hosts/ask_program.h"
#include "engine/hosts/process.h"

namespace slipstream {
namespace {

/// What Slurm's programs say when a request has gone out and no answer has come: the controller may have done it.
constexpr std::array<std::string_view, 4> unanswered{"timed out", "Zero Bytes were transmitted or received",
                                                     "Transport endpoint is not connected",
                                                     "Unexpected message received"};

/// Without the program's own name, which the failure has already.
std::string lastWords(const std::string& name, const std::string& errors) {
  std::string last = trim(split(trim(errors), '\n').back());
  for (const std::string& prefix : {name + ": ", std::string("error: ")}) {
    if (startsWith(last, prefix)) last.erase(0, prefix.size());
  }
  return last;
}

bool isUnanswered(const std::string& errors) {
  return std::ranges::any_of(unanswered,
                             [&](std::string_view words) { return errors.find(words) != std::string::npos; });
}

}  // namespace

SlurmAnswer askSlurm(const std::vector<std::string>& words, const std::string& input, std::chrono::seconds limit) {
  const std::string& name = words.at(0);
  const auto found = findProgram(name, "use a machine that has Slurm (on Debian: apt-get install slurm-client)");
  if (!found) return {tl::unexpected(found.error())};
  // Slurm tells every process of a job to terminate, also the one that has just asked it to.
  const ProgramAnswer answer = askProgram({.words = words, .input = input, .limit = limit, .keepsOn = true});
  if (!answer.inTime) {
    return {fail(name, "", fmt::format("does not answer within {} s", limit.count()),
                 "try again when Slurm's controller answers (scontrol ping)"),
            false};
  }
  if (answer.exitCode == 0) return {answer.output};
  const std::string last = lastWords(name, answer.errors);
  return {fail(name, "", last.empty() ? fmt::format("ended with exit code {}", answer.exitCode) : last, ""),
          !isUnanswered(answer.errors)};
}

Result<std::string> slurmSays(const std::vector<std::string>& words) {
  return askSlurm(words).said;
}

}  // namespace slipstream
