// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace slipstream {

/// What Slurm says of one job ("scontrol --oneliner show job").
struct JobFacts {
  std::string state;                        ///< RUNNING, COMPLETING, PENDING, ...
  int restarts = 0;                         ///< how often it was queued again
  bool preempting = false;                  ///< it was told to make room, and still has its hosts
  std::optional<std::int64_t> secondsLeft;  ///< until its time limit; nothing where it has none
};

JobFacts parseJobFacts(const std::string& text);

/// Why a job was told to terminate.
enum class Interruption {
  timeLimit,  ///< its time is nearly over
  preempted,  ///< it has to make room; Slurm queues it again once it has killed it
  requeued,   ///< Slurm has queued it again already, and kills it soon
  cancelled   ///< somebody wants its end
};

/// `restarts`: how often the job had been queued again when it began (SLURM_RESTART_COUNT). The signal itself is the
/// same in all cases.
Interruption whyInterrupted(const JobFacts& facts, int restarts);

/// A job of the queue.
struct QueuedJob {
  std::string state;
  std::string reason;     ///< why it waits, as Slurm names it
  std::string name = {};  ///< empty where the line does not say it
};

/// Job number -> job, of lines "NUMBER|STATE|REASON" or "NUMBER|STATE|REASON|NAME" (squeue); others are passed over.
std::map<std::string, QueuedJob> parseQueue(const std::string& text);

/// Whether it waits for hosts, or holds them; else it has ended.
bool isWaiting(const QueuedJob& job);
bool isActive(const QueuedJob& job);

}  // namespace slipstream
