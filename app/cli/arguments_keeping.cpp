// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/argument_parser.h"

namespace slipstream::cli {
namespace {

constexpr std::int64_t largestVerifySeed = 9'200'000'000'000'000'000;

void addConfirmation(CLI::App* sub, bool& confirmed, bool& dryRun) {
  sub->add_flag("--yes", confirmed, "Do it; without it only what would go is said");
  sub->add_flag("--dry-run", dryRun, "Say what would go, and change nothing")->excludes("--yes");
}

}  // namespace

void ArgumentParser::addKeeping() {
  for (const bool removes : {false, true}) {
    auto [command, tag] = this->command<TagArguments>(
        app_, removes ? "untag" : "tag", removes ? "Take a tag off runs" : "Put a tag on runs",
        removes ? "  slipstream untag paper last" : "  slipstream tag paper last\n  slipstream tag old state:done");
    tag->removes = removes;
    command->add_option("tag", tag->tag, "The tag, in one word or quotes")->required();
    command->add_option("runs", tag->runs, runsHelp)->required();
    addJson(command, tag->json);
  }
  auto [renameCommand, renamed] =
      command<RenameArguments>(app_, "rename", "Give a run another name, which lists and selections go by",
                               "  slipstream rename last 'adasum, warm-up 5'\n  slipstream rename last ''");
  renameCommand->add_option("run", renamed->run, runHelp)->required();
  renameCommand->add_option("name", renamed->name, "The name; '' gives back the one that it was started under")
      ->required();
  addJson(renameCommand, renamed->json);

  for (const bool restores : {false, true}) {
    auto [command, archive] =
        this->command<ArchiveArguments>(app_, restores ? "unarchive" : "archive",
                                        restores ? "List archived runs again" : "Keep runs, and list them no more",
                                        restores ? "  slipstream unarchive is:archived" : "  slipstream archive 3f2a");
    archive->restores = restores;
    command->add_option("runs", archive->runs, runsHelp)->required();
    addJson(command, archive->json);
  }

  auto [deleteCommand, removed] =
      command<DeleteArguments>(app_, "delete", "Delete runs: records, checkpoints and logs",
                               "  slipstream delete 3f2a --dry-run\n  slipstream delete last --dry-run --json");
  deleteCommand->add_option("runs", removed->runs, runsHelp)->required();
  addConfirmation(deleteCommand, removed->confirmed, removed->dryRun);
  addJson(deleteCommand, removed->json);

  auto [pruneCommand, pruned] =
      command<PruneArguments>(app_, "prune", "Make room: delete failed runs, or all but the newest checkpoints of runs",
                              "  slipstream prune --failed --dry-run\n  slipstream prune --checkpoints 1 --dry-run");
  pruneCommand->add_option("runs", pruned->runs, std::string(runsHelp) + " (else all that are not archived)");
  pruneCommand->add_flag("--failed", pruned->failed, "Runs that failed or were lost, as a whole");
  pruneCommand
      ->add_option("--checkpoints", pruned->keepCheckpoints, "Keep so many of each run's checkpoints, the newest")
      ->check(wholeNumber(1, 1'000'000));
  addConfirmation(pruneCommand, pruned->confirmed, pruned->dryRun);
  addJson(pruneCommand, pruned->json);
}

void ArgumentParser::addVerifying() {
  auto [verifyCommand, verify] = command<VerifyArguments>(
      app_, "verify", "Repeat steps of a run from its checkpoints and compare every tensor's SHA-256",
      "  slipstream verify last\n  slipstream verify 3f2a --steps 100 --json");
  verifyCommand->add_option("run", verify->run, runHelp)->required();
  verifyCommand
      ->add_option("--steps", verify->steps,
                   "Repeat at least so many steps, in whole pieces between two checkpoints that are chosen at random")
      ->check(wholeNumber(1, mostSteps))
      ->capture_default_str();
  verifyCommand->add_option("--seed", verify->seed, "Seed of that choice (else another one each time)")
      ->check(wholeNumber(0, largestVerifySeed));
  addJson(verifyCommand, verify->json);

  auto [completionCommand, completion] = command<CompletionArguments>(
      app_, "completion", "Print what a shell needs to complete commands and options",
      "  slipstream completion bash\n  slipstream completion zsh\n  slipstream completion fish");
  completionCommand->add_option("shell", completion->shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  addJson(completionCommand, completion->json);

  auto [schemaCommand, schema] = command<SchemaArguments>(
      app_, "schema", "Print the JSON schema of experiment files, or of files of studies, for editors",
      "  slipstream schema\n  slipstream schema study");
  schemaCommand->add_option("files", schema->of, "experiment or study")
      ->check(CLI::IsMember({"experiment", "study"}))
      ->capture_default_str();
  addJson(schemaCommand, schema->json);
}

}  // namespace slipstream::cli
