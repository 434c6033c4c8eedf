// SPDX-License-Identifier: GPL-3.0-or-later
#include <climits>
#include <filesystem>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "engine/base/text.h"
#include "engine/boost/dim_reduce/spec.h"
#include "engine/interchange/npy.h"
#include "engine/probe/weight_files.h"

namespace slipstream {
namespace {

constexpr const char* matrixKey = "boost.dictionary.dim_reduce.pca_mat_path";
constexpr const char* countKey = "boost.dictionary.dim_reduce.n_components";

Failures checkMatrix(const DimReduceOptions& options, const NetworkShape& shape) {
  const auto header = readNpyMatrixHeader(options.pcaMatPath);
  if (!header) return header.error();
  Failures failures;
  const std::int64_t weights = shape.weights();
  if (header->columns != weights) {
    failures.push_back({matrixKey, options.pcaMatPath,
                        fmt::format("has {} columns, but the network has {} trainable weights: it belongs to another "
                                    "network",
                                    header->columns, weights),
                        "name another path, or remove the file to have it computed"});
  }
  if (header->rows < options.nComponents) {
    failures.push_back({matrixKey, options.pcaMatPath,
                        fmt::format("has {} rows, but n_components is {}", header->rows, options.nComponents),
                        "lower n_components, or remove the file to have it computed"});
  }
  if (failures.empty()) return checkProjection(matrixKey, options.pcaMatPath, options.nComponents);
  return failures;
}

Failures checkFolder(const Experiment& experiment, const NetworkShape& shape) {
  const auto& options = experiment.boost.of<DimReduceOptions>();
  const auto files = openWeightFolder(options.weightLoadDir, expectedWeightTensors(experiment.network, shape));
  if (!files) return files.error();
  if (std::ssize(*files) > options.nComponents) return {};
  return {{countKey, std::to_string(options.nComponents),
           fmt::format("{} need at least {} snapshots, and {} holds {}", counted(options.nComponents, "component"),
                       options.nComponents + 1, options.weightLoadDir, files->size()),
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
    const auto& options = experiment.boost.of<DimReduceOptions>();
    if (options.pcaMatrix != MatrixUse::written) return;
    std::error_code error;
    const auto path = std::filesystem::weakly_canonical(options.pcaMatPath, error);
    byPath[error ? options.pcaMatPath : path.string()].push_back(writer);
  }
};

}  // namespace

Failures checkSnapshotFiles(const Experiment& experiment, const NetworkShape& shape) {
  const auto& options = experiment.boost.of<DimReduceOptions>();
  if (!experiment.boost.isOn<DimReduceOptions>()) return {};
  if (options.pcaMatrix == MatrixUse::read) return checkMatrix(options, shape);
  Failures failures;
  if (options.pcaMatrix == MatrixUse::written) addOnce(failures, checkPlace(options.pcaMatPath));
  if (!options.weightLoadDir.empty()) addOnce(failures, checkFolder(experiment, shape));
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
