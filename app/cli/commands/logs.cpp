#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/reading.h"
#include "engine/base/files.h"
#include "engine/record/run_logs.h"

namespace slipstream::cli {

int logs(const LogsArguments& arguments, const CommandLine& line) {
  const auto store = openToRead(line);
  if (!store) return report(store.error());
  const auto run = (*store)->find(arguments.run);
  if (!run) return report(run.error());
  if (arguments.rank && (*arguments.rank < 0 || *arguments.rank >= run->ranks)) {
    return report({{"--rank", std::to_string(*arguments.rank), "the run has no such rank",
                    fmt::format("name one from 0 to {}", run->ranks - 1)}});
  }
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const RankLog& log : rankLogs((*store)->folder(), run->id)) {
    if (arguments.rank && log.rank != *arguments.rank) continue;
    const auto text = readFile(log.file);
    if (!text) return report(text.error());
    if (arguments.json) {
      list.push_back({{"attempt", log.attempt}, {"rank", log.rank}, {"stream", log.stream}, {"text", *text}});
    } else if (!text->empty()) {
      fmt::print("== attempt {}, rank {}, {}\n{}", log.attempt, log.rank, log.stream, *text);
      if (text->back() != '\n') fmt::print("\n");
    }
  }
  if (arguments.json) print(list);
  return ExitCode::done;
}

}  // namespace slipstream::cli
