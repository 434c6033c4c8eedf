#include <map>

#include <fmt/format.h>

#include "app/cli/reading.h"

namespace slipstream::cli {
namespace {

Result<std::unique_ptr<RunStore>> openExisting(const CommandLine& line) {
  SLIPSTREAM_CHECK(openToRead(line));
  return RunStore::open(line.storeFolder, StoreAccess::write);
}

}  // namespace

int stop(const StopArguments& arguments, const CommandLine& line) {
  const auto store = openExisting(line);
  if (!store) return report(store.error());
  const auto run = (*store)->find(arguments.run);
  if (!run) return report(run.error());
  if (isTerminal(run->state)) {
    return report(
        {Failure{"RUN", run->id, fmt::format("the run is {} already", nameOf(run->state)), "nothing to stop"}});
  }
  static const std::map<std::string, std::pair<StopKind, const char*>> kinds{
      {"step", {StopKind::afterStep, "after its step"}},
      {"checkpoint", {StopKind::afterCheckpoint, "after its next checkpoint"}},
      {"now", {StopKind::now, "now"}}};
  const auto& [kind, words] = kinds.at(arguments.when);
  (*store)->requestStop(run->id, kind);
  fmt::print("run {} was asked to stop {}\n", run->id, words);
  return ExitCode::done;
}

}  // namespace slipstream::cli
