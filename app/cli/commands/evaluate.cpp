#include <cstdio>
#include <iostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/reading.h"
#include "engine/base/text.h"
#include "engine/launch/worker_query.h"
#include "engine/plan/mnist_files.h"
#include "engine/plan/run_plan.h"
#include "engine/record/sound_checkpoint.h"

namespace slipstream::cli {
namespace {

std::vector<std::string> missingEvaluationFiles(const std::string& folder) {
  std::vector<std::string> missing = missingMnistFiles(folder);
  std::erase_if(missing, [](const std::string& name) { return !startsWith(name, "t10k"); });
  return missing;
}

/// The data's folder, told apart from the experiment's: here it is a flag that puts it right.
Status checkData(const RunRecord& run, const std::optional<std::string>& folder) {
  SLIPSTREAM_TRY(plan, parseRunPlan(run.planText));
  const DatasetSpec& dataset = plan.experiment.dataset;
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
  const auto missing = missingEvaluationFiles(path);
  if (missing.empty()) return {};
  return fail(where, path, "lacks " + join(missing, ", ") + " (plain or .gz)", remedy);
}

}  // namespace

int evaluate(const EvaluateArguments& arguments, const CommandLine& line) {
  const auto store = openToRead(line);
  if (!store) return report(store.error());
  const auto target = findCheckpoint(**store, arguments.run);
  if (!target) return report(target.error());
  if (const auto sound = openSoundCheckpoint(**store, target->run.id, target->step); !sound) {
    return report(sound.error());
  }
  if (const Status data = checkData(target->run, arguments.data); !data) return report(data.error());
  std::vector<std::string> words{"--evaluate", line.storeFolder, target->run.id, std::to_string(target->step)};
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
  const std::string loss = result["loss"].is_string() ? result["loss"].get<std::string>() : result["loss"].dump();
  fmt::print("run {}, step {}: accuracy {:.2f} %, loss {} ({})\n", target->run.id, countText(target->step),
             100 * result["accuracy"].get<double>(), loss, counted(result["samples"].get<std::int64_t>(), "sample"));
  return done;
}

}  // namespace slipstream::cli
