// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <filesystem>

#include "app/cli/runs/commands.h"
#include "app/cli/runs/report_writing.h"
#include "app/cli/store/reading.h"
#include "app/cli/streams/output.h"

namespace slipstream::cli {
namespace {

bool isStudy(RunStore& store, const std::string& word) {
  std::error_code error;
  const std::filesystem::path file = word;
  if (file.extension() == ".json" && std::filesystem::is_regular_file(file, error)) return true;
  return std::ranges::any_of(store.studies().all(), [&](const StudyRecord& study) { return study.name == word; });
}

/// One word alone may name a study, whose runs are a group of the same name: their report is the study's.
Result<PaperSubject> subjectOf(RunStore& store, const ReportArguments& arguments) {
  if (arguments.runs.size() == 1 && arguments.filter.empty() && isStudy(store, arguments.runs.front())) {
    SLIPSTREAM_TRY(study, findStudy(store, arguments.runs.front()));
    return PaperSubject{store, std::move(study), {}};
  }
  if (arguments.runs.empty() && arguments.filter.empty()) {
    return fail("RUNS", "", "are missing",
                "name a study, or some runs, or choose runs with --filter; slipstream runs lists them");
  }
  SLIPSTREAM_TRY(runs, findRuns(store, arguments.runs, arguments.filter));
  return PaperSubject{store, std::nullopt, std::move(runs)};
}

}  // namespace

int reportRuns(const ReportArguments& arguments, const CommandLine& line) {
  const auto form = reportForm(arguments.output, arguments.language, arguments.paperSize);
  if (!form) return report(form.error());
  const auto store = openToRead(line);
  if (!store) return report(store.error());
  const auto subject = subjectOf(**store, arguments);
  if (!subject) return report(subject.error());
  return writeReported(*subject, arguments.output, *form, arguments.json);
}

}  // namespace slipstream::cli
