// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rank_table/allocation.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/rank_table/rank_table.h"
#include "engine/rank_table/rank_table_tools.h"
#include "engine/scheduler/scheduler.h"

namespace slipstream {
namespace {

using Lookup = std::function<std::optional<std::string>(const char*)>;

constexpr std::int64_t mostBytes = 16 << 20;

/// "n1:2" of slurmHosts().
AllocatedHost hostOf(const std::string& counted) {
  const auto colon = counted.rfind(':');
  return {counted.substr(0, colon), static_cast<int>(parseInteger(counted.substr(colon + 1)).value_or(1))};
}

/// What slurmHosts() says of lists that people type names the flag that they type them for.
Failures namingTheList(Failures failures, const HostList& list) {
  for (Failure& failure : failures) {
    if (failure.where == "--hosts") failure.where = list.variable;
  }
  return failures;
}

Status checkNames(const Allocation& allocation) {
  for (const AllocatedHost& host : allocation.hosts) {
    if (isAddress(host.name) || isHostName(host.name)) continue;
    return fail(allocation.source, host.name, "is neither an address nor a host name",
                "unset it to leave the allocation out of account");
  }
  return {};
}

Result<Allocation> allocationOfNodes(const HostList& list, const std::string& nodes, const Lookup& environment) {
  auto hosts = slurmHosts(nodes, environment(list.ranks).value_or("1"));
  if (!hosts) return tl::unexpected(namingTheList(std::move(hosts.error()), list));
  Allocation allocation{list.variable, {}};
  for (const std::string& host : *hosts) allocation.hosts.push_back(hostOf(host));
  return allocation;
}

/// A host that comes again gets one rank more: as many times as it is listed.
void add(Allocation& allocation, const std::string& name, int ranks) {
  const auto known = std::ranges::find(allocation.hosts, name, &AllocatedHost::name);
  if (known == allocation.hosts.end()) {
    allocation.hosts.push_back({name, ranks});
  } else {
    known->ranks += ranks;
  }
}

std::vector<std::string> wordsOf(const std::string& line) {
  std::vector<std::string> words;
  for (const std::string& word : split(line, ' ')) {
    if (!trim(word).empty()) words.push_back(trim(word));
  }
  return words;
}

Result<Allocation> listedAllocation(const HostList& file, const std::string& path) {
  const bool counts = file.form == HostList::Form::fileWithCounts;
  const auto text = readFile(path, mostBytes);
  if (!text) {
    return fail(file.variable, path, "names a file that cannot be read: " + text.error().front().problem,
                fmt::format("unset {} to leave the allocation out of account", file.variable));
  }
  Allocation allocation{file.variable, {}};
  const auto lines = split(*text, '\n');
  for (std::size_t line = 0; line < lines.size(); ++line) {
    const auto words = wordsOf(lines[line]);
    if (words.empty()) continue;
    const auto ranks = counts && words.size() > 1 ? parseInteger(words[1]) : std::optional<std::int64_t>(1);
    if (!ranks || *ranks < 1 || *ranks > mostRanks || (!counts && words.size() > 1)) {
      return fail(fmt::format("{} {}:{}", file.variable, path, line + 1), lines[line],
                  counts ? "does not begin with a host and a number of ranks" : "is not one host",
                  fmt::format("unset {} to leave the allocation out of account", file.variable));
    }
    add(allocation, words.front(), static_cast<int>(*ranks));
  }
  if (allocation.hosts.empty()) return fail(file.variable, path, "lists no host", "ask for an allocation of hosts");
  return allocation;
}

}  // namespace

Result<std::optional<Allocation>> findAllocation(const Lookup& environment) {
  for (const Scheduler& scheduler : schedulers()) {
    const HostList& list = scheduler.hosts;
    const auto value = environment(list.variable);
    if (!value) continue;
    SLIPSTREAM_TRY(allocation, list.form == HostList::Form::nodeList ? allocationOfNodes(list, *value, environment)
                                                                     : listedAllocation(list, *value));
    SLIPSTREAM_CHECK(checkNames(allocation));
    return allocation;
  }
  return std::nullopt;
}

}  // namespace slipstream
