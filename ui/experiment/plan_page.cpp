// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/plan_page.h"

#include <QHeaderView>
#include <QLocale>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>
#include <array>

#include "engine/plan/network_summary.h"
#include "ui/documents/document_files.h"
#include "ui/documents/experiment_document.h"
#include "ui/documents/experiment_editing.h"
#include "ui/experiment/json_fields.h"
#include "ui/experiment/key_row.h"
#include "ui/experiment/plan_cards.h"
#include "ui/widgets/cell_table.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

/// In the order of the form; the empty one holds the keys outside any section.
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

constexpr int typingKey = 0x7e87;

QTableView* tableOf(CellModel* model, const QString& name) {
  QTableView* table = readOnlyTable(model, name);
  table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  return table;
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

PlanPage::PlanPage(Workspace& workspace, QWidget* parent)
    : ExperimentPage(workspace, parent), form_(new PlanForm(editing())) {
  connect(form_, &PlanForm::rankTableWanted, this, [this] { this->workspace().showPage(PageId::rankTable); });
  auto* split = new QSplitter(Qt::Horizontal);
  split->setChildrenCollapsible(false);
  split->addWidget(form_);
  split->addWidget(buildSide());
  split->setSizes({540, 460});
  begin(split);
}

QWidget* PlanPage::buildSide() {
  views_ = new SegmentedControl({tr("File"), tr("Active features"), tr("Network")});
  text_ = new JsonEditor;
  text_->setAccessibleName(tr("Experiment as text"));
  connect(text_, &JsonEditor::typed, this, &PlanPage::typed);
  decisions_ = new CellModel({tr("What"), tr("State"), tr("Why")}, {}, this);
  network_ = new CellModel({tr("Layer"), tr("Kind"), tr("Output"), tr("Parameters")}, {3}, this);
  networkSum_ = label(QString(), TextSize::body, true);
  auto* network = new QWidget;
  QVBoxLayout* layers = column(network);
  layers->addWidget(tableOf(network_, tr("Layers of the network")), 1);
  layers->addWidget(networkSum_);
  side_ = new QStackedWidget;
  side_->addWidget(text_);
  side_->addWidget(tableOf(decisions_, tr("What is on and off, and why")));
  side_->addWidget(network);
  views_->setCurrent(0);
  connect(views_, &SegmentedControl::chosen, side_, &QStackedWidget::setCurrentIndex);
  auto* side = new QWidget;
  QVBoxLayout* layout = column(side);
  layout->setContentsMargins(gapWide, 0, 0, 0);
  layout->addWidget(views_);
  layout->addWidget(side_, 1);
  return side;
}

void PlanPage::refresh() {
  text_->setShown(text(workspace().experiment().text()));
  ExperimentPage::refresh();
}

void PlanPage::refreshPlan() {
  form_->refreshPlan();
  refreshNetwork();
  refreshDecisions();
}

void PlanPage::refreshNetwork() {
  const auto stage = editing().stage();
  if (!stage) return;
  const QLocale locale;
  std::int64_t together = 0;
  std::vector<QStringList> rows;
  for (const LayerSummary& layer : summarize(stage->experiment)) {
    together += layer.parameters;
    rows.push_back({text(layer.name), text(layer.kind), text(layer.output),
                    locale.toString(static_cast<qlonglong>(layer.parameters))});
  }
  network_->setTexts(rows);
  networkSum_->setText(tr("%1 trained parameters").arg(locale.toString(static_cast<qlonglong>(together))));
}

void PlanPage::refreshDecisions() {
  const RunPlan* plan = editing().plan();
  if (plan == nullptr) return;
  std::vector<QStringList> rows;
  for (const Decision& decision : allDecisions(*plan)) {
    rows.push_back({text(decision.subject), text(stateText(decision)), text(decision.why)});
  }
  decisions_->setTexts(rows);
}

/// What boosting has no control for is shown here: in the form, else in the text; so is everything while forms cannot
/// read it.
void PlanPage::showPlace(const QString& place) {
  const std::string path = keyPathOf(editing().keyOf(place));
  const bool readable = editing().isReadable();
  if (readable && path.starts_with("boost")) return;
  const auto span = textPlaceOf(workspace().experiment().text(), place.toStdString());
  workspace().showPage(id());
  if (readable && !path.empty() && form_->reveal(path)) return;
  views_->setCurrent(0);
  side_->setCurrentIndex(0);
  if (!span) return text_->setFocus(Qt::OtherFocusReason);
  const std::string& whole = workspace().experiment().text();
  const auto characters = [&](std::size_t bytes) { return static_cast<int>(text(whole.substr(0, bytes)).size()); };
  text_->showPart(characters(span->begin), characters(span->end));
}

void PlanPage::typed() {
  workspace().experiment().edit(text_->toPlainText().toStdString(), tr("Edit the file"), typingKey);
}

}  // namespace slipstream::ui
