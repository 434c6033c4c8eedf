// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/environment.h"

#include <fstream>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>
#include <sqlite3.h>
#include <sys/utsname.h>

#include "engine/base/files.h"
#include "engine/base/process_identity.h"
#include "engine/base/text.h"
#include "engine/probe/version.h"
#include "engine/scheduler/scheduler.h"

namespace slipstream {
namespace {

/// The value of the first line "KEY : value" of a file under /proc.
std::string procValue(const char* file, std::string_view key) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    const auto colon = line.find(':');
    if (colon != std::string::npos && trim(line.substr(0, colon)) == key) return trim(line.substr(colon + 1));
  }
  return {};
}

nlohmann::json honouredVariables() {
  std::vector<const char*> names{"DATA_PATH",
                                 "RANK_TABLE_FILE",
                                 "RANK_SIZE",
                                 "RANK_ID",
                                 "DEVICE_ID",
                                 "DEVICE_NUM",
                                 "SERVER_ID",
                                 "OMP_NUM_THREADS",
                                 "SLIPSTREAM_STORE",
                                 "SLIPSTREAM_RECORDING",
                                 "SLIPSTREAM_MATRIX_UNIT"};
  for (const Scheduler& scheduler : schedulers()) names.insert(names.end(), {scheduler.job, scheduler.hosts.variable});
  nlohmann::json variables = nlohmann::json::object();
  for (const char* name : names) {
    if (const auto value = environment(name)) variables[name] = *value;
  }
  return variables;
}

std::string systemText() {
  struct utsname names {};
  if (::uname(&names) != 0) return {};
  return std::string(names.sysname) + " " + names.release + " " + names.machine;
}

using Facts = std::vector<std::pair<std::string, std::string>>;

std::string factText(const nlohmann::json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// Members of an object as "name value" each.
std::string membersText(const nlohmann::json& object, const char* between) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : object.items()) parts.push_back(name + between + factText(value));
  return join(parts, ", ");
}

}  // namespace

Facts environmentFacts(const std::string& text) {
  const nlohmann::json environment = nlohmann::json::parse(text, nullptr, false);
  if (!environment.is_object()) return {};
  Facts facts;
  for (const auto& [name, value] : environment.items()) {
    const std::string shown = value.is_object() ? membersText(value, name == "variables" ? "=" : " ") : factText(value);
    facts.emplace_back(name, shown.empty() ? "–" : shown);
  }
  return facts;
}

std::string describeEnvironment() {
  nlohmann::json environment;
  environment["host"] = hostName();
  environment["processor"] = procValue("/proc/cpuinfo", "model name");
  environment["cores"] = std::thread::hardware_concurrency();
  environment["memory"] = procValue("/proc/meminfo", "MemTotal");
  environment["system"] = systemText();
  const LibraryVersions libraries = libraryVersions();
  environment["versions"] = {{"slipstream", programVersion()},
                             {"compiler", "g++ " __VERSION__},
                             {"sqlite", sqlite3_libversion()},
                             {"Open MPI", libraries.openMpi},
                             {"oneDNN", libraries.oneDnn}};
  environment["variables"] = honouredVariables();
  return environment.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace slipstream
