// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "engine/base/characters.h"
#include "engine/base/csv_rows.h"
#include "engine/base/file_bytes.h"
#include "engine/base/text.h"
#include "engine/probe/own_samples.h"

namespace slipstream {
namespace {

namespace fs = std::filesystem;

constexpr const char* csvEnding = ".csv";
constexpr std::int64_t mostClasses = 1'000'000;

/// The rows of one file below its header, and where each one's label is.
class Table {
 public:
  static Result<std::unique_ptr<Table>> open(const fs::path& path, const std::string& labelColumn) {
    SLIPSTREAM_TRY(file, FileBytes::open(path));
    auto table = std::make_unique<Table>(path, std::move(file));
    table->rows_.next(table->header_);
    SLIPSTREAM_CHECK(table->rows_.finish(path.string()));
    for (std::string& name : table->header_) name = trim(name);
    const auto label = std::ranges::find(table->header_, labelColumn);
    if (label == table->header_.end()) return table->noSuchColumn(labelColumn);
    if (table->header_.size() < 2) {
      return fail(path.string(), labelColumn, "is the only column: there is nothing to tell the classes by",
                  "put the features into columns beside it");
    }
    table->label_ = static_cast<std::size_t>(label - table->header_.begin());
    return table;
  }

  Table(fs::path path, FileBytes file) : path_(std::move(path)), rows_(std::move(file)) {}

  /// False at the end. Fails at a row of another length.
  Result<bool> next() {
    if (!rows_.next(row_)) {
      SLIPSTREAM_CHECK(rows_.finish(path_.string()));
      return false;
    }
    if (row_.size() == header_.size()) return true;
    return fail(place(), fmt::format("{} fields", row_.size()),
                fmt::format("has another number of fields than the {} of the header", header_.size()),
                "give every row a field for each column");
  }

  std::string label() const { return trim(row_[label_]); }

  /// The other fields, in order.
  Status readFeatures(std::span<float> values) const {
    std::size_t next = 0;
    for (std::size_t column = 0; column < row_.size(); ++column) {
      if (column == label_) continue;
      const auto number = cellNumber(trim(row_[column]));
      const float value = number ? static_cast<float>(*number) : NAN;
      if (!std::isfinite(value)) return noNumber(column);
      values[next++] = value;
    }
    return {};
  }

  const std::vector<std::string>& header() const { return header_; }
  std::int64_t features() const { return std::ssize(header_) - 1; }
  /// Of the last row.
  std::string place() const { return fmt::format("{}:{}", path_.string(), rows_.line()); }

 private:
  tl::unexpected<Failures> noSuchColumn(const std::string& wanted) const {
    constexpr std::size_t shown = 10;
    std::vector<std::string> first(header_.begin(),
                                   header_.begin() + static_cast<std::ptrdiff_t>(std::min(shown, header_.size())));
    if (header_.size() > shown) first.emplace_back("...");
    return fail(path_.string(), wanted,
                header_.empty() ? "is not there: the file has no header" : "is no column of the file",
                "name the column of labels in dataset.label_column; there are " + printable(join(first, ", ")));
  }

  tl::unexpected<Failures> noNumber(std::size_t column) const {
    return fail(place(), printable(row_[column]),
                fmt::format("is no finite number, in the column {}", printable(header_[column])),
                "make every feature a number, or leave the row or the column out");
  }

  fs::path path_;
  CsvRows rows_;
  std::vector<std::string> header_;
  std::vector<std::string> row_;
  std::size_t label_ = 0;
};

/// The number of a class; nothing where the text is none.
std::optional<std::int64_t> classNumber(const std::string& label) {
  if (label.empty() || label.size() > 18 || label.find_first_not_of("0123456789") != std::string::npos)
    return std::nullopt;
  return std::stoll(label);
}

/// What the labels of a file are: numbers of classes where all are whole numbers, else names.
class Labels {
 public:
  Status add(const Table& table) {
    const std::string label = table.label();
    if (label.empty()) return fail(table.place(), "", "has no label", "fill it in, or leave the row out");
    const auto number = classNumber(label);
    areNumbers_ = areNumbers_ && number;
    largest_ = std::max(largest_, number.value_or(0));
    if (names_.insert(label).second && std::ssize(names_) > mostClasses) return tooMany(table, label);
    return {};
  }

  Status putInto(const Table& table, OwnFacts& facts) const {
    if (!areNumbers_) {
      facts.classNames.assign(names_.begin(), names_.end());
      facts.classes = std::ssize(names_);
      return {};
    }
    if (largest_ >= mostClasses) return tooMany(table, std::to_string(largest_));
    facts.classes = largest_ + 1;
    return {};
  }

 private:
  static tl::unexpected<Failures> tooMany(const Table& table, const std::string& label) {
    return fail(table.place(), printable(label), fmt::format("makes more than {} classes", countText(mostClasses)),
                "name a column of classes in dataset.label_column, not one of numbers to be predicted");
  }

  bool areNumbers_ = true;
  std::int64_t largest_ = 0;
  std::set<std::string> names_;
};

Result<std::int32_t> classOf(const Table& table, const OwnFacts& facts) {
  const std::string label = table.label();
  constexpr const char* remedy = "evaluate on classes that are trained";
  if (facts.classNames.empty()) {
    const auto number = classNumber(label);
    if (number && *number < facts.classes) return static_cast<std::int32_t>(*number);
    return fail(table.place(), printable(label),
                fmt::format("is no class of the training samples, which have {}", facts.classes), remedy);
  }
  const auto found = std::ranges::lower_bound(facts.classNames, label);
  if (found != facts.classNames.end() && *found == label) {
    return static_cast<std::int32_t>(found - facts.classNames.begin());
  }
  return fail(table.place(), printable(label), "is no class of the training samples", remedy);
}

class CsvReader final : public OwnReader {
 public:
  Result<OwnFacts> facts(const DatasetSpec& dataset) const override {
    SLIPSTREAM_TRY(found, findOwnFiles(dataset.path, csvEnding));
    SLIPSTREAM_TRY(table, Table::open(found.training, dataset.labelColumn));
    OwnFacts facts;
    facts.samples = {{0, 0, table->features()}, true};
    Labels labels;
    for (;; ++facts.training) {
      SLIPSTREAM_TRY(more, table->next());
      if (!more) break;
      SLIPSTREAM_CHECK(labels.add(*table));
    }
    if (facts.training == 0) return noRows(found.training);
    SLIPSTREAM_CHECK(labels.putInto(*table, facts));
    if (!found.evaluation) return facts;
    SLIPSTREAM_TRY(evaluation, countRows(*found.evaluation, dataset.labelColumn, *table));
    facts.evaluation = evaluation;
    return facts;
  }

  Status read(const DatasetSpec& dataset, const OwnFacts& facts, DataPart part, const OwnSink& sink) const override {
    SLIPSTREAM_TRY(found, findOwnFiles(dataset.path, csvEnding));
    const fs::path path = part == DataPart::training ? found.training : *found.evaluation;
    SLIPSTREAM_TRY(table, Table::open(path, dataset.labelColumn));
    std::vector<float> values(static_cast<std::size_t>(table->features()));
    while (true) {
      SLIPSTREAM_TRY(more, table->next());
      if (!more) return {};
      SLIPSTREAM_CHECK(table->readFeatures(values));
      SLIPSTREAM_TRY(label, classOf(*table, facts));
      sink({.floats = values, .label = label});
    }
  }

  std::vector<fs::path> files(const DatasetSpec& dataset) const override { return ownFilesOf(dataset.path, csvEnding); }

 private:
  static tl::unexpected<Failures> noRows(const fs::path& path) {
    return fail(path.string(), "", "has no row below its header", "put a sample into each row");
  }

  static Result<std::int64_t> countRows(const fs::path& path, const std::string& labelColumn, const Table& training) {
    SLIPSTREAM_TRY(table, Table::open(path, labelColumn));
    if (table->header() != training.header()) {
      return fail(path.string(), "", "has other columns than the training file, or in another order",
                  "give both files the same header");
    }
    std::int64_t count = 0;
    for (;; ++count) {
      SLIPSTREAM_TRY(more, table->next());
      if (!more) break;
    }
    if (count == 0) return noRows(path);
    return count;
  }
};

}  // namespace

const DatasetKind& csvKind() {
  static const CsvReader reader;
  static const DatasetKind kind = [] {
    DatasetKind made = ownKind(reader);
    made.name = "csv";
    made.summary = "FILE.csv, or train.csv and test.csv: numbers, and a column of labels";
    made.keys = {
        {{"label_column", "Label column", "the column of classes"},
         [](Fields& fields, const Key& key, DatasetSpec& dataset) { fields.text(key, dataset.labelColumn, {}); }}};
    return made;
  }();
  return kind;
}

}  // namespace slipstream
