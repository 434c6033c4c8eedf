// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rank_table/rank_table_fix.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/rank_table/rank_table_edit.h"
#include "engine/rank_table/rank_table_tools.h"

namespace slipstream {
namespace {

constexpr int mostRounds = 100;

/// Proposes fixes for one text, never one address or name twice.
class Proposals {
 public:
  explicit Proposals(const std::string& text) : text_(text), root_(readGenerously(text)) {
    if (!root_) return;
    addresses_ = deviceAddresses(*root_);
    names_ = serverNames(*root_);
    for (const ServerLine& server : rankTableLines(*root_)) ranks_ += server.devices.size();
  }

  std::optional<RankTableFix> operator()(const Finding& finding) {
    if (!root_) return std::nullopt;
    const RankTablePath path = rankTablePath(finding.path);
    switch (finding.fault) {
      case RankTableFault::other:
        return std::nullopt;
      case RankTableFault::syntax:
        return RankTableFix{RankTableFixKind::dropExtras, finding.path, ""};
      case RankTableFault::keyTwice:
        return RankTableFix{RankTableFixKind::keepLast, finding.path, path.key};
      case RankTableFault::foreignFormat:
        if (!importRankTable(text_, "")) return std::nullopt;
        return RankTableFix{RankTableFixKind::convert, finding.path, "1.0"};
      case RankTableFault::unknownKey:
        if (!finding.renamed.empty()) return RankTableFix{RankTableFixKind::renameKey, finding.path, finding.renamed};
        return RankTableFix{RankTableFixKind::removeKey, finding.path, path.key};
      case RankTableFault::version:
        return RankTableFix{RankTableFixKind::writeVersion, finding.path, "1.0"};
      case RankTableFault::status:
        return RankTableFix{RankTableFixKind::markCompleted, finding.path, "completed"};
      case RankTableFault::noServers:
        return RankTableFix{RankTableFixKind::addServer, finding.path, freeServerName(names_)};
      case RankTableFault::serverCount:
        return RankTableFix{RankTableFixKind::countServers, finding.path, std::to_string(serverCount(*root_))};
      case RankTableFault::notAnObject:
        return RankTableFix{RankTableFixKind::removeLine, finding.path, finding.value};
      case RankTableFault::noDevices:
        return RankTableFix{RankTableFixKind::addDevice, finding.path, "0"};
      case RankTableFault::serverId:
      case RankTableFault::serverIdTwice:
        return RankTableFix{RankTableFixKind::renameServer, finding.path, newName(finding.value)};
      case RankTableFault::deviceId:
      case RankTableFault::deviceIdTwice:
        return RankTableFix{RankTableFixKind::renumberDevices, finding.path,
                            std::to_string(deviceCount(*root_, path.place.server) - 1)};
      case RankTableFault::addressTwice:
        return address(finding);
      case RankTableFault::addressMissing:
      case RankTableFault::addressWrong:
        return placeholder(finding.path, path.place);
      case RankTableFault::rank:
        return RankTableFix{RankTableFixKind::renumberRanks, finding.path, std::to_string(ranks_ - 1)};
    }
    return std::nullopt;
  }

 private:
  std::string newName(const std::string& old) {
    std::string name = freeAddressAfter(old, names_);
    if (name.empty()) name = freeServerName(names_);
    names_.insert(name);
    return name;
  }

  RankTableFix address(const Finding& finding) {
    std::string next = freeAddressAfter(finding.value, addresses_);
    if (next.empty()) return placeholder(finding.path, rankTablePath(finding.path).place);
    addresses_.insert(next);
    return {RankTableFixKind::useAddress, finding.path, std::move(next)};
  }

  RankTableFix placeholder(const std::string& path, RankTablePosition place) {
    std::string free = placeholderAddress(static_cast<std::size_t>(place.server), place.device);
    if (addresses_.contains(free)) free = freeAddressAfter(free, addresses_);
    addresses_.insert(free);
    return {RankTableFixKind::usePlaceholder, path, std::move(free)};
  }

  const std::string& text_;
  std::optional<Json> root_;
  std::set<std::string> addresses_, names_;
  std::size_t ranks_ = 0;
};

Json* objectAt(Json& root, RankTablePosition place) {
  if (place.server < 0) return &root;
  if (place.server >= serverCount(root)) return nullptr;
  if (place.device >= deviceCount(root, place.server)) return nullptr;
  Json& server = root["server_list"][static_cast<std::size_t>(place.server)];
  return place.device < 0 ? &server : &server["device"][static_cast<std::size_t>(place.device)];
}

/// False where the place is not there.
bool mend(Json& root, const RankTableFix& fix) {
  const RankTablePath path = rankTablePath(fix.path);
  Json* object = objectAt(root, path.place);
  if (object == nullptr) return false;
  switch (fix.mend) {
    case RankTableFixKind::dropExtras:
    case RankTableFixKind::keepLast:
    case RankTableFixKind::convert:
      return true;
    case RankTableFixKind::removeKey:
      if (object->is_object()) object->erase(path.key);
      return true;
    case RankTableFixKind::renameKey:
      if (!object->is_object() || !object->contains(path.key) || object->contains(fix.value)) return false;
      (*object)[fix.value] = object->at(path.key);
      object->erase(path.key);
      return true;
    case RankTableFixKind::writeVersion:
    case RankTableFixKind::markCompleted:
    case RankTableFixKind::countServers:
      root[path.key] = fix.value;
      return true;
    case RankTableFixKind::addServer:
      addServer(root);
      return true;
    case RankTableFixKind::addDevice:
      addDevice(root, path.place.server);
      return true;
    case RankTableFixKind::removeLine:
      removeLines(root, {path.place});
      return true;
    case RankTableFixKind::renumberDevices:
      renumberDevices(root, path.place.server);
      return true;
    case RankTableFixKind::renameServer:
    case RankTableFixKind::useAddress:
    case RankTableFixKind::usePlaceholder:
      setCell(root, path.place, path.cell, fix.value);
      return true;
    case RankTableFixKind::renumberRanks:
      closeRankGaps(root);
      return true;
  }
  return false;
}

bool changesPlaces(RankTableFixKind mend) {
  return mend == RankTableFixKind::addServer || mend == RankTableFixKind::addDevice ||
         mend == RankTableFixKind::removeLine;
}

/// What one fix mends together with all others of its kind: of the whole table, or of one server.
std::optional<std::pair<RankTableFixKind, int>> reachOf(const RankTableFix& fix) {
  if (fix.mend == RankTableFixKind::renumberRanks) return std::pair{fix.mend, -1};
  if (fix.mend == RankTableFixKind::renumberDevices) return std::pair{fix.mend, rankTablePath(fix.path).place.server};
  return std::nullopt;
}

bool isAboutText(RankTableFixKind mend) {
  return mend == RankTableFixKind::dropExtras || mend == RankTableFixKind::keepLast ||
         mend == RankTableFixKind::convert;
}

/// A kind that is named is asked for whether its findings are errors or warnings.
bool isAskedFor(const Finding& finding, const RankTableFix& fix, std::optional<RankTableFixKind> only, FixScope scope) {
  if (only) return fix.mend == *only;
  return finding.severity == Verdict::reject || scope == FixScope::warningsToo;
}

/// As many fixes as can be made before one of them moves what the others name; nothing where there is none.
std::optional<std::string> mendOnce(const std::string& text, std::optional<RankTableFixKind> only, FixScope scope,
                                    FixedRankTable& made) {
  const std::vector<Finding> findings = readRankTable(text, "").findings;
  const auto fixes = rankTableFixes(text, findings);
  std::optional<Json> root = readGenerously(text);
  bool mended = false;
  std::set<std::pair<RankTableFixKind, int>> reached;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (!fixes[i] || !isAskedFor(findings[i], *fixes[i], only, scope)) continue;
    const RankTableFix& fix = *fixes[i];
    const std::string words = fix.path.empty() ? toText(fix) : fix.path + ": " + toText(fix);
    if (isAboutText(fix.mend)) {
      auto fixed = fixedRankTable(text, fix);
      if (!fixed || *fixed == text) return std::nullopt;
      made.fixes.push_back(fix);
      made.done.push_back(words);
      return std::move(*fixed);
    }
    const auto reach = reachOf(fix);
    if (reach && !reached.insert(*reach).second) continue;
    if (!mend(*root, fix)) continue;
    mended = true;
    made.fixes.push_back(fix);
    made.done.push_back(words);
    if (changesPlaces(fix.mend)) break;
  }
  if (!mended) return std::nullopt;
  return rankTableText(*root);
}

}  // namespace

std::string toText(const RankTableFix& fix) {
  switch (fix.mend) {
    case RankTableFixKind::dropExtras:
      return "Remove comments and surplus commas";
    case RankTableFixKind::keepLast:
      return fmt::format("Keep the last {}", fix.value);
    case RankTableFixKind::convert:
      return "Convert to version 1.0";
    case RankTableFixKind::removeKey:
      return fmt::format("Remove {}", fix.value);
    case RankTableFixKind::renameKey:
      return fmt::format("Rename to {}", fix.value);
    case RankTableFixKind::writeVersion:
      return "Write version 1.0";
    case RankTableFixKind::markCompleted:
      return "Mark as completed";
    case RankTableFixKind::countServers:
      return fmt::format("Set server_count to {}", fix.value);
    case RankTableFixKind::addServer:
      return fmt::format("Add {}", fix.value);
    case RankTableFixKind::addDevice:
      return fmt::format("Add device {}", fix.value);
    case RankTableFixKind::removeLine:
      return fmt::format("Remove {}", fix.value);
    case RankTableFixKind::renumberDevices:
      return fmt::format("Renumber devices 0 to {}", fix.value);
    case RankTableFixKind::renameServer:
    case RankTableFixKind::useAddress:
      return fmt::format("Use {}", fix.value);
    case RankTableFixKind::usePlaceholder:
      return fmt::format("Use placeholder {}", fix.value);
    case RankTableFixKind::renumberRanks:
      return fmt::format("Renumber ranks 0 to {}", fix.value);
  }
  return "";
}

std::vector<std::optional<RankTableFix>> rankTableFixes(const std::string& text, const std::vector<Finding>& findings) {
  Proposals propose(text);
  std::vector<std::optional<RankTableFix>> fixes;
  for (const Finding& finding : findings) fixes.push_back(propose(finding));
  return fixes;
}

Result<std::string> fixedRankTable(const std::string& text, const RankTableFix& fix) {
  if (fix.mend == RankTableFixKind::dropExtras) return withoutExtras(text);
  if (fix.mend == RankTableFixKind::convert) {
    SLIPSTREAM_TRY(table, importRankTable(text, ""));
    return toJsonText(table);
  }
  std::optional<Json> root = readGenerously(text);
  if (root && mend(*root, fix)) return rankTableText(*root);
  return fail(fix.path, fix.value, "is no longer in the table", "check the table again");
}

FixedRankTable mendRankTable(const std::string& text, std::optional<RankTableFixKind> only, FixScope scope) {
  FixedRankTable mended{text, {}, {}};
  for (int round = 0; round < mostRounds; ++round) {
    std::optional<std::string> next;
    if (!only) next = mendOnce(mended.text, RankTableFixKind::renameKey, scope, mended);
    if (!next) next = mendOnce(mended.text, only, scope, mended);
    if (!next) break;
    mended.text = std::move(*next);
  }
  return mended;
}

}  // namespace slipstream
