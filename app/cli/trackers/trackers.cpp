// SPDX-License-Identifier: GPL-3.0-or-later
// Runs to and from the files of other experiment trackers.
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/running/supervising.h"
#include "app/cli/store/reading.h"
#include "app/cli/streams/output.h"
#include "app/cli/trackers/commands.h"
#include "engine/base/characters.h"
#include "engine/base/shell_line.h"
#include "engine/base/text.h"
#include "engine/document/text_table.h"
#include "engine/trackers/export_runs.h"
#include "engine/trackers/import_runs.h"

namespace slipstream::cli {
namespace {

TrackerFormat trackerFormat(const std::string& name) {
  if (name == "mlflow") return TrackerFormat::mlflow;
  return name == "csv" ? TrackerFormat::csv : TrackerFormat::tensorboard;
}

std::int64_t sumOf(const std::vector<ExportedRun>& all, std::int64_t ExportedRun::*member) {
  std::int64_t sum = 0;
  for (const ExportedRun& one : all) sum += one.*member;
  return sum;
}

void printExported(const std::vector<ExportedRun>& all, const std::string& folder) {
  std::vector<TextRow> rows{{"run", "into", "metrics", "values"}};
  for (const ExportedRun& one : all) {
    rows.push_back({one.run, printable(one.place.lexically_relative(folder).string()), countText(one.metrics),
                    countText(one.points)});
  }
  fmt::print("{}{}: {}\n", tableText(rows, 2), counted(std::ssize(all), "run"),
             std::filesystem::absolute(folder).string());
}

nlohmann::ordered_json toJson(const std::vector<ExportedRun>& all, const std::string& folder) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const ExportedRun& one : all) {
    list.push_back({{"run", one.run},
                    {"place", std::filesystem::absolute(one.place).string()},
                    {"metrics", one.metrics},
                    {"values", one.points},
                    {"rounded", one.rounded}});
  }
  return {{"folder", std::filesystem::absolute(folder).string()}, {"runs", std::move(list)}};
}

/// "TAG=METRIC": tags may hold '=', metrics cannot.
Result<std::map<std::string, std::string>> metricsAsked(const std::vector<std::string>& pairs) {
  std::map<std::string, std::string> asked;
  Failures failures;
  for (const std::string& pair : pairs) {
    const auto sign = pair.rfind('=');
    const std::string metric = sign == std::string::npos ? "" : pair.substr(sign + 1);
    const std::string name = endsWith(metric, "%") ? metric.substr(0, metric.size() - 1) : metric;
    constexpr const char* letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./";
    if (sign == std::string::npos || sign == 0) {
      failures.push_back({"--metric", pair, "is no TAG=METRIC", "write for example --metric val/loss=evaluation_loss"});
    } else if (name.empty() || name.find_first_not_of(letters) != std::string::npos) {
      failures.push_back({"--metric", pair, "names no metric behind '='", "use letters, digits and _ - . /"});
    } else if (!asked.emplace(pair.substr(0, sign), metric).second) {
      failures.push_back({"--metric", pair, "names a tag that is named already", "name every tag once"});
    }
  }
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return asked;
}

/// The line that does it again, wherever it is typed.
std::string commandOf(const ImportArguments& arguments) {
  std::vector<std::string> words{"slipstream", "import"};
  for (const std::string& source : arguments.sources) words.push_back(std::filesystem::absolute(source).string());
  if (!arguments.experiment.empty()) words.insert(words.end(), {"--experiment", arguments.experiment});
  for (const std::string& metric : arguments.metrics) words.insert(words.end(), {"--metric", metric});
  if (arguments.partial) words.emplace_back("--partial");
  return shellLine(words);
}

void printAdded(const std::vector<AddedRun>& all) {
  std::vector<TextRow> rows{{"run", "name", "metrics", "values"}};
  for (const AddedRun& one : all) rows.push_back({one.id, one.name, countText(one.metrics), countText(one.points)});
  fmt::print("{}", tableText(rows, 2));
}

nlohmann::ordered_json toJson(const RunsToImport& found, const std::vector<AddedRun>& all) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const ImportedRun& origin = found.runs[i].origin;
    list.push_back({{"run", all[i].id},
                    {"name", all[i].name},
                    {"format", origin.format},
                    {"source", origin.source},
                    {"metrics", all[i].metrics},
                    {"values", all[i].points}});
  }
  return {{"runs", std::move(list)}};
}

}  // namespace

int exportRuns(const ExportArguments& arguments, const CommandLine& line) {
  const auto opened = openRuns(line, arguments.runs, arguments.filter);
  if (!opened) return report(opened.error());
  const ExportRequest request{trackerFormat(arguments.format), arguments.output, arguments.metrics};
  const auto exported = slipstream::exportRuns(*opened->store, opened->runs, request);
  if (!exported) return report(exported.error());
  if (const std::int64_t rounded = sumOf(*exported, &ExportedRun::rounded); rounded > 0) {
    remark("note", fmt::format("{} of {} values were rounded: TensorBoard's files have single precision",
                               countText(rounded), countText(sumOf(*exported, &ExportedRun::points))));
  }
  if (arguments.json) {
    print(toJson(*exported, arguments.output));
  } else {
    printExported(*exported, arguments.output);
  }
  return ExitCode::done;
}

int importRuns(const ImportArguments& arguments, const CommandLine& line) {
  const auto metrics = metricsAsked(arguments.metrics);
  if (!metrics) return report(metrics.error());
  const auto found = readRunsToImport({arguments.sources, arguments.experiment, *metrics, arguments.partial});
  if (!found) return report(found.error());
  const auto store = RunStore::open(line.storeFolder, StoreAccess::write);
  if (!store) return report(store.error());
  const auto added = addImportedRuns(**store, *found, commandOf(arguments), newGroup());
  if (!added) return report(added.error());
  for (const std::string& note : found->notes) remark("note", note);
  if (arguments.json) {
    print(toJson(*found, *added));
  } else {
    printAdded(*added);
  }
  return ExitCode::done;
}

}  // namespace slipstream::cli
