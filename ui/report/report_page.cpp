// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/report_page.h"

#include <QAction>
#include <QLabel>
#include <QVBoxLayout>

#include "ui/compare/chart_flow.h"
#include "ui/compare/compare_query.h"
#include "ui/compare/comparison_grids.h"
#include "ui/compare/comparison_words.h"
#include "ui/compare/figure_picture.h"
#include "ui/parts/cell_table.h"
#include "ui/parts/parts.h"
#include "ui/report/report_saver.h"
#include "ui/report/report_words.h"

namespace slipstream::ui {
namespace {

constexpr int chartColumnsAsked = 1400;
constexpr int factColumns = 3;

}  // namespace

ReportPage::ReportPage(Workspace& workspace, QWidget* parent)
    : ShownRunsPage(workspace, parent), saver_(new ReportSaver(workspace, this)) {
  auto* browse = new QAction(tr("Open the report in the browser"), this);
  connect(browse, &QAction::triggered, saver_, &ReportSaver::openInBrowser);
  addAction(browse);
  begin(makeBody());
}

QWidget* ReportPage::makeHead() {
  auto* head = new QWidget;
  auto* row = new QHBoxLayout(head);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(gapText);
  title_ = new ElidedLabel;
  title_->setFont(textFont(TextSize::pageTitle));
  QPushButton* browse = button(tr("Open in browser"));
  QPushButton* save = button(Symbol::report, tr("Save report…"));
  connect(browse, &QPushButton::clicked, saver_, &ReportSaver::openInBrowser);
  connect(save, &QPushButton::clicked, saver_, &ReportSaver::ask);
  row->addWidget(title_, 1);
  row->addWidget(browse);
  row->addWidget(save);
  return head;
}

QWidget* ReportPage::makeBody() {
  auto* body = new QWidget;
  QVBoxLayout* layout = column(body, gapWide);
  layout->setContentsMargins(pageMargin, pageMargin, pageMargin, pageMargin);
  lead_ = label({});
  lead_->setWordWrap(true);
  lead_->setTextFormat(Qt::RichText);
  lead_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  facts_ = new QGridLayout;
  facts_->setHorizontalSpacing(gapSection);
  facts_->setVerticalSpacing(2);
  charts_ = new ChartFlow;
  tables_ = column(nullptr, gapWide);
  remarks_ = label({}, TextSize::secondary, true);
  remarks_->setWordWrap(true);
  commands_ = label({});
  commands_->setFont(fixedFont());
  commands_->setWordWrap(true);
  commands_->setTextFormat(Qt::PlainText);
  commands_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  layout->addWidget(makeHead());
  layout->addWidget(lead_);
  layout->addWidget(hairline());
  layout->addLayout(facts_);
  layout->addWidget(hairline());
  layout->addWidget(charts_);
  layout->addLayout(tables_);
  layout->addWidget(remarks_);
  layout->addWidget(label(tr("Repeat it"), TextSize::section));
  layout->addWidget(commands_);
  layout->addWidget(label(tr("The saved page also holds what was off and why, orthogonality, memory and time by rank."),
                          TextSize::secondary, true));
  layout->addStretch(1);
  return body;
}

void ReportPage::refresh() {
  const std::vector<std::string> runs = workspace().selection().shown();
  if (!workspace().store().isOpen() || runs.empty()) {
    forget();
    shown_.reset();
    return showNothing(tr("No run is chosen"), tr("Choose runs on the left: their report is shown here."));
  }
  if (!isVisible()) return;
  if (!mustAsk(runs == asked_)) return;
  asked_ = runs;
  askStore([runs](RunStore& store) { return summarizeReport(store, runsToCompare(store, runs), chartColumnsAsked); },
           [this](const Result<ReportSummary>& summary) { showSummary(summary); });
}

void ReportPage::showSummary(const Result<ReportSummary>& summary) {
  if (!summary) {
    return showNothing(tr("There is no report of these runs"), QString::fromStdString(toText(summary.error())));
  }
  shown_ = *summary;
  title_->setWhole(reportTitle(*shown_));
  lead_->setText(reportLead(*shown_));
  showFacts();
  std::vector<ChartPicture> pictures;
  if (!shown_->accuracy.empty()) pictures.push_back(accuracyPicture(shown_->accuracy, FigureAxis::step));
  if (!shown_->loss.empty()) pictures.push_back(lossPicture(shown_->loss, FigureAxis::step));
  shareAxis(pictures);
  charts_->setVisible(!pictures.empty());
  charts_->setPictures(std::move(pictures));
  showTables();
  showCommands();
  showBody();
}

/// Names in small above their values, as in the saved page.
void ReportPage::showFacts() {
  const auto facts = reportFacts(*shown_);
  while (facts_->count() < 2 * static_cast<int>(facts.size())) {
    const int index = facts_->count() / 2;
    QLabel* name = label({}, TextSize::secondary, true);
    name->setContentsMargins(0, index < factColumns ? 0 : gapText, 0, 0);
    facts_->addWidget(name, index / factColumns * 2, index % factColumns);
    facts_->addWidget(new ElidedLabel, index / factColumns * 2 + 1, index % factColumns);
  }
  for (std::size_t i = 0; i < facts.size(); ++i) {
    const int at = 2 * static_cast<int>(i);
    static_cast<QLabel*>(facts_->itemAt(at)->widget())->setText(facts[i].first);
    static_cast<ElidedLabel*>(facts_->itemAt(at + 1)->widget())->setWhole(facts[i].second);
  }
}

CellTable* ReportPage::tableAt(std::size_t index) {
  while (made_.size() <= index) {
    made_.push_back(new CellTable);
    tables_->addWidget(made_.back());
  }
  made_[index]->show();
  return made_[index];
}

void ReportPage::showTables() {
  const Comparison& comparison = shown_->comparison;
  std::size_t used = 0;
  for (const JudgedGrid& judged : judgedGrids(comparison)) tableAt(used++)->setGrid(judged.cells);
  if (comparison.arms.size() > 1) tableAt(used++)->setGrid(differencesGrid(comparison, false));
  tableAt(used++)->setGrid(outcomesGrid(comparison));
  for (std::size_t i = used; i < made_.size(); ++i) made_[i]->hide();
  const QStringList remarks = remarksOf(comparison);
  remarks_->setVisible(!remarks.isEmpty());
  remarks_->setText(remarks.join(QLatin1Char('\n')));
}

void ReportPage::showCommands() {
  QStringList commands;
  for (const std::string& command : shown_->commands) commands << QString::fromStdString(command);
  commands_->setText(commands.join(QLatin1Char('\n')));
}

}  // namespace slipstream::ui
