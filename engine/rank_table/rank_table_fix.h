// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/rank_table/rank_table.h"

namespace slipstream {

/// How a finding about a rank table can be mended.
enum class RankTableFixKind {
  dropExtras,  ///< comments and surplus commas
  keepLast,    ///< of a key that occurs twice
  convert,     ///< another version, to version 1.0
  removeKey,
  renameKey,  ///< one that is nearly a known key, which is missing beside it
  writeVersion,
  markCompleted,
  countServers,
  addServer,
  addDevice,
  removeLine,
  renameServer,
  renumberDevices,
  useAddress,
  usePlaceholder,  ///< an address that no network uses: good for ranks on CPUs and GPUs
  renumberRanks,
};

struct RankTableFix {
  RankTableFixKind mend = RankTableFixKind::renumberRanks;
  std::string path;   ///< of the finding
  std::string value;  ///< what is written, removed or counted
};

/// The result in words: "Renumber ranks 0 to 15".
std::string toText(const RankTableFix& fix);

/// Of each finding of readRankTable(text), in their order; nothing where only its author knows. No two of them propose
/// the same address or name.
std::vector<std::optional<RankTableFix>> rankTableFixes(const std::string& text, const std::vector<Finding>& findings);

/// The text with one fix of its own made. Fails where the text is no longer the one that it was proposed for.
Result<std::string> fixedRankTable(const std::string& text, const RankTableFix& fix);

struct FixedRankTable {
  std::string text;
  std::vector<RankTableFix> fixes;
  std::vector<std::string> done;  ///< the fixes in words, with their places
};
/// Which findings are mended.
enum class FixScope { errors, warningsToo };
/// Every fix of what makes the table unusable, and of what has no effect where that is asked for, or every one of a
/// kind, until nothing of it is left or the rest is its author's. Keys are renamed first: what they hold is then there.
FixedRankTable mendRankTable(const std::string& text, std::optional<RankTableFixKind> only = {},
                             FixScope scope = FixScope::errors);

}  // namespace slipstream
