// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/stages_card.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QScrollArea>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/config/json_edit.h"
#include "engine/report/stage_text.h"
#include "ui/documents/experiment_document.h"
#include "ui/documents/experiment_editing.h"
#include "ui/widgets/cell_table.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int tableHeight = 150;

Json stagesIn(const Json& root) {
  const bool there = root.is_object() && root.contains("stages") && root["stages"].is_array();
  return there ? root["stages"] : Json::array();
}

QString nameOf(const Json& stage, std::size_t index) {
  const bool named = stage.is_object() && stage.contains("name") && stage["name"].is_string();
  return named ? QString::fromStdString(stage["name"].get<std::string>()) : StagesCard::tr("stage %1").arg(index + 1);
}

}  // namespace

StagesCard::StagesCard(ExperimentEditing& editing, QWidget* parent)
    : QFrame(parent),
      editing_(editing),
      rows_(new CellModel({tr("Stage"), tr("Starts from"), tr("Length"), tr("Algorithms")}, {}, this)),
      table_(readOnlyTable(rows_, tr("Stages"))),
      none_(label(tr("Single stage. Add stages to run several in sequence."), TextSize::body, true)) {
  setProperty("cardPart", true);
  QVBoxLayout* layout = column(this);
  layout->setContentsMargins(gapWide, gapText, gapWide, gapText);
  layout->addWidget(label(tr("Stages"), TextSize::section));
  none_->setWordWrap(true);
  table_->setProperty("framed", false);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  table_->setFixedHeight(tableHeight);
  addAll(*layout, {none_, table_, buildButtons()});
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &StagesCard::refreshButtons);
  connect(table_, &QTableView::doubleClicked, this, &StagesCard::editSettings);
  refresh();
}

QWidget* StagesCard::buildButtons() {
  auto* buttons = new QWidget;
  QHBoxLayout* row = rowLayout(buttons);
  QPushButton* add = button(Symbol::add, tr("Add"));
  edit_ = button(tr("Settings"));
  edit_->setToolTip(tr("Show and change this stage's own settings above"));
  up_ = button(tr("Up"));
  down_ = button(tr("Down"));
  remove_ = button(tr("Remove"));
  for (QPushButton* action : {add, edit_, up_, down_, remove_}) row->addWidget(action);
  row->addStretch();
  connect(add, &QPushButton::clicked, this, &StagesCard::add);
  connect(edit_, &QPushButton::clicked, this, &StagesCard::editSettings);
  connect(up_, &QPushButton::clicked, this, [this] { move(-1); });
  connect(down_, &QPushButton::clicked, this, [this] { move(1); });
  connect(remove_, &QPushButton::clicked, this, &StagesCard::remove);
  return buttons;
}

void StagesCard::refresh() {
  const Json stages = stagesIn(editing_.root());
  const RunPlan* plan = editing_.plan();
  std::vector<QStringList> rows;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const QString name = nameOf(stages[i], i);
    QStringList row{name};
    const StagePlan* planned = plan == nullptr ? nullptr : findStage(*plan, name.toStdString());
    if (planned != nullptr) {
      row << text(startText(*planned)) << text(lengthText(*planned, plan->ranks()))
          << text(algorithmsText(planned->experiment));
    }
    rows.push_back(row);
  }
  rows_->setTexts(rows);
  none_->setVisible(stages.empty());
  table_->setVisible(!stages.empty());
  refreshButtons();
}

int StagesCard::chosen() const {
  return table_->currentIndex().isValid() ? table_->currentIndex().row() : -1;
}

void StagesCard::refreshButtons() {
  const int at = chosen();
  const int count = rows_->rowCount();
  edit_->setEnabled(at >= 0);
  remove_->setEnabled(at >= 0);
  up_->setEnabled(at > 0);
  down_->setEnabled(at >= 0 && at + 1 < count);
}

/// The first stage trains as the file says; one more trains on from the last.
void StagesCard::add() {
  const std::size_t count = stagesIn(editing_.root()).size();
  const Json stage{{"name", count == 0 ? "train" : "stage_" + std::to_string(count + 1)}, {"train", {{"epochs", 1}}}};
  const std::string place = "stages[" + std::to_string(count) + "]";
  editing_.apply(setValue(editing_.document().text(), place, stage), tr("Add a stage"));
}

void StagesCard::remove() {
  const int at = chosen();
  if (at < 0) return;
  const bool last = rows_->rowCount() == 1;
  const std::string place = last ? "stages" : "stages[" + std::to_string(at) + "]";
  editing_.apply(removeValue(editing_.document().text(), place), tr("Remove a stage"));
}

void StagesCard::move(int by) {
  Json stages = stagesIn(editing_.root());
  const int at = chosen();
  if (at < 0 || at + by < 0 || at + by >= static_cast<int>(stages.size())) return;
  std::swap(stages[static_cast<std::size_t>(at)], stages[static_cast<std::size_t>(at + by)]);
  editing_.apply(setValue(editing_.document().text(), "stages", stages), tr("Move a stage"));
  table_->selectRow(at + by);
}

void StagesCard::editSettings() {
  if (chosen() >= 0) editing_.setScope({ExperimentScope::Kind::stage, static_cast<std::size_t>(chosen())});
}

bool StagesCard::reveal(const std::string& path, QScrollArea& area) {
  const std::vector<JsonStep> steps = jsonSteps(path);
  const bool indexed = steps.size() > 1 && std::holds_alternative<std::size_t>(steps[1]);
  if (indexed) table_->selectRow(static_cast<int>(std::get<std::size_t>(steps[1])));
  area.ensureWidgetVisible(table_);
  table_->setFocus(Qt::OtherFocusReason);
  return true;
}

}  // namespace slipstream::ui
