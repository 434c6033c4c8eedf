// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "engine/study_results/verdict.h"

namespace slipstream::ui {

/// A tuned variant, what its trials tried, and what was chosen.
struct TrialRow {
  int pen = 0;  ///< of the variant's runs
  QString name;
  std::vector<StudySettings> tried;
  StudySettings chosen = {};  ///< empty: not yet
  QString value = {};         ///< in words
};

/// The tuning trials of a study: a row for each tuned variant, with a circle for each trial on the scale of what was
/// tried, which all rows share; the chosen one is filled. Numbers of one key are on a log scale, anything else is in
/// the order of its values.
class TrialRows : public QWidget {
  Q_OBJECT

 public:
  explicit TrialRows(QWidget* parent = nullptr);

  void setRows(std::vector<TrialRow> rows);
  const std::vector<TrialRow>& rows() const { return rows_; }
  /// Whether distances are those of logarithms.
  bool isLogarithmic() const;
  /// Where the trial is between the first value and the last, 0..1.
  double place(const StudySettings& settings) const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  int rowHeight() const;
  void paintRow(QPainter& painter, const TrialRow& row, const QRect& place) const;

  std::vector<TrialRow> rows_;
  std::vector<StudySettings> values_;  ///< all that was tried, in order, each once
};

}  // namespace slipstream::ui
