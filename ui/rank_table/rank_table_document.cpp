#include "ui/rank_table/rank_table_document.h"

namespace slipstream::ui {

RankTableDocument::RankTableDocument(QObject* parent) : Document(QStringLiteral("rank_table.json"), parent) {
  connect(this, &Document::changed, this, &RankTableDocument::recheck);
}

void RankTableDocument::recheck() {
  reading_ = readRankTable(text(), title().toStdString());
  Problems problems;
  for (const Finding& finding : reading_.findings) {
    problems.push_back({finding.severity, QString::fromStdString(finding.path), QString::fromStdString(finding.value),
                        QString::fromStdString(finding.problem), QString::fromStdString(finding.remedy), title()});
  }
  setProblems(std::move(problems));
}

}  // namespace slipstream::ui
