#include "app/cli/reading.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <nlohmann/json.hpp>

#include "engine/base/characters.h"
#include "engine/base/text.h"

namespace slipstream::cli {

int report(const Failures& failures) {
  std::fprintf(stderr, "%s\n", printable(trim(toText(failures)), "\n").c_str());
  return ExitCode::invalidInput;
}

Result<std::unique_ptr<RunStore>> openToRead(const CommandLine& line) {
  std::error_code error;
  if (std::filesystem::file_size(std::filesystem::path(line.storeFolder) / "store.db", error) > 0 && !error) {
    // Where the store may not be written to, runs keep the state that they were left in.
    if (auto writer = RunStore::open(line.storeFolder, StoreAccess::write)) (*writer)->markLost();
  }
  return RunStore::open(line.storeFolder, StoreAccess::read);
}

Result<std::vector<RunRecord>> findRuns(RunStore& store, const std::vector<std::string>& names) {
  std::vector<RunRecord> runs;
  Failures failures;
  for (const std::string& name : names) {
    auto run = store.find(name);
    if (!collect(run, failures)) continue;
    const auto same = [&](const RunRecord& other) { return other.id == run->id; };
    if (std::any_of(runs.begin(), runs.end(), same)) {
      failures.push_back({"RUN", name, "is run " + run->id + ", which is named already", "name every run once"});
    }
    runs.push_back(std::move(*run));
  }
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return runs;
}

Result<CheckpointReference> findCheckpoint(RunStore& store, const std::string& reference) {
  const auto at = reference.find('@');
  SLIPSTREAM_TRY(run, store.find(reference.substr(0, at)));
  const std::vector<CheckpointRow> checkpoints = store.checkpoints(run.id);
  if (checkpoints.empty()) {
    return fail("RUN", reference, "the run has no checkpoint", "save some with train.checkpoint in the experiment");
  }
  if (at == std::string::npos) return CheckpointReference{run, checkpoints.back().step};
  const auto step = parseInteger(reference.substr(at + 1));
  std::vector<std::string> steps;
  for (const CheckpointRow& row : checkpoints) {
    if (step && row.step == *step) return CheckpointReference{run, *step};
    steps.push_back(std::to_string(row.step));
  }
  return fail("RUN@STEP", reference, "the run has no checkpoint of this step",
              "name one of the steps " + join(steps, ", "));
}

std::string titleOf(const RunRecord& run) {
  return run.variant.empty() ? run.name : run.name + " / " + run.variant;
}

nlohmann::ordered_json jsonNumber(double value) {
  if (std::isfinite(value)) return value;
  return numberText(value);
}

void print(const nlohmann::ordered_json& document) {
  const std::string text = document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  std::printf("%s\n", text.c_str());
}

}  // namespace slipstream::cli
