#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/reading.h"
#include "engine/base/text.h"
#include "engine/launch/worker_query.h"
#include "engine/plan/plan_file.h"
#include "engine/plan/this_host.h"

namespace slipstream::cli {
namespace {

std::string processorModel() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (startsWith(line, "model name")) return trim(line.substr(line.find(':') + 1));
  }
  return "unknown";
}

/// What the worker program, which alone links device libraries, says of every
/// device it was built with.
nlohmann::ordered_json devicesOfWorker() {
  const WorkerAnswer answer = askWorker({"--devices"});
  if (answer.exitCode != 0) throw Error("the worker program cannot list devices: " + trim(answer.errors));
  return nlohmann::ordered_json::parse(answer.output);
}

}  // namespace

int devices(const DevicesArguments& arguments, const CommandLine&) {
  nlohmann::ordered_json list = devicesOfWorker();
  for (auto& device : list) {
    if (device.at("name") != "cpu") continue;
    device["model"] = processorModel();
    device["cores"] = coresOnHost();
    device["instruction_set"] = instructionSet();
  }
  if (arguments.json) {
    print(list);
    return ExitCode::done;
  }
  for (const auto& device : list) {
    fmt::print("{:<6}{:<12}{}\n", device.at("name").get<std::string>(),
               device.at("usable").get<bool>() ? "usable" : "not usable", device.at("description").get<std::string>());
    if (!device.contains("cores")) continue;
    fmt::print("{:<18}{}, {} cores, {} kernels\n", "", device.at("model").get<std::string>(),
               device.at("cores").get<int>(), device.at("instruction_set").get<std::string>());
  }
  return ExitCode::done;
}

}  // namespace slipstream::cli
