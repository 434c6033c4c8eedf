// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/runs/commands.h"

#include "app/cli/parser/argument_parser.h"
#include "app/cli/runs/report_writing.h"

namespace slipstream::cli {
namespace {

void addConfirmation(CLI::App* sub, bool& confirmed, bool& dryRun) {
  sub->add_flag("--yes", confirmed, "Do it; without it only what would go is said");
  sub->add_flag("--dry-run", dryRun, "Say what would go, and change nothing")->excludes("--yes");
}

void addReading(ArgumentParser& parser) {
  auto [runsCommand, runs] =
      parser.add<RunsArguments>(parser.app(), "runs", "List runs and what came of them: loss, accuracy, training time",
                                "  slipstream runs\n  slipstream runs last:20\n"
                                "  slipstream runs --filter 'state:failed -tag:old ranks>4' --json",
                                {.run = cli::runs, .onRemote = sameOnRemote<RunsArguments>});
  runsCommand->add_option("runs", runs->runs, runsHelp);
  runsCommand->add_option("--filter", runs->filter, filterHelp);
  addRepeated(runsCommand, "--tag", runs->tags, "Only runs with this tag (again for more, which all must be there)");
  runsCommand->add_flag("--archived", runs->archived, "Archived runs too");
  addJson(runsCommand, runs->json);

  auto [showCommand, show] =
      parser.add<ShowArguments>(parser.app(), "show", "Show a run: state, decisions, values, time and memory by rank",
                                "  slipstream show last\n  slipstream show 3f2a --json",
                                {.run = cli::show, .onRemote = sameOnRemote<ShowArguments>});
  showCommand->add_option("run", show->run, runHelp)->required();
  addJson(showCommand, show->json);

  auto [metricsCommand, metrics] =
      parser.add<MetricsArguments>(parser.app(), "metrics", "Print the values of a run, every step",
                                   "  slipstream metrics last --metric loss\n"
                                   "  slipstream metrics last --metric loss --metric accuracy --format json",
                                   {.run = cli::metrics, .onRemote = sameOnRemote<MetricsArguments>});
  metricsCommand->add_option("run", metrics->run, runHelp)->required();
  addRepeated(metricsCommand, "--metric", metrics->metrics, "Name of a metric (again for more; else all)");
  metricsCommand->add_option("--format", metrics->format, "csv or json")
      ->check(CLI::IsMember({"csv", "json"}))
      ->capture_default_str();
  metricsCommand->add_flag_callback(
      "--json", [metrics = metrics] { metrics->format = "json"; }, "The same as --format json");

  auto [logsCommand, logs] = parser.add<LogsArguments>(parser.app(), "logs", "Print what the ranks of a run wrote",
                                                       "  slipstream logs last\n  slipstream logs last --rank 0",
                                                       {.run = cli::logs, .onRemote = sameOnRemote<LogsArguments>});
  logsCommand->add_option("run", logs->run, runHelp)->required();
  logsCommand->add_option("--rank", logs->rank, "Only this rank")->check(wholeNumber(0, mostRanks - 1));
  addJson(logsCommand, logs->json);
}

void addComparing(ArgumentParser& parser) {
  auto [compareCommand, compare] =
      parser.add<CompareArguments>(parser.app(), "compare", "Compare runs: what differs, and what came of it",
                                   "  slipstream compare 3f2a 9b01\n  slipstream compare last:2 --json\n"
                                   "  slipstream compare --filter state:done",
                                   {.run = cli::compare});
  compareCommand->add_option("runs", compare->runs, std::string(runsHelp) + "; the first is the reference");
  compareCommand->add_option("--filter", compare->filter, filterHelp);
  compareCommand->add_option("--language", compare->language, "Language of the text: en or zh");
  addJson(compareCommand, compare->json);

  auto [reportCommand, report] = parser.add<ReportArguments>(
      parser.app(), "report", "Write a report of a study or of runs: a file, or a folder that a paper is written from",
      "  slipstream report last -o report.html\n"
      "  slipstream report last:2 --language zh -o report.pdf\n"
      "  slipstream report 3f2a 9b01 -o adasum_or_mean.tex\n"
      "  slipstream report adasum_lenet5_mnist -o paper/",
      {.run = cli::reportRuns});
  reportCommand->add_option(
      "runs", report->runs,
      std::string("A study, by its name or its file; or the runs to compare, the first being the reference. ") +
          runsHelp);
  reportCommand->add_option("--filter", report->filter, filterHelp);
  addReportForm(reportCommand, report->output, report->language, report->paperSize);
  addJson(reportCommand, report->json);
}

void addLabels(ArgumentParser& parser) {
  for (const bool removes : {false, true}) {
    auto [command, tag] = parser.add<TagArguments>(
        parser.app(), removes ? "untag" : "tag", removes ? "Take a tag off runs" : "Put a tag on runs",
        removes ? "  slipstream untag paper last" : "  slipstream tag paper last\n  slipstream tag old state:done",
        {.run = cli::tag, .onRemote = sameOnRemote<TagArguments>});
    tag->removes = removes;
    command->add_option("tag", tag->tag, "The tag, in one word or quotes")->required();
    command->add_option("runs", tag->runs, runsHelp)->required();
    addJson(command, tag->json);
  }
  auto [renameCommand, renamed] = parser.add<RenameArguments>(
      parser.app(), "rename", "Give a run another name, which lists and selections go by",
      "  slipstream rename last 'adasum, warm-up 5'\n  slipstream rename last ''", {.run = cli::rename});
  renameCommand->add_option("run", renamed->run, runHelp)->required();
  renameCommand->add_option("name", renamed->name, "The name; '' gives back the one that it was started under")
      ->required();
  addJson(renameCommand, renamed->json);

  for (const bool restores : {false, true}) {
    auto [command, archive] =
        parser.add<ArchiveArguments>(parser.app(), restores ? "unarchive" : "archive",
                                     restores ? "List archived runs again" : "Keep runs, and list them no more",
                                     restores ? "  slipstream unarchive is:archived" : "  slipstream archive 3f2a",
                                     {.run = cli::archive, .onRemote = sameOnRemote<ArchiveArguments>});
    archive->restores = restores;
    command->add_option("runs", archive->runs, runsHelp)->required();
    addJson(command, archive->json);
  }
}

void addRemoval(ArgumentParser& parser) {
  auto [deleteCommand, removed] =
      parser.add<DeleteArguments>(parser.app(), "delete", "Delete runs: records, checkpoints and logs",
                                  "  slipstream delete 3f2a --dry-run\n  slipstream delete last --dry-run --json",
                                  {.run = cli::deleteRuns, .onRemote = sameOnRemote<DeleteArguments>});
  deleteCommand->add_option("runs", removed->runs, runsHelp)->required();
  addConfirmation(deleteCommand, removed->confirmed, removed->dryRun);
  addJson(deleteCommand, removed->json);

  auto [pruneCommand, pruned] = parser.add<PruneArguments>(
      parser.app(), "prune", "Make room: delete failed runs, or all but the newest checkpoints of runs",
      "  slipstream prune --failed --dry-run\n  slipstream prune --checkpoints 1 --dry-run",
      {.run = cli::pruneRuns, .onRemote = sameOnRemote<PruneArguments>});
  pruneCommand->add_option("runs", pruned->runs, std::string(runsHelp) + " (else all that are not archived)");
  pruneCommand->add_flag("--failed", pruned->failed, "Runs that failed or were lost, as a whole");
  pruneCommand
      ->add_option("--checkpoints", pruned->keepCheckpoints, "Keep so many of each run's checkpoints, the newest")
      ->check(wholeNumber(1, 1'000'000));
  addConfirmation(pruneCommand, pruned->confirmed, pruned->dryRun);
  addJson(pruneCommand, pruned->json);
}

}  // namespace

void addRunsCommands(ArgumentParser& parser) {
  addReading(parser);
  addComparing(parser);
  addLabels(parser);
  addRemoval(parser);
}

}  // namespace slipstream::cli
