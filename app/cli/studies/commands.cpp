// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/studies/commands.h"

#include "app/cli/parser/argument_parser.h"
#include "app/cli/runs/report_writing.h"

namespace slipstream::cli {
namespace {

constexpr const char* studyHelp = "The study: its name, or its file";
constexpr const char* fileHelp = "File of the study, or an experiment with variants and seeds";
constexpr const char* controlHelp = "The reference against so many copies of itself, which should show nothing";
constexpr int mostCopies = 100, mostCells = 1'000'000, mostSeeds = 1000;

}  // namespace

void addStudiesCommands(ArgumentParser& parser) {
  CLI::App& studies = parser.addGroup("study", "Ask a question of many runs, and get a verdict",
                                      "  slipstream study check experiments/studies/quickstart.json");

  auto [checkCommand, check] = parser.add<StudyCheckArguments>(
      studies, "check", "Everything that is wrong with a study, and how many cells it has",
      "  slipstream study check experiments/studies/quickstart.json", {.run = cli::studyCheck});
  checkCommand->add_option("file", check->file, fileHelp)->required();
  checkCommand->add_option("--control", check->control, controlHelp)->check(wholeNumber(1, mostCopies));
  addJson(checkCommand, check->json);

  auto [runCommand, run] = parser.add<StudyRunArguments>(
      studies, "run", "Freeze a study and train its cells; what is done is not done again",
      "  slipstream study run experiments/studies/adasum_lenet5_mnist.json --detach\n"
      "  slipstream study run experiments/studies/adasum_lenet5_mnist.json --control 10",
      {.run = cli::studyRun, .ranks = Ranks::supervised});
  runCommand->add_option("study", run->study, std::string(fileHelp) + ", or the name of one in the store")->required();
  runCommand->add_option("--control", run->control, controlHelp)->check(wholeNumber(1, mostCopies));
  runCommand->add_option("--cell", run->cell, "Only the cell of this number, here; so the queue starts each")
      ->check(wholeNumber(1, mostCells));
  runCommand->add_flag("--detach", run->detach, "Return at once; the study goes on");
  runCommand->add_flag("--quiet", run->quiet, "No line for each cell");
  addJson(runCommand, run->json);

  auto [pauseCommand, pause] =
      parser.add<StudyPauseArguments>(studies, "pause", "Start no more cells; those that train go on to their ends",
                                      "  slipstream study pause NAME", {.run = cli::studyPause});
  pauseCommand->add_option("study", pause->study, studyHelp)->required();
  addJson(pauseCommand, pause->json);

  auto [statusCommand, status] = parser.add<StudyStatusArguments>(
      studies, "status", "List studies, or the cells of one",
      "  slipstream study status\n  slipstream study status NAME", {.run = cli::studyStatus});
  statusCommand->add_option("study", status->study, studyHelp);
  addJson(statusCommand, status->json);

  auto [verdictCommand, verdict] = parser.add<StudyVerdictArguments>(
      studies, "verdict", "What a study has shown: better, worse, the same, not shown, not comparable or invalid",
      "  slipstream study verdict NAME\n  slipstream study verdict NAME --language zh", {.run = cli::studyVerdict});
  verdictCommand->add_option("study", verdict->study, studyHelp)->required();
  verdictCommand->add_option("--language", verdict->language, "en or zh")->capture_default_str();
  addJson(verdictCommand, verdict->json);

  auto [seedsCommand, seeds] =
      parser.add<StudyAddSeedsArguments>(studies, "add-seeds", "Add a round of seeds, for which alpha was kept back",
                                         "  slipstream study add-seeds NAME --count 5", {.run = cli::studyAddSeeds});
  seedsCommand->add_option("study", seeds->study, studyHelp)->required();
  seedsCommand->add_option("--count", seeds->count, "How many seeds")->required()->check(wholeNumber(1, mostSeeds));
  addJson(seedsCommand, seeds->json);

  auto [reportCommand, report] =
      parser.add<StudyReportArguments>(studies, "report", "Write a report of a study, as `slipstream report` does",
                                       "  slipstream study report NAME -o study.html\n"
                                       "  slipstream study report NAME -o paper/",
                                       {.run = cli::studyReport});
  reportCommand->add_option("study", report->study, studyHelp)->required();
  addReportForm(reportCommand, report->output, report->language, report->paperSize);
  addJson(reportCommand, report->json);
}

}  // namespace slipstream::cli
