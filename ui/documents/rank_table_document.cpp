// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/documents/rank_table_document.h"

#include <QCoreApplication>

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
  setProblems(std::move(problems));
}

void RankTableDocument::mark(const std::string& path, const Finding& finding) {
  const RankTablePath parsed = rankTablePath(path);
  if (parsed.place.server < 0) return;
  const Failure failure{finding.path, finding.value, finding.problem.in(windowLanguage()),
                        finding.remedy.in(windowLanguage())};
  Mark& mark = marks_[{parsed.place, parsed.cell}];
  if (!mark.text.isEmpty() && mark.severity >= finding.severity) return;
  mark = {finding.severity, QString::fromStdString(toText(failure))};
}

Problem RankTableDocument::problemOf(const Finding& finding, const std::optional<RankTableFix>& fix) {
  Problem problem{finding.severity,
                  QString::fromStdString(finding.path),
                  QString::fromStdString(finding.value),
                  ui::text(finding.problem),
                  ui::text(finding.remedy),
                  title()};
  const auto line = finding.fault == RankTableFault::syntax ? lineOf(finding.path) : std::nullopt;
  problem.code = QString::fromStdString(codeOf(finding.fault));
  const RankTablePath path = rankTablePath(finding.path);
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
  problem.kindLabel = FixTexts::of(fix->mend).replace(QLatin1String("%1"), QStringLiteral("…"));
  problem.fix = [this, fix = *fix] {
    if (const auto fixed = fixedRankTable(text(), fix)) edit(*fixed, fixText(fix));
  };
  return problem;
}

std::string RankTableDocument::mended(std::optional<int> kind) const {
  const auto only = kind ? std::optional(static_cast<RankTableFixKind>(*kind)) : std::nullopt;
  return mendRankTable(text(), only, MendScope::warningsToo).text;
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
