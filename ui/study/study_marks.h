// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QWidget>
#include <optional>

#include "engine/study_results/study_reading.h"

class QPainter;
class QRectF;

namespace slipstream::ui {

/// The shape of a verdict, in its colour: verdicts differ in shape first. `place` is square.
void paintVerdict(QPainter& painter, const QRectF& place, StudyVerdictKind verdict);
/// What seeds of the verdict wear; nothing: there is none yet.
QColor verdictColour(std::optional<StudyVerdictKind> verdict);

/// One seed: filled where it reached the target, a ring where it never did. A running one wears the accent.
void paintSeed(QPainter& painter, const QRectF& place, SeedState state, const QColor& colour);

/// What the shapes of the matrix mean, in as many lines as it takes.
class StudyKey : public QWidget {
  Q_OBJECT

 public:
  explicit StudyKey(QWidget* parent = nullptr);
  /// What is rare has an entry where the matrix has it. `same`: the margin within which two are the same; empty: the
  /// study names none. `toTarget`: a seed can reach it.
  void setTexts(const StudyMatrix& matrix, const QString& same, const QString& target, bool toTarget);

  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  struct Entry {
    std::optional<StudyVerdictKind> verdict;
    SeedState seed = SeedState::reached;
    QString text;
  };
  template <class Place>
  int layOut(int width, const Place& place) const;

  std::vector<Entry> entries_;
};

}  // namespace slipstream::ui
