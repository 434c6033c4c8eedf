// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/store/run_store.h"
#include "engine/study_results/verdict.h"
#include "tests/support/finished_runs.h"
#include "tests/support/text_files.h"

namespace slipstream::test {

/// A study in a store, whose runs are written rather than trained.
class WrittenStudy {
 public:
  void begin(nlohmann::json question, nlohmann::json seeds,
             const std::vector<std::string>& variants = {"mean", "adasum"},
             nlohmann::json factors = nlohmann::json::object()) {
    sources.write("base.json", R"({"network": "lenet5", "dataset": "digits"})");
    nlohmann::json document{{"name", "study"},
                            {"base", "base.json"},
                            {"question", std::move(question)},
                            {"seeds", std::move(seeds)},
                            {"factors", std::move(factors)}};
    for (const std::string& variant : variants) document["variants"].push_back({{"name", variant}});
    study = readStudy(sources.write("study.json", document.dump())).value();
    StudyRecord frozen;
    frozen.name = study.name;
    frozen.frozenText = frozenTextOf(study);
    frozen.frozenHash = std::string(64, 'a');
    number = store->studies().create(frozen, cellsOf(study));
  }
  /// Ends the cells that have no run yet: the accuracy of each.
  template <class Accuracy>
  void finish(const Accuracy& accuracyOf) {
    for (const StudyCell& cell : cells()) {
      if (!cell.run.empty()) continue;
      const std::string id = recordRun(*store, {.variant = cell.variant,
                                                .seed = cell.seed,
                                                .accuracy = accuracyOf(cell),
                                                .adasum = cell.variant == "adasum",
                                                .noise = noiseOf(cell)});
      store->studies().setRun(number, cell.cell, id, "{}", 100);
    }
  }
  std::vector<StudyCell> cells() { return store->studies().cells(number); }
  StudyRecord record() { return store->studies().find("study").value(); }
  StudyVerdict verdict() { return verdictOf(*store, record()).value(); }

  TextFiles sources;
  TemporaryFolder storePlace;
  std::unique_ptr<RunStore> store = openStore(storePlace.path());
  Study study;
  std::int64_t number = 0;

 private:
  static std::uint64_t noiseOf(const StudyCell& cell) {
    return cell.seed * 1000 + cell.variant.size() + static_cast<unsigned char>(cell.variant.back());
  }
};

}  // namespace slipstream::test
