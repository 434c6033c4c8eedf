#include <cstdio>
#include <iostream>

#include <nlohmann/json.hpp>

#include "app/cli/reading.h"
#include "engine/launch/worker_query.h"

namespace slipstream::cli {

int evaluate(const EvaluateArguments& arguments, const CommandLine& line) {
  const auto store = openToRead(line);
  if (!store) return report(store.error());
  const auto target = findCheckpoint(**store, arguments.run);
  if (!target) return report(target.error());
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
  std::printf("run %s, step %ld: accuracy %.2f %%, loss %s (%ld samples)\n", target->run.id.c_str(),
              static_cast<long>(target->step), 100 * result["accuracy"].get<double>(), loss.c_str(),
              result["samples"].get<long>());
  return done;
}

}  // namespace slipstream::cli
