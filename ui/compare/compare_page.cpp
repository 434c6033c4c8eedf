// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/compare_page.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/report/variant_charts.h"
#include "ui/compare/compare_header.h"
#include "ui/documents/key_titles.h"
#include "ui/report/chart_flow.h"
#include "ui/report/document_view.h"
#include "ui/report/report_saver.h"
#include "ui/widgets/cell_table.h"

namespace slipstream::ui {
namespace {

constexpr int narrowPage = 900;  ///< below, the interval tables come first
constexpr int chartColumns = 1000;
constexpr int leastChart = 170, goodChart = 184;  ///< heights
constexpr int mostParametersWidth = 640;
constexpr std::size_t fewVariants = 7;
constexpr std::size_t mostParameters = 12;  ///< that are shown unasked

CompareAnswer answerTo(const CompareQuery& query, RunStore& store) {
  CompareAnswer answer;
  auto comparison = compareRuns(store, runsToCompare(store, query.runs));
  if (!comparison) {
    answer.failures = std::move(comparison.error());
    return answer;
  }
  answer.comparison = std::move(*comparison);
  const auto add = [&answer](std::optional<ChartModel> chart) {
    if (chart) answer.charts.push_back(std::move(*chart));
  };
  for (const char* metric : comparedMetrics) {
    add(metricChart(store, answer.comparison, metric, query.axis, chartColumns));
  }
  add(reachedChart(answer.comparison, query.axis));
  return answer;
}

/// Whether any measure that is shown is one of these.
bool anyMeasure(const Comparison& comparison, bool (*isOne)(const ComparedMeasure& measure)) {
  return std::ranges::any_of(comparison.compared, [&](const ComparedVariant& compared) {
    return std::ranges::any_of(compared.measures, isOne);
  });
}

bool countsToTarget(const ComparedMeasure& measure) {
  return measure.referenceReached.has_value();
}

bool hasTooFewSeeds(const ComparedMeasure& measure) {
  return measure.verdict == ComparisonVerdict::noClaim && measure.why == NoClaim::fewReplicas;
}

}  // namespace

ComparePage::ComparePage(Workspace& workspace, QWidget* parent)
    : ShownRunsPage(workspace, parent), saver_(new ReportSaver(workspace, this)) {
  QWidget* body = makeBody();
  auto* copy = new QAction(icon(Symbol::copy), tr("Copy the compared tables as CSV"), this);
  connect(copy, &QAction::triggered, this, &ComparePage::copyTables);
  addAction(copy);
  connect(header_, &CompareHeader::axisChosen, this, &ComparePage::refresh);
  connect(header_, &CompareHeader::copyWanted, this, &ComparePage::copyTables);
  connect(header_, &CompareHeader::saveWanted, saver_, [this] { saver_->ask(); });
  begin(body);
}

QWidget* ComparePage::makeBody() {
  auto* body = new QWidget;
  body_ = column(body, gapWide);
  body_->setContentsMargins(pageMargin, gapWide, pageMargin, pageMargin);
  header_ = new CompareHeader;
  differences_ = makeDifferences();
  charts_ = new ChartFlow;
  connect(charts_, &ChartFlow::arranged, this, &ComparePage::fitCharts);
  results_ = new QWidget;
  column(results_, gapWide);
  remarks_ = label({}, TextSize::secondary, true);
  remarks_->setWordWrap(true);
  remarks_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  body_->addWidget(header_);
  for (QWidget* part : {differences_, static_cast<QWidget*>(charts_), results_}) body_->addWidget(part);
  body_->addWidget(remarks_);
  body_->addStretch(1);
  return body;
}

QWidget* ComparePage::makeDifferences() {
  auto* part = new QWidget;
  auto* row = new QHBoxLayout(part);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(pageMargin);
  parameters_ = new CellTable;
  parameters_->setAccessibleName(tr("Parameters that differ"));
  parameters_->setMaximumWidth(mostParametersWidth);
  hidden_ = label({}, TextSize::secondary, true);
  showAll_ = button(tr("Show all"));
  showAll_->setProperty("link", true);
  connect(showAll_, &QPushButton::clicked, this, [this] {
    all_ = !all_;
    showDifferences();
  });
  conclusion_ = new BalancedLabel;
  conclusion_->setFont(textFont(TextSize::lead));
  conclusion_->setTextFormat(Qt::RichText);
  conclusion_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  QHBoxLayout* equal = rowLayout(nullptr, gapText);
  equal->addWidget(hidden_);
  equal->addWidget(showAll_);
  equal->addStretch(1);
  QVBoxLayout* left = column(nullptr, gapSmall);
  left->addWidget(parameters_);
  left->addLayout(equal);
  left->addStretch(1);
  notes_ = column(nullptr, 0);
  notes_->addWidget(conclusion_);
  notes_->addStretch(1);
  row->addLayout(left, 1);
  row->addLayout(notes_, 1);
  return part;
}

/// In a small window, and of many variants, the sentences and the interval tables come first.
void ComparePage::arrange() {
  const bool narrow = width() < narrowPage || shown_.comparison.variants.size() > fewVariants;
  if (narrow == narrow_) return;
  narrow_ = narrow;
  for (QWidget* part : {differences_, static_cast<QWidget*>(charts_), results_}) body_->removeWidget(part);
  int place = 1;
  if (narrow) {
    body_->insertWidget(place++, conclusion_);
  } else {
    notes_->insertWidget(0, conclusion_);
  }
  const std::vector<QWidget*> order = narrow ? std::vector<QWidget*>{results_, charts_, differences_}
                                             : std::vector<QWidget*>{differences_, charts_, results_};
  for (QWidget* part : order) body_->insertWidget(place++, part);
}

void ComparePage::resizeEvent(QResizeEvent* event) {
  Page::resizeEvent(event);
  arrange();
  fitCharts();
}

/// Charts are lower than usual where all that is below them is in sight then, or all but the rows that claim nothing.
void ComparePage::fitCharts() {
  charts_->fitTo(*this);
  charts_->endBetweenRowsOf(narrow_ || tables_.empty() ? nullptr : tables_.front(), remarks_);
  if (narrow_ || charts_->rows() != 1 || tables_.empty() || shown_.comparison.compared.empty()) return;
  const QMargins margins = body_->contentsMargins();
  const int width = this->width() - margins.left() - margins.right();
  const auto heightOf = [width](const QWidget& part) {
    return part.hasHeightForWidth() ? part.heightForWidth(width) : part.sizeHint().height();
  };
  const auto& measures = shown_.comparison.compared.back().measures;
  const auto claimless = std::ranges::count(measures, ComparisonVerdict::noClaim, &ComparedMeasure::verdict);
  int others = heightOf(*header_) + heightOf(*differences_) + heightOf(*results_) + 3 * body_->spacing();
  if (!remarks_->isHidden()) others += heightOf(*remarks_) + body_->spacing();
  const int room = height() - margins.top() - margins.bottom() - others;
  const int withoutLast = room + static_cast<int>(claimless) * tables_.front()->rowHeight(0);
  const bool hasAll = room >= widthForFont(goodChart);
  const int height = hasAll ? room : std::max(withoutLast, widthForFont(leastChart));
  charts_->setChartHeight(std::min(height, charts_->chartHeight()));
}

void ComparePage::refresh() {
  const std::vector<std::string>& runs = workspace().selection().shown();
  if (!workspace().store().isOpen() || runs.size() < 2) {
    forget();
    shown_ = {};
    return showNothing(tr("Nothing to compare"), tr("Choose two runs or more on the left. The pinned one, or the "
                                                    "first, is what the others are held against."));
  }
  if (!isVisible()) return;
  const CompareQuery query{runs, header_->axis()};
  if (!mustAsk(query == asked_)) return;
  if (query.runs != asked_.runs) showTop();  // another comparison is read from its beginning
  asked_ = query;
  askStore([query](RunStore& store) { return answerTo(query, store); },
           [this](CompareAnswer answer) { showAnswer(std::move(answer)); });
}

void ComparePage::showAnswer(CompareAnswer answer) {
  shown_ = std::move(answer);
  if (!shown_.failures.empty())
    return showNothing(tr("These runs cannot be compared"), QString::fromStdString(toText(shown_.failures)));
  if (shown_.comparison.variants.size() < 2) {
    return showOneVariant();
  }
  header_->setComparison(shown_.comparison);
  arrange();
  showConclusion();
  showDifferences();
  charts_->setVisible(!shown_.charts.empty());
  charts_->setModels(shownChartsOf(shown_.charts));
  showTables();
  fitCharts();
  showBody();
}

/// One variant: what its runs have in common decides what is said of them.
void ComparePage::showOneVariant() {
  const std::vector<RunOutcome>& outcomes = shown_.comparison.variants.front().outcomes;
  const bool oneSeed = std::all_of(outcomes.begin(), outcomes.end(), [&](const RunOutcome& outcome) {
    return outcome.run.seed == outcomes.front().run.seed;
  });
  showNothing(oneSeed ? tr("These runs have the same settings and the same seed")
                      : tr("These runs have the same settings, with different seeds"),
              tr("Choose a run of another variant as well: there is nothing to compare them with."));
}

void ComparePage::showConclusion() {
  const Text conclusion = joined(conclusionsOf(shown_.comparison), " ");
  // "n < 3" is not broken over two lines.
  conclusion_->setWords(richText(conclusion).replace(QLatin1String("n &lt; "), QStringLiteral("n\u00a0&lt;\u00a0")));
  conclusion_->setAccessibleName(text(conclusion));
  conclusion_->setVisible(!conclusion.empty());
}

void ComparePage::showDifferences() {
  const Comparison& comparison = shown_.comparison;
  Table table = differencesTable(comparison, all_ ? ParameterExtent::all : ParameterExtent::chosen);
  const bool hidesAll = table.rows.empty();  // what follows from algorithms is all that differs
  if (hidesAll) table = differencesTable(comparison);
  const int following = static_cast<int>(hidesAll || all_ ? 0 : comparison.differences.size() - table.rows.size());
  CellGrid grid = gridOf(table);
  grid.headings.front().text = tr("Parameter that differs");
  const std::size_t more = !all_ && grid.rows.size() > mostParameters ? grid.rows.size() - mostParameters : 0;
  grid.rows.resize(grid.rows.size() - more);
  for (std::vector<Cell>& row : grid.rows) row.front().text = titleOfPath(row.front().text.toStdString());
  parameters_->setGrid(std::move(grid));
  const int equal = static_cast<int>(comparison.equals.size());
  QStringList words{all_ ? tr("%n equal parameter(s) are shown.", nullptr, equal)
                         : tr("%n equal parameter(s) are hidden.", nullptr, equal)};
  if (following > 0) {
    words = {tr("%n equal parameter(s) and %1 of these algorithms are hidden.", nullptr, equal)
                 .arg(tr("%n setting(s)", nullptr, following))};
  }
  if (more > 0) words.prepend(tr("%n more parameter(s) differ.", nullptr, static_cast<int>(more)));
  hidden_->setText(words.join(QLatin1Char(' ')));
  showAll_->setText(all_ ? tr("Hide them") : tr("Show all"));
}

void ComparePage::showTables() {
  const Comparison& comparison = shown_.comparison;
  std::vector<Table> tables = comparedTables(comparison);
  if (auto overview = overviewTable(comparison)) tables.insert(tables.begin(), std::move(*overview));
  for (std::size_t variant = 0; variant < comparison.variants.size(); ++variant) {
    if (auto stages = comparedStagesTable(comparison, variant)) tables.push_back(std::move(*stages));
  }
  for (Table& unpaired : unpairedTables(comparison)) tables.push_back(std::move(unpaired));
  while (tables_.size() < tables.size()) {
    tables_.push_back(new CellTable);
    results_->layout()->addWidget(tables_.back());
  }
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    tables_[i]->setVisible(i < tables.size());
    if (i >= tables.size()) continue;
    CellGrid grid = gridOf(tables[i]);
    tables_[i]->setAccessibleName(grid.headings.front().text);
    tables_[i]->setGrid(std::move(grid));
  }
  QStringList rules;
  if (comparison.targetAccuracy) {
    rules << tr("The target of %1 % was set before launch, in the plan.")
                 .arg(QLocale().toString(100 * *comparison.targetAccuracy, 'g', 4));
  }
  if (anyMeasure(comparison, countsToTarget)) {
    rules << tr("Restricted mean: a seed that never reached the target counts with all its steps.");
  }
  if (anyMeasure(comparison, hasTooFewSeeds)) rules << tr("Fewer than 3 seeds: no claim is made.");
  QStringList lines;
  if (!rules.isEmpty()) lines << rules.join(QLatin1Char(' '));
  if (const Text method = methodText(comparison); !method.empty()) lines << text(method);
  for (const Text& remark : remarksOn(comparison)) lines << text(remark);
  remarks_->setText(lines.join(QLatin1Char('\n')));
}

void ComparePage::copyTables() {
  QGuiApplication::clipboard()->setText(QString::fromStdString(toCsvText(shown_.comparison)));
  workspace().report(tr("The compared tables are in the clipboard as CSV"));
}

}  // namespace slipstream::ui
