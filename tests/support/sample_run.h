// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/store/run_store.h"

namespace slipstream::test {

inline std::unique_ptr<RunStore> openStore(const std::filesystem::path& folder,
                                           StoreAccess access = StoreAccess::write) {
  auto store = RunStore::open(folder, access);
  if (!store) throw std::runtime_error(toText(store.error()));
  return std::move(*store);
}

inline NewRun sampleRun(const std::string& name = "sample") {
  NewRun run;
  run.name = name;
  run.experimentName = "experiment";
  run.experimentText = "{}";
  run.planText = "{}";
  run.commandText = "slipstream run experiment.json";
  run.environmentText = "{}";
  run.seed = 7;
  run.ranks = 2;
  run.device = "cpu";
  return run;
}

/// Steps [first, first + count) of the named metrics; value(step, column).
inline MetricBlock block(std::int64_t first, std::int64_t count, std::vector<std::string> names,
                         const std::function<double(std::int64_t, std::size_t)>& value) {
  MetricBlock made;
  made.names = std::move(names);
  for (std::int64_t step = first; step < first + count; ++step) {
    made.steps.push_back(step);
    made.wallNanoseconds.push_back(1'700'000'000'000'000'000 + step * 5'000'000);
    for (std::size_t column = 0; column < made.names.size(); ++column) made.values.push_back(value(step, column));
  }
  return made;
}

}  // namespace slipstream::test
