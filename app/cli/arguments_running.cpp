// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/argument_parser.h"
#include "engine/spec/device_kind.h"

namespace slipstream::cli {
namespace {

constexpr std::int64_t largestSeed = 9'200'000'000'000'000'000;

}  // namespace

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

namespace {

void addStage(CLI::App* sub, bool& stage) {
  sub->add_flag("--stage", stage, "Send hosts the worker program and its libraries where they lack this build");
}

}  // namespace

void ArgumentParser::addRunning() {
  auto [runCommand, run] = command<RunArguments>(app_, "run", "Run an experiment",
                                                 "  slipstream run experiments/quickstart.json\n"
                                                 "  slipstream run experiments/quickstart.json --variant adasum\n"
                                                 "  slipstream run experiments/quickstart.json --ranks 4 --set "
                                                 "train.steps=50\n"
                                                 "  slipstream run experiments/quickstart.json --detach --name "
                                                 "overnight\n"
                                                 "Environment, where no flag and no key of the file says otherwise:\n"
                                                 "  DATA_PATH=FOLDER         where the data set is\n"
                                                 "  RANK_TABLE_FILE=FILE     rank table\n"
                                                 "  RANK_SIZE=N              number of ranks\n"
                                                 "  DEVICE_NUM=N             ranks a server\n"
                                                 "  SLIPSTREAM_STORE=FOLDER  the run store\n"
                                                 "  SLIPSTREAM_RESTARTS=N    start a failed run again, up to N times "
                                                 "(else 0: resume it by hand)\n"
                                                 "  SLIPSTREAM_RECORDING=off give a GPU every pass call by call: "
                                                 "slower, the same bits\n"
                                                 "  SLIPSTREAM_MATRIX_UNIT=off do without the processor's matrix unit "
                                                 "(AMX): slower, the bits of avx512");
  runCommand->add_option("file", run->file, "Experiment file")->required();
  runCommand->add_flag("--stdin", run->fromInput,
                       "Read the experiment from standard input; its paths are relative to where the file would be");
  addOverrides(runCommand, run->overrides);
  addStage(runCommand, run->stage);
  runCommand->add_flag("--detach", run->detach, "Return at once; the run outlives this terminal");
  runCommand->add_flag("--quiet", run->quiet, "Print no progress");
  addJson(runCommand, run->json);

  auto [resumeCommand, resume] =
      command<ResumeArguments>(app_, "resume", "Continue a run from a checkpoint",
                               "  slipstream resume last\n  slipstream resume 3f2a --detach");
  resumeCommand->add_option("run", resume->run, runHelp)->required();
  resumeCommand->add_option("--from", resume->fromStep, "Step of the checkpoint (else the newest)")
      ->check(wholeNumber(0, mostSteps));
  addStage(resumeCommand, resume->stage);
  resumeCommand->add_flag("--detach", resume->detach, "Return at once; the run outlives this terminal");
  resumeCommand->add_flag("--quiet", resume->quiet, "Print no progress");
  resumeCommand->add_flag("--allow-different-bits", resume->allowDifferentBits,
                          "Continue on a machine or build that rounds otherwise, or from the beginning with a file of "
                          "network.pre_trained that has been changed");
  resumeCommand->add_flag("--abandon-host", resume->abandonHost,
                          "Take over from a supervisor on another host that is gone for good; one that still runs "
                          "there would write into the same run");

  addJson(resumeCommand, resume->json);

  auto [stopCommand, stop] = command<StopArguments>(app_, "stop", "Ask a run to stop",
                                                    "  slipstream stop last\n  slipstream stop 3f2a --when checkpoint");
  stopCommand->add_option("run", stop->run, runHelp)->required();
  stopCommand->add_option("--when", stop->when, "After the step, after a checkpoint, or now")
      ->check(CLI::IsMember({"step", "checkpoint", "now"}))
      ->capture_default_str();
  addJson(stopCommand, stop->json);
}

void ArgumentParser::addChecking() {
  auto [planCommand, plan] = command<PlanArguments>(
      app_, "plan", "Explain what a run would do, what is off, and why",
      "  slipstream plan experiments/quickstart.json\n"
      "  slipstream plan experiments/quickstart.json --rank-table experiments/rank_tables/rank_table_16pcs.json "
      "--local\n"
      "  slipstream plan experiments/quickstart.json --slurm --nodes 2 --time 2:00:00");
  planCommand->add_option("file", plan->file, "Experiment file")->required();
  addOverrides(planCommand, plan->overrides);
  planCommand->add_flag("--slurm", plan->slurm, "Print the batch scripts that slipstream submit would give to Slurm");
  addSlurmRequest(planCommand, plan->request);
  addJson(planCommand, plan->json);

  auto [checkCommand, check] = command<CheckArguments>(app_, "check", "Check experiment files and rank tables",
                                                       "  slipstream check experiments/quickstart.json\n"
                                                       "  slipstream check --json experiments/rank_tables/*.json");
  checkCommand->add_option("files", check->files, "Experiment files or rank tables")->required();
  addJson(checkCommand, check->json);

  auto [devicesCommand, devices] = command<DevicesArguments>(app_, "devices", "List the devices of this machine",
                                                             "  slipstream devices\n  slipstream devices --json\n"
                                                             "  slipstream devices --device check:cpu,cpu");
  devicesCommand->add_option(
      "--device", devices->device,
      "Only this one (cpu, cuda, cuda:1, npu, npu-twin); check:cuda,cpu compares the results of every kernel that "
      "both have");
  addJson(devicesCommand, devices->json);
}

void ArgumentParser::addRankTables() {
  CLI::App* tables = app_.add_subcommand("rank-table", "Make, check, fix, merge, convert and try rank tables");
  tables->require_subcommand(1);
  tables->footer("Examples:\n  slipstream rank-table check experiments/rank_tables/rank_table_8pcs.json");
  tables->fallthrough();

  auto [newCommand, made] = command<RankTableNewArguments>(
      *tables, "new", "Make a rank table of one server",
      "  slipstream rank-table new --devices '[0,8)' --server 10.0.0.1 -o rank_table_8.json");
  newCommand->add_option("--devices", made->devices, "Devices: 0-7, 0,1,2 or [0,8)");
  newCommand
      ->add_option("--visible-devices", made->visibleDevices,
                   "Device numbers that this machine shows, 0,1,2 (again for more)")
      ->delimiter(',')
      ->allow_extra_args(false);
  newCommand->add_option("--server", made->server, "server_id: address or name of the host");
  newCommand->add_option("--addresses", made->addresses, "Address of each device, in order (again for more)")
      ->delimiter(',')
      ->allow_extra_args(false);
  newCommand
      ->add_option("--hosts", made->hosts,
                   "Several servers of equal devices: their names or addresses (again for more)")
      ->delimiter(',')
      ->allow_extra_args(false);
  newCommand->add_option("-o,--output", made->output, "File to write (else stdout)");
  addJson(newCommand, made->json);

  auto [checkCommand, check] =
      command<CheckArguments>(*tables, "check", "Check rank tables",
                              "  slipstream rank-table check experiments/rank_tables/rank_table_8pcs.json");
  check->rankTablesOnly = true;
  checkCommand->add_option("files", check->files, "Rank tables")->required();
  addJson(checkCommand, check->json);

  auto [mergeCommand, merge] =
      command<RankTableMergeArguments>(*tables, "merge", "Merge the tables of several servers into one",
                                       "  slipstream rank-table new --devices '[0,2)' --server 10.0.0.1 --addresses "
                                       "192.168.1.1,192.168.2.1 -o server0.json\n"
                                       "  slipstream rank-table new --devices '[0,2)' --server 10.0.0.2 --addresses "
                                       "192.168.1.2,192.168.2.2 -o server1.json\n"
                                       "  slipstream rank-table merge server0.json server1.json -o both.json");
  mergeCommand->add_option("files", merge->files, "Rank tables")->required();
  mergeCommand->add_option("-o,--output", merge->output, "File to write (else stdout)");
  addJson(mergeCommand, merge->json);

  auto [convertCommand, convert] = command<RankTableConvertArguments>(
      *tables, "convert", "Convert a rank table to a host file, a rank file or version 1.0",
      "  slipstream rank-table convert experiments/rank_tables/rank_table_16pcs.json --to hostfile -o hosts");
  convertCommand->add_option("file", convert->file, "Rank table")->required();
  convertCommand->add_option("--to", convert->to, "hostfile, rankfile or 1.0")->required();
  convertCommand->add_option("-o,--output", convert->output, "File to write (else stdout)");
  addJson(convertCommand, convert->json);

  auto [fixCommand, fix] = command<RankTableFixArguments>(
      *tables, "fix", "Mend what makes a rank table unusable, and say what was done",
      "  slipstream rank-table fix experiments/rank_tables/rank_table_16pcs.json -o mended.json");
  fixCommand->add_option("file", fix->file, "Rank table")->required();
  fixCommand->add_option("-o,--output", fix->output, "File to write (else stdout)");
  addJson(fixCommand, fix->json);

  auto [dryRunCommand, dryRun] = command<RankTableDryRunArguments>(
      *tables, "dry-run", "Show where each rank would go; ranks of this machine are started, report and end",
      "  slipstream rank-table dry-run experiments/rank_tables/rank_table_8pcs.json --local");
  dryRunCommand->add_option("file", dryRun->file, "Rank table")->required();
  dryRunCommand->add_flag("--local", dryRun->local, "Put all ranks of the rank table on this machine");
  addJson(dryRunCommand, dryRun->json);
}

void ArgumentParser::addHosts() {
  const char* hostsExamples =
      "  slipstream rank-table new --devices 0-1 --server 127.0.0.1 -o table.json\n"
      "  slipstream hosts check table.json\n"
      "  slipstream hosts check --hosts 127.0.0.1:2";
  CLI::App* hosts = app_.add_subcommand("hosts", "Ask the hosts of a rank table whether a run can start there");
  hosts->require_subcommand(1);
  hosts->fallthrough();
  hosts->footer(std::string("Examples:\n") + hostsExamples);
  auto [hostsCommand, hostsCheck] = command<HostsCheckArguments>(
      *hosts, "check", "Ask all hosts of a rank table at once: ssh, build, Open MPI, room, clock, way back",
      hostsExamples);
  hostsCommand->add_option("file", hostsCheck->file, "Rank table");
  hostsCommand->add_option("--hosts", hostsCheck->hosts, "Hosts and their ranks, a:4,b:4, in place of a rank table");
  addStage(hostsCommand, hostsCheck->stage);
  hostsCommand->add_flag("--stdin", hostsCheck->fromInput, "Read the rank table from standard input");
  addJson(hostsCommand, hostsCheck->json);
}

}  // namespace slipstream::cli
