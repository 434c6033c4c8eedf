// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/plan_page.h"

#include <QHeaderView>
#include <QLocale>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include "engine/plan/network_summary.h"
#include "ui/documents/document_files.h"
#include "ui/documents/experiment_document.h"
#include "ui/documents/experiment_editing.h"
#include "ui/experiment/plan_form.h"
#include "ui/experiment/plan_text.h"
#include "ui/widgets/cell_table.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int mostFormWidth = 600;
constexpr int worstSize = 14;

QTableView* tableOf(CellModel* model, const QString& name) {
  QTableView* table = readOnlyTable(model, name);
  table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  return table;
}

}  // namespace

PlanPage::PlanPage(Workspace& workspace, QWidget* parent) : ExperimentPage(workspace, parent) {}

void PlanPage::buildBody(QVBoxLayout& rows) {
  QSplitter& split = addSplitter(rows);
  form_ = new PlanForm(editing(), &split);
  connect(&workspace().experiment(), &Document::problemsChanged, this, &PlanPage::refreshProblems);
  connect(form_, &PlanForm::helpWanted, this, [this](const QString& path) { text_->showHelp(path); });
  connect(form_, &PlanForm::rankTableWanted, this, [this] { this->workspace().showPage(PageId::rankTable); });
  buildSide(split);
  // The form is no wider than its rows ask for; long lines of the text take the rest.
  form_->setMaximumWidth(widthForFont(mostFormWidth));
  split.setSizes({670, 290});
  split.setStretchFactor(0, 2);
  split.setStretchFactor(1, 1);
}

void PlanPage::buildSide(QSplitter& split) {
  auto* side = new QWidget(&split);
  QVBoxLayout* layout = column(side);
  layout->setContentsMargins(gapWide, 0, 0, 0);
  views_ = new SegmentedControl({tr("File"), tr("Features"), tr("Network")}, side);
  side_ = new QStackedWidget(side);
  text_ = new PlanText(editing(), side_);
  decisions_ = new CellModel({tr("What"), tr("State"), tr("Why")}, {}, this);
  network_ = new CellModel({tr("Layer"), tr("Kind"), tr("Output"), tr("Parameters")}, {3}, this);
  networkSum_ = label(QString(), TextSize::body, true);
  auto* network = new QWidget;
  QVBoxLayout* layers = column(network);
  layers->addWidget(tableOf(network_, tr("Layers of the network")), 1);
  layers->addWidget(networkSum_);
  side_->addWidget(text_);
  side_->addWidget(tableOf(decisions_, tr("What is on and off, and why")));
  side_->addWidget(network);
  views_->setCurrent(0);
  connect(views_, &SegmentedControl::chosen, side_, &QStackedWidget::setCurrentIndex);
  worst_ = new QLabel;
  counts_ = new ElidedLabel;
  counts_->setFont(textFont(TextSize::secondary));
  auto* counts = new QWidget(side);
  counts->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);  // nothing moves when there is one more
  QHBoxLayout* row = rowLayout(counts, gapSmall);
  row->addStretch(1);
  addAll(*row, {worst_, counts_});
  auto* head = new QHBoxLayout;
  head->addWidget(views_);
  head->addWidget(counts, 1);
  layout->addLayout(head);
  layout->addWidget(side_, 1);
}

void PlanPage::refresh() {
  text_->refresh();
  ExperimentPage::refresh();
}

/// Problems come before the plan does, and without one.
void PlanPage::refreshProblems() {
  if (!isVisible()) return;
  form_->refresh();
  text_->refreshProblems();
  showCounts();
}

/// Counts the problems of this experiment; those of all documents are counted below the pages.
void PlanPage::showCounts() {
  const Problems& problems = workspace().experiment().problems();
  const auto isError = [](const Problem& problem) { return problem.severity == Verdict::reject; };
  const auto errors = static_cast<int>(std::ranges::count_if(problems, isError));
  const auto warnings = static_cast<int>(problems.size()) - errors;
  worst_->setPixmap(icon(errors > 0 ? Symbol::error : Symbol::warning, errors > 0 ? IconInk::error : IconInk::warning)
                        .pixmap(QSize(worstSize, worstSize), devicePixelRatioF()));
  worst_->setVisible(!problems.empty());
  showSeverity(*counts_, errors > 0 ? Verdict::reject : Verdict::warn);
  const QString whole = problemCounts(errors, warnings).join(QStringLiteral(" · "));
  counts_->setWhole(whole, {QLocale().toString(errors + warnings)});
  counts_->setAccessibleName(whole);
  counts_->setVisible(!problems.empty());
}

void PlanPage::refreshPlan() {
  form_->refreshPlan();
  text_->refreshProblems();
  showCounts();
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
  workspace().showPage(id());
  if (readable && !path.empty() && form_->reveal(path)) return;
  views_->setCurrent(0);
  side_->setCurrentIndex(0);
  text_->showPlace(place);
}

}  // namespace slipstream::ui
