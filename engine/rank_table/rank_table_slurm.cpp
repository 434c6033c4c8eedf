// SPDX-License-Identifier: GPL-3.0-or-later
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/text.h"
#include "engine/rank_table/rank_table_tools.h"

namespace slipstream {
namespace {

constexpr std::int64_t mostTasks = 4096;

/// "4(x2),3" -> 4, 4, 3 (SLURM_TASKS_PER_NODE).
Result<std::vector<std::int64_t>> expandTasks(const std::string& text) {
  std::vector<std::int64_t> tasks;
  for (const std::string& part : split(text, ',')) {
    const std::string word = trim(part);
    const auto bracket = word.find("(x");
    const bool repeated = bracket != std::string::npos && word.back() == ')';
    const auto count = parseInteger(word.substr(0, bracket));
    const auto times = repeated ? parseInteger(word.substr(bracket + 2, word.size() - bracket - 3))
                                : std::optional<std::int64_t>(bracket == std::string::npos ? 1 : 0);
    if (!count || !times || *count < 1 || *times < 1 || *count > mostTasks || *times > mostTasks) {
      return fail("SLURM_TASKS_PER_NODE", text, "is not a list of task counts", "write for example 8 or 4(x2),3");
    }
    if (std::cmp_greater(tasks.size() + static_cast<std::size_t>(*times), mostRanks)) {
      return fail("SLURM_TASKS_PER_NODE", shortText(Json(text)), fmt::format("counts more than {} nodes", mostRanks),
                  "use fewer");
    }
    tasks.insert(tasks.end(), static_cast<std::size_t>(*times), *count);
  }
  return tasks;
}

}  // namespace

Result<std::vector<std::string>> slurmHosts(const std::string& nodeList, const std::string& tasksPerNode) {
  if (trim(nodeList).empty()) {
    return fail("SLURM_JOB_NODELIST", "", "is empty", "run inside an allocation, or write its nodes: n[1-3]");
  }
  SLIPSTREAM_TRY(names, expandHostList(trim(nodeList)));
  SLIPSTREAM_TRY(tasks, expandTasks(tasksPerNode));
  if (tasks.size() == 1) tasks.resize(names.size(), tasks.front());
  if (tasks.size() != names.size()) {
    return fail("SLURM_TASKS_PER_NODE", tasksPerNode,
                fmt::format("counts {}, the list has {}", counted(std::ssize(tasks), "node"),
                            counted(std::ssize(names), "node")),
                "write one count for all nodes, or one for each");
  }
  for (std::size_t i = 0; i < names.size(); ++i) names[i] += ":" + std::to_string(tasks[i]);
  return names;
}

}  // namespace slipstream
