// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/reading.h"

namespace slipstream::cli {

int report(const ReportArguments& arguments, const CommandLine& line) {
  const auto language = languageOf(arguments.language);
  if (!language) return report(language.error());
  if (const auto known = checkReportFile(arguments.output); !known) return report(known.error());
  const auto opened = openRuns(line, arguments.runs, arguments.filter);
  if (!opened) return report(opened.error());
  const auto written = writeReport(*opened->store, opened->runs, arguments.output, *language);
  if (!written) return report(written.error());
  const std::string file = std::filesystem::absolute(arguments.output).string();
  if (arguments.json) {
    print({{"report", file}});
  } else {
    fmt::print("report: {}\n", file);
  }
  return ExitCode::done;
}

}  // namespace slipstream::cli
