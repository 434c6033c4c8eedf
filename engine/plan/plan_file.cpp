// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/plan_file.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "engine/base/access.h"
#include "engine/base/text.h"
#include "engine/boost/dim_reduce/spec.h"
#include "engine/config/document_text.h"
#include "engine/experiment/experiment_check.h"
#include "engine/plan/device_placement.h"
#include "engine/plan/make_run_plan.h"
#include "engine/probe/own_samples.h"
#include "engine/probe/this_host.h"

namespace slipstream {
namespace {

constexpr const char* dataRemedy =
    "name the folder of the data: --set dataset.path=FOLDER, dataset.path in the file, or the environment's DATA_PATH";

struct MissingData {
  std::string where;
  std::string path;
  Text problem;
  std::string remedy = dataRemedy;

  Failure failure() const { return {where, path, problem.in(), remedy}; }
  /// As the reason of a decision.
  Text reason() const { return path.empty() ? problem : phrase("{} {}", {path, problem}); }
};

/// What is wrong with the data's folder as such; nothing where its files are there.
std::optional<MissingData> missingData(const LoadedExperiment& loaded) {
  const DatasetSpec& dataset = loaded.experiment.dataset;
  const std::string& path = dataset.path;
  if (path.empty()) {
    return MissingData{"dataset.path", "", phrase("no folder of the data set {} is named", {dataset.name})};
  }
  std::error_code error;
  const bool isThere = isDataPlace(dataset, error);
  if (error && !saysAbsent(error)) {
    Failure closed = accessFailure(path, error);
    return MissingData{loaded.dataSource, path, closed.problem, closed.remedy};
  }
  const DatasetKind& kind = kindOf(dataset);
  if (!isThere) {
    const char* problem = kind.mayBeFile ? message("is no file and no folder") : message("is not a folder");
    return MissingData{loaded.dataSource, path, phrase(problem)};
  }
  const auto missing = kind.missing(path, DataPart::training);
  if (missing.empty()) return std::nullopt;
  return MissingData{loaded.dataSource, path, phrase("lacks {}", {join(missing, ", ") + kind.packedForms})};
}

void fallBack(LoadedExperiment& loaded, const Text& missing) {
  DatasetSpec& dataset = loaded.experiment.dataset;
  const std::string wanted = std::exchange(dataset.name, kindOf(dataset).fallback);
  dataset.path.clear();
  if (dataset.trainSamples == 0) dataset.trainSamples = DatasetSpec{}.trainSamples;
  if (dataset.evaluationSamples == 0) dataset.evaluationSamples = DatasetSpec{}.evaluationSamples;
  loaded.decisions.push_back(adjusted("dataset", dataset.name, Reason::data,
                                      phrase("generated {} instead of {} (dataset.fallback): {}; for {}, {}",
                                             {dataset.name, wanted, missing, wanted, phrase(dataRemedy)})));
}

/// Finds the data, reads it through once, and counts it.
Result<SampleCounts> resolveData(LoadedExperiment& loaded, const DataInspection& inspect, Failures& absent) {
  DatasetSpec& dataset = loaded.experiment.dataset;
  if (!kindOf(dataset).generated) {
    const auto missing = missingData(loaded);
    if (missing && loaded.fallBackToDigits && !loaded.dataFromFlag) {
      fallBack(loaded, missing->reason());
    } else if (missing) {
      addOnce(absent, Failures{missing->failure()});
      return SampleCounts{60000, 10000};
    }
  }
  if (kindOf(dataset).generated) dataset.path.clear();
  return inspect(dataset);
}

/// What was found out about the data holds for every stage.
void shareData(LoadedExperiment& loaded) {
  const DatasetSpec& found = loaded.experiment.dataset;
  for (LoadedStage& stage : loaded.stages) {
    DatasetSpec& dataset = stage.experiment.dataset;
    dataset.name = found.name;
    dataset.path = found.path;
    dataset.trainSamples = found.trainSamples;
    dataset.evaluationSamples = found.evaluationSamples;
  }
}

bool isEnvironmentName(const std::string& subject) {
  return std::ranges::all_of(subject, [](char letter) { return letter == '_' || (letter >= 'A' && letter <= 'Z'); });
}

}  // namespace

std::vector<std::string> notesOf(const std::vector<RunPlan>& plans) {
  std::vector<std::string> notes;
  for (const RunPlan& plan : plans) {
    for (const Decision& decision : allDecisions(plan)) {
      if (decision.remedy.empty() && decision.subject != "dataset" && !isEnvironmentName(decision.subject)) continue;
      const std::string note = fmt::format("{} {}: {}", decision.subject, decision.state, decision.why.in());
      if (std::ranges::find(notes, note) == notes.end()) notes.push_back(note);
    }
  }
  return notes;
}

PlannedFile planExperiments(const std::filesystem::path& file, const ExperimentOverrides& overrides,
                            const EnvironmentLookup& environment, PlanProblems& problems, const ProgramQuestion& ask) {
  auto text = readDocumentText(file);
  if (!collect(text, problems.wrong)) return {};
  RememberedInspection remembered;  // variants share their data
  return planExperimentText(std::move(*text), file, overrides, environment, problems, std::ref(remembered), ask);
}

PlannedFile planExperimentText(std::string text, const std::filesystem::path& file,
                               const ExperimentOverrides& overrides, const EnvironmentLookup& environment,
                               PlanProblems& problems, const DataInspection& inspect, const ProgramQuestion& ask) {
  PlannedFile planned;
  auto loaded = loadExperimentText(std::move(text), file, overrides, environment);
  if (!collect(loaded, problems.wrong)) return planned;
  planned.text = std::move(loaded->text);
  for (LoadedExperiment& variant : loaded->experiments) {
    planned.experimentName = variant.experiment.name;
    const auto samples = resolveData(variant, inspect, problems.absent);
    shareData(variant);
    if (!samples) addOnce(problems.wrong, samples.error());
    if (!knowsSamples(variant.experiment.dataset)) continue;
    if (auto unasked = ask ? std::nullopt : unaskedProgram(variant)) {
      addOnce(problems.absent, {std::move(*unasked)});
      continue;
    }
    const Status described = resolveProgram(variant, std::filesystem::absolute(file).parent_path().string(), ask);
    if (!described) {
      addOnce(problems.wrong, described.error());
      continue;
    }
    auto plan = makeRunPlan(variant, samples.value_or(SampleCounts{60000, 10000}), overrides.local, coresOnHost());
    if (!plan) {
      addOnce(problems.wrong, plan.error());
      continue;
    }
    placeOnDevices(*plan, 0);
    planned.plans.push_back(std::move(*plan));
  }
  addOnce(problems.wrong, checkMatrixPaths(planned.plans));
  return planned;
}

namespace {

Result<PlannedFile> unlessProblems(PlannedFile planned, PlanProblems problems) {
  addOnce(problems.wrong, problems.absent);
  if (!problems.wrong.empty()) return tl::unexpected(std::move(problems.wrong));
  return planned;
}

}  // namespace

Result<PlannedFile> planFile(const std::filesystem::path& file, const ExperimentOverrides& overrides,
                             const EnvironmentLookup& environment, const ProgramQuestion& ask) {
  PlanProblems problems;
  PlannedFile planned = planExperiments(file, overrides, environment, problems, ask);
  return unlessProblems(std::move(planned), std::move(problems));
}

Result<PlannedFile> planText(std::string text, const std::filesystem::path& file,
                             const ExperimentOverrides& overrides) {
  PlanProblems problems;
  PlannedFile planned = planExperimentText(
      std::move(text), file, overrides, [](const char* name) { return slipstream::environment(name); }, problems);
  return unlessProblems(std::move(planned), std::move(problems));
}

Result<PlannedFile> planFile(const std::filesystem::path& file, const ExperimentOverrides& overrides,
                             const ProgramQuestion& ask) {
  return planFile(
      file, overrides, [](const char* name) { return slipstream::environment(name); }, ask);
}

namespace {

/// More than the machine has ends in the middle of a run, by a signal that tells nobody why.
void checkMemory(const RunPlan& plan, Failures& failures) {
  std::int64_t perRank = 0;
  for (const auto& [category, bytes] : plan.memoryPerRank) perRank += bytes;
  if (deviceKindOf(plan.experiment).ownMemory) perRank -= deviceBytes(plan.memoryPerRank);
  const double needed = static_cast<double>(perRank) * plan.ranks();
  const auto present = static_cast<double>(memoryOfThisMachine());
  if (needed <= present) return;
  failures.push_back({"dataset.batch_size", std::to_string(plan.experiment.dataset.batchSize),
                      fmt::format("with this network {} need {:.1f} GB, and this machine has {:.1f}",
                                  counted(plan.ranks(), "rank"), needed / 1e9, present / 1e9),
                      "use smaller batches, fewer ranks or a smaller network (`slipstream plan` shows what takes it)"});
}

}  // namespace

Status runnableHere(const RunPlan& plan) {
  Failures failures;
  if (plan.local) checkMemory(plan, failures);
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return {};
}

}  // namespace slipstream
