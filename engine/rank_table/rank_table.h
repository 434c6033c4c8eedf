// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/failure.h"
#include "engine/config/json.h"
#include "engine/spec/text.h"

namespace slipstream {

struct RankDevice {
  int deviceId = 0;
  std::string ip;  ///< of the card's own network; may be empty on one server
  int rank = 0;
  bool operator==(const RankDevice&) const = default;
};

struct RankServer {
  std::string id;  ///< an address or a host name; anything else can be planned but not reached
  std::vector<RankDevice> devices;
  std::string hostNicIp = "reserve";
  bool operator==(const RankServer&) const = default;
};

/// Which rank runs on which device of which server: HCCL's rank table, version 1.0.
struct RankTable {
  std::vector<RankServer> servers;
  int ranks() const;
  bool operator==(const RankTable&) const = default;
};

enum class Verdict { accept, warn, reject };
std::string_view nameOf(Verdict verdict);

/// What a finding about a rank table is, for whoever wants to mend it (rank_table_fix.h). In the order of their codes:
/// new ones come last.
enum class RankTableFault {
  other,
  syntax,
  keyTwice,
  foreignFormat,
  unknownKey,
  version,
  status,
  noServers,
  serverCount,
  notAnObject,  ///< a server or a device
  noDevices,
  serverId,  ///< missing, empty or no scalar
  serverIdTwice,
  deviceId,  ///< missing or no number
  deviceIdTwice,
  addressMissing,
  addressWrong,
  addressTwice,
  rank,  ///< missing, no number, twice, or left out
};

/// A short name that stays: "RT-104"; empty for `other`.
std::string codeOf(RankTableFault fault);

struct Finding {
  std::string path;
  std::string value;
  Text problem;  ///< what follows the path's last key, "is missing"; a whole sentence where it `namesSubject`
  Text remedy;
  Verdict severity = Verdict::reject;  ///< warn or reject
  RankTableFault fault = RankTableFault::other;
  std::string related = {};   ///< the other path of two that contradict each other
  std::string renamed = {};   ///< of an unknown key: the known one that it is nearly, and that is missing beside it
  bool namesSubject = false;  ///< "rank 11 is used twice": says what is wrong without the path and the value
};

/// What a reader makes of a rank table. `table` is complete unless the verdict is reject.
struct RankTableReading {
  std::vector<Finding> findings;
  RankTable table;
  Verdict verdict() const;
};

/// Reads version 1.0, numbers or strings alike; other versions and the legacy form are named and rejected.
/// `source` names the text in findings about its syntax.
RankTableReading readRankTable(const std::string& text, const std::string& source);
RankTableReading readRankTable(const Json& root);

/// What makes a table unusable, every place with its source before it.
Failures rejectionsOf(const RankTableReading& reading, const std::string& source);
/// The problem, with the other path where two contradict each other.
Text problemOf(const Finding& finding);
/// The finding in English, at a place that may name the file, too.
Failure failureOf(const Finding& finding, const std::string& where);
/// The table of a file, or what makes it unusable.
Result<RankTable> loadRankTable(const std::filesystem::path& file);

/// Whether a document is meant as a rank table of any version, rather than as an experiment.
bool looksLikeRankTable(const Json& root);

/// Whether a document is meant as an experiment, rather than as a rank table.
bool looksLikeExperiment(const Json& root);

/// Version 1.0 as the tutorials write it: all scalars are strings, one device a line.
std::string toJsonText(const RankTable& table);

/// IPv4 or IPv6.
bool isAddress(const std::string& text);
/// Letters, digits, `.`, `-`, `_`, starting with a letter or digit: safe as a word of a host file.
bool isHostName(const std::string& text);

}  // namespace slipstream
