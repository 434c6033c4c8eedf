// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/text.h"
#include "engine/rank_table/rank_table_tools.h"

namespace slipstream {
namespace {

constexpr const char* mergedName = "the merged table";
constexpr int mostDevices = 8;
constexpr int cardGroup = 4;

constexpr const char* devicesRemedy = "write 0-7, 0,1,2 or [0,8): the first number and the one after the last";

/// Positions from `first` to before `end`.
Result<std::set<int>> positionsBetween(const std::string& text, std::int64_t first, std::int64_t end) {
  if (first < 0 || end > mostDevices) {
    return fail("--devices", text, "must lie within [0,8]: a server has eight devices", devicesRemedy);
  }
  if (first > end) return fail("--devices", text, "has its first number greater than its last", "swap the two");
  std::set<int> positions;
  for (auto position = first; position < end; ++position) positions.insert(static_cast<int>(position));
  return positions;
}

/// "[0,8)", without the last number, as hccl_tools writes it.
Result<std::set<int>> halfOpenInterval(const std::string& text) {
  const auto numbers = split(text.substr(1, text.size() - 2), ',');
  const auto first = parseInteger(trim(numbers.front()));
  const auto end = parseInteger(trim(numbers.back()));
  if (numbers.size() != 2 || !first || !end) return fail("--devices", text, "is not an interval", devicesRemedy);
  return positionsBetween(text, *first, *end);
}

/// "0-3,6": numbers and ranges with their last number.
Result<std::set<int>> listedPositions(const std::string& text) {
  std::set<int> positions;
  for (const std::string& part : split(text, ',')) {
    const auto dash = part.find('-', 1);
    const auto first = parseInteger(trim(part.substr(0, dash)));
    const auto last = dash == std::string::npos ? first : parseInteger(trim(part.substr(dash + 1)));
    if (!first || !last) return fail("--devices", text, "is neither an interval nor a list of devices", devicesRemedy);
    if (*first > *last) {
      return fail("--devices", text, "has its first number greater than its last", "swap the two");
    }
    SLIPSTREAM_TRY(range, positionsBetween(text, *first, std::min<std::int64_t>(*last, mostDevices) + 1));
    for (const int position : range) {
      if (!positions.insert(position).second) return fail("--devices", text, "names a device twice", devicesRemedy);
    }
  }
  return positions;
}

/// Of hccl_tools: one group of four cards or a part of it, or all eight.
Result<std::set<int>> devicePositions(const std::string& text) {
  const bool halfOpen = text.size() >= 2 && text.front() == '[' && text.back() == ')';
  SLIPSTREAM_TRY(positions, halfOpen ? halfOpenInterval(text) : listedPositions(text));
  if (positions.empty()) return fail("--devices", text, "is empty", "write 0 for one device");
  const bool crosses = *positions.begin() < cardGroup && *positions.rbegin() >= cardGroup;
  if (crosses && std::ssize(positions) != mostDevices) {
    return fail("--devices", text, "crosses the boundary between the two groups of four cards; only all eight may",
                "use 0-3, 4-7, a part of one of them, or 0-7");
  }
  return positions;
}

Result<std::vector<int>> visibleDevices(const std::vector<std::string>& words) {
  std::vector<int> devices;
  for (int i = 0; i < mostDevices && words.empty(); ++i) devices.push_back(i);
  std::set<int> seen;
  for (const std::string& word : words) {
    const auto device = parseInteger(word);
    if (!device || *device < 0 || *device > 1'000'000 || !seen.insert(static_cast<int>(*device)).second) {
      return fail("--visible-devices", word, "is not a device number of its own", "write for example 0,1,2,3");
    }
    devices.push_back(static_cast<int>(*device));
  }
  return devices;
}

Status checkServer(const std::string& server, const std::string& flag) {
  if (isAddress(server) || isHostName(server)) return {};
  return fail(flag, server, "is neither an address nor a host name", "write for example 10.0.0.1");
}

Status checkAddresses(const std::vector<std::string>& addresses, std::size_t devices) {
  if (!addresses.empty() && addresses.size() != devices) {
    return fail("--addresses", std::to_string(addresses.size()),
                fmt::format("is not the number of devices, {}", devices), "give one address a device, in rank order");
  }
  std::set<std::string> seen;
  for (const std::string& address : addresses) {
    if (!isAddress(address))
      return fail("--addresses", address, "is not an address", "write for example 192.168.100.101");
    if (!seen.insert(address).second) return fail("--addresses", address, "appears twice", "give every device its own");
  }
  return {};
}

struct HostRequest {
  std::string name;
  int devices = 1;
};

/// One host of a list; `seen` are those before it.
Result<HostRequest> hostRequest(const std::string& name, std::set<std::string>& seen) {
  const auto colon = name.rfind(':');
  const bool counted = colon != std::string::npos && !isAddress(name);
  const auto count = counted ? parseInteger(name.substr(colon + 1)) : std::optional<std::int64_t>(1);
  if (!count || *count < 1 || *count > 4096) {
    return fail("--hosts", name, "gives no number of devices", "write for example a:4,b:4");
  }
  const std::string host = name.substr(0, counted ? colon : std::string::npos);
  SLIPSTREAM_CHECK(checkServer(host, "--hosts"));
  if (!seen.insert(host).second) return fail("--hosts", host, "appears twice", "name every server once");
  return HostRequest{host, static_cast<int>(*count)};
}

Result<std::vector<HostRequest>> hostRequests(const std::vector<std::string>& hosts) {
  std::vector<HostRequest> requests;
  // The command line has split a list like n[1-3,7]:4 at its commas.
  SLIPSTREAM_TRY(names, expandHostList(join(hosts, ",")));
  std::set<std::string> seen;
  std::int64_t devices = 0;
  Failures failures;
  for (const std::string& name : names) {
    auto request = hostRequest(name, seen);
    if (!collect(request, failures)) continue;
    devices += request->devices;
    requests.push_back(std::move(*request));
  }
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  if (devices > mostRanks) {
    return fail("--hosts", shortText(Json(join(hosts, ","))), fmt::format("is more than {} devices", mostRanks),
                "name fewer servers, or fewer devices a server");
  }
  return requests;
}

}  // namespace

namespace {

/// The addresses of 198.18.0.0/15, counted from its first.
std::string unusedAddress(std::size_t number) {
  return fmt::format("198.{}.{}.{}", 18 + number / 65536, number / 256 % 256, number % 256);
}

/// Whether every server can have 256 of those addresses, and every device one of its server's.
bool fitPlaceholders(const std::vector<HostRequest>& requests) {
  constexpr std::size_t servers = 512;
  constexpr int devices = 254;
  return requests.size() <= servers &&
         std::ranges::all_of(requests, [](const HostRequest& request) { return request.devices <= devices; });
}

}  // namespace

std::string placeholderAddress(std::size_t server, int device) {
  return unusedAddress(server * 256 + static_cast<std::size_t>(device) + 1);
}

bool isPlaceholderAddress(std::string_view address) {
  return address.starts_with("198.18.") || address.starts_with("198.19.");
}

Result<NamedRankTable> generateRankTable(const RankTableRequest& request) {
  Failures failures;
  const auto visible = visibleDevices(request.visibleDevices);
  const std::string everything =
      visible ? fmt::format("[0,{})", std::min<std::size_t>(visible->size(), mostDevices)) : "";
  const auto positions = devicePositions(request.devices.empty() ? everything : request.devices);
  const auto server = checkServer(request.server, "--server");
  collect(visible, failures);
  collect(positions, failures);
  if (!server) failures.insert(failures.end(), server.error().begin(), server.error().end());
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  if (std::cmp_less_equal(visible->size(), *positions->rbegin())) {
    return fail("--visible-devices", join(request.visibleDevices, ","),
                fmt::format("shows fewer devices than {} asks for", request.devices), "show more, or ask for fewer");
  }
  const std::size_t count = positions->size();
  SLIPSTREAM_CHECK(checkAddresses(request.addresses, count));
  RankServer made{request.server, {}};
  std::string digits;
  for (const int i : *positions) {
    const auto rank = made.devices.size();
    const std::string address = request.addresses.empty() ? "" : request.addresses[rank];
    made.devices.push_back({(*visible)[static_cast<std::size_t>(i)], address, static_cast<int>(rank)});
    digits += std::to_string(i);
  }
  return NamedRankTable{{{std::move(made)}}, fmt::format("hccl_{}p_{}_{}.json", count, digits, request.server)};
}

Result<NamedRankTable> rankTableOfHosts(const std::vector<std::string>& hosts,
                                        const std::vector<std::string>& addresses) {
  SLIPSTREAM_TRY(requests, hostRequests(hosts));
  RankTable table;
  const bool byServer = fitPlaceholders(requests);
  int rank = 0;
  for (const HostRequest& request : requests) {
    RankServer server{request.name, {}};
    for (int device = 0; device < request.devices; ++device, ++rank) {
      std::string address = std::cmp_less(rank, addresses.size()) ? addresses[static_cast<std::size_t>(rank)] : "";
      if (addresses.empty() && requests.size() > 1) {
        address = byServer ? placeholderAddress(table.servers.size(), device)
                           : unusedAddress(static_cast<std::size_t>(rank) + 1);
      }
      server.devices.push_back({device, std::move(address), rank});
    }
    table.servers.push_back(std::move(server));
  }
  SLIPSTREAM_CHECK(checkAddresses(addresses, static_cast<std::size_t>(rank)));
  const std::string fileName = fmt::format("hccl_{}s_{}p.json", table.servers.size(), rank);
  return NamedRankTable{std::move(table), fileName};
}

Result<NamedRankTable> mergeRankTables(const std::vector<RankTable>& tables, const std::vector<std::string>& sources) {
  Failures failures;
  RankTable merged;
  std::set<std::string> serverIds;
  std::set<std::string> deviceIps;
  int first = 0;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    for (RankServer server : tables[i].servers) {
      if (!serverIds.insert(server.id).second) {
        failures.push_back({sources[i] + ": server_id", server.id, "is in an earlier table too",
                            "name every server's table once, and no table that was merged before"});
      }
      for (RankDevice& device : server.devices) {
        device.rank += first;
        if (device.ip.empty() || deviceIps.insert(device.ip).second) continue;
        failures.push_back(
            {sources[i] + ": device_ip", device.ip, "is in an earlier table too", "give every device its own address"});
      }
      merged.servers.push_back(std::move(server));
    }
    first += tables[i].ranks();
  }
  if (failures.empty()) failures = rejectionsOf(readRankTable(toJsonText(merged), mergedName), mergedName);
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  const std::string fileName = fmt::format("hccl_{}s_{}p.json", merged.servers.size(), merged.ranks());
  return NamedRankTable{std::move(merged), fileName};
}

}  // namespace slipstream
