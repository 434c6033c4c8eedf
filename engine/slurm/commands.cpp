// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/slurm/commands.h"

#include <chrono>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/hosts/ask_program.h"
#include "engine/hosts/process.h"

namespace slipstream {
namespace {

constexpr std::chrono::seconds answerWithin{15};

/// Without the program's own name, which the failure has already.
std::string lastWords(const std::string& name, const std::string& errors) {
  std::string last = trim(split(trim(errors), '\n').back());
  for (const std::string& prefix : {name + ": ", std::string("error: ")}) {
    if (startsWith(last, prefix)) last.erase(0, prefix.size());
  }
  return last;
}

}  // namespace

Result<std::string> slurmSays(const std::vector<std::string>& words, const std::string& input) {
  const std::string& name = words.at(0);
  SLIPSTREAM_CHECK(findProgram(name, "use a machine that has Slurm (on Debian: apt-get install slurm-client)"));
  // Slurm tells every process of a job to terminate, also the one that has just asked it to.
  const ProgramAnswer answer = askProgram({.words = words, .input = input, .limit = answerWithin, .keepsOn = true});
  if (!answer.inTime) {
    return fail(name, "", fmt::format("does not answer within {} s", answerWithin.count()),
                "try again when Slurm's controller answers (scontrol ping)");
  }
  if (answer.exitCode == 0) return answer.output;
  const std::string last = lastWords(name, answer.errors);
  return fail(name, "", last.empty() ? fmt::format("ended with exit code {}", answer.exitCode) : last, "");
}

}  // namespace slipstream
