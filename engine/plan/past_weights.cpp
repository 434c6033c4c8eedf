// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/past_weights.h"

#include <climits>
#include <filesystem>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "engine/base/text.h"
#include "engine/plan/npy_header.h"
#include "engine/plan/projection_check.h"
#include "engine/plan/wanted_tensors.h"
#include "engine/plan/weight_files.h"

namespace slipstream {
namespace {

constexpr const char* matrixKey = "boost.dictionary.dim_reduce.pca_mat_path";
constexpr const char* countKey = "boost.dictionary.dim_reduce.n_components";

Failures checkMatrix(const BoostConfig& boost, const NetworkShape& shape) {
  const auto header = readNpyHeader(boost.pcaMatPath);
  if (!header) return header.error();
  Failures failures;
  const std::int64_t weights = shape.weights();
  if (header->columns != weights) {
    failures.push_back({matrixKey, boost.pcaMatPath,
                        fmt::format("has {} columns, but the network has {} trainable weights: it belongs to another "
                                    "network",
                                    header->columns, weights),
                        "name another path, or remove the file to have it computed"});
  }
  if (header->rows < boost.nComponents) {
    failures.push_back({matrixKey, boost.pcaMatPath,
                        fmt::format("has {} rows, but n_components is {}", header->rows, boost.nComponents),
                        "lower n_components, or remove the file to have it computed"});
  }
  if (failures.empty()) return checkProjection(matrixKey, boost.pcaMatPath, boost.nComponents);
  return failures;
}

Failures checkFolder(const Experiment& experiment, const NetworkShape& shape) {
  const BoostConfig& boost = experiment.boost;
  const auto files = openWeightFolder(boost.weightLoadDir, wantedWeights(experiment.network, shape));
  if (!files) return files.error();
  if (std::ssize(*files) > boost.nComponents) return {};
  return {{countKey, std::to_string(boost.nComponents),
           fmt::format("{} need at least {} snapshots, and {} holds {}", counted(boost.nComponents, "component"),
                       boost.nComponents + 1, boost.weightLoadDir, files->size()),
           "put more snapshots into the folder, or ask for fewer components"}};
}

/// What the writer puts behind the name while the file is not whole: a process and an ending.
constexpr long temporaryLetters = 15;
constexpr std::size_t longestPath = PATH_MAX - 1 - temporaryLetters;

/// The matrix is written when everything before it has been trained: too late to hear that it cannot be.
Failures checkPlace(const std::string& path) {
  const std::filesystem::path file(path);
  std::filesystem::path folder = file.parent_path();
  if (folder.empty()) folder = ".";
  const long longest = ::pathconf(folder.c_str(), _PC_NAME_MAX);
  const long most = (longest > 0 ? longest : 255) - temporaryLetters;
  if (std::cmp_greater(file.filename().string().size(), most) || path.size() > longestPath) {
    return {{matrixKey, path, "cannot be written: the name of the file, or its whole path, is too long",
             fmt::format("choose a name of at most {} letters, in a folder nearer to the root", most)}};
  }
  if (::access(folder.c_str(), W_OK | X_OK) == 0 && std::filesystem::is_directory(folder)) return {};
  return {{matrixKey, path, "cannot be written: there is no folder of that name that you may write to",
           "create the folder, or choose another path"}};
}

struct MatrixWriters {
  std::map<std::string, std::vector<std::string>> byPath;

  void add(const Experiment& experiment, const std::string& writer) {
    const BoostConfig& boost = experiment.boost;
    if (boost.pcaMatrix != MatrixUse::written) return;
    std::error_code error;
    const auto path = std::filesystem::weakly_canonical(boost.pcaMatPath, error);
    byPath[error ? boost.pcaMatPath : path.string()].push_back(writer);
  }
};

}  // namespace

Failures checkPastWeights(const Experiment& experiment, const NetworkShape& shape) {
  const BoostConfig& boost = experiment.boost;
  if (!boost.dimReduce) return {};
  if (boost.pcaMatrix == MatrixUse::read) return checkMatrix(boost, shape);
  Failures failures;
  if (boost.pcaMatrix == MatrixUse::written) addOnce(failures, checkPlace(boost.pcaMatPath));
  if (!boost.weightLoadDir.empty()) addOnce(failures, checkFolder(experiment, shape));
  return failures;
}

Failures checkMatrixPaths(const std::vector<RunPlan>& plans) {
  MatrixWriters writers;
  for (const RunPlan& plan : plans) {
    const std::string variant = plan.experiment.variant.empty() ? "" : "variant " + plan.experiment.variant;
    if (plan.stages.empty()) writers.add(plan.experiment, variant);
    for (const StagePlan& stage : plan.stages) {
      writers.add(stage.experiment, (variant.empty() ? "" : variant + "'s ") + "stage " + stage.name);
    }
  }
  Failures failures;
  for (const auto& [path, names] : writers.byPath) {
    if (names.size() < 2) continue;
    failures.push_back({matrixKey, path, fmt::format("would be written by {}", join(names, " and by ")),
                        "give each a path of its own, or run one of them first: then the others read what it wrote"});
  }
  return failures;
}

}  // namespace slipstream
