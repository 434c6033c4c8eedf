// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/plan_cards.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLocale>
#include <QPainter>
#include <QPainterPath>
#include <QScrollArea>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/base/text.h"
#include "engine/config/json_edit.h"
#include "engine/document/chart_scale.h"
#include "engine/report/stage_text.h"
#include "engine/spec/schedule.h"
#include "ui/documents/experiment_document.h"
#include "ui/documents/experiment_editing.h"
#include "ui/widgets/cell_table.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int samples = 240;
constexpr int top = 8, bottom = 20, left = 52, right = 8;

/// Round rates from zero to at least the highest one.
std::vector<double> rateTicks(double highest) {
  constexpr int most = 3;
  return niceTicks(0, highest, false, most);
}

QString rateText(double rate, const std::vector<double>& ticks) {
  constexpr int mostDecimals = 5;
  const int decimals = tickDecimals(ticks);
  return decimals <= mostDecimals ? QLocale().toString(rate, 'f', decimals) : QLocale().toString(rate, 'g', 2);
}

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

ScheduleCurve::ScheduleCurve(ExperimentEditing& editing, QWidget* parent) : QWidget(parent), editing_(editing) {
  setMinimumHeight(sizeHint().height());
  setAccessibleName(tr("Learning rate over the steps"));
}

void ScheduleCurve::refresh() {
  rates_.clear();
  const auto stage = editing_.stage();
  if (stage && stage->updates() > 0) {
    steps_ = stage->updates();
    const std::int64_t begin = stage->scheduleStep;
    for (int i = 0; i < samples; ++i) {
      const std::int64_t step = begin + (steps_ - 1) * i / (samples - 1);
      rates_.push_back(learningRate(stage->experiment.optimizer.schedule, step,
                                    static_cast<double>(stage->stepsPerEpoch), begin + steps_));
    }
  }
  highest_ = rates_.empty() ? 0 : *std::ranges::max_element(rates_);
  const QString text = tr("Learning rate up to %1 in %2 steps")
                           .arg(QString::fromStdString(numberText(highest_)), QLocale().toString(qlonglong(steps_)));
  setAccessibleDescription(text);
  setToolTip(rates_.empty() ? QString() : text);
  update();
}

QRectF ScheduleCurve::place() const {
  return QRectF(left, top, width() - left - right, height() - top - bottom);
}

void ScheduleCurve::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const QRectF area = place();
  painter.setFont(textFont(TextSize::caption));
  painter.setPen(tokens().secondText);
  if (rates_.empty()) {
    painter.drawText(rect(), Qt::AlignCenter, tr("The schedule is drawn once the experiment can be planned"));
    return;
  }
  const std::vector<double> ticks = rateTicks(highest_ > 0 ? highest_ : 1);
  const double scale = ticks.back();
  for (const double tick : ticks) {
    const double y = area.bottom() - tick / scale * area.height();
    painter.setPen(tick == 0 ? tokens().chartAxis : tokens().chartGrid);
    painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    painter.setPen(tokens().secondText);
    painter.drawText(QRectF(0, y - 8, left - 6, 16), Qt::AlignRight | Qt::AlignVCenter, rateText(tick, ticks));
  }
  const QLocale locale;
  painter.drawText(QRectF(area.left(), area.bottom() + 3, area.width(), 16), Qt::AlignLeft, QStringLiteral("0"));
  painter.drawText(QRectF(area.left(), area.bottom() + 3, area.width(), 16), Qt::AlignRight,
                   tr("step %1").arg(locale.toString(static_cast<qlonglong>(steps_))));
  QPainterPath path;
  for (std::size_t i = 0; i < rates_.size(); ++i) {
    const QPointF point(area.left() + area.width() * static_cast<double>(i) / (samples - 1),
                        area.bottom() - rates_[i] / scale * area.height());
    i == 0 ? path.moveTo(point) : path.lineTo(point);
  }
  painter.setRenderHint(QPainter::Antialiasing);
  painter.strokePath(path, QPen(tokens().accent, 2));
}

StagesCard::StagesCard(ExperimentEditing& editing, QWidget* parent)
    : QFrame(parent),
      editing_(editing),
      rows_(new CellModel({tr("Stage"), tr("Starts from"), tr("Length"), tr("Algorithms")}, {}, this)),
      table_(readOnlyTable(rows_, tr("Stages"))),
      none_(label(tr("Single stage. Add stages to run several in sequence."), TextSize::body, true)) {
  setProperty("card", true);
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
      row << QString::fromStdString(startText(*planned).in())
          << QString::fromStdString(lengthText(*planned, plan->ranks()).in())
          << QString::fromStdString(algorithmsText(planned->experiment).in());
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
