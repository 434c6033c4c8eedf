// SPDX-License-Identifier: GPL-3.0-or-later
// What a study that is written may take, and its control.
#include <QGridLayout>
#include <QSpinBox>

#include "ui/study/study_fields.h"
#include "ui/study/study_form.h"
#include "ui/study/study_form_parts.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int mostFormCores = 4096;

}  // namespace

void StudyForm::addBudget(QGridLayout& grid) {
  addHeading(grid, tr("Budget"), {});
  addRow(
      grid, tr("Time"),
      {line("budget.hours", tr("Hours"), narrowField, typedValue, fieldOf), secondLabel(tr("hours of all its cores"))});
  QSpinBox* cores = spin("budget.cores", tr("Cores"), 0, mostFormCores, 0);
  cores->setSpecialValueText(tr("all"));
  addRow(grid, tr("Cores"), {cores, secondLabel(tr("of this machine"))});
  QSpinBox* copies = spin("control", tr("Copies of the reference"), 0, 100, 0);
  copies->setToolTip(tr("Compares the reference with itself instead of the variants: nothing should be shown"));
  addRow(grid, tr("A/A control"), {copies, secondLabel(tr("copies of the reference, in place of the variants"))});
  place_ = label({}, TextSize::secondary, true);
  place_->setWordWrap(true);
  grid.addWidget(place_, grid.rowCount(), 0, 1, 2);
}

}  // namespace slipstream::ui
