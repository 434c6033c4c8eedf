// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <vector>

#include "engine/boost/algorithm_spec.h"

namespace slipstream {

namespace metric {
inline constexpr const char* explainedVariance = "dim_reduce/explained_variance/*";
inline constexpr const char* acceptedPower = "dim_reduce/accepted_power";
inline constexpr const char* gradientShare = "dim_reduce/gradient_share";
inline constexpr const char* searchTrials = "dim_reduce/trials";
inline constexpr const char* searchSlope = "dim_reduce/slope";
}  // namespace metric

inline constexpr std::array dimReduceMetrics{
    algorithmMetric(metric::explainedVariance, "Explained variance"),
    algorithmMetric(metric::acceptedPower, "Accepted line-search exponent"),
    algorithmMetric(metric::searchTrials, "Line-search trials"),
    algorithmMetric(metric::searchSlope, "Slope along the search direction"),
    algorithmMetric(metric::gradientShare, "Share of the gradient in the subspace")};

/// How dim_reduce steps in its space: quasi-Newton with a line search, or with momentum along a schedule.
enum class DimReduceMethod { bfgs, sgd };

/// What a run does with the file of pca_mat_path: nothing; it is there and read; it is made and written.
enum class MatrixUse { none, read, written };

struct DimReduceOptions {
  static constexpr const char* algorithm = "dim_reduce";
  double rho = 0.55;
  double gamma = 0.9;
  double alpha = 0.001;
  double sigma = 0.4;
  int nComponents = 32;
  std::string pcaMatPath;
  MatrixUse pcaMatrix = MatrixUse::none;  ///< decided once, while the run is planned
  std::string weightLoadDir;
  double timeout = 1800;
  int maxSearch = 20;
  DimReduceMethod method = DimReduceMethod::bfgs;
  double weightDecay = 0;

  static std::vector<BoostOption> keys();
};

inline std::vector<BoostOption> DimReduceOptions::keys() {
  using Options = DimReduceOptions;
  constexpr Limits share{.least = 0, .most = 1, .openAbove = true};
  const EnumNames<DimReduceMethod> methods{{"bfgs", DimReduceMethod::bfgs}, {"sgd", DimReduceMethod::sgd}};
  return {
      option("rho", "Line search factor", &Options::rho, strictlyBetween(0, 1), "factor of the line search"),
      option("gamma", "Residual momentum", &Options::gamma, share, "momentum of the residual"),
      option("alpha", "Residual weight", &Options::alpha, atLeast(0), "weight of the residual step"),
      option("sigma", "Sufficient decrease (Armijo)", &Options::sigma, strictlyBetween(0, 1),
             "share of the promised decrease to accept"),
      alsoSpelled(option("n_components", "Components", &Options::nComponents, atLeast(1), "dimensions that are kept"),
                  "n_component"),
      asPath(option("pca_mat_path", "Ready projection", &Options::pcaMatPath,
                    "a ready projection (.npy); else it is computed")),
      asPath(option("weight_load_dir", "Folder of weights", &Options::weightLoadDir, "folder of the past weights")),
      option("timeout", "Time limit", &Options::timeout, above(0), "seconds that making the projection may take"),
      option("max_search", "Max line-search iterations", &Options::maxSearch, between(1, 100),
             "tries of a line search"),
      option("method", "Method", &Options::method, methods,
             "bfgs: quasi-Newton steps with a line search; sgd: momentum in the space, rate by the optimizer's "
             "schedule"),
      option("weight_decay", "Weight decay", &Options::weightDecay, share,
             "share of every weight that a step takes away, times the learning rate")};
}

struct DimReduceAlgorithm {
  static AlgorithmSpec spec();
  static void fillSlots(StepSlots& slots, const UpdateContext& parts);
  static void addCpuKernels(KernelTables& tables);
  static void addCudaKernels(KernelTables& tables);
  static void addNpuKernels(KernelTables& tables);
  static void checkKernels(KernelCheck& check);
};

/// True where dim_reduce needs the snapshots of an earlier stage: no folder of weights is named and no matrix is read.
bool readsStageSnapshots(const BoostConfig& boost);

/// What is wrong with the files that dim_reduce looks back at: the matrix of pca_mat_path and its rows, or the headers
/// of the files in the folder weight_load_dir. `shape` is the network's that is trained.
Failures checkSnapshotFiles(const Experiment& experiment, const NetworkShape& shape);

/// One failure for each path of a matrix that several stages or variants would write.
Failures checkMatrixPaths(const std::vector<RunPlan>& plans);

/// How far rows of a ready projection may be from orthonormal: their dot products from 0, with themselves from 1.
inline constexpr double orthonormalTolerance = 1e-3;

/// What is wrong with the first `components` rows of the matrix in a .npy file that has them: values that are no
/// numbers, rows of zeros or of another length than 1, rows that are not orthogonal. Each row is named (from 0, as in
/// numpy) with the failure's place `where`. The whole of the rows is read, once for each state of the file.
Failures checkProjection(const std::string& where, const std::string& path, int components);

}  // namespace slipstream
