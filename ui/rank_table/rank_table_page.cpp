// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/rank_table/rank_table_page.h"

#include <QButtonGroup>
#include <QDateTime>
#include <QFileDialog>
#include <QHeaderView>
#include <QLabel>
#include <QSortFilterProxyModel>
#include <QStackedWidget>
#include <set>

#include <nlohmann/json.hpp>

#include "engine/base/text.h"
#include "engine/rank_table/rank_table_edit.h"
#include "engine/rank_table/rank_table_tools.h"
#include "ui/documents/document_files.h"
#include "ui/rank_table/dry_run_panel.h"
#include "ui/rank_table/placement_view.h"
#include "ui/rank_table/preview_panel.h"
#include "ui/rank_table/rank_table_model.h"
#include "ui/rank_table/rank_table_view.h"
#include "ui/store/job_thread.h"
#include "ui/widgets/notice.h"
#include "ui/widgets/widgets.h"

// What the page does to the table. Every edit is one undo step.
namespace slipstream::ui {
namespace {

constexpr int summaryMilliseconds = 30'000;
constexpr int secondsInMinute = 60;

}  // namespace

RankTablePage::RankTablePage(Workspace& workspace, QAction* open, QWidget* parent)
    : Page(workspace, parent),
      open_(open),
      tree_(new RankTableModel(table(), this)),
      list_(new RankTableListModel(*tree_, this)),
      sorted_(new QSortFilterProxyModel(this)),
      treeView_(new RankTableView),
      listView_(new RankTableView),
      views_(new FittingStack),
      whole_(new QStackedWidget),
      shapes_(new QButtonGroup(this)),
      placement_(new PlacementView(table(), this)),
      preview_(new PreviewPanel(table(), this)),
      generate_(new GeneratePanel(this)),
      dryRun_(new DryRunPanel(this)),
      title_(label({}, TextSize::pageTitle)),
      summary_(new ElidedLabel),
      hint_(label({}, TextSize::secondary, true)),
      notice_(new Notice) {
  makeActions();
  build();
  follow();
  edited();
  refresh();
}

void RankTablePage::follow() {
  connect(&table(), &Document::problemsChanged, this, &RankTablePage::refresh);
  connect(&table(), &Document::fileChanged, this, &RankTablePage::refresh);
  connect(&table(), &Document::fileChanged, this, &RankTablePage::showFirstFault, Qt::QueuedConnection);
  connect(&table(), &Document::changed, this, &RankTablePage::edited);
  connect(&table(), &Document::draftChanged, this, &RankTablePage::refreshSummary);
  connect(&table(), &RankTableDocument::placeWanted, this, &RankTablePage::showPlace);
  connect(&table(), &RankTableDocument::lineWanted, this, [this](int line) {
    workspace().showPage(id());
    dryRun_->hide();
    preview_->show();
    preview_->showLine(line);
  });
  connect(placement_, &PlacementView::chosen, this,
          [this](RankTablePosition place) { select(place, RankTableCell::rank); });
  connect(dryRun_, &DryRunPanel::closed, preview_, &QWidget::show);
  // After the document has read its text.
  connect(&table(), &Document::problemsChanged, this,
          [this] { dryRun_->expire(table().isBlank() || table().reading().verdict() == Verdict::reject); });
  connect(dryRun_, &DryRunPanel::againWanted, this, &RankTablePage::startDryRun);
  connect(generate_, &GeneratePanel::generated, this,
          [this](const RankTable& made) { replaceBy(made, tr("Generate")); });
  connect(shapes_, &QButtonGroup::idClicked, views_, &QStackedWidget::setCurrentIndex);
  connect(tree_, &QAbstractItemModel::rowsInserted, this, [this](const QModelIndex& parent, int first, int last) {
    for (int row = first; row <= last && !parent.isValid(); ++row) treeView_->expand(tree_->index(row, 0));
  });
  connect(&summaryTimer_, &QTimer::timeout, this, &RankTablePage::refreshSummary);
  summaryTimer_.start(summaryMilliseconds);
}

void RankTablePage::edited() {
  editedAt_ = QDateTime::currentDateTime();
  notice_->hide();
}

void RankTablePage::refresh() {
  const bool blank = table().isBlank();
  if (blank) foldedFor_.clear();
  const bool readable = table().isReadable() && !blank;
  whole_->setCurrentIndex(blank ? 0 : 1);
  title_->setText(table().title());
  save_->setEnabled(table().isModified() || (!blank && table().file().empty()));
  save_->setToolTip(save_->isEnabled() ? QString() : tr("Everything is saved"));
  const bool wrong = blank || table().reading().verdict() == Verdict::reject;
  actions_.dryRun->setEnabled(!wrong);
  actions_.dryRun->setToolTip(wrong ? tr("A dry run needs a table without errors") : actions_.dryRun->text());
  const bool hasFile = !table().file().empty() && !table().isModified();
  actions_.train->setEnabled(!wrong && hasFile);
  actions_.train->setToolTip(wrong      ? tr("An experiment needs a table without errors")
                             : !hasFile ? tr("Save the table first: the experiment names its file")
                                        : actions_.train->text());
  actions_.addServer->setEnabled(blank || readable);
  actions_.renumber->setEnabled(readable && !table().lines().empty());
  hint_->setText(table().isReadable() || blank
                     ? tr("Drag rows to reorder, then renumber.")
                     : tr("The text is not JSON; these are the rows of the last one that was."));
  selectionChanged();
  refreshSummary();
}

void RankTablePage::refreshSummary() {
  if (table().isBlank()) return summary_->setWhole({});
  int devices = 0;
  for (const ServerLine& server : table().lines()) devices += static_cast<int>(server.devices.size());
  QStringList parts{tr("%n server(s)", nullptr, static_cast<int>(table().lines().size())),
                    tr("%n device(s)", nullptr, devices)};
  // Of a broken table it may be what is wrong.
  if (table().reading().verdict() != Verdict::reject) parts.prepend(tr("version 1.0"));
  // What was taken up from a draft was edited nobody knows when.
  if (table().isModified() && !table().isRecovered()) {
    const auto minutes = static_cast<int>(editedAt_.secsTo(QDateTime::currentDateTime()) / secondsInMinute);
    parts << (minutes < 1 ? tr("edited just now") : tr("edited %n minute(s) ago", nullptr, minutes));
  }
  if (table().isModified()) parts << (table().isDraftKept() ? tr("kept as draft") : tr("not saved"));
  const QString separator = QStringLiteral(" · ");
  summary_->setWhole(parts.join(separator), {parts.mid(1).join(separator), parts.back()});
}

RankTableView* RankTablePage::view() const {
  return views_->currentIndex() == 0 ? treeView_ : listView_;
}

std::vector<RankTablePosition> RankTablePage::selected() const {
  std::vector<RankTablePosition> places;
  for (const QModelIndex& index : view()->selectionModel()->selectedRows()) {
    const QModelIndex inTree = view() == treeView_ ? index : list_->inTree(sorted_->mapToSource(index));
    places.push_back(tree_->placeOf(inTree));
  }
  return places;
}

QModelIndex RankTablePage::indexOf(RankTablePosition place, RankTableCell cell) const {
  const QModelIndex index = tree_->indexOf(place, place.device < 0 ? RankTableCell::name : cell);
  if (view() == treeView_ || !index.isValid()) return index;
  return sorted_->mapFromSource(list_->fromTree(index));
}

void RankTablePage::select(RankTablePosition place, RankTableCell cell) {
  const QModelIndex index = indexOf(place, cell);
  if (!index.isValid()) return;
  view()->setCurrentIndex(index);
  view()->scrollTo(index, QAbstractItemView::EnsureVisible);
}

void RankTablePage::selectionChanged() {
  const std::vector<RankTablePosition> places = selected();
  actions_.remove->setEnabled(!places.empty() && table().isReadable());
  actions_.addDevice->setEnabled(table().isReadable() && !table().lines().empty() && !table().isBlank());
  const RankTablePosition current = places.empty() ? RankTablePosition{} : places.front();
  placement_->setCurrent(current);
  if (!places.empty()) preview_->setCurrent(current);
}

/// Where devices of a table that is opened have mistakes, servers without any are closed: what is wrong is in sight.
void RankTablePage::foldFaultless() {
  std::set<int> wrong;
  for (const Finding& finding : table().reading().findings) {
    for (const std::string& path : {finding.path, finding.related}) {
      const RankTablePosition place = rankTablePath(path).place;
      if (place.server >= 0) wrong.insert(place.server);
    }
  }
  if (wrong.empty() || foldedFor_ == table().file()) return;
  foldedFor_ = table().file();
  for (int server = 0; server < tree_->rowCount(); ++server) {
    if (!wrong.contains(server)) treeView_->collapse(tree_->index(server, 0));
  }
}

/// A table is opened at the first device with a mistake, as long as nobody has chosen another row.
void RankTablePage::showFirstFault() {
  if (!selected().empty()) return;
  foldFaultless();
  for (const Finding& finding : table().reading().findings) {
    const RankTablePath path = rankTablePath(finding.path);
    if (path.place.device < 0) continue;
    const QModelIndex index = indexOf(path.place, path.cell);
    if (index.isValid()) view()->scrollTo(index, QAbstractItemView::PositionAtCenter);
    return;
  }
}

void RankTablePage::showPlace(RankTablePosition place, RankTableCell cell) {
  workspace().showPage(id());
  select(place, cell);
  view()->setFocus(Qt::OtherFocusReason);
}

void RankTablePage::generate(TableSource source) {
  workspace().showPage(id());
  generate_->ask(source);
}

void RankTablePage::replaceBy(const RankTable& made, const QString& label) {
  table().edit(toJsonText(made), label);
}

void RankTablePage::complain(const Failures& failures) {
  notice_->report(QString::fromStdString(trim(toText(failures))));
}

void RankTablePage::mergeTables() {
  const QStringList names =
      QFileDialog::getOpenFileNames(this, tr("Merge rank tables"), {}, tr("JSON files (*.json);;All files (*)"));
  std::vector<std::filesystem::path> files;
  for (const QString& name : names) files.emplace_back(name.toStdString());
  if (!files.empty()) merge(files);
}

/// The table at hand comes first. One that is wrong, at hand or among the files, is not left out: nothing is merged.
void RankTablePage::merge(const std::vector<std::filesystem::path>& files) {
  std::vector<RankTable> tables;
  std::vector<std::string> sources;
  Failures failures;
  if (!table().isBlank()) {
    failures = rejectionsOf(table().reading(), table().title().toStdString());
    tables.push_back(table().reading().table);
    sources.push_back(table().title().toStdString());
  }
  for (const std::filesystem::path& file : files) {
    auto loaded = diskThread().wait([file] { return loadRankTable(file); });
    if (!collect(loaded, failures)) continue;
    tables.push_back(std::move(*loaded));
    sources.push_back(file.string());
  }
  if (!failures.empty()) return complain(failures);
  const auto merged = mergeRankTables(tables, sources);
  if (!merged) return complain(merged.error());
  replaceBy(merged->table, tr("Merge"));
}

void RankTablePage::addOneServer() {
  RankTablePosition added;
  table().change(tr("Add server"), [&](Json& root) { added = addServer(root); });
  select(added, RankTableCell::name);
}

void RankTablePage::addOneDevice() {
  const std::vector<RankTablePosition> places = selected();
  const int last = static_cast<int>(table().lines().size()) - 1;
  const int server = places.empty() ? last : places.front().server;
  RankTablePosition added;
  table().change(tr("Add device"), [&](Json& root) { added = addDevice(root, server); });
  select(added, RankTableCell::rank);
}

void RankTablePage::removeSelected() {
  const std::vector<RankTablePosition> places = selected();
  if (places.empty()) return;
  table().change(tr("Delete %n row(s)", nullptr, static_cast<int>(places.size())),
                 [&](Json& root) { removeLines(root, places); });
}

void RankTablePage::renumber() {
  table().change(tr("Renumber ranks"), [](Json& root) { renumberRanks(root); });
}

void RankTablePage::startDryRun() {
  workspace().showPage(id());
  preview_->hide();
  dryRun_->run(table().reading().table, table().title().toStdString());
}

}  // namespace slipstream::ui
