// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>
#include <span>

#include <fmt/format.h>

#include "engine/analysis/run_results.h"
#include "engine/base/clock.h"
#include "engine/base/files.h"
#include "engine/base/replacing_file.h"
#include "engine/base/text.h"
#include "engine/document/document.h"
#include "engine/trackers/run_export.h"

namespace slipstream {
namespace {

constexpr const char* metricsTable = "metrics.csv";
constexpr const char* runsTable = "runs.csv";
constexpr const char* settingsTable = "settings.csv";

void addField(std::vector<Cell>& row, const std::string& text) {
  row.push_back({.text = text});
}

void addNumber(std::vector<Cell>& row, const std::optional<double>& value) {
  row.emplace_back();
  row.back().number = value;
}

/// One row a run: what it was and came to.
std::string runsCsv(RunStore& store, const std::vector<RunToExport>& runs) {
  Table table;
  for (const char* key : {"run", "name", "experiment", "variant", "seed", "ranks", "device", "state", "created", "tags",
                          "steps", "loss", "accuracy", "test_loss", "training_seconds"}) {
    table.columns.push_back({.key = key});
  }
  for (const RunToExport& run : runs) {
    const RunRecord& record = run.record;
    const RunResults results = resultsOf(store, record.id);
    std::vector<Cell> row;
    for (const std::string& text :
         {record.id, run.title, record.experimentName, record.variant, std::to_string(record.seed),
          std::to_string(record.ranks), record.device, std::string(nameOf(record.state)), wallText(record.createdAt),
          join(run.label.tags, ","), std::to_string(results.steps)}) {
      addField(row, text);
    }
    for (const auto& value : {results.loss, results.accuracy, results.testLoss, results.seconds}) addNumber(row, value);
    table.rows.push_back(std::move(row));
  }
  return toCsv(table);
}

std::string settingsCsv(const std::vector<RunToExport>& runs) {
  Table table{.columns = {{.key = "run"}, {.key = "key"}, {.key = "value"}}};
  for (const RunToExport& run : runs) {
    for (const auto& [key, value] : run.settings) {
      table.rows.push_back({{.text = run.record.id}, {.text = key}, {.text = value}});
    }
  }
  return toCsv(table);
}

/// Seconds since 1970 with all their digits.
std::string secondsText(std::int64_t nanoseconds) {
  constexpr std::int64_t second = 1'000'000'000;
  return fmt::format("{}.{:09d}", nanoseconds / second, nanoseconds % second);
}

/// Written piece by piece: series may be long.
class MetricsTable {
 public:
  static Result<MetricsTable> create(const std::filesystem::path& place) {
    SLIPSTREAM_TRY(file, ReplacingFile::create(place));
    MetricsTable table(std::move(file));
    table.text_ = "run,metric,step,wall_time,value\n";
    return table;
  }

  Status add(const std::string& run, const std::string& metric, const Series& series) {
    const std::string head = run + "," + csvField(metric) + ",";
    for (std::size_t i = 0; i < series.steps.size(); ++i) {
      text_ += head;
      text_ += fmt::format("{},{},{}\n", series.steps[i], secondsText(series.wallNanoseconds[i]),
                           numberText(series.values[i]));
      constexpr std::size_t piece = 1 << 20;
      if (text_.size() > piece) SLIPSTREAM_CHECK(flush());
    }
    return {};
  }

  Status commit() {
    SLIPSTREAM_CHECK(flush());
    return file_->commit();
  }

 private:
  explicit MetricsTable(std::unique_ptr<ReplacingFile> file) : file_(std::move(file)) {}

  Status flush() {
    const Status written = file_->write(std::as_bytes(std::span(text_.data(), text_.size())));
    text_.clear();
    return written;
  }

  std::unique_ptr<ReplacingFile> file_;
  std::string text_;
};

}  // namespace

const std::vector<std::string>& csvTables() {
  static const std::vector<std::string> tables{metricsTable, runsTable, settingsTable};
  return tables;
}

Result<std::vector<ExportedRun>> exportToCsv(RunStore& store, const std::vector<RunToExport>& runs,
                                             const std::filesystem::path& folder) {
  std::vector<ExportedRun> exported;
  SLIPSTREAM_TRY(metrics, MetricsTable::create(folder / metricsTable));
  for (const RunToExport& run : runs) {
    ExportedRun one{run.record.id, folder, std::ssize(run.metrics)};
    for (const std::string& metric : run.metrics) {
      const Series series = seriesOf(store, run, metric);
      SLIPSTREAM_CHECK(metrics.add(run.record.id, metric, series));
      one.points += std::ssize(series.steps);
    }
    exported.push_back(std::move(one));
  }
  SLIPSTREAM_CHECK(writeFile(folder / runsTable, runsCsv(store, runs)));
  SLIPSTREAM_CHECK(writeFile(folder / settingsTable, settingsCsv(runs)));
  SLIPSTREAM_CHECK(metrics.commit());
  return exported;
}

}  // namespace slipstream
