// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/remotes/commands.h"

#include "app/cli/parser/argument_parser.h"

namespace slipstream::cli {

void addRemotesCommands(ArgumentParser& parser) {
  CLI::App& remotes = parser.addGroup("remote", "Machines that runs are launched on and watched from here, by ssh",
                                      "  slipstream remote list");

  auto [addCommand, added] =
      parser.add<RemoteAddArguments>(remotes, "add", "Name a machine; nothing is asked of it yet",
                                     "  slipstream remote add lab me@cluster.example\n"
                                     "  slipstream remote add office me@office.example:/scratch/me/slipstream --slurm",
                                     {.run = cli::remoteAdd});
  addCommand->add_option("name", added->name, "What it is called here")->required();
  addCommand
      ->add_option("place", added->place,
                   "USER@HOST, or a name of ~/.ssh/config; with :STORE the folder of the run store there")
      ->required();
  addCommand->add_option("--program", added->program, "slipstream there, where its shell's PATH does not find it");
  addCommand->add_flag("--slurm", added->slurm, "Runs are submitted to Slurm there");
  addJson(addCommand, added->json);

  auto [listCommand, list] = parser.add<RemoteListArguments>(
      remotes, "list", "List the remotes, and when each was last heard of",
      "  slipstream remote list\n  slipstream remote list --json", {.run = cli::remoteList});
  addJson(listCommand, list->json);

  auto [removeCommand, removed] = parser.add<RemoteRemoveArguments>(
      remotes, "remove", "Forget a remote and the copies of its runs in this store; there nothing changes",
      "  slipstream remote add gone me@cluster.example\n  slipstream remote remove gone", {.run = cli::remoteRemove});
  removeCommand->add_option("name", removed->name, "The remote")->required();
  addJson(removeCommand, removed->json);

  auto [checkCommand, checked] =
      parser.add<RemoteCheckArguments>(remotes, "check", "Log in, and see whether slipstream answers there",
                                       "  slipstream remote check lab", {.run = cli::remoteCheck});
  checkCommand->add_option("name", checked->name, "The remote")->required();
  addJson(checkCommand, checked->json);

  auto [syncCommand, sync] =
      parser.add<RemoteSyncArguments>(remotes, "sync", "Bring the copies of a remote's runs in this store up to date",
                                      "  slipstream remote sync lab", {.run = cli::remoteSync});
  syncCommand->add_option("name", sync->name, "The remote")->required();
  syncCommand->add_flag("--follow", sync->follow, "Go on until Ctrl-C, also over a network that comes and goes");
  addJson(syncCommand, sync->json);
}

}  // namespace slipstream::cli
