#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/reading.h"
#include "engine/base/clock.h"
#include "engine/base/text.h"
#include "engine/record/checkpoint_store.h"

namespace slipstream::cli {
namespace {

/// Nothing is resumed from them, so they are no lines of the list.
void printSnapshots(const RunStore& store, const std::string& runId) {
  const auto checkpoints = CheckpointStore::openToRead(store.folder(), runId);
  if (!checkpoints) return;
  const auto steps = (*checkpoints)->snapshotSteps();
  if (steps.empty()) return;
  fmt::print("and {} of weights, steps {} to {}, for later stages\n", counted(std::ssize(steps), "snapshot"),
             countText(steps.front()), countText(steps.back()));
}

}  // namespace

int checkpoints(const CheckpointsArguments& arguments, const CommandLine& line) {
  const auto store = openToRead(line);
  if (!store) return report(store.error());
  const auto run = (*store)->find(arguments.run);
  if (!run) return report(run.error());
  const std::vector<CheckpointRow> rows = (*store)->checkpoints(run->id);
  if (arguments.json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const CheckpointRow& row : rows) {
      list.push_back({{"step", row.step},
                      {"attempt", row.attempt},
                      {"kind", row.full ? "full" : "weights"},
                      {"bytes", row.bytes},
                      {"new_bytes", row.newBytes},
                      {"time", wallText(row.wallNanoseconds)}});
    }
    print(list);
    return ExitCode::done;
  }
  fmt::print("{:>10}  {:<8}{:>12}{:>14}  {:<20}\n", "step", "kind", "size", "new in store", "time (UTC)");
  for (const CheckpointRow& row : rows) {
    fmt::print("{:>10}  {:<8}{:>12}{:>14}  {:<20}\n", countText(row.step), row.full ? "full" : "weights",
               sizeText(row.bytes), sizeText(row.newBytes), wallText(row.wallNanoseconds));
  }
  printSnapshots(**store, run->id);
  return ExitCode::done;
}

}  // namespace slipstream::cli
