// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/slurm/job_facts.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "engine/base/text.h"
#include "engine/slurm/batch_script.h"

namespace slipstream {
namespace {

/// "2-03:04:05", "03:04:05" or "04:05" in seconds; nothing for UNLIMITED and the like.
std::optional<std::int64_t> secondsOf(const std::string& text) {
  const auto dash = text.find('-');
  const auto days = dash == std::string::npos ? std::optional<std::int64_t>(0) : parseInteger(text.substr(0, dash));
  std::int64_t seconds = 0;
  for (const std::string& part : split(dash == std::string::npos ? text : text.substr(dash + 1), ':')) {
    const auto number = parseInteger(part);
    if (!number || !days) return std::nullopt;
    seconds = seconds * 60 + *number;
  }
  constexpr std::int64_t secondsPerDay = 86400;
  return *days * secondsPerDay + seconds;
}

bool isOneOf(const std::string& state, std::initializer_list<std::string_view> states) {
  return std::ranges::find(states, state) != states.end();
}

}  // namespace

JobFacts parseJobFacts(const std::string& text) {
  JobFacts facts;
  std::optional<std::int64_t> limit;
  std::optional<std::int64_t> used;
  for (const std::string& word : split(text, ' ')) {
    const auto sign = word.find('=');
    if (sign == std::string::npos) continue;
    const std::string name = word.substr(0, sign);
    const std::string value = trim(word.substr(sign + 1));
    // What users name themselves (Comment, Command) comes behind these.
    if (name == "JobState" && facts.state.empty()) facts.state = value;
    if (name == "Restarts") facts.restarts = static_cast<int>(parseInteger(value).value_or(0));
    if (name == "PreemptTime") facts.preempting = !isOneOf(value, {"None", "N/A", "Unknown", ""});
    if (name == "TimeLimit") limit = secondsOf(value);
    if (name == "RunTime") used = secondsOf(value);
    if (name == "Partition") break;
  }
  if (limit && used) facts.secondsLeft = *limit - *used;
  return facts;
}

Interruption whyInterrupted(const JobFacts& facts, int restarts) {
  // Slurm looks at time limits every half minute, and may speak a minute early.
  constexpr int earliest = secondsToCheckpoint + 90;
  if (facts.restarts > restarts) return Interruption::requeued;
  if (facts.state != "RUNNING") return Interruption::cancelled;
  if (facts.preempting) return Interruption::preempted;
  return facts.secondsLeft && *facts.secondsLeft <= earliest ? Interruption::timeLimit : Interruption::cancelled;
}

std::map<std::string, QueuedJob> parseQueue(const std::string& text) {
  std::map<std::string, QueuedJob> jobs;
  for (const std::string& line : split(text, '\n')) {
    const auto parts = split(trim(line), '|');
    if (parts.size() < 3 || !parseInteger(parts[0])) continue;
    jobs[parts[0]] = {parts[1], parts[2], parts.size() > 3 ? parts[3] : ""};
  }
  return jobs;
}

bool isWaiting(const QueuedJob& job) {
  return isOneOf(job.state, {"PENDING", "REQUEUED", "REQUEUE_FED", "REQUEUE_HOLD", "SPECIAL_EXIT"});
}

bool isActive(const QueuedJob& job) {
  return isOneOf(job.state, {"RUNNING", "CONFIGURING", "COMPLETING", "SUSPENDED", "STOPPED", "SIGNALING", "STAGE_OUT",
                             "RESIZING"});
}

}  // namespace slipstream
