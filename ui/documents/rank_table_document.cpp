// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/documents/rank_table_document.h"

#include <QCoreApplication>
#include <algorithm>
#include <map>
#include <set>

#include <nlohmann/json.hpp>

#include "engine/base/text.h"
#include "engine/rank_table/rank_table_edit.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

struct FixTexts {
  Q_DECLARE_TR_FUNCTIONS(RankTableFix)

 public:
  static QString of(RankTableFixKind mend) {
    switch (mend) {
      case RankTableFixKind::dropExtras:
        return tr("Remove comments and surplus commas");
      case RankTableFixKind::keepLast:
        return tr("Keep the last %1");
      case RankTableFixKind::convert:
        return tr("Convert to version %1");
      case RankTableFixKind::removeKey:
      case RankTableFixKind::removeLine:
        return tr("Remove %1");
      case RankTableFixKind::renameKey:
        return tr("Rename to %1");
      case RankTableFixKind::writeVersion:
        return tr("Write version %1");
      case RankTableFixKind::markCompleted:
        return tr("Mark as completed");
      case RankTableFixKind::countServers:
        return tr("Set server_count to %1");
      case RankTableFixKind::addServer:
        return tr("Add %1");
      case RankTableFixKind::addDevice:
        return tr("Add device %1");
      case RankTableFixKind::renumberDevices:
        return tr("Renumber devices 0 to %1");
      case RankTableFixKind::renameServer:
      case RankTableFixKind::useAddress:
        return tr("Use %1");
      case RankTableFixKind::usePlaceholder:
        return tr("Use placeholder %1");
      case RankTableFixKind::renumberRanks:
        return tr("Renumber ranks 0 to %1");
    }
    return {};
  }
};

/// Of "table.json:12:3"; nothing in a key path.
std::optional<int> lineOf(const std::string& where) {
  const auto parts = split(where, ':');
  if (parts.size() < 3) return std::nullopt;
  const auto line = parseInteger(parts[parts.size() - 2]);
  return line ? std::optional<int>(static_cast<int>(*line)) : std::nullopt;
}

/// What is wrong, with the key that it is wrong about, as a sentence.
QString sentenceOf(const Finding& finding, const QString& subject) {
  if (finding.namesSubject) return ui::text(capitalized(finding.problem));
  const QString said = subject + QLatin1Char(' ') + ui::text(finding.problem);
  if (finding.value.empty()) return said;
  return RankTableDocument::tr("%1 (found %2)").arg(said, QString::fromStdString(finding.value));
}

/// As it was written, where the problem does not say it.
std::string valueOf(const Finding& finding) {
  return finding.namesSubject ? "" : finding.value;
}

/// Fixes of a kind that all do the same are called so: "Rename to device_ip"; others "Rename to …".
QString kindText(RankTableFixKind mend, const std::set<QString>& labels) {
  if (labels.size() == 1) return *labels.begin();
  if (mend == RankTableFixKind::removeKey) return RankTableDocument::tr("Remove unknown keys");
  return FixTexts::of(mend).replace(QLatin1String("%1"), QStringLiteral("…"));
}

void nameKinds(Problems& problems) {
  std::map<int, std::set<QString>> labels;
  for (const Problem& problem : problems) {
    if (problem.fix) labels[problem.fixKind].insert(problem.fixLabel);
  }
  for (Problem& problem : problems) {
    if (!problem.fix) continue;
    problem.kindLabel = kindText(static_cast<RankTableFixKind>(problem.fixKind), labels[problem.fixKind]);
  }
}

}  // namespace

QString fixText(const RankTableFix& fix) {
  return FixTexts::of(fix.mend).replace(QLatin1String("%1"), QString::fromStdString(fix.value));
}

RankTableDocument::RankTableDocument(QObject* parent) : Document(QStringLiteral("rank_table.json"), parent) {
  connect(this, &Document::changed, this, &RankTableDocument::recheck);
}

bool RankTableDocument::isBlank() const {
  return file().empty() && trim(text()).empty();
}

void RankTableDocument::recheck() {
  marks_.clear();
  reading_ = {};
  const std::optional<Json> root = readGenerously(text());
  readable_ = root.has_value();
  if (root) lines_ = rankTableLines(*root);
  if (isBlank()) lines_.clear();
  Problems problems;
  if (!isBlank()) {
    reading_ = readRankTable(text(), file().empty() ? title().toStdString() : file().string());
    const auto fixes = rankTableFixes(text(), reading_.findings);
    for (std::size_t i = 0; i < fixes.size(); ++i) {
      const Finding& finding = reading_.findings[i];
      problems.push_back(problemOf(finding, fixes[i]));
      mark(finding.path, finding);
      if (!finding.related.empty()) mark(finding.related, finding);
    }
  }
  nameKinds(problems);
  setProblems(std::move(problems));
}

void RankTableDocument::mark(const std::string& path, const Finding& finding) {
  const RankTablePath parsed = rankTablePath(path);
  if (parsed.place.server < 0) return;
  const Failure failure{finding.path, valueOf(finding), slipstream::problemOf(finding).in(windowLanguage()),
                        finding.remedy.in(windowLanguage())};
  Mark& mark = marks_[{parsed.place, parsed.cell}];
  if (!mark.text.isEmpty() && mark.severity >= finding.severity) return;
  mark = {finding.severity, QString::fromStdString(toText(failure))};
}

/// As its row calls it; by its place where another one is called so, too.
QString RankTableDocument::serverName(int server) const {
  const auto index = static_cast<std::size_t>(server);
  const std::string id = index < lines_.size() ? lines_[index].id : std::string();
  const bool isUnique = std::ranges::count(lines_, id, &ServerLine::id) == 1;
  return isUnique && !id.empty() ? QString::fromStdString(id) : tr("server %1").arg(server + 1);
}

/// Its id, as its row calls it; empty where it has none, or another device of the server has it, too.
QString RankTableDocument::deviceId(RankTablePosition place) const {
  const auto server = static_cast<std::size_t>(place.server), device = static_cast<std::size_t>(place.device);
  if (server >= lines_.size() || device >= lines_[server].devices.size()) return {};
  const std::string& id = lines_[server].devices[device].id;
  const bool isUnique = std::ranges::count(lines_[server].devices, id, &DeviceLine::id) == 1;
  return isUnique ? QString::fromStdString(id) : QString();
}

/// "10.0.0.1, device 3", as the rows are called; empty for the table itself.
QString RankTableDocument::placeText(RankTablePosition place) const {
  if (place.server < 0) return {};
  if (place.device < 0) return serverName(place.server);
  const QString id = deviceId(place);
  return id.isEmpty() ? tr("%1, entry %2").arg(serverName(place.server)).arg(place.device + 1)
                      : tr("%1, device %2").arg(serverName(place.server), id);
}

/// Of two places that contradict each other, the one that comes first in the table is first.
QString RankTableDocument::placesText(RankTablePosition first, RankTablePosition second) const {
  if (first.server < 0) return placeText(second);
  if (second.device < 0) return tr("servers %1 and %2").arg(first.server + 1).arg(second.server + 1);
  if (first.server != second.server) return tr("%1 and %2").arg(placeText(first), placeText(second));
  const QString one = deviceId(first), other = deviceId(second);
  if (one.isEmpty() || other.isEmpty()) {
    return tr("%1, entries %2 and %3").arg(serverName(first.server)).arg(first.device + 1).arg(second.device + 1);
  }
  return tr("%1, devices %2 and %3").arg(serverName(first.server), one, other);
}

Problem RankTableDocument::problemOf(const Finding& finding, const std::optional<RankTableFix>& fix) {
  Problem problem{finding.severity,
                  QString::fromStdString(finding.path),
                  QString::fromStdString(valueOf(finding)),
                  ui::text(slipstream::problemOf(finding)),
                  ui::text(finding.remedy),
                  title()};
  const auto line = finding.fault == RankTableFault::syntax ? lineOf(finding.path) : std::nullopt;
  problem.code = QString::fromStdString(codeOf(finding.fault));
  const RankTablePath path = rankTablePath(finding.path);
  if (finding.fault != RankTableFault::syntax) {
    const QString key = QString::fromStdString(path.key);
    const QString place = placesText(rankTablePath(finding.related).place, path.place);
    problem.sentence = sentenceOf(finding, !key.isEmpty() ? key : place.isEmpty() ? title() : place);
    if (!key.isEmpty() || finding.namesSubject) problem.place = place;
  }
  problem.show = [this, line, path] {
    if (line) {
      Q_EMIT lineWanted(*line);
    } else {
      Q_EMIT placeWanted(path.place, path.cell);
    }
  };
  if (!fix) return problem;
  problem.fixLabel = fixText(*fix);
  problem.fixKind = static_cast<int>(fix->mend);
  problem.fix = [this, fix = *fix] {
    if (const auto fixed = fixedRankTable(text(), fix)) edit(*fixed, fixText(fix));
  };
  return problem;
}

/// Fewer fixes than there were problems: one may do away with what others would have fixed.
FixedText RankTableDocument::fixedText(std::optional<int> kind) const {
  const auto only = kind ? std::optional(static_cast<RankTableFixKind>(*kind)) : std::nullopt;
  const FixedRankTable fixed = mendRankTable(text(), only, FixScope::warningsToo);
  const auto left = std::ssize(readRankTable(fixed.text, "").findings);
  std::map<RankTableFixKind, std::vector<QString>> labels;
  for (const RankTableFix& fix : fixed.fixes) labels[fix.mend].push_back(fixText(fix));
  FixedText result{fixed.text, {static_cast<int>(std::ssize(problems()) - left), {}}};
  for (const auto& [mend, done] : labels) {
    result.made.kinds.emplace_back(kindText(mend, {done.begin(), done.end()}), static_cast<int>(done.size()));
  }
  return result;
}

std::optional<Verdict> RankTableDocument::markOf(RankTablePosition place, RankTableCell cell) const {
  const auto found = marks_.find({place, cell});
  if (found == marks_.end()) return std::nullopt;
  return found->second.severity;
}

std::optional<Verdict> RankTableDocument::markOf(RankTablePosition place) const {
  std::optional<Verdict> worst;
  for (const RankTableCell cell : {RankTableCell::name, RankTableCell::rank, RankTableCell::address}) {
    worst = std::max(worst, markOf(place, cell));
  }
  return worst;
}

QString RankTableDocument::mistakesOf(RankTablePosition place, RankTableCell cell) const {
  const auto found = marks_.find({place, cell});
  return found == marks_.end() ? QString() : found->second.text;
}

void RankTableDocument::change(const QString& label, const std::function<void(Json&)>& edits) {
  std::optional<Json> root = isBlank() ? emptyRankTable() : readGenerously(text());
  if (!root) return;
  edits(*root);
  edit(rankTableText(*root), label);
}

}  // namespace slipstream::ui
