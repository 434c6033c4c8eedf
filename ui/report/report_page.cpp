// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/report_page.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <iterator>

#include "ui/report/chart_flow.h"
#include "ui/report/document_view.h"
#include "ui/report/report_saver.h"
#include "ui/widgets/cell_table.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int mostLineWidth = 880;                 ///< longer lines are hard to follow
constexpr int wideColumns = 5, narrowColumns = 3;  ///< of the values above the charts
constexpr int sheetMargin = 16, signSize = 18;

/// Of many lines, to read and to copy; quiet where it is small.
QLabel* wrapped(TextSize size) {
  QLabel* made = label({}, size, size == TextSize::secondary);
  made->setWordWrap(true);
  made->setTextFormat(Qt::RichText);
  made->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  return made;
}

}  // namespace

ReportPage::ReportPage(Workspace& workspace, QWidget* parent)
    : ShownRunsPage(workspace, parent), saver_(new ReportSaver(workspace, this)) {
  auto* browse = new QAction(tr("Open the report in the browser"), this);
  connect(browse, &QAction::triggered, saver_, &ReportSaver::openInBrowser);
  addAction(browse);
  setProperty("ground", true);  // also where a scroll bar is beside the sheet
  setAttribute(Qt::WA_StyledBackground);
  begin(makeBody());
}

/// Above the sheet: where it can go.
QWidget* ReportPage::makeHeader() {
  auto* header = new QWidget;
  auto* row = new QHBoxLayout(header);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(gapText);
  auto* sign = new QLabel;
  sign->setPixmap(QIcon(QStringLiteral(":/icon.svg")).pixmap(QSize(signSize, signSize), devicePixelRatioF()));
  QPushButton* browse = button(Symbol::exportFile, tr("Open in browser"));
  QPushButton* save = button(Symbol::report, tr("Save report…"));
  connect(browse, &QPushButton::clicked, saver_, &ReportSaver::openInBrowser);
  connect(save, &QPushButton::clicked, saver_, &ReportSaver::ask);
  addAll(*row, {sign, label(tr("Slipstream report"), TextSize::secondary, true)});
  row->addStretch(1);
  addAll(*row, {browse, save});
  return header;
}

QWidget* ReportPage::makeBody() {
  auto* body = new QWidget;
  body->setProperty("ground", true);
  QVBoxLayout* layout = column(body, gapText);
  layout->setContentsMargins(pageMargin, gapText, pageMargin, pageMargin);
  layout->addWidget(makeHeader());
  layout->addWidget(makeSheet());
  layout->addStretch(1);
  return body;
}

/// As the saved page begins.
QWidget* ReportPage::makeSheet() {
  auto* sheet = new QFrame;
  sheet->setProperty("sheet", true);
  QVBoxLayout* layout = column(sheet, gapWide);
  layout->setContentsMargins(sheetMargin, gapWide, sheetMargin, sheetMargin);
  title_ = new ElidedLabel;
  title_->setFont(textFont(TextSize::reportTitle));
  lead_ = new BalancedLabel;
  lead_->setFont(textFont(TextSize::reportLead));
  lead_->setTextFormat(Qt::RichText);
  lead_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  lead_->setMaximumWidth(widthForFont(mostLineWidth));
  values_ = new QGridLayout;
  values_->setHorizontalSpacing(pageMargin);
  values_->setVerticalSpacing(2);
  charts_ = new ChartFlow;
  caption_ = wrapped(TextSize::secondary);
  tables_ = column(nullptr, gapSmall);
  remarks_ = wrapped(TextSize::secondary);
  commands_ = label({});
  commands_->setFont(fixedFont());
  commands_->setWordWrap(true);
  commands_->setTextFormat(Qt::PlainText);
  commands_->setProperty("chip", true);
  commands_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  layout->addWidget(title_);
  layout->addWidget(lead_);
  layout->addWidget(hairline());
  layout->addLayout(values_);
  layout->addWidget(hairline());
  layout->addWidget(charts_);
  layout->addWidget(caption_);
  layout->addLayout(tables_);
  layout->addWidget(remarks_);
  repeat_ = new QWidget;
  auto* repeat = new QGridLayout(repeat_);
  repeat->setContentsMargins(0, 0, 0, 0);
  QToolButton* copy = iconButton(Symbol::copy, tr("Copy the commands that repeat all runs"));
  connect(copy, &QToolButton::clicked, this, &ReportPage::copyCommands);
  repeat->addWidget(label(tr("Repeat it"), TextSize::section), 0, 0);
  repeat->addWidget(copy, 0, 1);
  repeat->addWidget(commands_, 1, 0, 1, 2);
  repeat->setColumnStretch(0, 1);
  layout->addWidget(repeat_);
  layout->addWidget(label(tr("The saved page also holds what was off and why, orthogonality, memory and time by rank."),
                          TextSize::secondary, true));
  return sheet;
}

void ReportPage::copyCommands() {
  QGuiApplication::clipboard()->setText(commands_->text());
  workspace().report(tr("The commands are in the clipboard"));
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
  Captions numbers;
  for (const Block& block : shown_->blocks) {
    if (const auto* values = std::get_if<KeyValues>(&block)) showValues(*values);
    if (const auto* figure = std::get_if<Figure>(&block)) {
      charts.push_back(std::get<ChartModel>(figure->image));
      isBelowFigures = true;
    }
    if (const auto* table = std::get_if<Table>(&block)) {
      showTable(tables++, *table, numbers.of(*table));
      isBelowFigures = false;
    }
    if (const auto* listing = std::get_if<Listing>(&block)) commands << QString::fromStdString(listing->text);
    const auto* paragraph = std::get_if<Paragraph>(&block);
    if (paragraph == nullptr) continue;
    if (paragraph->role == Paragraph::Role::lead) {
      lead_->setWords(richText(paragraph->text));
    } else {
      (isBelowFigures ? captions : remarks) << richText(paragraph->text);
    }
  }
  for (std::size_t i = tables; i < made_.size(); ++i) {
    for (QWidget* part : {static_cast<QWidget*>(made_[i].table), static_cast<QWidget*>(made_[i].caption)}) part->hide();
  }
  charts_->setVisible(!charts.empty());
  charts_->setModels(shownChartsOf(charts));
  caption_->setVisible(!charts.empty());
  captions.prepend(richText(Captions::ofFirst(charts.size())));
  caption_->setText(captions.join(QLatin1Char(' ')));
  remarks_->setVisible(!remarks.isEmpty());
  remarks_->setText(remarks.join(QStringLiteral("<br>")));
  commands_->setText(commands.join(QLatin1Char('\n')));
  repeat_->setVisible(!commands.isEmpty());
  fitCharts();
  showBody();
}

void ReportPage::showTable(std::size_t index, const Table& table, const Text& caption) {
  while (made_.size() <= index) {
    made_.push_back({new CellTable, wrapped(TextSize::secondary)});
    made_.back().table->setProperty("framed", false);  // the sheet has a frame
    tables_->addWidget(made_.back().table);
    tables_->addWidget(made_.back().caption);
    tables_->addSpacing(gapText);
  }
  const ShownTable& made = made_[index];
  made.table->setGrid(gridOf(table));
  made.caption->setText(richText(caption));
  made.table->show();
  made.caption->setVisible(!caption.empty());
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

/// In one row where that has room.
void ReportPage::arrangeValues() {
  int wanted = 0;
  for (const ShownValue& shown : shownValues_) {
    wanted += std::max(shown.name->sizeHint().width(), shown.value->sizeHint().width()) + values_->horizontalSpacing();
  }
  const int room = width() - 2 * (pageMargin + sheetMargin);
  const int columns = wanted - values_->horizontalSpacing() <= room ? wideColumns : narrowColumns;
  if (columns == columns_ && values_->count() == 2 * std::ssize(shownValues_)) return;
  columns_ = columns;
  const bool isWide = columns == wideColumns;
  for (int i = 0; i < std::ssize(shownValues_); ++i) {
    const auto& [name, value] = shownValues_[static_cast<std::size_t>(i)];
    values_->removeWidget(name);
    values_->removeWidget(value);
    name->setContentsMargins(0, i < columns ? 0 : gapText, 0, 0);
    const int column = isWide ? 2 * (i % columns) : i % columns;
    values_->addWidget(name, i / columns * 2, column);
    values_->addWidget(value, i / columns * 2 + 1, column);
  }
  // In one row the gaps are alike, which are columns of their own.
  for (int column = 0; column < 2 * wideColumns - 1; ++column)
    values_->setColumnStretch(column, isWide ? column % 2 : 0);
}

void ReportPage::resizeEvent(QResizeEvent* event) {
  ShownRunsPage::resizeEvent(event);
  arrangeValues();
  fitCharts();
}

void ReportPage::fitCharts() {
  charts_->fitTo(*this);
  charts_->endBetweenRowsOf(made_.empty() ? nullptr : made_.front().table);
}

}  // namespace slipstream::ui
