#include "engine/record/report.h"

#include <fmt/format.h>

#include "app/cli/reading.h"

namespace slipstream::cli {

int report(const ReportArguments& arguments, const CommandLine& line) {
  const auto store = openToRead(line);
  if (!store) return report(store.error());
  const auto runs = findRuns(**store, arguments.runs);
  if (!runs) return report(runs.error());
  const auto written = writeReport(**store, *runs, arguments.output);
  if (!written) return report(written.error());
  fmt::print("report: {}\n", std::filesystem::absolute(arguments.output).string());
  return ExitCode::done;
}

}  // namespace slipstream::cli
