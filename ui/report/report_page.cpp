// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/report_page.h"

#include <QAction>
#include <QLabel>
#include <QVBoxLayout>
#include <iterator>

#include "ui/report/chart_flow.h"
#include "ui/report/document_view.h"
#include "ui/report/report_saver.h"
#include "ui/widgets/cell_table.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int wideColumns = 5, narrowColumns = 3;  ///< of the values above the charts
constexpr int widePage = 880;

}  // namespace

ReportPage::ReportPage(Workspace& workspace, QWidget* parent)
    : ShownRunsPage(workspace, parent), saver_(new ReportSaver(workspace, this)) {
  auto* browse = new QAction(tr("Open the report in the browser"), this);
  connect(browse, &QAction::triggered, saver_, &ReportSaver::openInBrowser);
  addAction(browse);
  begin(makeBody());
}

QWidget* ReportPage::makeHeader() {
  auto* header = new QWidget;
  auto* row = new QHBoxLayout(header);
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
  return header;
}

QWidget* ReportPage::makeBody() {
  auto* body = new QWidget;
  QVBoxLayout* layout = column(body, gapWide);
  layout->setContentsMargins(pageMargin, gapWide, pageMargin, pageMargin);
  lead_ = label({}, TextSize::lead);
  lead_->setWordWrap(true);
  lead_->setTextFormat(Qt::RichText);
  lead_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  values_ = new QGridLayout;
  values_->setHorizontalSpacing(gapSection);
  values_->setVerticalSpacing(2);
  charts_ = new ChartFlow;
  caption_ = label({}, TextSize::secondary, true);
  caption_->setWordWrap(true);
  tables_ = column(nullptr, gapWide);
  remarks_ = label({}, TextSize::secondary, true);
  remarks_->setWordWrap(true);
  commands_ = label({});
  commands_->setFont(fixedFont());
  commands_->setWordWrap(true);
  commands_->setTextFormat(Qt::PlainText);
  commands_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  layout->addWidget(makeHeader());
  layout->addWidget(lead_);
  layout->addWidget(hairline());
  layout->addLayout(values_);
  layout->addWidget(hairline());
  layout->addWidget(charts_);
  layout->addWidget(caption_);
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
  askStore([runs](RunStore& store) { return reportDocument(store, runsToCompare(store, runs), ReportExtent::summary); },
           [this](const Result<ReportDocument>& document) { showDocument(document); });
}

void ReportPage::showDocument(const Result<ReportDocument>& document) {
  if (!document) {
    return showNothing(tr("There is no report of these runs"), QString::fromStdString(toText(document.error())));
  }
  shown_ = *document;
  title_->setWhole(text(shown_->title));
  std::vector<ChartModel> charts;
  QStringList captions, remarks, commands;
  bool isBelowFigures = false;
  std::size_t tables = 0;
  for (const Block& block : shown_->blocks) {
    if (const auto* values = std::get_if<KeyValues>(&block)) showValues(*values);
    if (const auto* figure = std::get_if<Figure>(&block)) {
      charts.push_back(std::get<ChartModel>(figure->image));
      isBelowFigures = true;
    }
    if (const auto* table = std::get_if<Table>(&block)) {
      tableAt(tables++)->setGrid(gridOf(*table));
      isBelowFigures = false;
    }
    if (const auto* listing = std::get_if<Listing>(&block)) commands << QString::fromStdString(listing->text);
    const auto* paragraph = std::get_if<Paragraph>(&block);
    if (paragraph == nullptr) continue;
    if (paragraph->role == Paragraph::Role::lead) {
      lead_->setText(richText(paragraph->text));
    } else {
      (isBelowFigures ? captions : remarks) << text(paragraph->text);
    }
  }
  for (std::size_t i = tables; i < made_.size(); ++i) made_[i]->hide();
  charts_->setVisible(!charts.empty());
  charts_->setModels(shownChartsOf(charts));
  caption_->setVisible(!captions.isEmpty());
  caption_->setText(captions.join(QLatin1Char(' ')));
  remarks_->setVisible(!remarks.isEmpty());
  remarks_->setText(remarks.join(QLatin1Char('\n')));
  commands_->setText(commands.join(QLatin1Char('\n')));
  showBody();
}

/// Names in small above their values, as in the saved page.
void ReportPage::showValues(const KeyValues& values) {
  while (shownValues_.size() < values.rows.size())
    shownValues_.push_back({label({}, TextSize::secondary, true), new ElidedLabel});
  for (std::size_t i = 0; i < values.rows.size(); ++i) {
    shownValues_[i].name->setText(text(values.rows[i].first));
    shownValues_[i].value->setWhole(text(values.rows[i].second));
  }
  arrangeValues();
}

/// In one row where the page is wide.
void ReportPage::arrangeValues() {
  const int columns = width() >= widthForFont(widePage) ? wideColumns : narrowColumns;
  if (columns == columns_ && values_->count() == 2 * std::ssize(shownValues_)) return;
  columns_ = columns;
  for (int i = 0; i < std::ssize(shownValues_); ++i) {
    const auto& [name, value] = shownValues_[static_cast<std::size_t>(i)];
    values_->removeWidget(name);
    values_->removeWidget(value);
    name->setContentsMargins(0, i < columns ? 0 : gapText, 0, 0);
    values_->addWidget(name, i / columns * 2, i % columns);
    values_->addWidget(value, i / columns * 2 + 1, i % columns);
  }
}

void ReportPage::resizeEvent(QResizeEvent* event) {
  ShownRunsPage::resizeEvent(event);
  arrangeValues();
  charts_->fitTo(*this);
}

CellTable* ReportPage::tableAt(std::size_t index) {
  while (made_.size() <= index) {
    made_.push_back(new CellTable);
    tables_->addWidget(made_.back());
  }
  made_[index]->show();
  return made_[index];
}

}  // namespace slipstream::ui
