// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/parser/command.h"
#include "app/cli/running/run_display.h"
#include "engine/launch/detach.h"
#include "engine/launch/supervisor.h"

namespace slipstream::cli {

// What `run` and `resume` share.

/// The store, created where there is none; runs whose supervisor is gone are marked as lost, and what they left on the
/// machine is removed.
Result<std::unique_ptr<RunStore>> openToSupervise(const CommandLine& line);

/// A name for the runs of one command.
std::string newGroup();

/// The run and who supervises it, in one transaction: nobody may take it for lost in between.
std::string createRun(RunStore& store, const NewRun& run);

/// How a run is shown, and what else its supervision is to know: see Supervision.
struct ShownSupervision {
  std::filesystem::path worker;
  DisplayKind display;
  bool wasDone = false;
  Judgement judge = {};
};

/// Supervises one run with a display, and says on stderr why it failed or stopped.
RunEnd superviseShown(RunStore& store, const std::string& runId, const RunPlan& plan,
                      const std::optional<CheckpointManifest>& from, const ShownSupervision& how);

struct EndedRun {
  std::string id;
  RunEnd end;
};

/// done; 1 where any failed; 130 where any was stopped.
int exitCodeOf(const std::vector<EndedRun>& runs);

struct Closing {
  std::string reportName;
  bool quiet = false;
  bool json = false;
};
/// After the runs: the comparison where there are several, the report, and where both it and the store are. Makes
/// nothing where the store was taken away.
void close(RunStore& store, const std::vector<EndedRun>& runs, const Closing& closing);

enum class Place { here, detached, detachedJson };

/// Runs `body` here, or detached: then the run that it announces is printed at once (as a JSON object with run, store
/// and log where asked for) and the exit code is 0; a body that ends without is told on stderr, with its exit code.
int runAt(Place place, const CommandLine& line, const std::function<int(const Announce&)>& body);

}  // namespace slipstream::cli
