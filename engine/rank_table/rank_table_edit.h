// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <set>
#include <string>
#include <vector>

#include "engine/config/json.h"
#include "engine/rank_table/rank_table_lines.h"
#include "engine/rank_table/rank_table_names.h"

namespace slipstream {

// Edits of a rank table as a document: what is not touched stays as it is written, right or wrong, known or not.
// `server_count` follows the list.

/// Version 1.0 with one device a line, as toJsonText(RankTable) writes it.
std::string rankTableText(const Json& root);
/// Version 1.0 without a server.
Json emptyRankTable();

/// A number stays a number where the new text is one.
void setCell(Json& root, RankTablePosition place, RankTableCell cell, const std::string& text);
/// At the end, with the device numbers of the server before it.
RankTablePosition addServer(Json& root);
/// At the end of the server.
RankTablePosition addDevice(Json& root, int server);
void removeLines(Json& root, std::vector<RankTablePosition> places);
/// Servers, in their order, to be in front of the one that is `before` now (as many as there are: at the end).
void moveServers(Json& root, std::set<int> servers, int before);
/// Devices to be in front of what is at `before` now.
void moveDevices(Json& root, const std::set<RankTablePosition>& devices, RankTablePosition before);
/// Ranks in the order of the lines.
void renumberRanks(Json& root);
/// Ranks from 0 without gaps. Where all are below the number of devices, each stays with a device that has it (the
/// one that is that many lines down, else the first), and the other devices take the free ones; else they keep their
/// order alone. What has none, or one twice, follows the lines.
void closeRankGaps(Json& root);
/// Devices of one server, from 0.
void renumberDevices(Json& root, int server);

}  // namespace slipstream
