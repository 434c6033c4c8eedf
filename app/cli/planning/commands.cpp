// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/planning/commands.h"

#include "app/cli/parser/argument_parser.h"
#include "app/cli/planning/options.h"

namespace slipstream::cli {
namespace {

void addPlan(ArgumentParser& parser) {
  auto [planCommand, plan] = parser.add<PlanArguments>(
      parser.app(), "plan", "Explain what a run would do, what is off, and why",
      "  slipstream plan experiments/quickstart.json\n"
      "  slipstream plan experiments/quickstart.json --rank-table experiments/rank_tables/rank_table_16pcs.json "
      "--local\n"
      "  slipstream plan experiments/quickstart.json --slurm --nodes 2 --time 2:00:00",
      {.run = cli::plan});
  planCommand->add_option("file", plan->file, "Experiment file")->required();
  addOverrides(planCommand, plan->overrides);
  planCommand->add_flag("--slurm", plan->slurm, "Print the batch scripts that slipstream submit would give to Slurm");
  addSlurmRequest(planCommand, plan->request);
  addJson(planCommand, plan->json);

  auto [checkCommand, check] =
      parser.add<CheckArguments>(parser.app(), "check", "Check experiment files and rank tables",
                                 "  slipstream check experiments/quickstart.json\n"
                                 "  slipstream check --json experiments/rank_tables/*.json",
                                 {.run = cli::check});
  checkCommand->add_option("files", check->files, "Experiment files or rank tables")->required();
  addJson(checkCommand, check->json);

  auto [devicesCommand, devices] =
      parser.add<DevicesArguments>(parser.app(), "devices", "List the devices of this machine",
                                   "  slipstream devices\n  slipstream devices --json\n"
                                   "  slipstream devices --device check:cpu,cpu",
                                   {.run = cli::devices, .onRemote = sameOnRemote<DevicesArguments>});
  devicesCommand->add_option(
      "--device", devices->device,
      "Only this one, by its name or with its number (cuda:1); check:cuda,cpu compares the results of every kernel "
      "that both have");
  addJson(devicesCommand, devices->json);
}

void addRankTables(ArgumentParser& parser) {
  CLI::App& tables = parser.addGroup("rank-table", "Make, check, fix, merge, convert and try rank tables",
                                     "  slipstream rank-table check experiments/rank_tables/rank_table_8pcs.json");

  auto [newCommand, made] = parser.add<RankTableNewArguments>(
      tables, "new", "Make a rank table of one server",
      "  slipstream rank-table new --devices '[0,8)' --server 10.0.0.1 -o rank_table_8.json",
      {.run = cli::rankTableNew});
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

  auto [checkCommand, check] = parser.add<CheckArguments>(
      tables, "check", "Check rank tables",
      "  slipstream rank-table check experiments/rank_tables/rank_table_8pcs.json", {.run = cli::check});
  check->rankTablesOnly = true;
  checkCommand->add_option("files", check->files, "Rank tables")->required();
  addJson(checkCommand, check->json);

  auto [mergeCommand, merge] =
      parser.add<RankTableMergeArguments>(tables, "merge", "Merge the tables of several servers into one",
                                          "  slipstream rank-table new --devices '[0,2)' --server 10.0.0.1 --addresses "
                                          "192.168.1.1,192.168.2.1 -o server0.json\n"
                                          "  slipstream rank-table new --devices '[0,2)' --server 10.0.0.2 --addresses "
                                          "192.168.1.2,192.168.2.2 -o server1.json\n"
                                          "  slipstream rank-table merge server0.json server1.json -o both.json",
                                          {.run = cli::rankTableMerge});
  mergeCommand->add_option("files", merge->files, "Rank tables")->required();
  mergeCommand->add_option("-o,--output", merge->output, "File to write (else stdout)");
  addJson(mergeCommand, merge->json);

  auto [convertCommand, convert] = parser.add<RankTableConvertArguments>(
      tables, "convert", "Convert a rank table to a host file, a rank file or version 1.0",
      "  slipstream rank-table convert experiments/rank_tables/rank_table_16pcs.json --to hostfile -o hosts",
      {.run = cli::rankTableConvert});
  convertCommand->add_option("file", convert->file, "Rank table")->required();
  convertCommand->add_option("--to", convert->to, "hostfile, rankfile or 1.0")->required();
  convertCommand->add_option("-o,--output", convert->output, "File to write (else stdout)");
  addJson(convertCommand, convert->json);

  auto [fixCommand, fix] = parser.add<RankTableFixArguments>(
      tables, "fix", "Mend what makes a rank table unusable, and say what was done",
      "  slipstream rank-table fix experiments/rank_tables/rank_table_16pcs.json -o mended.json",
      {.run = cli::rankTableFix});
  fixCommand->add_option("file", fix->file, "Rank table")->required();
  fixCommand->add_option("-o,--output", fix->output, "File to write (else stdout)");
  addJson(fixCommand, fix->json);

  auto [dryRunCommand, dryRun] = parser.add<RankTableDryRunArguments>(
      tables, "dry-run", "Show where each rank would go; ranks of this machine are started, report and end",
      "  slipstream rank-table dry-run experiments/rank_tables/rank_table_8pcs.json --local",
      {.run = cli::rankTableDryRun, .ranks = Ranks::started});
  dryRunCommand->add_option("file", dryRun->file, "Rank table")->required();
  dryRunCommand->add_flag("--local", dryRun->local, "Put all ranks of the rank table on this machine");
  addJson(dryRunCommand, dryRun->json);
}

void addHosts(ArgumentParser& parser) {
  const char* hostsExamples =
      "  slipstream rank-table new --devices 0-1 --server 127.0.0.1 -o table.json\n"
      "  slipstream hosts check table.json\n"
      "  slipstream hosts check --hosts 127.0.0.1:2";
  CLI::App& hosts =
      parser.addGroup("hosts", "Ask the hosts of a rank table whether a run can start there", hostsExamples);
  auto [hostsCommand, hostsCheck] = parser.add<HostsCheckArguments>(
      hosts, "check", "Ask all hosts of a rank table at once: ssh, build, Open MPI, room, clock, way back",
      hostsExamples, {.run = cli::hostsCheck, .onRemote = hostsCheckOnRemote});
  hostsCommand->add_option("file", hostsCheck->file, "Rank table");
  hostsCommand->add_option("--hosts", hostsCheck->hosts, "Hosts and their ranks, a:4,b:4, in place of a rank table");
  addStage(hostsCommand, hostsCheck->stage);
  hostsCommand->add_flag("--stdin", hostsCheck->fromInput, "Read the rank table from standard input");
  addJson(hostsCommand, hostsCheck->json);
}

void addSchema(ArgumentParser& parser) {
  auto [schemaCommand, schema] = parser.add<SchemaArguments>(
      parser.app(), "schema", "Print the JSON schema of experiment files, or of files of studies, for editors",
      "  slipstream schema\n  slipstream schema study", {.run = cli::schema});
  schemaCommand->add_option("files", schema->of, "experiment or study")
      ->check(CLI::IsMember({"experiment", "study"}))
      ->capture_default_str();
  addJson(schemaCommand, schema->json);
}

}  // namespace

void addPlanningCommands(ArgumentParser& parser) {
  addPlan(parser);
  addRankTables(parser);
  addHosts(parser);
  addSchema(parser);
}

}  // namespace slipstream::cli
