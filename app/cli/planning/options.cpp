// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/planning/options.h"

#include "engine/spec/device_kind.h"

namespace slipstream::cli {

void addOverrides(CLI::App* sub, Overrides& overrides) {
  sub->add_option("--ranks", overrides.ranks,
                  "Number of ranks (replaces the file's rank table; beside --rank-table: so many ranks of it)")
      ->check(wholeNumber(1, mostRanks));
  sub->add_option("--rank-table", overrides.rankTable, "Rank table file");
  sub->add_option("--hosts", overrides.hosts, "Hosts and their ranks, a:4,b:4, in place of a rank table");
  sub->add_flag("--local", overrides.local, "Run all ranks of the rank table or the hosts on this machine");
  sub->add_option("--device", overrides.device, "Where ranks compute: " + deviceNamesHelp());
  sub->add_option("--seed", overrides.seed, "Seed of every random stream")->check(wholeNumber(0, largestSeed));
  addRepeated(sub, "--variant", overrides.variants, "Only this variant of the file (again for more)");
  addRepeated(sub, "--set", overrides.settings, "Change a key of the file: key.path=value (again for more)");
  sub->add_option("--name", overrides.name, "Name of the run");
}

void addSlurmRequest(CLI::App* sub, SlurmRequest& request) {
  constexpr std::int64_t mostNodes = 4096;
  sub->add_option("--partition", request.partition, "Slurm: partition (else Slurm's default)");
  sub->add_option("--time", request.time, "Slurm: time limit, as 30 (minutes), 2:00:00 or 1-12 (else the partition's)");
  sub->add_option("--account", request.account, "Slurm: account that pays");
  sub->add_option("--nodes", request.nodes, "Slurm: hosts, an even share of the ranks on each")
      ->check(wholeNumber(1, mostNodes))
      ->capture_default_str();
  sub->add_option("--extra", request.extra, "Slurm: further options of sbatch, as \"--gres=gpu:4 --constraint=a100\"");
}

void addStage(CLI::App* sub, bool& stage) {
  sub->add_flag("--stage", stage, "Send hosts the worker program and its libraries where they lack this build");
}

}  // namespace slipstream::cli
