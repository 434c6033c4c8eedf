// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>
#include <map>

#include "engine/rank_table/rank_table.h"
#include "engine/rank_table/rank_table_fix.h"
#include "engine/rank_table/rank_table_lines.h"
#include "ui/documents/document.h"

namespace slipstream::ui {

/// The result of a fix in the language of the window.
QString fixText(const RankTableFix& fix);

/// A rank table that is edited: version 1.0 as text, and what a reader makes of it.
class RankTableDocument : public Document {
  Q_OBJECT

 public:
  explicit RankTableDocument(QObject* parent);

  void recheck() override;

  /// Nothing was opened, generated or written yet.
  bool isBlank() const;
  /// Of the text as it is now.
  const RankTableReading& reading() const { return reading_; }
  /// Every server and device as it is written, right or wrong; while the text is no JSON, those of the last that was.
  const std::vector<ServerLine>& lines() const { return lines_; }
  bool isReadable() const { return readable_; }

  /// What is wrong with a cell, or with any of a line; nothing where it is right.
  std::optional<Verdict> markOf(RankTablePosition place, RankTableCell cell) const;
  std::optional<Verdict> markOf(RankTablePosition place) const;
  /// The worst mistake of a cell, for tool tips.
  QString mistakesOf(RankTablePosition place, RankTableCell cell) const;

  /// One undo step that changes the document as it is read; what cannot be read is not changed.
  void change(const QString& label, const std::function<void(Json&)>& edits);

 Q_SIGNALS:
  void placeWanted(RankTablePosition place, RankTableCell cell);  ///< to be shown
  void lineWanted(int line);                                      ///< of the text, from 1

 private:
  struct Mark {
    Verdict severity = Verdict::warn;
    QString text;
  };
  void mark(const std::string& path, const Finding& finding);
  QString serverName(int server) const;
  QString deviceId(RankTablePosition place) const;
  QString placeText(RankTablePosition place) const;
  QString placesText(RankTablePosition first, RankTablePosition second) const;
  FixedText fixedText(std::optional<int> kind) const override;
  Problem problemOf(const Finding& finding, const std::optional<RankTableFix>& fix);

  RankTableReading reading_;
  std::vector<ServerLine> lines_;
  std::map<std::pair<RankTablePosition, RankTableCell>, Mark> marks_;
  bool readable_ = false;
};

}  // namespace slipstream::ui
