// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/runs/commands.h"
#include "app/cli/store/reading.h"
#include "app/cli/streams/output.h"
#include "engine/base/files.h"
#include "engine/remote/fetch.h"
#include "engine/runs/run_logs.h"

namespace slipstream::cli {
namespace {

/// Why there is nothing to print.
void printSilence(const RunRecord& run, const std::optional<int>& rank, const std::filesystem::path& folder) {
  const std::string who = rank ? fmt::format("rank {}", *rank) : "its ranks";
  const char* why = run.attempt == 0 ? "it was never started"
                    : isTerminal(run.state)
                        ? "it ended before a loss was due (train.log_every_steps), or its logs are gone"
                        : "it has not come to the first line yet";
  fmt::print("run {}: {} wrote nothing: {}; logs: {}\n", run.id, who, why, folder.string());
}

/// Of a copy: where its remote cannot be reached, those that came the last time are printed.
void bringLogs(const RunStore& store, const RunRecord& run) {
  const auto bring = [&]() -> Status {
    SLIPSTREAM_TRY(remote, findRemote(run.remote));
    RemoteConnection connection(std::move(remote));
    SLIPSTREAM_CHECK(connection.open());
    return fetchLogs(connection, store.folder(), run.id);
  };
  if (const Status came = bring(); !came) {
    remark("warning", "the newest logs did not come: " + toText(came.error().front()));
  }
}

}  // namespace

int logs(const LogsArguments& arguments, const CommandLine& line) {
  const auto opened = openRun(line, arguments.run);
  if (!opened) return report(opened.error());
  const auto& [store, run] = *opened;
  if (arguments.rank && (*arguments.rank < 0 || *arguments.rank >= run.ranks)) {
    return report({{"--rank", std::to_string(*arguments.rank), "the run has no such rank",
                    fmt::format("name one from 0 to {}", run.ranks - 1)}});
  }
  if (!run.remote.empty()) bringLogs(*store, run);
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  bool silent = true;
  for (const RankLog& log : rankLogs(store->folder(), run.id)) {
    if (arguments.rank && log.rank != *arguments.rank) continue;
    const auto text = readFile(log.file);
    if (!text) return report(text.error());
    if (arguments.json) {
      list.push_back({{"attempt", log.attempt}, {"rank", log.rank}, {"stream", log.stream}, {"text", *text}});
    } else if (!text->empty()) {
      silent = false;
      fmt::print("== attempt {}, rank {}, {}\n{}", log.attempt, log.rank, log.stream, *text);
      if (text->back() != '\n') fmt::print("\n");
    }
  }
  if (arguments.json) {
    print(list);
  } else if (silent) {
    printSilence(run, arguments.rank, store->folder() / "logs" / run.id);
  }
  return ExitCode::done;
}

}  // namespace slipstream::cli
