// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/plan_page.h"

#include <QHeaderView>
#include <QLocale>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include "engine/plan/network_summary.h"
#include "ui/experiment/experiment_editing.h"
#include "ui/experiment/json_editor.h"
#include "ui/experiment/plan_form.h"
#include "ui/experiment/rows_model.h"
#include "ui/experiment/segments.h"
#include "ui/experiment/text_place.h"
#include "ui/parts/parts.h"

namespace slipstream::ui {
namespace {

constexpr int typingKey = 0x7e87;

QTableView* tableOf(RowsModel* model, const QString& name) {
  auto* table = new QTableView;
  table->setModel(model);
  table->setAccessibleName(name);
  table->setProperty("framed", true);
  table->setShowGrid(false);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setWordWrap(true);
  table->verticalHeader()->hide();
  table->horizontalHeader()->setStretchLastSection(true);
  table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  return table;
}

QString words(const std::string& text) {
  return QString::fromStdString(text);
}

}  // namespace

PlanPage::PlanPage(Workspace& workspace, QWidget* parent)
    : ExperimentPage(workspace, parent), form_(new PlanForm(editing())) {
  connect(form_, &PlanForm::rankTableWanted, this, [this] { this->workspace().goTo(QStringLiteral("rank-table")); });
  auto* split = new QSplitter(Qt::Horizontal);
  split->setChildrenCollapsible(false);
  split->addWidget(form_);
  split->addWidget(buildSide());
  split->setSizes({540, 460});
  begin(split);
}

QWidget* PlanPage::buildSide() {
  views_ = new Segments({tr("File"), tr("On and off"), tr("Network")});
  text_ = new JsonEditor;
  text_->setAccessibleName(tr("Experiment as text"));
  connect(text_, &JsonEditor::typed, this, &PlanPage::typed);
  decisions_ = new RowsModel({tr("What"), tr("State"), tr("Why")}, this);
  network_ = new RowsModel({tr("Layer"), tr("Kind"), tr("Output"), tr("Parameters")}, this);
  network_->alignRight(3);
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
  connect(views_, &Segments::chosen, side_, &QStackedWidget::setCurrentIndex);
  auto* side = new QWidget;
  QVBoxLayout* layout = column(side);
  layout->setContentsMargins(gapWide, 0, 0, 0);
  layout->addWidget(views_);
  layout->addWidget(side_, 1);
  return side;
}

void PlanPage::refresh() {
  text_->setShown(words(workspace().experiment().text()));
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
    rows.push_back({words(layer.name), words(layer.kind), words(layer.output),
                    locale.toString(static_cast<qlonglong>(layer.parameters))});
  }
  network_->setRows(std::move(rows));
  networkSum_->setText(tr("%1 trained parameters").arg(locale.toString(static_cast<qlonglong>(together))));
}

void PlanPage::refreshDecisions() {
  const RunPlan* plan = editing().plan();
  if (plan == nullptr) return;
  std::vector<QStringList> rows;
  for (const Decision& decision : allDecisions(*plan)) {
    rows.push_back({words(decision.subject), words(decision.state), words(decision.why)});
  }
  decisions_->setRows(std::move(rows));
}

/// What boosting has no control for is shown here: in the form, else in the text; so is everything while forms cannot
/// read it.
void PlanPage::showPlace(const QString& place) {
  const std::string path = keyPathOf(editing().keyOf(place));
  const bool readable = editing().isReadable();
  if (readable && path.starts_with("boost")) return;
  const auto span = textPlaceOf(workspace().experiment().text(), place.toStdString());
  workspace().goTo(name());
  if (readable && !path.empty() && form_->reveal(path)) return;
  views_->setCurrent(0);
  side_->setCurrentIndex(0);
  if (!span) return text_->setFocus(Qt::OtherFocusReason);
  const std::string& text = workspace().experiment().text();
  const auto characters = [&](std::size_t bytes) { return static_cast<int>(words(text.substr(0, bytes)).size()); };
  text_->showPart(characters(span->begin), characters(span->end));
}

void PlanPage::typed() {
  workspace().experiment().edit(text_->toPlainText().toStdString(), tr("Edit the file"), typingKey);
}

}  // namespace slipstream::ui
