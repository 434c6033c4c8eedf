// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <vector>

#include "engine/config/json.h"

namespace slipstream {

/// A line of a rank table as people see it: a server, or one of its devices. Counted from 0 as in findings' paths.
struct RankTablePosition {
  int server = -1;  ///< -1: the table itself
  int device = -1;  ///< -1: the server itself
  auto operator<=>(const RankTablePosition&) const = default;
};

/// What a line says. A server has a name only.
enum class RankTableCell { name, rank, address };

struct DeviceLine {
  std::string id, rank, address;
  bool operator==(const DeviceLine&) const = default;
};

struct ServerLine {
  std::string id;
  std::vector<DeviceLine> devices;
  bool operator==(const ServerLine&) const = default;
};

/// Every server and device as it is written, right or wrong; what is no text and no number is there as JSON.
std::vector<ServerLine> rankTableLines(const Json& root);

/// A finding's path, "server_list[1].device[3].rank_id", taken apart.
struct RankTablePath {
  RankTablePosition place;
  std::string key;  ///< what follows the place; empty: the line itself
  RankTableCell cell = RankTableCell::name;
};
RankTablePath rankTablePath(const std::string& path);

/// The text without comments and without commas before a closing bracket; lines stay where they are.
std::string withoutExtras(const std::string& text);
/// Reads what people write: comments and surplus commas too; of a key that occurs twice the last. Nothing where it is
/// no JSON even so.
std::optional<Json> readGenerously(const std::string& text);

}  // namespace slipstream
