// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/checkpoints/commands.h"

#include "app/cli/parser/argument_parser.h"

namespace slipstream::cli {
namespace {

void addCheckpoints(ArgumentParser& parser) {
  auto [listCommand, list] = parser.add<CheckpointsArguments>(
      parser.app(), "checkpoints", "List the checkpoints of a run", "  slipstream checkpoints last",
      {.run = cli::checkpoints, .onRemote = sameOnRemote<CheckpointsArguments>});
  listCommand->add_option("run", list->run, runHelp)->required();
  addJson(listCommand, list->json);

  CLI::App& checkpoint = parser.addGroup("checkpoint", "Work with one checkpoint",
                                         "  slipstream checkpoint export last weights.safetensors");
  auto [exportCommand, exported] =
      parser.add<CheckpointExportArguments>(checkpoint, "export", "Write the weights of a checkpoint as a file",
                                            "  slipstream checkpoint export last weights.safetensors\n"
                                            "  slipstream checkpoint export last --crc weights.ckpt\n"
                                            "  slipstream checkpoint export last --all --format ckpt weights",
                                            {.run = cli::checkpointExport});
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

  auto [inspectCommand, inspected] = parser.add<CheckpointInspectArguments>(
      checkpoint, "inspect", "List the tensors of a .ckpt or .safetensors file",
      "  slipstream checkpoint inspect weights.ckpt --json", {.run = cli::checkpointInspect});
  inspectCommand->add_option("file", inspected->file, "A .ckpt or .safetensors file, of any program")->required();
  addJson(inspectCommand, inspected->json);

  auto [fetchCommand, fetched] =
      parser.add<CheckpointFetchArguments>(checkpoint, "fetch", "Fetch the weights of a copy from its remote",
                                           "  slipstream checkpoint fetch --help", {.run = cli::checkpointFetch});
  fetchCommand->add_option("run", fetched->run, "RUN, or RUN@STEP for another checkpoint than the newest")->required();
  addJson(fetchCommand, fetched->json);

  auto [sendCommand, sent] = parser.add<CheckpointSendArguments>(
      checkpoint, "send", "Send weights through standard output, to 'checkpoint fetch' on another machine",
      "  slipstream checkpoint send --help", {.run = cli::checkpointSend});
  sendCommand->add_option("run", sent->run, "The run's id")->required();
  sendCommand->add_option("step", sent->step, "Step of the checkpoint")->required()->check(wholeNumber(0, mostSteps));
  sendCommand->add_flag("--snapshot", sent->snapshot, "The snapshot of this step");
  addJson(sendCommand, sent->json);
}

void addStore(ArgumentParser& parser) {
  CLI::App& store = parser.addGroup("store", "Work with the run store", "  slipstream store verify");
  auto [verifyCommand, verify] =
      parser.add<StoreVerifyArguments>(store, "verify", "Check the database and every checkpoint",
                                       "  slipstream store verify\n  slipstream store verify --json",
                                       {.run = cli::storeVerify, .onRemote = sameOnRemote<StoreVerifyArguments>});
  addJson(verifyCommand, verify->json);

  auto [serveCommand, served] = parser.add<StoreServeArguments>(
      store, "serve", "Tell 'remote sync' on another machine, through standard output, what its copies lack",
      "  slipstream store serve --help", {.run = cli::storeServe});
  addJson(serveCommand, served->json);
}

void addEvaluate(ArgumentParser& parser) {
  auto [evaluateCommand, evaluate] = parser.add<EvaluateArguments>(
      parser.app(), "evaluate", "Evaluate the weights of a run or of a file",
      "  slipstream evaluate last\n  slipstream evaluate 3f2a --json\n"
      "  slipstream evaluate last --confusion --predictions predictions.csv\n"
      "  slipstream evaluate weights.ckpt --experiment experiments/quickstart.json --variant averaged",
      {.run = cli::evaluate});
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

}  // namespace

void addCheckpointsCommands(ArgumentParser& parser) {
  addCheckpoints(parser);
  addStore(parser);
  addEvaluate(parser);
}

}  // namespace slipstream::cli
