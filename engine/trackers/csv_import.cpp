// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "engine/base/csv_rows.h"
#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/trackers/tagged_run.h"

namespace slipstream {
namespace {

constexpr std::size_t mostFailures = 20;
constexpr std::int64_t nanosecondsPerSecond = 1'000'000'000;

// What columns may be called, in small letters; the first that is there counts.
const std::vector<std::string> stepNames{"step", "_step", "global_step", "iteration", "iter", "epoch"};
const std::vector<std::string> timeNames{"wall_time", "wall time", "_timestamp", "timestamp", "time"};
const std::vector<std::string> runNames{"run", "run_id", "run_name"};
const std::vector<std::string> metricColumnNames{"metric", "tag"};
const std::vector<std::string> valueNames{"value"};

std::string lowered(std::string text) {
  for (char& letter : text) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return text;
}

std::optional<std::size_t> columnCalled(const std::vector<std::string>& header, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    for (std::size_t i = 0; i < header.size(); ++i) {
      if (lowered(header[i]) == name) return i;
    }
  }
  return std::nullopt;
}

/// Seconds since 1970 as nanoseconds, with every digit that is there; nothing for what is no time after 1973.
std::optional<std::int64_t> wallOf(const std::string& cell) {
  constexpr double least = 1e8, most = 9e9;
  const auto seconds = cellNumber(cell);
  if (!seconds || !(*seconds >= least && *seconds < most)) return std::nullopt;
  const std::string word = trim(cell);
  const auto point = word.find('.');
  const auto whole = parseInteger(std::string_view(word).substr(0, point));
  if (!whole) return std::llround(*seconds * 1e9);
  std::string fraction = point == std::string::npos ? "" : word.substr(point + 1);
  fraction.resize(9, '0');
  const auto nanoseconds = parseInteger(fraction);
  return nanoseconds && *nanoseconds >= 0 ? *whole * nanosecondsPerSecond + *nanoseconds : std::llround(*seconds * 1e9);
}

std::optional<std::int64_t> stepOf(const std::string& cell) {
  const auto number = cellNumber(cell);
  if (!number || !(*number >= 0 && *number < static_cast<double>(endOfSteps)) || std::floor(*number) != *number)
    return std::nullopt;
  return static_cast<std::int64_t>(*number);
}

std::int64_t writtenAt(const std::filesystem::path& file) {
  std::error_code error;
  const auto time = std::filesystem::last_write_time(file, error);
  if (error) return 0;
  const auto wall = std::chrono::file_clock::to_sys(time).time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(wall).count();
}

/// What a column of values holds.
struct ValueColumn {
  std::int64_t numbers = 0;
  std::int64_t texts = 0;
  std::int64_t firstTextLine = 0;
  std::string firstText;

  /// Nothing for an empty cell, and for a text, which is remembered.
  std::optional<double> take(const std::string& cell, std::int64_t line) {
    if (trim(cell).empty()) return std::nullopt;
    const auto number = cellNumber(cell);
    if (number) {
      ++numbers;
    } else if (++texts == 1) {
      firstTextLine = line;
      firstText = cell;
    }
    return number;
  }
};

class CsvReading {
 public:
  explicit CsvReading(std::string file) : file_(std::move(file)) {}

  Result<TaggedRuns> run() {
    SLIPSTREAM_TRY(text, readFile(file_));
    CsvRows rows(text);
    if (!rows.next(header_)) {
      SLIPSTREAM_CHECK(rows.finish(file_));
      return fail(file_, "", "is empty", "name a table with a header, and a row a step");
    }
    for (std::string& name : header_) name = trim(name);
    SLIPSTREAM_CHECK(checkHeader());
    SLIPSTREAM_CHECK(findColumns());
    checkTimeColumn(text);
    writtenAt_ = writtenAt(file_);
    for (std::vector<std::string> row; rows.next(row);) {
      if (row.size() != header_.size()) {
        report(rows.line(), "",
               fmt::format("has {}, and the header {}", counted(std::ssize(row), "field"), header_.size()),
               "quote fields that hold the separator");
      } else {
        take(row, rows.line());
      }
    }
    collect(rows.finish(file_), failures_);
    checkColumns();
    if (suppressed_ > 0) failures_.push_back({file_, "", fmt::format("{} more rows are wrong", suppressed_), ""});
    if (!failures_.empty()) return tl::unexpected(std::move(failures_));
    return found();
  }

 private:
  void report(std::int64_t line, const std::string& value, const std::string& problem, const std::string& remedy) {
    if (failures_.size() < mostFailures) {
      failures_.push_back({fmt::format("{}:{}", file_, line), value, problem, remedy});
    } else {
      ++suppressed_;
    }
  }

  /// Two columns of one name would become one series.
  Status checkHeader() const {
    Failures failures;
    std::set<std::string> seen, repeated;
    for (const std::string& name : header_) {
      if (name.empty() || seen.insert(name).second || !repeated.insert(name).second) continue;
      failures.push_back({fmt::format("{}:1", file_), name, "is the name of two columns", "rename or remove one"});
    }
    if (!failures.empty()) return tl::unexpected(std::move(failures));
    return {};
  }

  Status findColumns() {
    const auto step = columnCalled(header_, stepNames);
    if (!step) {
      return fail(file_, "", "has no column of steps in its header",
                  "call one of the columns " + join(stepNames, ", "));
    }
    step_ = *step;
    time_ = columnCalled(header_, timeNames);
    run_ = columnCalled(header_, runNames);
    metric_ = columnCalled(header_, metricColumnNames);
    const auto value = columnCalled(header_, valueNames);
    if (!metric_ || !value) metric_.reset();
    for (std::size_t i = 0; i < header_.size(); ++i) {
      const bool isOther = i != step_ && i != time_ && i != run_;
      if (metric_ ? i == *value : isOther && !header_[i].empty()) values_[i] = {};
    }
    if (values_.empty()) return fail(file_, "", "has no column of values beside its steps", "add one");
    return {};
  }

  void take(const std::vector<std::string>& row, std::int64_t line) {
    const auto step = stepOf(row[step_]);
    if (!step) return report(line, row[step_], "is no number of a step", "write a whole number from 0");
    std::int64_t wall = writtenAt_;
    if (time_) {
      const auto time = wallOf(row[*time_]);
      if (!time)
        return report(line, row[*time_], "is no time",
                      "write seconds since 1970 in every row, or leave the column out");
      wall = *time;
    }
    std::map<std::string, Series>& run = runs_[run_ ? trim(row[*run_]) : ""];
    for (auto& [column, values] : values_) {
      const auto number = values.take(row[column], line);
      if (!number) continue;
      const std::string name = metric_ ? trim(row[*metric_]) : header_[column];
      if (name.empty()) return report(line, "", "has a value of no metric", "name it");
      Series& series = run[name];
      series.steps.push_back(*step);
      series.wallNanoseconds.push_back(wall);
      series.values.push_back(*number);
    }
  }

  /// A column that is called a time may hold something else, such as seconds since the beginning, or nothing: its first
  /// filled cell says which.
  void checkTimeColumn(std::string_view text) {
    if (!time_) return;
    CsvRows rows(text);
    std::vector<std::string> row;
    rows.next(row);  // the header
    while (rows.next(row)) {
      if (row.size() != header_.size() || trim(row[*time_]).empty()) continue;
      if (wallOf(row[*time_])) return;
      if (!metric_) values_[*time_] = {};
      break;
    }
    time_.reset();
  }

  /// A column of texts tells of something else; a text among numbers is a mistake.
  void checkColumns() {
    for (const auto& [column, values] : values_) {
      if (values.texts == 0) continue;
      if (values.numbers > 0 || metric_) {
        report(values.firstTextLine, values.firstText,
               fmt::format("column {}: is no number{}", header_[column],
                           values.texts > 1 ? fmt::format(", nor are {} more", values.texts - 1) : ""),
               "write a number, nan or inf, or leave the field empty");
      } else {
        notes_.push_back(fmt::format("{}: column {} holds texts, and is left out", file_, header_[column]));
      }
    }
  }

  Result<TaggedRuns> found() {
    const std::string stem = std::filesystem::path(file_).stem().string();
    TaggedRuns all{"CSV", {}, std::move(notes_)};
    if (!time_) all.notes.push_back(file_ + ": tells no times; all values have that of the file");
    for (auto& [name, series] : runs_) {
      if (series.empty()) continue;
      all.runs.push_back({name.empty() ? stem : name, file_, stem, {}, std::move(series)});
    }
    if (all.runs.empty()) return fail(file_, "", "holds no values", "name a table with a row a step");
    return all;
  }

  std::string file_;
  std::vector<std::string> header_;
  std::size_t step_ = 0;
  std::optional<std::size_t> time_, run_, metric_;
  std::map<std::size_t, ValueColumn> values_;
  std::map<std::string, std::map<std::string, Series>> runs_;
  std::int64_t writtenAt_ = 0;
  Failures failures_;
  std::size_t suppressed_ = 0;
  std::vector<std::string> notes_;
};

}  // namespace

Result<TaggedRuns> readCsv(const std::string& file) {
  return CsvReading(file).run();
}

}  // namespace slipstream
