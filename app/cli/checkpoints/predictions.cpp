// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/checkpoints/predictions.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/characters.h"
#include "engine/base/error.h"
#include "engine/base/file_bytes.h"
#include "engine/base/replacing_file.h"
#include "engine/base/text.h"
#include "engine/document/document.h"
#include "engine/document/text_table.h"
#include "engine/probe/image_folder.h"

namespace slipstream::cli {
namespace {

/// Of one sample.
struct Judged {
  std::uint32_t sample = 0;
  std::size_t label = 0;
  std::size_t predicted = 0;
  std::vector<double> probabilities;
};

/// Softmax in double, as the loss has it; a NaN or infinite logit makes all of them NaN.
std::vector<double> softmax(std::span<const float> logits) {
  const double largest = *std::ranges::max_element(logits);
  std::vector<double> shares;
  double sum = 0;
  for (const float logit : logits) sum += shares.emplace_back(std::exp(static_cast<double>(logit) - largest));
  for (double& share : shares) share /= sum;
  return shares;
}

Judged judgedOf(std::span<const std::byte> record, std::size_t classes) {
  std::int32_t label = 0;
  std::vector<float> logits(classes);
  Judged judged;
  std::memcpy(&judged.sample, record.data(), sizeof judged.sample);
  std::memcpy(&label, record.data() + sizeof judged.sample, sizeof label);
  std::memcpy(logits.data(), record.data() + sizeof judged.sample + sizeof label, classes * sizeof(float));
  judged.label = static_cast<std::size_t>(label);
  judged.predicted = static_cast<std::size_t>(std::ranges::max_element(logits) - logits.begin());
  judged.probabilities = softmax(logits);
  return judged;
}

/// Hands the samples over in the order of the file.
Status forEachSample(const WorkerOutputs& outputs, const std::function<Status(const Judged&)>& take) {
  SLIPSTREAM_TRY(file, FileBytes::open(outputs.file));
  const std::size_t bytes = sizeof(std::uint32_t) + sizeof(std::int32_t) + outputs.classes * sizeof(float);
  constexpr std::size_t atOnce = 256;
  std::vector<std::byte> records;
  for (std::int64_t at = 0; at < file.size(); at += std::ssize(records)) {
    records.resize(std::min(atOnce * bytes, static_cast<std::size_t>(file.size() - at)));
    SLIPSTREAM_CHECK(file.read(at, records));
    for (std::size_t i = 0; i + bytes <= records.size(); i += bytes) {
      SLIPSTREAM_CHECK(take(judgedOf(std::span(records).subspan(i, bytes), outputs.classes)));
    }
  }
  return {};
}

/// Shortest text that reads back as the same float.
std::string probabilityText(double probability) {
  return fmt::format("{}", static_cast<float>(probability));
}

/// The rows of the CSV file, which are written as they come.
class Rows {
 public:
  Rows(std::unique_ptr<ReplacingFile> file, const PredictionForm& form, std::vector<std::string> files)
      : file_(std::move(file)), form_(form), files_(std::move(files)) {}

  Status header(std::size_t classes) {
    std::vector<std::string> fields{"index"};
    if (!files_.empty()) fields.emplace_back("file");
    fields.emplace_back("label");
    if (!form_.classNames.empty()) fields.emplace_back("label_name");
    fields.emplace_back("predicted");
    if (!form_.classNames.empty()) fields.emplace_back("predicted_name");
    fields.emplace_back("probability");
    for (std::size_t i = 0; form_.probabilities && i < classes; ++i) fields.push_back(fmt::format("probability_{}", i));
    return write(fields);
  }

  Status add(const Judged& judged) {
    std::vector<std::string> fields{std::to_string(judged.sample)};
    if (!files_.empty()) fields.push_back(csvField(files_.at(judged.sample)));
    addClass(judged.label, fields);
    addClass(judged.predicted, fields);
    fields.push_back(probabilityText(judged.probabilities[judged.predicted]));
    if (form_.probabilities) {
      for (const double probability : judged.probabilities) fields.push_back(probabilityText(probability));
    }
    return write(fields);
  }

  Status commit() {
    SLIPSTREAM_CHECK(flush());
    return file_->commit();
  }

 private:
  void addClass(std::size_t number, std::vector<std::string>& fields) const {
    fields.push_back(std::to_string(number));
    if (form_.classNames.empty()) return;
    fields.push_back(number < form_.classNames.size() ? csvField(form_.classNames[number]) : "");
  }

  Status write(const std::vector<std::string>& fields) {
    constexpr std::size_t enough = 1 << 16;
    text_ += join(fields, ",") + "\n";
    return text_.size() < enough ? Status() : flush();
  }

  Status flush() {
    SLIPSTREAM_CHECK(file_->write(std::as_bytes(std::span(text_))));
    text_.clear();
    return {};
  }

  std::unique_ptr<ReplacingFile> file_;
  std::string text_;  ///< that is not written yet
  const PredictionForm& form_;
  std::vector<std::string> files_;  ///< of the samples; empty where they are in no files of their own
};

Result<std::vector<std::string>> filesOf(const DatasetSpec& dataset) {
  std::vector<std::string> names;
  if (!kindOf(dataset).imageFiles) return names;
  SLIPSTREAM_TRY(list, listImages(dataset, DataPart::evaluation, dataset.evaluationSamples));
  for (const ImageList::File& file : list.files) {
    names.push_back((list.folder / file.name).lexically_relative(dataset.path).string());
  }
  return names;
}

std::string nameOf(std::size_t number, const std::vector<std::string>& classNames) {
  return number < classNames.size() ? printable(classNames[number]) : std::to_string(number);
}

std::string percent(const std::optional<double>& share) {
  return share ? fmt::format("{:.2f} %", 100 * *share) : "–";
}

nlohmann::ordered_json jsonOf(const std::optional<double>& share) {
  return share ? nlohmann::ordered_json(*share) : nlohmann::ordered_json(nullptr);
}

}  // namespace

Status checkPredictionFile(const std::filesystem::path& file) {
  std::error_code error;
  const auto kind = std::filesystem::status(file, error).type();
  // Who reads a pipe takes its being opened and closed for its end.
  if (kind == std::filesystem::file_type::fifo || kind == std::filesystem::file_type::character) return {};
  SLIPSTREAM_TRY(created, ReplacingFile::create(file));
  return {};
}

Result<ConfusionMatrix> writePredictions(const WorkerOutputs& outputs, const DatasetSpec& dataset,
                                         const PredictionForm& form) {
  ConfusionMatrix matrix(outputs.classes);
  std::optional<Rows> rows;
  if (!form.file.empty()) {
    SLIPSTREAM_TRY(file, ReplacingFile::create(form.file));
    SLIPSTREAM_TRY(files, filesOf(dataset));
    rows.emplace(std::move(file), form, std::move(files));
    SLIPSTREAM_CHECK(rows->header(outputs.classes));
  }
  SLIPSTREAM_CHECK(forEachSample(outputs, [&](const Judged& judged) -> Status {
    matrix.add(judged.label, judged.predicted);
    return rows ? rows->add(judged) : Status();
  }));
  if (rows) SLIPSTREAM_CHECK(rows->commit());
  return matrix;
}

std::string confusionText(const ConfusionMatrix& matrix, const std::vector<std::string>& classNames) {
  std::vector<TextRow> table{{"true \\ predicted"}};
  TextRow precision{"precision"};
  for (std::size_t label = 0; label < matrix.classes(); ++label) {
    table.front().push_back(nameOf(label, classNames));
    TextRow row{nameOf(label, classNames)};
    for (std::size_t predicted = 0; predicted < matrix.classes(); ++predicted) {
      row.push_back(countText(matrix.count(label, predicted)));
    }
    row.push_back(percent(matrix.recall(label)));
    table.push_back(std::move(row));
    precision.push_back(percent(matrix.precision(label)));
  }
  table.front().emplace_back("recall");
  table.push_back(std::move(precision));
  return tableText(table);
}

nlohmann::ordered_json confusionJson(const ConfusionMatrix& matrix, const std::vector<std::string>& classNames) {
  nlohmann::ordered_json classes = nlohmann::ordered_json::array();
  nlohmann::ordered_json rows = classes, precision = classes, recall = classes;
  for (std::size_t label = 0; label < matrix.classes(); ++label) {
    classes.push_back(label < classNames.size() ? classNames[label] : std::to_string(label));
    nlohmann::ordered_json row = nlohmann::ordered_json::array();
    for (std::size_t predicted = 0; predicted < matrix.classes(); ++predicted) {
      row.push_back(matrix.count(label, predicted));
    }
    rows.push_back(std::move(row));
    precision.push_back(jsonOf(matrix.precision(label)));
    recall.push_back(jsonOf(matrix.recall(label)));
  }
  return {{"classes", classes}, {"matrix", rows}, {"precision", precision}, {"recall", recall}};
}

}  // namespace slipstream::cli
