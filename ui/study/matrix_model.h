// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>

#include "engine/study_results/study_reading.h"

namespace slipstream::ui {

/// Variants by combinations of factors; the first column names the variants.
class MatrixModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  using QAbstractTableModel::QAbstractTableModel;

  const StudyMatrix& matrix() const { return matrix_; }
  /// `toTarget`: a seed can reach one. Where rows and columns are as many as before, what is chosen stays.
  void setMatrix(StudyMatrix matrix, bool toTarget);

  /// Null in the first column.
  const StudyMatrixCell* cellAt(const QModelIndex& index) const;
  const StudyMatrixRow& row(int row) const { return matrix_.rows[static_cast<std::size_t>(row)]; }

  /// What a cell shows in its first line: the change, or what the reference comes to.
  QString figure(const QModelIndex& index) const;
  /// Behind it: the interval.
  QString range(const QModelIndex& index) const;
  /// Below a variant's name: "reference · 5 trials".
  QString about(int row) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  QString inFull(const QModelIndex& index) const;

  StudyMatrix matrix_;
  bool toTarget_ = false;
};

}  // namespace slipstream::ui
