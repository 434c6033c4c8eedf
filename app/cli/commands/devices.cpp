#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/reading.h"
#include "engine/base/text.h"
#include "engine/launch/worker_query.h"
#include "engine/plan/plan_file.h"
#include "engine/plan/processor.h"

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

/// Name, whether it is usable, what it is or why not; a second line says what to do about it.
void printLine(const nlohmann::ordered_json& device) {
  const auto text = [&](const char* key) { return device.at(key).get<std::string>(); };
  std::string what = text("description");
  if (device.contains("cores")) {
    what = fmt::format("{}, {}, {} kernels", text("model"), counted(device.at("cores").get<int>(), "core"),
                       text("instruction_set"));
  }
  fmt::print("{:<6}{:<12}{}\n", text("name"), device.at("usable").get<bool>() ? "usable" : "not usable", what);
  if (device.contains("remedy")) fmt::print("{:<18}{}\n", "", text("remedy"));
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
  for (const auto& device : list) printLine(device);
  return ExitCode::done;
}

}  // namespace slipstream::cli
