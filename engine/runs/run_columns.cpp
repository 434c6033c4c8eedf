// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runs/run_columns.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/base/clock.h"
#include "engine/base/error.h"
#include "engine/base/number_format.h"
#include "engine/base/text.h"

namespace slipstream {
namespace {

using Kind = ColumnKind;
using Format = ColumnFormat;

/// Other names that filters know columns by.
constexpr std::array<std::pair<std::string_view, std::string_view>, 10> otherNames{
    {{"launch", "group"},
     {"date", "created"},
     {"data", "dataset"},
     {"learning_rate_max", "lr"},
     {"batch_size", "batch"},
     {"final_loss", "loss"},
     {"training", "training_seconds"},
     {"training_time", "training_seconds"},
     {"time", "training_seconds"},
     {"test_accuracy", "accuracy"}}};

std::string megabytesText(double value) {
  return std::abs(value) < 100 ? threeDigits(value) : quantityText(value, Quantity::count);
}

std::string numberOf(ColumnFormat format, double value) {
  switch (format) {
    case Format::whole:
      return quantityText(value, Quantity::count);
    case Format::loss:
      return quantityText(value, Quantity::loss);
    case Format::percent:
      return quantityText(100 * value, Quantity::percent);
    case Format::seconds:
      return quantityText(value, Quantity::seconds);
    case Format::milliseconds:
      return quantityText(value, Quantity::milliseconds);
    case Format::megabytes:
      return megabytesText(value);
    case Format::date:
      return wallText(static_cast<std::int64_t>(value)).substr(0, std::string_view("2026-03-14 14:22").size());
    default:
      return numberText(value);
  }
}

}  // namespace

std::string_view RunColumn::unit() const {
  switch (format) {
    case Format::percent:
      return "%";
    case Format::seconds:
      return "s";
    case Format::milliseconds:
      return "ms";
    case Format::megabytes:
      return "MB";
    case Format::date:
      return "UTC";
    default:
      return {};
  }
}

std::string RunColumn::heading() const {
  return unit().empty() ? brief : brief + (", " + std::string(unit()));
}

const std::vector<RunColumn>& runColumns() {
  static const std::vector<RunColumn> all{
      {"name", "Run"},
      {"state", "State"},
      {"experiment", "Experiment"},
      {"variant", "Variant"},
      {"study", "Study"},
      {"group", "Launch"},
      {"tag", "Tags"},
      {"note", "Note"},
      {"created", "Created", Kind::run, Format::date},
      {"attempt", "Attempts", Kind::run, Format::whole},
      {"id", "Id"},
      {"algorithms", "Algorithms", Kind::setting},
      {"network", "Network", Kind::setting},
      {"dataset", "Data set", Kind::setting},
      {"optimizer", "Optimizer", Kind::setting},
      {"lr", "Peak learning rate", Kind::setting, Format::plain, Better::neither, "LR"},
      {"schedule", "Schedule", Kind::setting},
      {"momentum", "Momentum", Kind::setting, Format::plain},
      {"weight_decay", "Weight decay", Kind::setting, Format::plain},
      {"batch", "Batch of a rank", Kind::setting, Format::whole, Better::neither, "Batch"},
      {"global_batch", "Samples of a step", Kind::setting, Format::whole, Better::neither, "Global batch"},
      {"ranks", "Ranks", Kind::setting, Format::whole},
      {"seed", "Seed", Kind::setting, Format::plain},
      {"device", "Device", Kind::setting},
      {"precision", "Precision", Kind::setting},
      {"planned_steps", "Planned steps", Kind::setting, Format::whole, Better::neither, "Planned"},
      {"target", "Target accuracy", Kind::setting, Format::percent, Better::neither, "Target"},
      {"accuracy", "Final test accuracy", Kind::result, Format::percent, Better::higher, "Accuracy"},
      {"best_accuracy", "Best test accuracy", Kind::result, Format::percent, Better::higher, "Best accuracy"},
      {"test_loss", "Test loss", Kind::result, Format::loss, Better::lower},
      {"loss", "Training loss, mean of the last 20 steps", Kind::result, Format::loss, Better::lower, "Loss"},
      {"best_loss", "Lowest training loss of a step", Kind::result, Format::loss, Better::lower, "Lowest loss"},
      {"steps", "Steps", Kind::result, Format::whole},
      {"duration", "Duration, first start to end", Kind::time, Format::seconds, Better::lower, "Duration"},
      {"training_seconds", "Training time", Kind::time, Format::seconds, Better::lower, "Training"},
      {"seconds_to_target", "Time to target", Kind::time, Format::seconds, Better::lower, "To target"},
      {"step_milliseconds", "Median step time", Kind::time, Format::milliseconds, Better::lower, "Step"},
      {"memory", "Memory of a rank", Kind::memory, Format::megabytes, Better::lower, "Memory"},
  };
  return all;
}

std::optional<std::size_t> findRunColumn(std::string_view key) {
  for (const auto& [other, name] : otherNames) {
    if (key == other) key = name;
  }
  const auto found = std::ranges::find(runColumns(), key, &RunColumn::key);
  if (found == runColumns().end()) return std::nullopt;
  return static_cast<std::size_t>(found - runColumns().begin());
}

const RunValue& RunValues::at(std::string_view key) const {
  const auto place = findRunColumn(key);
  if (!place) throw Error("there is no column called " + std::string(key));
  return columns[*place];
}

std::string valueText(const RunColumn& column, const RunValue& value) {
  if (value.never) return "never";
  if (value.isMissing()) return "–";
  return column.isText() ? value.text : numberOf(column.format, *value.number);
}

std::string plainText(const RunColumn& column, const RunValue& value) {
  if (value.never) return "never";
  if (value.isMissing()) return "";
  if (column.isText()) return value.text;
  if (column.format == Format::date) return wallText(static_cast<std::int64_t>(*value.number));
  return numberText(column.format == Format::percent ? 100 * *value.number : *value.number);
}

int compareValues(const RunColumn& column, const RunValue& a, const RunValue& b) {
  if (column.isText()) return a.text.compare(b.text);
  const auto rank = [](const RunValue& value) {
    return value.never ? 2 : std::isnan(value.number.value_or(0)) ? 1 : 0;
  };
  if (rank(a) != rank(b) || rank(a) != 0) return rank(a) - rank(b);
  return *a.number < *b.number ? -1 : *a.number > *b.number ? 1 : 0;
}

}  // namespace slipstream
