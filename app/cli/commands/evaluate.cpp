#include <cstdio>
#include <iostream>

#include <nlohmann/json.hpp>

#include "app/cli/arguments.h"
#include "engine/base/text.h"
#include "engine/launch/worker_query.h"
#include "engine/record/run_store.h"

namespace slipstream::cli {
namespace {

struct Target {
  RunRecord run;
  std::int64_t step = 0;
};

/// "RUN" means its newest checkpoint, "RUN@STEP" that of a step.
Result<Target> findCheckpoint(const std::string& storeFolder, const std::string& text) {
  const auto at = text.rfind('@');
  SLIPSTREAM_TRY(store, RunStore::open(storeFolder, StoreAccess::read));
  SLIPSTREAM_TRY(run, store->find(text.substr(0, at)));
  const auto rows = store->checkpoints(run.id);
  if (rows.empty()) {
    return fail(run.id, "", "has no checkpoint", "name a run that kept one: `slipstream checkpoints RUN` lists them");
  }
  if (at == std::string::npos) return Target{run, rows.back().step};
  const auto step = parseInteger(text.substr(at + 1));
  for (const CheckpointRow& row : rows) {
    if (step == row.step) return Target{run, row.step};
  }
  return fail(text, text.substr(at + 1), "is no step with a checkpoint of " + run.id,
              "`slipstream checkpoints " + run.id + "` lists them");
}

}  // namespace

int evaluate(const EvaluateArguments& arguments, const CommandLine& line) {
  const auto target = findCheckpoint(line.storeFolder, arguments.run);
  if (!target) {
    std::cerr << toText(target.error());
    return invalidInput;
  }
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
  std::printf("run %s, step %ld: accuracy %.2f %%, loss %.4f (%ld samples)\n", target->run.id.c_str(),
              static_cast<long>(target->step), 100 * result["accuracy"].get<double>(), result["loss"].get<double>(),
              result["samples"].get<long>());
  return done;
}

}  // namespace slipstream::cli
