// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/running/supervising.h"
#include "app/cli/runs/report_writing.h"
#include "app/cli/store/reading.h"
#include "app/cli/streams/output.h"
#include "app/cli/studies/commands.h"
#include "app/cli/studies/study_queue.h"
#include "engine/base/characters.h"
#include "engine/base/hash.h"
#include "engine/base/text.h"
#include "engine/document/text_table.h"
#include "engine/study/cell_plan.h"
#include "engine/study_results/study_document.h"
#include "engine/study_results/study_summary.h"

namespace slipstream::cli {
namespace {

bool isFile(const std::string& word) {
  std::error_code error;
  return std::filesystem::is_regular_file(word, error);
}

bool isThere(RunStore& store, const std::string& name) {
  for (const StudyRecord& study : store.studies().all()) {
    if (study.name == name) return true;
  }
  return false;
}

/// What was frozen goes on as it was; a changed question is another study.
Status continues(const StudyRecord& record, const Study& now) {
  SLIPSTREAM_TRY(frozen, studyOfFrozen(record.frozenText));
  if (frozen.document == now.document) return {};
  return fail(
      record.file, now.name, "is not what was frozen under this name before its first run",
      fmt::format("a changed question is a new study: give it another name, and \"follows\": \"{}\"", record.name));
}

Status freeze(RunStore& store, const Study& study, const std::string& file) {
  StudyRecord record;
  record.name = study.name;
  record.frozenText = frozenTextOf(study);
  record.frozenHash = sha256(record.frozenText);
  record.file = std::filesystem::absolute(file).lexically_normal().string();
  if (!study.follows.empty() && !isThere(store, study.follows)) {
    return fail("follows", study.follows, "names no study of the store", "leave it out where the old one is elsewhere");
  }
  store.studies().create(record, cellsOf(study));
  return {};
}

/// The name of the study in the store, which is frozen now where it was not yet.
Result<std::string> frozenName(const StudyRunArguments& arguments, const CommandLine& line) {
  if (!isFile(arguments.study)) {
    SLIPSTREAM_TRY(store, openToChange(line));
    SLIPSTREAM_TRY(record, store->studies().find(arguments.study));
    return record.name;
  }
  SLIPSTREAM_TRY(study, readStudy(arguments.study, arguments.control.value_or(0)));
  SLIPSTREAM_TRY(store, RunStore::open(line.storeFolder, StoreAccess::write));
  if (isThere(*store, study.name)) {
    SLIPSTREAM_TRY(record, store->studies().find(study.name));
    SLIPSTREAM_CHECK(continues(record, study));
    return record.name;
  }
  StudyCheck check = checkStudy(study);
  if (!check.failures.empty()) return tl::unexpected(std::move(check.failures));
  for (const std::string& note : check.notes) remark("note", note);
  SLIPSTREAM_CHECK(freeze(*store, study, arguments.study));
  return study.name;
}

/// A store, opened to be read, and a study of it.
struct OpenedStudy {
  std::unique_ptr<RunStore> store;
  StudyRecord record;
};

Result<OpenedStudy> openStudy(const CommandLine& line, const std::string& word) {
  SLIPSTREAM_TRY(store, openToRead(line));
  SLIPSTREAM_TRY(record, findStudy(*store, word));
  return OpenedStudy{std::move(store), std::move(record)};
}

void remarkOnChanges(RunStore& store, const std::string& name) {
  const auto record = store.studies().find(name);
  if (!record) return;
  const auto frozen = studyOfFrozen(record->frozenText);
  if (!frozen) return;
  for (const std::string& changed : changedSince(*frozen, record->file)) {
    remark("note", changed + " has changed since the study was frozen; what was frozen counts");
  }
}

struct Counts {
  int done = 0, failed = 0, deleted = 0, open = 0;
};

Counts countCells(RunStore& store, const StudyRecord& record) {
  Counts counts;
  for (const StudyCell& cell : store.studies().cells(record.number)) {
    const CellEnd end = endOf(store, cell);
    ++(end == CellEnd::done      ? counts.done
       : end == CellEnd::failed  ? counts.failed
       : end == CellEnd::deleted ? counts.deleted
                                 : counts.open);
  }
  return counts;
}

nlohmann::ordered_json summaryJson(RunStore& store, const StudyRecord& record) {
  const Counts counts = countCells(store, record);
  return {{"study", record.name},    {"state", std::string(nameOf(stateNow(record)))},
          {"why", record.why},       {"hash", record.frozenHash},
          {"file", record.file},     {"done", counts.done},
          {"failed", counts.failed}, {"deleted", counts.deleted},
          {"open", counts.open}};
}

std::string stateOf(RunStore& store, const StudyCell& cell) {
  if (!cell.why.empty()) return "failed";
  if (cell.run.empty()) return "waiting";
  const auto state = store.stateOf(cell.run);
  return state ? std::string(nameOf(*state)) : "deleted";
}

int statusOfAll(RunStore& store, bool json) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  std::vector<TextRow> rows{{"study", "state", "done", "failed", "open"}};
  for (const StudyRecord& record : store.studies().all()) {
    list.push_back(summaryJson(store, record));
    const Counts counts = countCells(store, record);
    rows.push_back({record.name, std::string(nameOf(stateNow(record))), std::to_string(counts.done),
                    std::to_string(counts.failed), std::to_string(counts.open)});
  }
  if (json) {
    print({{"studies", list}});
  } else {
    std::fputs(rows.size() > 1 ? printable(tableText(rows, 2), "\n").c_str() : "no study yet\n", stdout);
  }
  return ExitCode::done;
}

std::string loadText(int load) {
  return load < 0 ? "–" : fmt::format("{:.1f}", load / 100.0);
}

int statusOfOne(RunStore& store, const StudyRecord& record, bool json) {
  nlohmann::ordered_json document = summaryJson(store, record);
  document["cells"] = nlohmann::ordered_json::array();
  std::vector<TextRow> rows{{"cell", "variant", "factors", "seed", "trial", "state", "run", "load"}};
  for (const StudyCell& cell : store.studies().cells(record.number)) {
    const std::string state = stateOf(store, cell);
    document["cells"].push_back({{"cell", cell.cell},
                                 {"round", cell.round},
                                 {"variant", cell.variant},
                                 {"factors", nlohmann::ordered_json::parse(cell.factors, nullptr, false)},
                                 {"pair", cell.pair},
                                 {"seed", cell.seed},
                                 {"trial", cell.trial},
                                 {"state", state},
                                 {"run", cell.run},
                                 {"why", cell.why},
                                 {"load_before", cell.loadBefore < 0 ? nlohmann::ordered_json()
                                                                     : nlohmann::ordered_json(cell.loadBefore / 100.0)},
                                 {"load_after", cell.loadAfter < 0 ? nlohmann::ordered_json()
                                                                   : nlohmann::ordered_json(cell.loadAfter / 100.0)}});
    rows.push_back({std::to_string(cell.cell), cell.variant, textOf(settingsOf(cell.factors)),
                    std::to_string(cell.seed), cell.trial > 0 ? std::to_string(cell.trial) : "", state, cell.run,
                    loadText(cell.loadBefore) + " " + loadText(cell.loadAfter)});
  }
  if (json) {
    print(document);
    return ExitCode::done;
  }
  fmt::print("{} is {}{}\n\n", printable(record.name), std::string(nameOf(stateNow(record))),
             record.why.empty() ? "" : ": " + printable(record.why));
  std::fputs(printable(tableText(rows, 3), "\n").c_str(), stdout);
  return ExitCode::done;
}

}  // namespace

int studyCheck(const StudyCheckArguments& arguments, const CommandLine&) {
  const auto study = readStudy(arguments.file, arguments.control.value_or(0));
  if (!study) return report(study.error());
  const StudyCheck check = checkStudy(*study);
  if (!check.failures.empty()) return report(check.failures);
  for (const std::string& note : check.notes) remark("note", note);
  if (arguments.json) {
    print({{"study", study->name},
           {"cells", check.cells},
           {"notes", check.notes},
           {"hash", sha256(frozenTextOf(*study))}});
  } else {
    fmt::print("{}: {}, {}\n", printable(study->name), counted(static_cast<std::int64_t>(check.cells), "cell"),
               counted(std::ssize(study->variants), "variant"));
  }
  return ExitCode::done;
}

int studyRun(const StudyRunArguments& arguments, const CommandLine& line) {
  if (arguments.cell) return runCell(arguments.study, *arguments.cell, line);
  const auto name = frozenName(arguments, line);
  if (!name) return report(name.error());
  {
    const auto store = openToRead(line);
    if (!store) return report(store.error());
    remarkOnChanges(**store, *name);
  }
  if (!arguments.detach) {
    const int code = carryOn(*name, line, arguments.quiet || arguments.json);
    const auto store = openToRead(line);
    if (arguments.json && store && code != ExitCode::invalidInput)
      print(summaryJson(**store, (*store)->studies().find(*name).value()));
    return code;
  }
  return runAt(arguments.json ? Place::detachedJson : Place::detached, line,
               [&](const Announce& announce) { return carryOn(*name, line, true, [&] { announce(*name); }); });
}

int studyPause(const StudyPauseArguments& arguments, const CommandLine& line) {
  const auto store = openToChange(line);
  if (!store) return report(store.error());
  const auto record = findStudy(**store, arguments.study);
  if (!record) return report(record.error());
  if (record->state == StudyState::done) return report({{"STUDY", record->name, "is done", "nothing to pause"}});
  (*store)->studies().setState(record->number, StudyState::paused);
  if (arguments.json) {
    print({{"study", record->name}, {"state", "paused"}});
  } else {
    fmt::print("study {} starts no more cells\n", printable(record->name));
  }
  return ExitCode::done;
}

int studyStatus(const StudyStatusArguments& arguments, const CommandLine& line) {
  const auto store = openToRead(line);
  if (!store) return report(store.error());
  if (arguments.study.empty()) return statusOfAll(**store, arguments.json);
  const auto record = findStudy(**store, arguments.study);
  if (!record) return report(record.error());
  remarkOnChanges(**store, record->name);
  return statusOfOne(**store, *record, arguments.json);
}

int studyVerdict(const StudyVerdictArguments& arguments, const CommandLine& line) {
  const auto language = languageOf(arguments.language);
  if (!language) return report(language.error());
  const auto opened = openStudy(line, arguments.study);
  if (!opened) return report(opened.error());
  const auto verdict = verdictOf(*opened->store, opened->record);
  if (!verdict) return report(verdict.error());
  remarkOnChanges(*opened->store, opened->record.name);
  const std::string text =
      arguments.json ? toJsonText(*verdict) + "\n" : printable(toTerminal(studyDocument(*verdict), *language), "\n");
  std::fputs(text.c_str(), stdout);
  return ExitCode::done;
}

int studyAddSeeds(const StudyAddSeedsArguments& arguments, const CommandLine& line) {
  const auto store = openToChange(line);
  if (!store) return report(store.error());
  const auto record = findStudy(**store, arguments.study);
  if (!record) return report(record.error());
  const auto study = studyOfFrozen(record->frozenText);
  if (!study) return report(study.error());
  const auto added = addSeeds(**store, *record, *study, arguments.count);
  if (!added) return report(added.error());
  if (arguments.json) {
    print({{"study", record->name}, {"cells", *added}});
  } else {
    fmt::print("{} more; slipstream study run {} trains them\n", counted(*added, "cell"), printable(record->name));
  }
  return ExitCode::done;
}

int studyReport(const StudyReportArguments& arguments, const CommandLine& line) {
  const auto form = reportForm(arguments.output, arguments.language, arguments.paperSize);
  if (!form) return report(form.error());
  const auto opened = openStudy(line, arguments.study);
  if (!opened) return report(opened.error());
  remarkOnChanges(*opened->store, opened->record.name);
  return writeReported({*opened->store, opened->record}, arguments.output, *form, arguments.json);
}

}  // namespace slipstream::cli
