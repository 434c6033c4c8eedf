// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/argument_parser.h"

namespace slipstream::cli {

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

void ArgumentParser::addSubmitting() {
  auto [submitCommand, submit] =
      command<SubmitArguments>(app_, "submit", "Give runs to Slurm, a job each, which go on after its interruptions",
                               "  slipstream submit experiments/quickstart.json --nodes 2 --time 2:00:00\n"
                               "  slipstream submit --resume last --time 2:00:00\n"
                               "The store must be in a place that the hosts of the job see. slipstream plan --slurm "
                               "shows the batch script; slipstream stop cancels.");
  auto* file = submitCommand->add_option("file", submit->file, "Experiment file");
  submitCommand->add_flag("--stdin", submit->fromInput,
                          "Read the experiment from standard input; its paths are relative to where the file would be");
  auto* resumed = submitCommand->add_option("--resume", submit->resumed, "Continue this run instead, in a new job");
  resumed->excludes(file);
  addOverrides(submitCommand, submit->overrides);
  addSlurmRequest(submitCommand, submit->request);
  addJson(submitCommand, submit->json);
}

}  // namespace slipstream::cli
