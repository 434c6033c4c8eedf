#include "engine/launch/describe_run.h"

#include <array>
#include <fstream>

#include <nlohmann/json.hpp>
#include <sys/utsname.h>
#include <zmq.h>

#include "engine/base/files.h"
#include "engine/base/process_identity.h"
#include "engine/base/text.h"
#include "engine/record/version.h"

namespace slipstream {
namespace {

constexpr std::array honouredVariables{"DATA_PATH", "RANK_TABLE_FILE", "RANK_SIZE", "RANK_ID",
                                       "DEVICE_ID", "DEVICE_NUM",      "SERVER_ID"};

std::string processorName() {
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line)) {
    if (startsWith(line, "model name")) return trim(line.substr(line.find(':') + 1));
  }
  return "";
}

std::string environmentText(const RunPlan& plan) {
  utsname system{};
  ::uname(&system);
  int major = 0;
  int minor = 0;
  int patch = 0;
  ::zmq_version(&major, &minor, &patch);
  nlohmann::json variables = nlohmann::json::object();
  for (const char* name : honouredVariables) {
    if (const auto value = environment(name)) variables[name] = *value;
  }
  const nlohmann::json text{
      {"host", hostName()},
      {"system", std::string(system.sysname) + " " + system.release + " " + system.machine},
      {"processor", processorName()},
      {"cores", coresOnHost()},
      {"instruction_set", plan.instructionSet},
      {"threads_per_rank", plan.threadsPerRank},
      {"versions",
       {{"slipstream", programVersion()},
        {"zeromq", std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch)}}},
      {"variables", variables}};
  return text.dump();
}

}  // namespace

NewRun describeRun(const PlannedFile& file, const RunPlan& plan, const std::string& commandText,
                   const std::string& group) {
  NewRun run;
  run.name = plan.experiment.name;
  run.experimentName = file.experimentName;
  run.variant = plan.experiment.variant;
  run.group = group;
  run.experimentText = file.text;
  run.planText = toJsonText(plan);
  run.commandText = commandText;
  run.environmentText = environmentText(plan);
  run.sourceRevision = sourceRevision();
  run.seed = plan.experiment.seed;
  run.ranks = plan.ranks();
  run.device = plan.experiment.device;
  return run;
}

}  // namespace slipstream
