// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/argument_parser.h"

namespace slipstream::cli {

void addReportForm(CLI::App* sub, std::string& output, std::string& language, std::string& paperSize) {
  sub->add_option("-o,--output", output,
                  "File to write: .html or .pdf (the whole report), .json, .csv or .tex (what was found). A name that "
                  "ends in / or is a folder's: a folder with all of that, figures, data and a text on method, which "
                  "LaTeX compiles; one that is there is replaced only where it holds nothing but what this command "
                  "wrote")
      ->required();
  sub->add_option("--language", language, "Language of .html, .pdf, .tex and folders: en or zh")->capture_default_str();
  sub->add_option("--paper-size", paperSize, "Of .pdf and folders: a4 or letter")
      ->check(CLI::IsMember({"a4", "letter"}))
      ->capture_default_str();
}

void ArgumentParser::addReading() {
  auto [runsCommand, runs] =
      command<RunsArguments>(app_, "runs", "List runs and what came of them: loss, accuracy, training time",
                             "  slipstream runs\n  slipstream runs last:20\n"
                             "  slipstream runs --filter 'state:failed -tag:old ranks>4' --json");
  runsCommand->add_option("runs", runs->runs, runsHelp);
  runsCommand->add_option("--filter", runs->filter, filterHelp);
  addRepeated(runsCommand, "--tag", runs->tags, "Only runs with this tag (again for more, which all must be there)");
  runsCommand->add_flag("--archived", runs->archived, "Archived runs too");
  addJson(runsCommand, runs->json);

  auto [showCommand, show] =
      command<ShowArguments>(app_, "show", "Show a run: state, decisions, values, time and memory by rank",
                             "  slipstream show last\n  slipstream show 3f2a --json");
  showCommand->add_option("run", show->run, runHelp)->required();
  addJson(showCommand, show->json);

  auto [metricsCommand, metrics] =
      command<MetricsArguments>(app_, "metrics", "Print the values of a run, every step",
                                "  slipstream metrics last --metric loss\n"
                                "  slipstream metrics last --metric loss --metric accuracy --format json");
  metricsCommand->add_option("run", metrics->run, runHelp)->required();
  addRepeated(metricsCommand, "--metric", metrics->metrics, "Name of a metric (again for more; else all)");
  metricsCommand->add_option("--format", metrics->format, "csv or json")
      ->check(CLI::IsMember({"csv", "json"}))
      ->capture_default_str();
  metricsCommand->add_flag_callback(
      "--json", [metrics = metrics] { metrics->format = "json"; }, "The same as --format json");

  auto [logsCommand, logs] = command<LogsArguments>(app_, "logs", "Print what the ranks of a run wrote",
                                                    "  slipstream logs last\n  slipstream logs last --rank 0");
  logsCommand->add_option("run", logs->run, runHelp)->required();
  logsCommand->add_option("--rank", logs->rank, "Only this rank")->check(wholeNumber(0, mostRanks - 1));
  addJson(logsCommand, logs->json);
}

void ArgumentParser::addCheckpoints() {
  auto [listCommand, list] = command<CheckpointsArguments>(app_, "checkpoints", "List the checkpoints of a run",
                                                           "  slipstream checkpoints last");
  listCommand->add_option("run", list->run, runHelp)->required();
  addJson(listCommand, list->json);

  CLI::App* checkpoint = app_.add_subcommand("checkpoint", "Work with one checkpoint");
  checkpoint->require_subcommand(1);
  checkpoint->footer("Examples:\n  slipstream checkpoint export last weights.safetensors");
  checkpoint->fallthrough();
  auto [exportCommand, exported] =
      command<CheckpointExportArguments>(*checkpoint, "export", "Write the weights of a checkpoint as a file",
                                         "  slipstream checkpoint export last weights.safetensors\n"
                                         "  slipstream checkpoint export last --crc weights.ckpt\n"
                                         "  slipstream checkpoint export last --all --format ckpt weights");
  exportCommand->add_option("run", exported->run, "RUN, or RUN@STEP for another checkpoint or a snapshot")->required();
  exportCommand->add_flag("--all", exported->all, "All of the run, into OUTPUT/checkpoints and OUTPUT/snapshots");
  exportCommand
      ->add_option("--format", exported->format,
                   "safetensors, or ckpt for MindSpore's (else by the name of the file: .ckpt or .safetensors; "
                   "with --all safetensors)")
      ->check(CLI::IsMember({"safetensors", "ckpt"}));
  exportCommand
      ->add_option("--channels", exported->channels,
                   "Order of a convolution's weights: first (OIHW as in PyTorch and MindSpore; always in .ckpt, and "
                   "else) or last (OHWI, as the store has them)")
      ->check(CLI::IsMember({"first", "last"}));
  exportCommand
      ->add_option("--names", exported->names,
                   "Names of the tensors: own (MindSpore's; the default), or torchvision, which its load_state_dict "
                   "takes (resnet18 to resnet152, .safetensors)")
      ->check(CLI::IsMember({"own", "torchvision"}));
  exportCommand->add_flag("--crc", exported->crc, "End a .ckpt file with a checksum");
  exportCommand->add_flag("--average", exported->average,
                          "The average of the weights that the run's evaluations judged (train.average_decay); with "
                          "--all of checkpoints alone: snapshots have none");
  exportCommand->add_option("output", exported->output, "File to write; with --all a folder")->required();
  addJson(exportCommand, exported->json);

  auto [inspectCommand, inspected] =
      command<CheckpointInspectArguments>(*checkpoint, "inspect", "List the tensors of a .ckpt or .safetensors file",
                                          "  slipstream checkpoint inspect weights.ckpt --json");
  inspectCommand->add_option("file", inspected->file, "A .ckpt or .safetensors file, of any program")->required();
  addJson(inspectCommand, inspected->json);

  CLI::App* store = app_.add_subcommand("store", "Work with the run store");
  store->require_subcommand(1);
  store->footer("Examples:\n  slipstream store verify");
  store->fallthrough();
  auto [verifyCommand, verify] =
      command<StoreVerifyArguments>(*store, "verify", "Check the database and every checkpoint",
                                    "  slipstream store verify\n  slipstream store verify --json");
  addJson(verifyCommand, verify->json);
  addExchanges(*checkpoint, *store);
}

void ArgumentParser::addEvaluate() {
  auto [evaluateCommand, evaluate] = command<EvaluateArguments>(
      app_, "evaluate", "Evaluate the weights of a run or of a file",
      "  slipstream evaluate last\n  slipstream evaluate 3f2a --json\n"
      "  slipstream evaluate last --confusion --predictions predictions.csv\n"
      "  slipstream evaluate weights.ckpt --experiment experiments/quickstart.json --variant averaged");
  evaluateCommand
      ->add_option("weights", evaluate->run,
                   "RUN, RUN@STEP for another checkpoint or a snapshot, or a .ckpt or .safetensors file")
      ->required();
  evaluateCommand->add_option("--experiment", evaluate->experiment,
                              "Experiment file whose network and data the weights are evaluated with (else the run's)");
  evaluateCommand->add_option("--variant", evaluate->variant, "The variant of the experiment, where it has some");
  addRepeated(evaluateCommand, "--set", evaluate->settings, "Change a key of the experiment: key.path=value");
  evaluateCommand->add_option("--data", evaluate->data, "Folder or file of the data set");
  evaluateCommand->add_flag("--all-samples", evaluate->allSamples,
                            "Every sample of data without a part to evaluate on, not only those kept from training");
  evaluateCommand->add_flag("--average", evaluate->average,
                            "The average of the weights that the run's evaluations judged (train.average_decay)");
  evaluateCommand->add_option("--predictions", evaluate->predictions,
                              "CSV file to write: a row for each sample, with its label and the predicted class");
  evaluateCommand->add_flag("--probabilities", evaluate->probabilities,
                            "With --predictions: also a column for the probability of each class");
  evaluateCommand->add_flag("--confusion", evaluate->confusion,
                            "Also how often each class was taken for each, with precision and recall");
  addJson(evaluateCommand, evaluate->json);
}

void ArgumentParser::addComparing() {
  auto [compareCommand, compare] =
      command<CompareArguments>(app_, "compare", "Compare runs: what differs, and what came of it",
                                "  slipstream compare 3f2a 9b01\n  slipstream compare last:2 --json\n"
                                "  slipstream compare --filter state:done");
  compareCommand->add_option("runs", compare->runs, std::string(runsHelp) + "; the first is the reference");
  compareCommand->add_option("--filter", compare->filter, filterHelp);
  compareCommand->add_option("--language", compare->language, "Language of the text: en or zh");
  addJson(compareCommand, compare->json);

  auto [reportCommand, report] = command<ReportArguments>(
      app_, "report", "Write a report of a study or of runs: a file, or a folder that a paper is written from",
      "  slipstream report last -o report.html\n"
      "  slipstream report last:2 --language zh -o report.pdf\n"
      "  slipstream report 3f2a 9b01 -o adasum_or_mean.tex\n"
      "  slipstream report adasum_lenet5_mnist -o paper/");
  reportCommand->add_option(
      "runs", report->runs,
      std::string("A study, by its name or its file; or the runs to compare, the first being the reference. ") +
          runsHelp);
  reportCommand->add_option("--filter", report->filter, filterHelp);
  addReportForm(reportCommand, report->output, report->language, report->paperSize);
  addJson(reportCommand, report->json);
}

}  // namespace slipstream::cli
