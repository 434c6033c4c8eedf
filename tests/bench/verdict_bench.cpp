// SPDX-License-Identifier: GPL-3.0-or-later
// How long the verdict of a study of 1,000 runs takes, whose records are written rather than trained: ten variants with
// a hundred seeds each.
#include <cstdio>

#include <nlohmann/json.hpp>

#include "engine/base/clock.h"
#include "engine/store/run_store.h"
#include "engine/study_results/verdict.h"
#include "tests/support/finished_runs.h"
#include "tests/support/text_files.h"

int main() {
  using namespace slipstream;
  constexpr double mostSeconds = 1;
  const test::TextFiles files;
  files.write("base.json", R"({"network": "lenet5", "dataset": "digits"})");
  nlohmann::json document{{"name", "study"}, {"base", "base.json"}, {"seeds", {{"least", 100}}}};
  for (int i = 0; i < 10; ++i) document["variants"].push_back({{"name", "variant " + std::to_string(i)}});
  const Study study = readStudy(files.write("study.json", document.dump())).value();
  const test::TemporaryFolder folder;
  const auto store = test::openStore(folder.path());
  StudyRecord record;
  record.name = study.name;
  record.frozenText = frozenTextOf(study);
  record.frozenHash = std::string(64, 'a');
  const std::int64_t number = store->studies().create(record, cellsOf(study));
  for (const StudyCell& cell : store->studies().cells(number)) {
    const auto noise = static_cast<std::uint64_t>(cell.cell);
    const double accuracy = 0.95 + 0.0001 * static_cast<double>(cell.cell * 7919 % 100);
    const std::string id =
        test::recordRun(*store, {.variant = cell.variant, .seed = cell.seed, .accuracy = accuracy, .noise = noise});
    store->studies().setRun(number, cell.cell, id, "{}", 100);
  }
  const Stopwatch watch;
  const auto verdict = verdictOf(*store, store->studies().find("study").value());
  const double seconds = watch.seconds();
  std::printf("%s\n", nlohmann::json{{"bench", "verdict"},
                                     {"runs", 1000},
                                     {"comparisons", verdict->comparisons.size()},
                                     {"seconds", seconds},
                                     {"bar", mostSeconds}}
                          .dump()
                          .c_str());
  return seconds <= mostSeconds ? 0 : 1;
}
