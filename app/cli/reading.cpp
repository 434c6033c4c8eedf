#include "app/cli/reading.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <nlohmann/json.hpp>

#include "engine/base/characters.h"
#include "engine/base/text.h"
#include "engine/record/store_folder.h"

namespace slipstream::cli {

int report(const Failures& failures) {
  std::fprintf(stderr, "%s\n", printable(trim(toText(failures)), "\n").c_str());
  return ExitCode::invalidInput;
}

Result<std::unique_ptr<RunStore>> openToRead(const CommandLine& line) {
  std::error_code error;
  if (std::filesystem::file_size(storeFileIn(line.storeFolder), error) > 0 && !error) {
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
