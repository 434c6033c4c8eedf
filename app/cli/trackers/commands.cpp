// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/trackers/commands.h"

#include "app/cli/parser/argument_parser.h"

namespace slipstream::cli {

void addTrackersCommands(ArgumentParser& parser) {
  auto [exportCommand, exported] = parser.add<ExportArguments>(
      parser.app(), "export", "Write runs as the files of TensorBoard or MLflow, or as CSV tables",
      "  slipstream export last --format tensorboard -o logs\n"
      "  slipstream export last:2 --format mlflow -o mlruns\n"
      "  slipstream export --filter state:done --format csv --metric loss -o tables",
      {.run = cli::exportRuns});
  exportCommand->add_option("runs", exported->runs, runsHelp);
  exportCommand->add_option("--filter", exported->filter, filterHelp);
  exportCommand->add_option("--format", exported->format, "tensorboard, mlflow or csv")
      ->required()
      ->check(CLI::IsMember({"tensorboard", "mlflow", "csv"}));
  addRepeated(exportCommand, "--metric", exported->metrics, "Name of a metric (again for more; else all)");
  exportCommand->add_option("-o,--output", exported->output, "Folder to write into")->required();
  addJson(exportCommand, exported->json);

  auto [importCommand, imported] = parser.add<ImportArguments>(
      parser.app(), "import", "Bring values of other programs into the store: TensorBoard logs and CSV tables",
      "  slipstream import logs\n  slipstream import tables/metrics.csv --experiment rivals --metric loss=loss",
      {.run = cli::importRuns});
  importCommand
      ->add_option("sources", imported->sources,
                   "Event files, folders that have some anywhere below, .csv and .tsv files")
      ->required();
  importCommand->add_option("--experiment", imported->experiment,
                            "What the runs belong to (else the name of the folder or file)");
  addRepeated(importCommand, "--metric", imported->metrics,
              "TAG=METRIC: the metric that a tag or column becomes (again for more; else by its words, such as "
              "val/loss); TAG=METRIC% where it holds percent");
  importCommand->add_flag("--partial", imported->partial,
                          "Of an event file with a damaged or unfinished record, take what is before it");
  addJson(importCommand, imported->json);
}

}  // namespace slipstream::cli
