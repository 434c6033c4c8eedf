// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/dim_reduce/spec.h"

#include <algorithm>
#include <filesystem>

#include "engine/base/text.h"
#include "engine/boost/dim_reduce/spec_scratch.h"

namespace slipstream {
namespace {

using Options = DimReduceOptions;

const EnumNames<MatrixUse> matrixUses{
    {"none", MatrixUse::none}, {"read", MatrixUse::read}, {"written", MatrixUse::written}};

/// Whether the file is there is asked once: a run that is resumed, or whose ranks start later, does the same.
void findMatrix(Options& options) {
  if (options.pcaMatPath.empty()) return;
  std::error_code error;
  options.pcaMatrix = std::filesystem::exists(options.pcaMatPath, error) ? MatrixUse::read : MatrixUse::written;
}

void describeMatrix(BoostConfig& boost) {
  const Options& options = boost.of<Options>();
  if (options.pcaMatrix == MatrixUse::none) return;
  boost.decisions.push_back(
      adjusted("dim_reduce.pca_mat_path", wordOf(matrixUses, options.pcaMatrix), Reason::option,
               options.pcaMatrix == MatrixUse::read
                   ? phrase("{} is there and holds the space; remove it to have it computed", {options.pcaMatPath})
                   : phrase("{} is not there yet: the space is computed and written there", {options.pcaMatPath})));
}

/// It comes first where only a level or enable_all ask for what it displaces.
void displaceOthers(BoostSwitches& switches) {
  const BoostConfig& boost = switches.config();
  for (const char* owner : {"adasum", "grad_accumulation"}) {
    if (!boost.isOn(owner)) continue;
    if (boost.isRequested(owner) && boost.isRequested(Options::algorithm)) {
      switches.refuse(owner, "cannot run beside dim_reduce: both make the update", "switch one of the two off");
    }
    switches.set(owner, false, Reason::displaced, phrase("dim_reduce owns the update"));
  }
  for (const char* changer : {"less_bn", "grad_freeze"}) {
    if (!boost.isOn(changer) || boost.mode != "manual" || boost.isRequested(changer)) continue;
    switches.set(changer, false, Reason::displaced,
                 phrase("only the level asks for it, and dim_reduce takes network and gradient as they are"));
  }
}

void resolveSwitches(BoostSwitches& switches) {
  BoostConfig& boost = switches.config();
  findMatrix(boost.edit<Options>());
  const bool lacksWeights =
      !switches.afterStage() && readsStageSnapshots(boost) && !boost.isRequested(Options::algorithm);
  if (lacksWeights) {
    switches.set(Options::algorithm, false, Reason::data,
                 phrase("there are no past weights to look back at: no earlier stage, no dim_reduce.weight_load_dir"));
  }
  if (!boost.isOn<Options>()) {
    boost.edit<Options>().pcaMatrix = MatrixUse::none;
    return;
  }
  displaceOthers(switches);
  describeMatrix(boost);
}

Text whyIdle(const BoostConfig& boost, const std::string& key) {
  const Options& options = boost.of<Options>();
  if (options.method == DimReduceMethod::sgd) {
    for (const char* searched : {"rho", "sigma", "max_search", "alpha", "gamma"}) {
      if (key == searched) return phrase("method sgd searches no line and leaves the residual alone");
    }
  }
  const bool unread = key == "weight_load_dir" && options.pcaMatrix == MatrixUse::read;
  return unread ? phrase("the space is read from dim_reduce.pca_mat_path") : Text();
}

/// Its own steps know a rate and a momentum.
Status checkOptimizer(const Experiment& experiment) {
  const OptimizerSpec& optimizer = experiment.optimizer;
  if (optimizer.clipNorm > 0) {
    return fail("optimizer.clip_norm", numberText(optimizer.clipNorm),
                "clips nothing beside dim_reduce, which steps in its own space", "remove it, or turn dim_reduce off");
  }
  const bool bySgd = experiment.boost.of<Options>().method == DimReduceMethod::sgd;
  if (!bySgd || optimizer.kind == OptimizerKind::sgd || optimizer.kind == OptimizerKind::momentum) return {};
  return fail("optimizer.name", infoOf(optimizer.kind).name, "is no optimizer of dim_reduce's method sgd",
              "write momentum or sgd, or turn dim_reduce off");
}

Status resolve(RunPlan& plan) {
  const Experiment& experiment = plan.experiment;
  if (!experiment.boost.isOn<Options>()) return {};
  SLIPSTREAM_CHECK(checkOptimizer(experiment));
  takeUpdate(plan, phrase("dim_reduce averages the gradients and makes the update"));
  if (!experiment.parallel.gradientsMean) {
    decide(plan, noEffect("parallel.gradients_mean", "false", Reason::displaced,
                          phrase("dim_reduce takes the mean of gradients and of losses")));
  }
  if (experiment.boost.of<Options>().method == DimReduceMethod::bfgs) {
    decide(plan,
           switchedOff("optimizer", Reason::displaced,
                       phrase("dim_reduce steps by itself, with rate 1 and dim_reduce.weight_decay: its settings and "
                              "schedule have no effect")));
  } else if (experiment.optimizer.schedule.mode == ScheduleMode::constant) {
    decide(plan, adjusted("optimizer.learning_rate.mode", "constant", Reason::written,
                          phrase("dim_reduce's method sgd does better where the rate falls to 0")));
  }
  return {};
}

Status checkFiles(RunPlan& plan, const NetworkShape& shape) {
  Failures failures = checkSnapshotFiles(plan.experiment, shape);
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return {};
}

/// What a GPU multiplies snapshots in, which stays its own. How many there will be is not known; with more than this it
/// is hardly more.
std::int64_t multipliesIn(const RunPlan& plan) {
  constexpr std::size_t manySnapshots = 64;
  const bool makes = plan.experiment.boost.of<Options>().pcaMatrix != MatrixUse::read;
  return makes && deviceKindOf(plan.experiment).ownMemory
             ? static_cast<std::int64_t>(gramScratch(manySnapshots).bytes())
             : 0;
}

/// Of rank 0: its columns of the projection and of what the ranks gather, and for a line search the weights to go back
/// to and the residual's momentum.
void addMemory(const RunPlan& plan, const NetworkShape& shape, MemoryForecast& forecast) {
  const BoostConfig& boost = plan.experiment.boost;
  if (!boost.isOn<Options>()) return;
  constexpr std::int64_t valueBytes = 4;
  constexpr std::int64_t cacheLine = 16;
  const std::int64_t elements = shape.weights();
  const std::int64_t share = (elements + plan.ranks() - 1) / plan.ranks();
  const std::int64_t width = (share + cacheLine - 1) / cacheLine * cacheLine;
  const std::int64_t gathered = plan.ranks() > 1 && exchangesInSharedMemory(plan) ? 2 * width : width;
  const bool searches = boost.of<Options>().method == DimReduceMethod::bfgs;
  const std::int64_t held = searches ? elements + std::min(width, elements) : 0;
  forecast["boost"] += valueBytes * (boost.of<Options>().nComponents * width + gathered + held) + multipliesIn(plan);
}

void describeFindings(Fields& fields, BoostConfig& boost) {
  choice(fields, "pca_matrix", boost.edit<Options>().pcaMatrix, matrixUses);
}

}  // namespace

bool readsStageSnapshots(const BoostConfig& boost) {
  const Options& options = boost.of<Options>();
  return boost.isOn<Options>() && options.weightLoadDir.empty() && options.pcaMatrix != MatrixUse::read;
}

AlgorithmSpec DimReduceAlgorithm::spec() {
  return {.key = Options::algorithm,
          .title = "Dimension reduction",
          .summary = "quasi-Newton steps in the space of past weights",
          .slot = "update",
          .hasSwitch = true,
          .options = Options::keys(),
          .metrics = {dimReduceMetrics.begin(), dimReduceMetrics.end()},
          .resolveSwitches = resolveSwitches,
          .whyIdle = whyIdle,
          .describeFindings = describeFindings,
          .resolve = resolve,
          .resolveShape = checkFiles,
          .addMemory = addMemory};
}

}  // namespace slipstream
