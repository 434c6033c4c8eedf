// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <numeric>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/text.h"
#include "engine/rank_table/rank_table_tools.h"

namespace slipstream {
namespace {

/// Version 1.0 without whatever else is in a server or device of version 1.2.
Json plainServers(const Json& root) {
  Json servers = Json::array();
  for (const Json& server : root.value("server_list", Json::array())) {
    Json plain = Json::object();
    for (const char* key : {"server_id", "host_nic_ip"}) {
      if (server.is_object() && server.contains(key)) plain[key] = server[key];
    }
    plain["device"] = Json::array();
    for (const Json& device : server.is_object() ? server.value("device", Json::array()) : Json::array()) {
      Json known = Json::object();
      for (const char* key : {"device_id", "device_ip", "rank_id"}) {
        if (device.is_object() && device.contains(key)) known[key] = device[key];
      }
      plain["device"].push_back(std::move(known));
    }
    servers.push_back(std::move(plain));
  }
  return servers;
}

/// Devices that name their server themselves, gathered by server in the order in which servers first appear.
class ServerGathering {
 public:
  void add(const Json& serverId, Json device) {
    for (Json& server : servers_) {
      if (server["server_id"] != serverId) continue;
      server["device"].push_back(std::move(device));
      return;
    }
    servers_.push_back(Json{{"server_id", serverId}, {"device", Json::array({std::move(device)})}});
  }
  Json take() { return std::move(servers_); }

 private:
  Json servers_ = Json::array();
};

Json field(const Json& object, const char* key) {
  return object.is_object() && object.contains(key) ? object[key] : Json("");
}

Json firstOf(const Json& object, const char* key) {
  const Json list = field(object, key);
  return list.is_array() && !list.empty() ? list.front() : Json::object();
}

/// group_list[].instance_list[]: one instance a rank, with its server and its device.
Json legacyServers(const Json& root) {
  ServerGathering gathering;
  for (const Json& group : root["group_list"]) {
    const Json instances = field(group, "instance_list");
    if (!instances.is_array()) continue;
    for (const Json& instance : instances) {
      const Json device = firstOf(instance, "devices");
      gathering.add(field(instance, "server_id"), Json{{"device_id", field(device, "device_id")},
                                                       {"device_ip", field(device, "device_ip")},
                                                       {"rank_id", field(instance, "rank_id")}});
    }
  }
  return gathering.take();
}

/// rank_list[] of version 2.0: the network instance of layer 0 stands for the server, its first address for the card.
Json listedServers(const Json& root) {
  ServerGathering gathering;
  const Json ranks = field(root, "rank_list");
  if (!ranks.is_array()) return gathering.take();
  for (const Json& rank : ranks) {
    const Json level = firstOf(rank, "level_list");
    gathering.add(field(level, "net_instance_id"), Json{{"device_id", field(rank, "device_id")},
                                                        {"device_ip", field(firstOf(level, "rank_addr_list"), "addr")},
                                                        {"rank_id", field(rank, "rank_id")}});
  }
  return gathering.take();
}

Status checkNames(const RankTable& table) {
  for (const RankServer& server : table.servers) {
    if (isAddress(server.id) || isHostName(server.id)) continue;
    return fail("server_id", server.id, "is neither an address nor a host name", "write the server's address");
  }
  return {};
}

std::vector<ServerLine> linesOf(const RankTable& table) {
  std::vector<ServerLine> servers;
  for (const RankServer& server : table.servers) {
    ServerLine line{server.id, {}};
    for (const RankDevice& device : server.devices) {
      line.devices.push_back({std::to_string(device.deviceId), std::to_string(device.rank), device.ip});
    }
    servers.push_back(std::move(line));
  }
  return servers;
}

std::string textOf(const std::vector<PlacedLine>& lines) {
  std::string text;
  for (const PlacedLine& line : lines) text += line.text + "\n";
  return text;
}

/// What is no number comes first.
std::int64_t rankOf(const DeviceLine& device) {
  return parseInteger(device.rank).value_or(-1);
}

}  // namespace

std::vector<PlacedLine> hostFileLines(const std::vector<ServerLine>& servers) {
  std::vector<PlacedLine> lines;
  for (std::size_t i = 0; i < servers.size(); ++i) {
    lines.push_back({fmt::format("{} slots={}", servers[i].id, servers[i].devices.size()), {static_cast<int>(i), -1}});
  }
  return lines;
}

std::vector<PlacedLine> rankFileLines(const std::vector<ServerLine>& servers) {
  std::vector<std::pair<std::int64_t, PlacedLine>> byRank;
  for (std::size_t i = 0; i < servers.size(); ++i) {
    const auto& devices = servers[i].devices;
    std::vector<std::size_t> order(devices.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return rankOf(devices[a]) < rankOf(devices[b]); });
    for (std::size_t core = 0; core < order.size(); ++core) {
      const DeviceLine& device = devices[order[core]];
      byRank.push_back({rankOf(device),
                        {fmt::format("rank {}={} slot={}", device.rank, servers[i].id, core),
                         {static_cast<int>(i), static_cast<int>(order[core])}}});
    }
  }
  std::stable_sort(byRank.begin(), byRank.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<PlacedLine> lines;
  for (auto& [rank, line] : byRank) lines.push_back(std::move(line));
  return lines;
}

Result<RankTable> importRankTable(const std::string& text, const std::string& source) {
  SLIPSTREAM_TRY(root, parseJson(text, source));
  if (looksLikeExperiment(root)) {
    return fail(source, "", "is an experiment, not a rank table", "check experiments with `slipstream check FILE`");
  }
  if (!looksLikeRankTable(root)) {
    return fail(source, "", "is not a rank table of a known version", "give version 1.0, 1.2, 2.0 or the legacy form");
  }
  Json servers;
  if (root.contains("group_list") && root["group_list"].is_array()) {
    servers = legacyServers(root);
  } else if (root.contains("rank_list")) {
    servers = listedServers(root);
  } else {
    servers = plainServers(root);
  }
  const Json plain{{"version", "1.0"},
                   {"server_count", std::to_string(servers.size())},
                   {"server_list", servers},
                   {"status", root.value("status", Json("completed"))}};
  RankTableReading reading = readRankTable(plain);
  if (reading.verdict() != Verdict::reject) return std::move(reading.table);
  Failures failures;
  for (const Finding& finding : reading.findings) {
    if (finding.severity != Verdict::reject) continue;
    failures.push_back(failureOf(finding, source + ": " + finding.path));
  }
  return tl::unexpected(std::move(failures));
}

Result<std::string> hostFileText(const RankTable& table) {
  SLIPSTREAM_CHECK(checkNames(table));
  int next = 0;
  for (const RankServer& server : table.servers) {
    std::vector<int> ranks;
    for (const RankDevice& device : server.devices) ranks.push_back(device.rank);
    std::sort(ranks.begin(), ranks.end());
    if (ranks.front() != next || ranks.back() != next + static_cast<int>(ranks.size()) - 1) {
      return fail("rank_id", std::to_string(ranks.front()),
                  "ranks are not in the order of the servers, which a host file cannot say", "use --to rankfile");
    }
    next += static_cast<int>(ranks.size());
  }
  return textOf(hostFileLines(linesOf(table)));
}

Result<std::string> rankFileText(const RankTable& table) {
  SLIPSTREAM_CHECK(checkNames(table));
  return textOf(rankFileLines(linesOf(table)));
}

}  // namespace slipstream
