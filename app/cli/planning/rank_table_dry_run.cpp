// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/planning/commands.h"
#include "app/cli/streams/output.h"
#include "engine/base/text.h"
#include "engine/config/json.h"
#include "engine/launch/dry_run.h"

namespace slipstream::cli {
namespace {

Json toJson(const DryRun& dry, const std::vector<RankReport>& reports) {
  Json ranks = Json::array();
  for (std::size_t i = 0; i < dry.plan.places.size(); ++i) {
    const RankPlacement& place = dry.plan.places[i];
    ranks.push_back({{"rank", place.rank},
                     {"server", place.server},
                     {"host", dry.hosts[i]},
                     {"device", place.deviceId},
                     {"threads", dry.plan.threadsPerRank}});
  }
  for (const RankReport& report : reports) {
    ranks.at(static_cast<std::size_t>(report.rank))["reported"] = {
        {"host", report.host}, {"pid", report.pid}, {"threads", report.threads}};
  }
  return Json{{"local", dry.plan.local}, {"ranks", std::move(ranks)}, {"command", dry.command}};
}

void print(const DryRun& dry, const std::vector<RankReport>& reports) {
  std::cout << "rank  device  threads  host\n";
  for (std::size_t i = 0; i < dry.plan.places.size(); ++i) {
    const RankPlacement& place = dry.plan.places[i];
    std::cout << fmt::format("{:>4}  {:>6}  {:>7}  {}", place.rank, place.deviceId, dry.plan.threadsPerRank,
                             dry.hosts[i]);
    if (static_cast<std::size_t>(place.rank) < reports.size()) {
      const RankReport& report = reports[static_cast<std::size_t>(place.rank)];
      std::cout << fmt::format(": process {} on {}, {}", report.pid, report.host, counted(report.threads, "thread"));
    }
    std::cout << "\n";
  }
  std::cout << dry.command << "\n";
}

}  // namespace

int rankTableDryRun(const RankTableDryRunArguments& arguments, const CommandLine&) {
  const auto table = loadRankTable(arguments.file);
  if (!table) return report(table.error());
  const auto dry = dryRun(*table, arguments.file, arguments.local);
  if (!dry) return report(dry.error());
  std::vector<RankReport> reports;
  if (dry->plan.local) {
    auto asked = askRanks(dry->plan);
    if (!asked) {
      report(asked.error());
      return runFailed;
    }
    reports = std::move(*asked);
  }
  if (arguments.json) {
    cli::print(toJson(*dry, reports));
  } else {
    print(*dry, reports);
  }
  return done;
}

}  // namespace slipstream::cli
