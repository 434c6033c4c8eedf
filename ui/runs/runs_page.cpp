// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/runs_page.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "ui/runs/bulk_bar.h"
#include "ui/runs/filter_line.h"
#include "ui/runs/parallel_view.h"
#include "ui/runs/run_table_source.h"
#include "ui/runs/run_table_view.h"
#include "ui/store/job_thread.h"
#include "ui/widgets/notice.h"
#include "ui/workspace/shown_rows.h"

namespace slipstream::ui {
namespace {

enum Layer { tableLayer, parallelLayer, emptyLayer };

}  // namespace

RunsPage::RunsPage(Workspace& workspace, QWidget* parent)
    : Page(workspace, parent),
      layout_(TableLayout::saved()),
      source_(new RunTableSource(workspace, this)),
      model_(new RunTableModel(this)),
      view_(new RunTableView(model_)),
      parallel_(new ParallelView),
      filter_(new FilterLine),
      mistake_(label({}, TextSize::secondary)),
      counts_(new ElidedLabel),
      columns_(new ColumnChoice),
      group_(new GroupChoice),
      kinds_(new SegmentedControl({tr("Table"), tr("Parallel")})),
      stack_(new QStackedWidget),
      empty_(new EmptyState({}, {})),
      notice_(new Notice),
      bulk_(new BulkBar(workspace, *notice_)) {
  build();
  makeActions();
  connectTable();
  model_->setColumns(layout_.columns);
  columns_->setColumns(layout_.columns);
  group_->setGroup(layout_.group);
  view_->setSort(layout_.sort);
  kinds_->setCurrent(0);
  ask();
}

RunsPage::~RunsPage() = default;

void RunsPage::build() {
  QVBoxLayout* layout = column(this, 0);
  auto* above = new QVBoxLayout;
  above->setContentsMargins(pageMargin, gapWide, pageMargin, pageMargin);
  above->setSpacing(gapText);
  above->addWidget(buildHeader());
  above->addWidget(filter_);
  mistake_->setWordWrap(true);
  mistake_->setProperty("wrong", true);
  mistake_->hide();
  above->addWidget(mistake_);
  above->addWidget(notice_);
  stack_->addWidget(view_);
  stack_->addWidget(parallel_);
  stack_->addWidget(empty_);
  above->addWidget(stack_, 1);
  layout->addLayout(above, 1);
  layout->addWidget(bulk_);
}

QWidget* RunsPage::buildHeader() {
  auto* header = new QWidget;
  QHBoxLayout* row = rowLayout(header);
  row->addWidget(label(tr("Runs"), TextSize::pageTitle));
  counts_->setProperty("second", true);
  counts_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  row->addWidget(counts_, 1);
  kinds_->setAccessibleName(tr("How the runs are shown"));
  row->addWidget(kinds_);
  row->addWidget(columns_);
  row->addWidget(group_);
  QToolButton* copies = iconButton(Symbol::copy, tr("Copy the table as CSV"));
  connect(copies, &QToolButton::clicked, this, &RunsPage::copy);
  row->addWidget(copies);
  return header;
}

void RunsPage::makeActions() {
  const auto add = [this](const QString& text, auto action) {
    auto* made = new QAction(text, this);
    connect(made, &QAction::triggered, this, action);
    addAction(made);
    return made;
  };
  add(tr("Copy the table as CSV"), [this] { copy(); })->setIcon(icon(Symbol::copy));
  add(tr("Show the runs as a table"), [this] { showParallel(false); });
  add(tr("Show the runs as parallel coordinates"), [this] { showParallel(true); });
  add(tr("Choose the columns of the table"), [this] { columns_->showMenu(); });
  add(tr("Choose how the table is grouped"), [this] { group_->showMenu(); });
  QAction* sort = add(tr("Sort by the column at hand"), [this] {
    // The keys hold Shift, which does not ask for a second column here.
    if (view_->currentIndex().isValid()) view_->sortBy(view_->currentIndex().column(), false);
  });
  sort->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_U);
  sort->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  add(tr("Tick all runs of the table"), [this] { tickAll(); });
  add(tr("Take all ticks away"), [this] { model_->setTicked({}); });
}

void RunsPage::connectTable() {
  connect(source_, &RunTableSource::arranged, this, &RunsPage::take);
  connect(source_, &RunTableSource::refused, filter_, &FilterLine::setRefusal);
  connect(source_, &RunTableSource::accepted, filter_, [this] { filter_->setRefusal({}); });
  connect(filter_, &FilterLine::queryChanged, this, [this] {
    model_->setColumns(shownColumns());
    fromTop_ = true;
    ask();
  });
  connect(filter_, &FilterLine::mistakeChanged, this, [this] {
    mistake_->setText(filter_->mistake());
    mistake_->setVisible(!filter_->mistake().isEmpty());
  });
  connect(view_, &RunTableView::sortChanged, this, [this] { setSort(view_->sort()); });
  connect(view_, &RunTableView::columnsMoved, this, [this](std::vector<std::size_t> columns) {
    const auto& chosen = layout_.columns;  // the filter's own go with it
    std::erase_if(columns, [&](std::size_t column) { return std::ranges::count(chosen, column) == 0; });
    setColumns(columns);
  });
  connect(view_, &RunTableView::chosen, this, &RunsPage::choose);
  connect(view_, &RunTableView::opened, this, &RunsPage::open);
  connect(view_, &RunTableView::groupToggled, this, &RunsPage::toggleGroup);
  connect(view_, &RunTableView::copyWanted, this, &RunsPage::copy);
  connect(parallel_, &ParallelView::chosen, this, &RunsPage::choose);
  connect(parallel_, &ParallelView::opened, this, &RunsPage::open);
  connect(columns_, &ColumnChoice::chosen, this, &RunsPage::setColumns);
  connect(group_, &GroupChoice::chosen, this, &RunsPage::setGroup);
  connect(kinds_, &SegmentedControl::chosen, this, [this](int kind) { showParallel(kind == 1); });
  connect(model_, &RunTableModel::tickedChanged, this, &RunsPage::showTicked);
  connect(bulk_, &BulkBar::unticked, this, [this] { model_->setTicked({}); });
  connect(&workspace().store(), &StoreWatcher::opened, this, [this] { model_->setTicked({}); });
  connect(&workspace().selection(), &RunSelection::changed, this, [this] {
    view_->setSlots(shownSlots(workspace()));
    parallel_->setSlots(view_->slots());
    view_->setCurrentRun(workspace().selection().current());
    parallel_->setCurrentRun(workspace().selection().current());
  });
}

void RunsPage::showEvent(QShowEvent* event) {
  Page::showEvent(event);
  source_->setWanted(true);
}

void RunsPage::hideEvent(QHideEvent* event) {
  Page::hideEvent(event);
  source_->setWanted(false);
}

void RunsPage::ask() {
  source_->ask({filter_->query(), layout_.sort, layout_.group, closed_});
}

void RunsPage::take() {
  const ArrangedRunsPointer& table = source_->table();
  model_->take(table);
  if (!table) return showNothing();
  filter_->setExtents(table->extents);
  columns_->setDiffering(table->differs);
  view_->setSlots(shownSlots(workspace()));
  // Keys may have gone to a group, which no page shows.
  if (!view_->isAtGroup()) view_->setCurrentRun(workspace().selection().current());
  // Runs that are gone are ticked no more; those that a filter hides are.
  if (std::set<std::string> ticked = model_->ticked(); !ticked.empty()) {
    std::unordered_set<std::string_view> there;
    for (const RunRow& row : table->snapshot->runs) there.insert(row.run.id);
    std::erase_if(ticked, [&](const std::string& run) { return !there.contains(run); });
    model_->setTicked(std::move(ticked));
  }
  const bool isParallel = kinds_->current() == 1;
  if (isParallel) {
    parallel_->setSlots(view_->slots());
    parallel_->show(table, shownColumns());
  }
  const bool nothing = table->rows.empty();
  if (nothing) {
    const bool filtered = table->listed > 0;
    empty_->setText(filtered ? tr("No run matches") : tr("No runs in this store"),
                    filtered ? tr("The filter leaves none of the runs.") : tr("Runs appear here after launch."));
  }
  stack_->setCurrentIndex(nothing ? emptyLayer : isParallel ? parallelLayer : tableLayer);
  if (std::exchange(fromTop_, false)) view_->scrollToTop();
  showCounts();
  showTicked();
}

/// Until the runs of another store are known; and where there is no store any more, why.
void RunsPage::showNothing() {
  filter_->setExtents({});
  parallel_->show({}, layout_.columns);
  counts_->setWhole({});
  const QString& trouble = workspace().store().trouble();
  empty_->setText(trouble.isEmpty() ? QString() : tr("The store cannot be read"), trouble);
  stack_->setCurrentIndex(emptyLayer);
}

/// "166 of 200 runs · sorted by accuracy"
void RunsPage::showCounts() {
  const ArrangedRuns& table = *source_->table();
  const int shown = static_cast<int>(table.runs.size());
  QStringList parts{shown == table.listed ? tr("%n run(s)", nullptr, table.listed)
                                          : tr("%1 of %n run(s)", nullptr, table.listed).arg(shown)};
  QString sortedBy;
  if (table.sortedBy) {
    const QString words = layout_.group ? tr("each group sorted by %1") : tr("sorted by %1");
    sortedBy = columnTitle(runColumns()[table.sortedBy->column]).toLower();
    parts << words.arg(sortedBy);
  }
  if (table.archived > 0) parts << tr("%n archived", nullptr, table.archived);
  if (table.unread > 0) parts << tr("reading %n more", nullptr, table.unread);
  const QString separator = QStringLiteral(" · ");
  QStringList shorter{parts.mid(0, 2).join(separator)};
  if (table.sortedBy) shorter << parts.front() + separator + tr("by %1").arg(sortedBy);
  counts_->setWhole(parts.join(separator), shorter << parts.front());
}

void RunsPage::showTicked() {
  const std::set<std::string>& ticked = model_->ticked();
  const int listed = model_->table() ? model_->table()->listed : 0;
  bulk_->setRuns(tickedInOrder(), listed);
  parallel_->setTicked(ticked);
  if (source_->table()) showCounts();
}

std::vector<std::string> RunsPage::tickedInOrder() const {
  std::vector<std::string> runs;
  std::set<std::string> left = model_->ticked();
  if (!model_->table()) return {left.begin(), left.end()};
  for (const auto* some : {&model_->table()->runs, &model_->table()->filtered}) {
    for (const KnownRun& run : *some) {
      if (left.erase(run.row->run.id) > 0) runs.push_back(run.row->run.id);
    }
  }
  runs.insert(runs.end(), left.begin(), left.end());
  return runs;
}

void RunsPage::setColumns(const std::vector<std::size_t>& columns) {
  layout_.columns = columns;
  keepLayout();
  columns_->setColumns(columns);
  model_->setColumns(shownColumns());
  if (stack_->currentIndex() == parallelLayer) parallel_->show(source_->table(), shownColumns());
}

/// The chosen ones, and those that the filter bounds: what it left is seen to be so.
std::vector<std::size_t> RunsPage::shownColumns() const {
  std::vector<std::size_t> columns = layout_.columns;
  for (const std::size_t bounded : filter_->query().boundedColumns()) {
    if (std::ranges::count(columns, bounded) == 0) columns.push_back(bounded);
  }
  return columns;
}

void RunsPage::setSort(const std::vector<SortKey>& sort) {
  layout_.sort = sort;
  keepLayout();
  view_->setSort(sort);
  fromTop_ = true;
  ask();
}

void RunsPage::setGroup(std::optional<std::size_t> column) {
  layout_.group = column;
  keepLayout();
  group_->setGroup(column);
  closed_.clear();
  fromTop_ = true;
  ask();
}

/// A click waits for no disk.
void RunsPage::keepLayout() const {
  diskThread().run([layout = layout_] { layout.save(); });
}

void RunsPage::showParallel(bool parallel) {
  kinds_->setCurrent(parallel ? 1 : 0);
  if (source_->table()) take();
}

/// Charts keep the runs that they show, where it is one of them.
void RunsPage::choose(const QString& run) {
  const std::string id = run.toStdString();
  RunSelection& selection = workspace().selection();
  const auto& shown = selection.shown();
  if (std::ranges::find(shown, id) != shown.end()) return selection.setShown(std::vector(shown), id);
  selection.setCurrent(id);
}

void RunsPage::open(const QString& run) {
  choose(run);
  workspace().showPage(PageId::charts);
}

void RunsPage::toggleGroup(const QString& key) {
  const std::string name = key.toStdString();
  if (closed_.erase(name) == 0) closed_.insert(name);
  ask();
}

/// Ten thousand rows take longer to write than a frame.
void RunsPage::copy() {
  if (!model_->table()) return;
  diskThread().run(
      this,
      [table = model_->table(), columns = model_->columns(), ticked = model_->ticked()] {
        return csvOf(*table, columns, ticked);
      },
      [this](const CsvTable& csv) {
        QGuiApplication::clipboard()->setText(csv.text);
        workspace().report(tr("%n run(s) copied as CSV", nullptr, csv.runs));
      });
}

void RunsPage::tickAll() {
  if (!source_->table()) return;
  std::set<std::string> runs;
  for (const KnownRun& run : source_->table()->runs) runs.insert(run.row->run.id);
  model_->setTicked(std::move(runs));
}

}  // namespace slipstream::ui
