// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>

#include "app/cli/runs/commands.h"
#include "app/cli/store/reading.h"
#include "app/cli/streams/output.h"
#include "engine/analysis/comparison.h"
#include "engine/base/characters.h"
#include "engine/report/comparison_document.h"

namespace slipstream::cli {

int compare(const CompareArguments& arguments, const CommandLine& line) {
  const auto language = languageOf(arguments.language);
  if (!language) return report(language.error());
  const auto opened = openRuns(line, arguments.runs, arguments.filter);
  if (!opened) return report(opened.error());
  const auto comparison = compareRuns(*opened->store, opened->runs);
  if (!comparison) return report(comparison.error());
  const std::string text =
      arguments.json ? toJsonText(*comparison) + "\n" : printable(toText(*comparison, *language), "\n");
  std::fputs(text.c_str(), stdout);
  return ExitCode::done;
}

}  // namespace slipstream::cli
