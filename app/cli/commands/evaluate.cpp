#include <cstdio>
#include <iostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/reading.h"
#include "engine/base/text.h"
#include "engine/launch/worker_query.h"
#include "engine/plan/mnist_files.h"
#include "engine/plan/run_plan.h"
#include "engine/record/kept_weights.h"
#include "engine/record/number_format.h"
#include "engine/record/sound_checkpoint.h"

namespace slipstream::cli {
namespace {

/// A snapshot's statistics are made from the training part.
std::vector<std::string> missingFiles(const std::string& folder, bool training) {
  std::vector<std::string> missing = missingMnistFiles(folder);
  if (!training) std::erase_if(missing, [](const std::string& name) { return !startsWith(name, "t10k"); });
  return missing;
}

/// The data's folder, told apart from the experiment's: here it is a flag that puts it right.
Status checkData(const WeightsReference& target, const std::optional<std::string>& folder) {
  const RunRecord& run = target.run;
  SLIPSTREAM_TRY(plan, parseRunPlan(run.planText));
  const std::vector<StagePlan> stages = stagesOf(plan);
  const DatasetSpec& dataset = stageOfStep(stages, target.step - 1).experiment.dataset;
  if (dataset.name != "mnist") {
    if (!folder) return {};
    return fail("--data", *folder, "has no effect: the run's data set " + dataset.name + " is generated",
                "leave the flag out");
  }
  const std::string path = folder.value_or(dataset.path);
  const std::string where = folder ? "--data" : "dataset.path of run " + run.id;
  constexpr const char* remedy = "name the folder of the data set: --data FOLDER";
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) return fail(where, path, "is not a folder", remedy);
  const auto missing = missingFiles(path, target.snapshot);
  if (missing.empty()) return {};
  return fail(where, path, "lacks " + join(missing, ", ") + " (plain or .gz)", remedy);
}

}  // namespace

int evaluate(const EvaluateArguments& arguments, const CommandLine& line) {
  const auto store = openToRead(line);
  if (!store) return report(store.error());
  const auto target = findWeights(**store, arguments.run);
  if (!target) return report(target.error());
  const auto sound = target->snapshot ? openSoundSnapshot(**store, target->run.id, target->step)
                                      : openSoundCheckpoint(**store, target->run.id, target->step);
  if (!sound) return report(sound.error());
  if (const Status data = checkData(*target, arguments.data); !data) return report(data.error());
  std::vector<std::string> words{"--evaluate", line.storeFolder, target->run.id, std::to_string(target->step),
                                 target->snapshot ? "snapshot" : "checkpoint"};
  if (arguments.data) words.push_back(*arguments.data);
  const WorkerAnswer answer = askWorker(words);
  if (answer.exitCode != 0) {
    std::cerr << answer.errors;
    return answer.exitCode;
  }
  if (arguments.json) {
    std::cout << answer.output;
    return done;
  }
  const auto result = nlohmann::json::parse(answer.output);
  const std::string loss =
      result["loss"].is_string() ? result["loss"].get<std::string>() : metricText(result["loss"].get<double>());
  fmt::print("run {}, {}step {}: accuracy {:.2f} %, loss {} ({}){}\n", target->run.id,
             target->snapshot ? "snapshot of " : "", countText(target->step), 100 * result["accuracy"].get<double>(),
             loss, counted(result["samples"].get<std::int64_t>(), "sample"),
             result["refreshed"].get<bool>() ? ", statistics refreshed by one epoch of the training set" : "");
  return done;
}

}  // namespace slipstream::cli
