// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/placement.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/boost/adasum/spec.h"
#include "engine/probe/this_host.h"
#include "engine/rank_table/rank_table.h"
#include "engine/rank_table/rank_table_tools.h"

namespace slipstream {
namespace {

std::vector<RankPlacement> localPlaces(int ranks) {
  std::vector<RankPlacement> places;
  for (int rank = 0; rank < ranks; ++rank) places.push_back({rank, 0, "localhost", rank});
  return places;
}

std::vector<RankPlacement> allocatedPlaces(const Allocation& allocation) {
  std::vector<RankPlacement> places;
  for (std::size_t server = 0; server < allocation.hosts.size(); ++server) {
    for (int device = 0; device < allocation.hosts[server].ranks; ++device) {
      const int rank = static_cast<int>(places.size());
      places.push_back({rank, static_cast<int>(server), allocation.hosts[server].name, device});
    }
  }
  return places;
}

std::vector<RankPlacement> tablePlaces(const RankTable& table) {
  std::vector<RankPlacement> places;
  for (std::size_t server = 0; server < table.servers.size(); ++server) {
    for (const RankDevice& device : table.servers[server].devices) {
      places.push_back({device.rank, static_cast<int>(server), table.servers[server].id, device.deviceId});
    }
  }
  std::sort(places.begin(), places.end(), [](const auto& a, const auto& b) { return a.rank < b.rank; });
  return places;
}

/// Names on their way to mpirun and ssh are words of letters, digits and few signs; nothing else leaves the table.
Status checkHosts(const std::vector<RankPlacement>& places, const std::string& tablePath) {
  Failures failures;
  std::vector<std::string> seen;
  for (const RankPlacement& place : places) {
    if (isAddress(place.host) || isHostName(place.host)) continue;
    if (std::find(seen.begin(), seen.end(), place.host) != seen.end()) continue;
    seen.push_back(place.host);
    failures.push_back({fmt::format("{}: server_list[{}].server_id", tablePath, place.server), place.host,
                        "is neither an address nor a host name, so no rank can be started there",
                        "write the server's address, or use --local to run all ranks on this machine"});
  }
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return {};
}

class Placing {
 public:
  /// `table`: the one of the experiment's path, where it is at hand.
  Placing(const LoadedExperiment& loaded, bool forceLocal, const RankTable* table = nullptr)
      : loaded_(loaded), parallel_(loaded.experiment.parallel), forceLocal_(forceLocal), table_(table) {}

  Result<Placement> run(int cores) {
    if (loaded_.allocation) {
      SLIPSTREAM_CHECK(fromAllocation(*loaded_.allocation));
    } else if (!parallel_.onNamedHosts()) {
      result_.places = localPlaces(parallel_.ranks);
      decide(
          adjusted("parallel.ranks", std::to_string(parallel_.ranks), Reason::written, phrase("all on this machine")));
      if (forceLocal_) {
        decide(noEffect("--local", "on", Reason::written,
                        phrase("without a rank table all ranks run on this machine anyway")));
      }
    } else {
      SLIPSTREAM_CHECK(fromTable());
    }
    SLIPSTREAM_CHECK(group());
    chooseThreads(cores);
    return std::move(result_);
  }

 private:
  Status fromAllocation(Allocation allocation) {
    if (parallel_.onNamedHosts()) {
      return fail(loaded_.rankTableSource, tableName(), fmt::format("names hosts, and so does {}", allocation.source),
                  "leave one of them out");
    }
    SLIPSTREAM_CHECK(shareRanks(allocation));
    result_.places = allocatedPlaces(allocation);
    decide(adjusted("parallel.ranks", std::to_string(result_.places.size()), Reason::environment,
                    phrase("{} on {} of the allocation ({})",
                           {countedText(std::ssize(result_.places), "rank"),
                            countedText(std::ssize(allocation.hosts), "host"), allocation.source})));
    return resolveHosts(allocation.source);
  }

  /// An even share of all ranks for hosts of which the scheduler does not say how many they get.
  Status shareRanks(Allocation& allocation) const {
    const int hosts = static_cast<int>(allocation.hosts.size());
    if (std::ranges::none_of(allocation.hosts, [](const AllocatedHost& host) { return host.ranks == 0; })) return {};
    if (parallel_.ranks == 0 || parallel_.ranks % hosts != 0) {
      return fail("parallel.ranks", parallel_.ranks == 0 ? "" : std::to_string(parallel_.ranks),
                  fmt::format("cannot be spread evenly over the {} of {}", counted(hosts, "host"), allocation.source),
                  "give a multiple of the number of hosts (--ranks)");
    }
    for (AllocatedHost& host : allocation.hosts) host.ranks = parallel_.ranks / hosts;
    return {};
  }

  Status fromTable() {
    if (table_ != nullptr) return fromTable(*table_);
    if (!parallel_.hosts.empty()) return fromHosts();
    auto loadedTable = loadRankTable(parallel_.rankTablePath);
    if (!loadedTable) return tl::unexpected(named(std::move(loadedTable.error())));
    return fromTable(*loadedTable);
  }

  Status fromHosts() {
    auto made = rankTableOfHosts({parallel_.hosts}, {});
    if (made) return fromTable(made->table);
    for (Failure& failure : made.error()) failure.where = loaded_.rankTableSource;
    return tl::unexpected(std::move(made.error()));
  }

  /// What the experiment calls its table.
  const std::string& tableName() const { return parallel_.hosts.empty() ? parallel_.rankTablePath : parallel_.hosts; }

  Status fromTable(const RankTable& table) {
    const int devices = table.ranks();
    const int ranks = parallel_.ranks == 0 ? devices : parallel_.ranks;
    if (ranks > devices) {
      return fail("parallel.ranks", std::to_string(ranks),
                  fmt::format("is more than the {} of {}", counted(devices, "device"), tableName()),
                  "use at most as many ranks, or name more devices");
    }
    result_.places = tablePlaces(table);
    result_.places.resize(static_cast<std::size_t>(ranks));
    decide(adjusted(parallel_.hosts.empty() ? "parallel.rank_table" : "parallel.hosts", tableName(), Reason::written,
                    ranks == devices ? phrase("{} on {}", {countedText(ranks, "rank"),
                                                           countedText(std::ssize(table.servers), "server")})
                                     : phrase("the first {} of its {}; the other devices stay idle",
                                              {std::to_string(ranks), countedText(devices, "rank")})));
    return resolveHosts(tableName());
  }

  /// Who named the table is first: the mistake may be there.
  Failures named(Failures failures) const {
    for (Failure& failure : failures) failure.where = loaded_.rankTableSource + " " + failure.where;
    return failures;
  }

  /// `source` names the hosts.
  Status resolveHosts(const std::string& source) {
    const bool allHere = std::all_of(result_.places.begin(), result_.places.end(),
                                     [](const RankPlacement& place) { return isThisHost(place.host); });
    result_.local = forceLocal_ || allHere;
    if (!result_.local) return checkHosts(result_.places, source);
    // No name of the table is needed from here on.
    for (RankPlacement& place : result_.places) place.host = "localhost";
    decide(adjusted("placement", "this machine", Reason::ranks,
                    allHere ? phrase(loaded_.allocation ? message("the allocation is this machine")
                                                        : message("the rank table names this machine"))
                            : phrase("--local: its servers stay as groups of ranks")));
    return {};
  }

  /// Groups of Adasum's scope `servers`: device_number where it is written, else the rank table's servers.
  Status group() {
    const int ranks = static_cast<int>(result_.places.size());
    const int written = loaded_.experiment.boost.deviceNumber;
    if (written > 0 && ranks % written != 0 && !groupsAct(ranks)) {
      decide(noEffect("device_number", std::to_string(written), Reason::ranks, whyGroupsDoNotAct(ranks)));
      return {};
    }
    if (written > 0 && ranks % written != 0) {
      return fail("boost.dictionary.common.device_number", std::to_string(written),
                  fmt::format("does not divide {}", counted(ranks, "rank")),
                  "write a divisor, or remove the key: then the rank table's servers are the groups");
    }
    if (written > 0) {
      groupBy(written);
      decide(adjusted("device_number", std::to_string(written), Reason::written,
                      phrase("boost.dictionary.common.device_number")));
      return {};
    }
    if (loaded_.deviceNumberHint > 0) applyHint(ranks);
    return {};
  }

  /// Adasum between servers is all that reads the groups.
  bool groupsAct(int ranks) const {
    const BoostConfig& boost = loaded_.experiment.boost;
    return ranks > 1 && boost.isOn<AdasumOptions>() && boost.of<AdasumOptions>().scope != AdasumScope::flat;
  }

  Text whyGroupsDoNotAct(int ranks) const {
    if (ranks == 1) return phrase("there is one rank");
    if (loaded_.experiment.boost.isOn<AdasumOptions>())
      return phrase("Adasum's scope is flat, so nothing groups ranks by server");
    return phrase("adasum is off, and nothing else groups ranks by server");
  }

  void applyHint(int ranks) {
    const std::string value = std::to_string(loaded_.deviceNumberHint);
    if (parallel_.onNamedHosts() || loaded_.allocation) {
      decide(adjusted(
          "DEVICE_NUM", value, Reason::environment,
          phrase(loaded_.allocation ? message("not used: the allocation says how many ranks each host has")
                                    : message("not used: the rank table says which devices each server has"))));
    } else if (ranks % loaded_.deviceNumberHint != 0) {
      decide(adjusted("DEVICE_NUM", value, Reason::environment,
                      phrase("not used: it does not divide {}", {countedText(ranks, "rank")})));
    } else {
      groupBy(loaded_.deviceNumberHint);
      decide(adjusted("DEVICE_NUM", value, Reason::environment, phrase("used as ranks a server")));
    }
  }

  void groupBy(int ranksPerServer) {
    for (RankPlacement& place : result_.places) place.server = place.rank / ranksPerServer;
  }

  void chooseThreads(int cores) {
    int together = static_cast<int>(result_.places.size());
    if (!result_.local) {
      const auto counts = ranksOfServers(result_.places);
      together = *std::max_element(counts.begin(), counts.end());
    }
    result_.threadsPerRank = std::max(1, cores / together);
    decide(adjusted("threads_per_rank", std::to_string(result_.threadsPerRank), Reason::ranks,
                    phrase(result_.local ? message("{} for {} on a machine")
                                         : message("{} for {} on a machine (taking every host to be like this one)"),
                           {countedText(cores, "core"), countedText(together, "rank")})));
  }

  void decide(Decision decision) { result_.decisions.push_back(std::move(decision)); }

  const LoadedExperiment& loaded_;
  const ParallelSpec& parallel_;
  bool forceLocal_;
  const RankTable* table_;
  Placement result_;
};

}  // namespace

Result<Placement> placeRanks(const LoadedExperiment& loaded, bool forceLocal, int cores) {
  return Placing(loaded, forceLocal).run(cores);
}

Status moveToAllocation(RunPlan& plan, const Allocation& allocation) {
  if (plan.local) return {};
  std::vector<std::string> own;
  for (const RankPlacement& place : plan.places) {
    if (std::ranges::find(own, place.host) == own.end()) own.push_back(place.host);
  }
  const auto isAllocated = [&](const std::string& host) {
    return std::ranges::find(allocation.hosts, host, &AllocatedHost::name) != allocation.hosts.end();
  };
  if (std::ranges::all_of(own, isAllocated)) return {};
  if (own.size() > allocation.hosts.size()) {
    return fail(allocation.source, std::to_string(allocation.hosts.size()),
                fmt::format("has fewer hosts than the run has its ranks on ({})", own.size()),
                "ask for as many hosts as the run began on");
  }
  for (RankPlacement& place : plan.places) {
    const auto server = std::ranges::find(own, place.host) - own.begin();
    place.host = allocation.hosts[static_cast<std::size_t>(server)].name;
  }
  return {};
}

Result<Placement> placeTable(const RankTable& table, const std::string& source, bool forceLocal, int cores) {
  LoadedExperiment loaded;
  loaded.experiment.parallel.ranks = 0;
  loaded.experiment.parallel.rankTablePath = source;
  return Placing(loaded, forceLocal, &table).run(cores);
}

}  // namespace slipstream
