// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/rank_table/rank_table.h"
#include "engine/rank_table/rank_table_lines.h"

namespace slipstream {

/// A table and the file name that hccl_tools and merge_hccl would give it.
struct NamedRankTable {
  RankTable table;
  std::string fileName;
};

struct RankTableRequest {
  std::string devices;                      ///< "[0,8)", "0-7" or "0,1,2": positions in visibleDevices
  std::vector<std::string> visibleDevices;  ///< device numbers; empty: 0 to 7
  std::string server;
  std::vector<std::string> addresses;  ///< of each device of the table, in order; empty: not known
};

/// hccl_tools' rules for one server: within 0..8, and inside one group of four cards unless it is all eight.
/// An empty interval is refused.
Result<NamedRankTable> generateRankTable(const RankTableRequest& request);

/// The most devices that a table is made for: half of the placeholders that there are.
inline constexpr std::int64_t mostRanks = 65'536;

/// Servers "name:devices" in rank order; a name may be a Slurm host list, n[1-3,7]. Without `addresses` on several
/// servers devices get placeholders of 198.18.0.0/15 (RFC 2544), an address range that no network uses.
Result<NamedRankTable> rankTableOfHosts(const std::vector<std::string>& hosts,
                                        const std::vector<std::string>& addresses);

/// Servers "name:devices" of a Slurm allocation: SLURM_JOB_NODELIST, and SLURM_TASKS_PER_NODE, "4(x2),3".
Result<std::vector<std::string>> slurmHosts(const std::string& nodeList, const std::string& tasksPerNode);

/// Of the servers and devices of a table, counted from 0: an address that no network uses, one for each.
std::string placeholderAddress(std::size_t server, int device);
/// Whether the address is in 198.18.0.0/15.
bool isPlaceholderAddress(std::string_view address);

/// merge_hccl's rules: servers in the order of the tables, ranks numbered anew. `sources` name the tables. A server or
/// device address that comes twice is refused.
Result<NamedRankTable> mergeRankTables(const std::vector<RankTable>& tables, const std::vector<std::string>& sources);

/// Version 1.0 from 1.0, 1.2, 2.0 or the legacy form.
Result<RankTable> importRankTable(const std::string& text, const std::string& source);

/// Open MPI's host file, "host slots=n"; fails where ranks are not in the order of servers, which it cannot express.
Result<std::string> hostFileText(const RankTable& table);
/// Open MPI's rank file, "rank 3=host slot=1": one core a rank.
Result<std::string> rankFileText(const RankTable& table);

/// A line of a host or rank file, and the line of the table that it comes from.
struct PlacedLine {
  std::string text;
  RankTablePosition place;
};
/// What the files say of any table, right or wrong: for looking at, not for starting with.
std::vector<PlacedLine> hostFileLines(const std::vector<ServerLine>& servers);
std::vector<PlacedLine> rankFileLines(const std::vector<ServerLine>& servers);

/// Host names of a list such as "n[1-3,7],gpu[08-10]" (Slurm's notation).
Result<std::vector<std::string>> expandHostList(const std::string& list);

}  // namespace slipstream
