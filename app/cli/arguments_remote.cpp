// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/argument_parser.h"

namespace slipstream::cli {

void ArgumentParser::addRemotes() {
  CLI::App* remotes = app_.add_subcommand("remote", "Machines that runs are launched on and watched from here, by ssh");
  remotes->require_subcommand(1);
  remotes->footer("Examples:\n  slipstream remote list");
  remotes->fallthrough();

  auto [addCommand, added] =
      command<RemoteAddArguments>(*remotes, "add", "Name a machine; nothing is asked of it yet",
                                  "  slipstream remote add lab me@cluster.example\n"
                                  "  slipstream remote add office me@office.example:/scratch/me/slipstream --slurm");
  addCommand->add_option("name", added->name, "What it is called here")->required();
  addCommand
      ->add_option("place", added->place,
                   "USER@HOST, or a name of ~/.ssh/config; with :STORE the folder of the run store there")
      ->required();
  addCommand->add_option("--program", added->program, "slipstream there, where its shell's PATH does not find it");
  addCommand->add_flag("--slurm", added->slurm, "Runs are submitted to Slurm there");
  addJson(addCommand, added->json);

  auto [listCommand, list] =
      command<RemoteListArguments>(*remotes, "list", "List the remotes, and when each was last heard of",
                                   "  slipstream remote list\n  slipstream remote list --json");
  addJson(listCommand, list->json);

  auto [removeCommand, removed] = command<RemoteRemoveArguments>(
      *remotes, "remove", "Forget a remote and the copies of its runs in this store; there nothing changes",
      "  slipstream remote add gone me@cluster.example\n  slipstream remote remove gone");
  removeCommand->add_option("name", removed->name, "The remote")->required();
  addJson(removeCommand, removed->json);

  auto [checkCommand, checked] = command<RemoteCheckArguments>(
      *remotes, "check", "Log in, and see whether slipstream answers there", "  slipstream remote check lab");
  checkCommand->add_option("name", checked->name, "The remote")->required();
  addJson(checkCommand, checked->json);

  auto [syncCommand, sync] = command<RemoteSyncArguments>(
      *remotes, "sync", "Bring the copies of a remote's runs in this store up to date", "  slipstream remote sync lab");
  syncCommand->add_option("name", sync->name, "The remote")->required();
  syncCommand->add_flag("--follow", sync->follow, "Go on until Ctrl-C, also over a network that comes and goes");
  addJson(syncCommand, sync->json);
}

void ArgumentParser::addExchanges(CLI::App& checkpoint, CLI::App& store) {
  auto [fetchCommand, fetched] = command<CheckpointFetchArguments>(
      checkpoint, "fetch", "Fetch the weights of a copy from its remote", "  slipstream checkpoint fetch --help");
  fetchCommand->add_option("run", fetched->run, "RUN, or RUN@STEP for another checkpoint than the newest")->required();
  addJson(fetchCommand, fetched->json);

  auto [sendCommand, sent] = command<CheckpointSendArguments>(
      checkpoint, "send", "Send weights through standard output, to 'checkpoint fetch' on another machine",
      "  slipstream checkpoint send --help");
  sendCommand->add_option("run", sent->run, "The run's id")->required();
  sendCommand->add_option("step", sent->step, "Step of the checkpoint")->required()->check(wholeNumber(0, mostSteps));
  sendCommand->add_flag("--snapshot", sent->snapshot, "The snapshot of this step");
  addJson(sendCommand, sent->json);

  auto [serveCommand, served] = command<StoreServeArguments>(
      store, "serve", "Tell 'remote sync' on another machine, through standard output, what its copies lack",
      "  slipstream store serve --help");
  addJson(serveCommand, served->json);
}

}  // namespace slipstream::cli
