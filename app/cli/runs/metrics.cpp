// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/runs/commands.h"
#include "app/cli/store/reading.h"
#include "app/cli/streams/output.h"
#include "engine/base/text.h"
#include "engine/document/document.h"

namespace slipstream::cli {
namespace {

Failures unknownMetrics(const std::vector<std::string>& asked, const std::vector<std::string>& known) {
  Failures failures;
  for (const std::string& name : asked) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const auto near = nearestWord(name, known);
    failures.push_back({"--metric", name, "the run has no metric of this name",
                        near            ? "did you mean " + *near + "?"
                        : known.empty() ? "the run has none yet: it did no step"
                                        : "the run has: " + join(known, ", ")});
  }
  return failures;
}

/// Written piece by piece: a series may be long.
void printJson(const std::string& runId, const std::string& metric, const Series& series) {
  fmt::print("{{\"run\":{},\"metric\":{},\"points\":[", nlohmann::json(runId).dump(), nlohmann::json(metric).dump());
  for (std::size_t i = 0; i < series.steps.size(); ++i) {
    const double value = series.values[i];
    const char* quote = std::isfinite(value) ? "" : "\"";
    fmt::print("{}[{},{}{}{}]", i == 0 ? "" : ",", series.steps[i], quote, numberText(value), quote);
  }
  fmt::print("]}}");
}

}  // namespace

int metrics(const MetricsArguments& arguments, const CommandLine& line) {
  const auto opened = openRun(line, arguments.run);
  if (!opened) return report(opened.error());
  const auto& [store, run] = *opened;
  const std::vector<std::string> known = store->metricNames(run.id);
  if (const Failures unknown = unknownMetrics(arguments.metrics, known); !unknown.empty()) return report(unknown);

  const std::vector<std::string>& names = arguments.metrics.empty() ? known : arguments.metrics;
  if (arguments.format == "json") {
    const bool list = names.size() != 1;
    for (std::size_t i = 0; i < names.size(); ++i) {
      fmt::print("{}", i > 0 ? ",\n" : list ? "[" : "");
      printJson(run.id, names[i], store->series(run.id, names[i]));
    }
    fmt::print("{}\n", names.empty() ? "[]" : list ? "]" : "");
    return ExitCode::done;
  }
  fmt::print("metric,step,value\n");
  for (const std::string& name : names) {
    const Series series = store->series(run.id, name);
    const std::string field = csvField(name);
    for (std::size_t i = 0; i < series.steps.size(); ++i) {
      fmt::print("{},{},{}\n", field, series.steps[i], numberText(series.values[i]));
    }
  }
  return ExitCode::done;
}

}  // namespace slipstream::cli
