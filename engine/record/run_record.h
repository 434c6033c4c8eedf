// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/process_identity.h"

namespace slipstream {

/// Whether a text is what the store makes as the id of a run: 8 hexadecimal digits. Files and folders are named by it,
/// so that what another program wrote in its place could name any other path.
inline bool isRunId(std::string_view text) {
  constexpr std::size_t digits = 8;
  return text.size() == digits && std::ranges::all_of(text, [](char letter) {
           return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'f');
         });
}

/// `queued`: waits for its turn, of a scheduler where it has a job. `preempted`: the scheduler took its hosts for other
/// work and has queued it again. `starting`: also where it starts again, and waits for hosts that it has lost.
enum class RunState { draft, queued, preempted, starting, running, stopping, done, failed, stopped, lost };
std::string_view nameOf(RunState state);
/// Nothing where no state has this name.
std::optional<RunState> stateNamed(std::string_view name);
bool isTerminal(RunState state);
/// Somebody carries it on, or is about to: neither ended nor a draft.
bool isLiving(RunState state);

enum class StopKind { none, afterStep, afterCheckpoint, now };
enum class EventLevel { information, warning, error };

/// What a run was asked to be; never changes.
struct NewRun {
  std::string name;
  std::string experimentName;
  std::string variant;
  std::string group;            ///< runs of one `slipstream run` share it
  std::string experimentText;   ///< the file as written
  std::string planText;         ///< toJsonText(RunPlan)
  std::string commandText;      ///< to repeat it
  std::string environmentText;  ///< JSON: host, devices, versions, honoured variables
  std::string sourceRevision;
  std::uint64_t seed = 0;
  int ranks = 0;
  std::string device;
};

struct RunRecord : NewRun {
  std::string id;
  std::string remote = {};  ///< the machine whose run this is a copy of; empty: a run of this store
  RunState state = RunState::draft;
  std::string why;     ///< cause of failed, lost, stopped; what queued, starting wait for
  int attempt = 0;     ///< of the newest attempt; 0: none yet
  int colourSlot = 0;  ///< never changes
  std::int64_t createdAt = 0, startedAt = 0, endedAt = 0;  ///< wall nanoseconds; 0: not yet
  ProcessIdentity supervisor;
  /// The scheduler's job that carries it on: its number, or its name until the number is known; empty: none does.
  std::string job;
};

struct Event {
  std::int64_t number = 0;
  std::int64_t wallNanoseconds = 0;
  int attempt = 0;
  int rank = -1;  ///< -1: the supervisor
  EventLevel level = EventLevel::information;
  std::string code;
  std::string text;
};

/// The code of the event with which a run goes on with fewer ranks than it was planned for.
inline constexpr const char* shrunkEvent = "run.shrunk";

/// One metric over the steps of a run, as it counts: newer attempts replace the steps that they did again; several
/// ranks are averaged where they report the same step.
struct Series {
  std::vector<std::int64_t> steps;
  std::vector<std::int64_t> wallNanoseconds;
  std::vector<double> values;
};

/// How far one rank has reported in the newest attempt.
struct RankProgress {
  int rank = 0;
  std::int64_t step = 0;             ///< the last one it did
  std::int64_t wallNanoseconds = 0;  ///< when
};

struct CheckpointRow {
  std::int64_t step = 0;
  int attempt = 0;
  bool full = true;  ///< false: weights only
  std::int64_t bytes = 0;
  std::int64_t newBytes = 0;  ///< what was not in the store before
  std::int64_t wallNanoseconds = 0;
};

/// What people say of a run, at any time.
struct RunLabel {
  std::string title;  ///< instead of its name; empty: as it was named
  std::string note;
  std::vector<std::string> tags;  ///< without line breaks, each once
  bool pinned = false;            ///< the baseline that others are held against
  bool archived = false;
  bool operator==(const RunLabel&) const = default;
};

}  // namespace slipstream
