// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "engine/base/failure.h"
#include "engine/spec/experiment.h"
#include "engine/statistics/confusion_matrix.h"

namespace slipstream::cli {

/// What the worker program wrote of each sample (app/worker/output_file.h).
struct WorkerOutputs {
  std::filesystem::path file;
  std::size_t classes = 0;  ///< that the network has outputs for
};

/// How predictions are written.
struct PredictionForm {
  std::filesystem::path file;                ///< a CSV file; empty: none
  bool probabilities = false;                ///< a column for each class
  std::vector<std::string> classNames = {};  ///< empty where they have none
};

/// Fails where the file could not be written later.
Status checkPredictionFile(const std::filesystem::path& file);

/// Writes a row for each sample: its place in the set (and file, where the data set has one for each), its label, the
/// class with the largest probability, their names, and that probability. Counts the predictions.
Result<ConfusionMatrix> writePredictions(const WorkerOutputs& outputs, const DatasetSpec& dataset,
                                         const PredictionForm& form);

/// The matrix with a row a label and a column a prediction, recall behind each row and precision below each column.
std::string confusionText(const ConfusionMatrix& matrix, const std::vector<std::string>& classNames);
nlohmann::ordered_json confusionJson(const ConfusionMatrix& matrix, const std::vector<std::string>& classNames);

}  // namespace slipstream::cli
