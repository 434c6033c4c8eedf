// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <iostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/planning/commands.h"
#include "app/cli/remotes/on_remote.h"
#include "app/cli/store/reading.h"
#include "app/cli/streams/output.h"
#include "engine/base/characters.h"
#include "engine/base/text.h"
#include "engine/document/text_table.h"
#include "engine/launch/dry_run.h"
#include "engine/launch/hosts_of_plan.h"
#include "engine/launch/worker_query.h"
#include "engine/rank_table/rank_table_tools.h"

namespace slipstream::cli {
namespace {

Json toJson(const HostLink& link) {
  Json json{{"from", link.from}, {"to", link.to}};
  if (link.problem.empty()) {
    json["latency_seconds"] = link.latency;
    json["bytes_per_second"] = link.bandwidth;
  } else {
    json["problem"] = link.problem;
  }
  return json;
}

void printLinks(const std::vector<HostLink>& links) {
  std::vector<TextRow> rows{{"from", "to", "one way", "bandwidth"}};
  for (const HostLink& link : links) {
    if (!link.problem.empty()) continue;
    rows.push_back({link.from, link.to, fmt::format("{:.0f} us", 1e6 * link.latency),
                    sizeText(static_cast<std::int64_t>(link.bandwidth)) + "/s"});
  }
  if (rows.size() > 1) std::cout << "\n" << printable(tableText(rows, 2), "\n");
}

Json toJson(const CheckedHost& host) {
  return Json{{"host", host.host},
              {"name", host.facts.name},
              {"ranks", host.ranks},
              {"cores", host.facts.cores},
              {"memory_bytes", host.facts.memory},
              {"shared_memory_free_bytes", host.facts.sharedMemory},
              {"gpus", host.facts.gpus},
              {"npus", host.facts.npus},
              {"instruction_set", host.facts.instructionSet},
              {"open_mpi", host.facts.openMpi},
              {"build", host.facts.build},
              {"clock_ahead_seconds", host.clockAhead}};
}

void printTable(const HostsAnswer& answer) {
  std::vector<TextRow> rows{{"host", "name", "ranks", "cores", "memory", "/dev/shm free", "GPUs", "NPUs", "clock"}};
  for (const CheckedHost& host : answer.hosts) {
    rows.push_back({host.host, host.facts.name, std::to_string(host.ranks), std::to_string(host.facts.cores),
                    sizeText(host.facts.memory), sizeText(host.facts.sharedMemory), std::to_string(host.facts.gpus),
                    std::to_string(host.facts.npus), fmt::format("{:+.2f} s", host.clockAhead)});
  }
  std::cout << printable(tableText(rows, 2), "\n");
}

Result<RankTable> tableFromInput(const std::string& name) {
  RankTableReading reading = readRankTable(standardInput(), name);
  if (reading.verdict() != Verdict::reject) return std::move(reading.table);
  return tl::unexpected(rejectionsOf(reading, name));
}

Result<RankTable> tableOf(const HostsCheckArguments& arguments) {
  if (arguments.file.empty() == arguments.hosts.empty()) {
    return fail("hosts check", "", "needs a rank table or --hosts, and only one of them",
                "write for example slipstream hosts check --hosts a:4,b:4");
  }
  if (arguments.hosts.empty())
    return arguments.fromInput ? tableFromInput(arguments.file) : loadRankTable(arguments.file);
  SLIPSTREAM_TRY(made, rankTableOfHosts({arguments.hosts}, {}));
  return std::move(made.table);
}

}  // namespace

int hostsCheck(const HostsCheckArguments& arguments, const CommandLine&) {
  const auto table = tableOf(arguments);
  if (!table) return report(table.error());
  auto dry = dryRun(*table, arguments.hosts.empty() ? arguments.file : arguments.hosts, false);
  if (!dry) return report(dry.error());
  dry->plan.local = false;  // also this machine answers as a host
  const auto worker = workerOnHosts({dry->plan}, arguments.stage);
  if (!worker) return report(worker.error());
  const HostsAnswer answer = askHosts(dry->plan, *worker, true);
  if (arguments.json) {
    Json hosts = Json::array();
    for (const CheckedHost& host : answer.hosts) hosts.push_back(toJson(host));
    Json links = Json::array();
    for (const HostLink& link : answer.links) links.push_back(toJson(link));
    cli::print(Json{{"hosts", std::move(hosts)},
                    {"links", std::move(links)},
                    {"remarks", answer.remarks},
                    {"ready", answer.problems.empty()}});
  } else if (!answer.hosts.empty()) {
    printTable(answer);
    printLinks(answer.links);
  }
  for (const std::string& text : answer.remarks) remark("note", text);
  return answer.problems.empty() ? done : report(answer.problems);
}

Result<RemoteTask> hostsCheckOnRemote(const HostsCheckArguments& arguments, const CommandLine&, const Remote&) {
  RemoteTask task{{"hosts", "check", "--hosts", arguments.hosts}};
  if (arguments.hosts.empty()) {
    SLIPSTREAM_TRY(made, taskWithFile({"hosts", "check"}, arguments.file, arguments.fromInput));
    task = std::move(made);
  }
  if (arguments.stage) task.words.emplace_back("--stage");
  if (arguments.json) task.words.emplace_back("--json");
  return task;
}

}  // namespace slipstream::cli
