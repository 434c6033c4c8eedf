// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/plan_form.h"

#include <QVBoxLayout>
#include <array>

#include "ui/experiment/experiment_document.h"
#include "ui/experiment/experiment_editing.h"
#include "ui/experiment/key_row.h"
#include "ui/experiment/schedule_curve.h"
#include "ui/experiment/stages_card.h"
#include "ui/parts/parts.h"

namespace slipstream::ui {
namespace {

/// In the order of the form; the empty one holds the keys that stand alone.
constexpr std::array sections{"", "dataset", "network", "loss", "optimizer", "precision", "parallel", "train"};

QString titleOf(const std::string& section) {
  if (section == "dataset") return PlanForm::tr("Data set");
  if (section == "network") return PlanForm::tr("Network");
  if (section == "loss") return PlanForm::tr("Loss");
  if (section == "optimizer") return PlanForm::tr("Optimizer and schedule");
  if (section == "precision") return PlanForm::tr("Precision");
  if (section == "parallel") return PlanForm::tr("Parallel");
  if (section == "train") return PlanForm::tr("Training");
  return PlanForm::tr("Experiment");
}

bool belongsTo(const FormKey& key, const std::string& section) {
  if (key.kind == KeyKind::section || key.path.starts_with("boost.")) return false;
  const std::size_t dot = key.path.find('.');
  return section.empty() ? dot == std::string::npos : key.path.substr(0, dot) == section;
}

}  // namespace

PlanForm::PlanForm(ExperimentEditing& editing, QWidget* parent) : QScrollArea(parent), editing_(editing) {
  auto* content = new QWidget;
  QVBoxLayout* layout = column(content, gapWide);
  layout->setContentsMargins(0, 0, gapWide, 0);
  for (const char* section : sections) layout->addWidget(buildCard(section));
  stages_ = new StagesCard(editing_);
  layout->addWidget(stages_);
  layout->addStretch();
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setWidget(content);
  viewport()->setAutoFillBackground(false);
  content->setAutoFillBackground(false);
}

QWidget* PlanForm::buildCard(const std::string& section) {
  auto* card = new QFrame;
  card->setProperty("card", true);
  QVBoxLayout* layout = column(card, 0);
  layout->setContentsMargins(gapWide, gapText, gapWide, gapText);
  layout->addWidget(label(titleOf(section), TextSize::section));
  for (const FormKey& key : editing_.form()) {
    if (!belongsTo(key, section)) continue;
    auto* row = new KeyRow(editing_, key);
    layout->addWidget(row);
    rows_.push_back(row);
  }
  if (section == "optimizer") {
    curve_ = new ScheduleCurve(editing_);
    layout->addWidget(curve_);
  }
  if (section == "parallel") {
    QPushButton* table = button(Symbol::table, tr("Edit the rank table"));
    connect(table, &QPushButton::clicked, this, &PlanForm::rankTableWanted);
    layout->addWidget(table, 0, Qt::AlignLeft);
  }
  return card;
}

void PlanForm::refresh() {
  widget()->setEnabled(editing_.isReadable());
  if (!editing_.isReadable()) return;
  for (KeyRow* row : rows_) row->refresh();
}

void PlanForm::refreshPlan() {
  refresh();
  curve_->refresh();
  stages_->refresh();
}

bool PlanForm::reveal(const std::string& path) {
  for (KeyRow* row : rows_) {
    const bool same = row->path() == path;
    // A place inside a list is shown at its list, a section at its first key.
    const bool inside = path.starts_with(row->path() + "[") || row->path().starts_with(path + ".");
    if (!same && !inside) continue;
    ensureWidgetVisible(row->control());
    row->control()->setFocus(Qt::OtherFocusReason);
    return true;
  }
  return path.starts_with("stages") && stages_->reveal(path, *this);
}

}  // namespace slipstream::ui
