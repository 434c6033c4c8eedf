#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/reading.h"
#include "engine/base/characters.h"
#include "engine/base/clock.h"
#include "engine/record/run_query.h"
#include "engine/record/text_table.h"

namespace slipstream::cli {
namespace {

nlohmann::ordered_json toJson(const RunRecord& run) {
  return {{"run", run.id},          {"name", run.name},       {"experiment", run.experimentName},
          {"variant", run.variant}, {"group", run.group},     {"state", nameOf(run.state)},
          {"why", run.why},         {"ranks", run.ranks},     {"device", run.device},
          {"seed", run.seed},       {"attempt", run.attempt}, {"created", wallText(run.createdAt)}};
}

std::vector<RunRecord> matching(RunStore& store, const RunQuery& query) {
  const std::map<std::string, RunLabel> labels = store.labels();
  std::vector<RunRecord> runs = store.heads();
  std::erase_if(runs, [&](const RunRecord& run) {
    const auto label = labels.find(run.id);
    return !query.matches(store, run, label == labels.end() ? RunLabel{} : label->second);
  });
  return runs;
}

}  // namespace

int runs(const RunsArguments& arguments, const CommandLine& line) {
  const auto store = openToRead(line);
  if (!store) return report(store.error());
  const auto query = RunQuery::parse(arguments.filter);
  if (!query) return report(query.error());
  const std::vector<RunRecord> all = matching(**store, *query);
  if (arguments.json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const RunRecord& run : all) list.push_back(toJson(run));
    print(list);
    return ExitCode::done;
  }
  std::vector<TextRow> rows{{"run", "state", "ranks", "device", "created (UTC)", "name / variant"}};
  for (const RunRecord& run : all) {
    rows.push_back({run.id, std::string(nameOf(run.state)), std::to_string(run.ranks), run.device,
                    wallText(run.createdAt), printable(titleOf(run))});
  }
  fmt::print("{}", tableText(rows, 6));
  return ExitCode::done;
}

}  // namespace slipstream::cli
