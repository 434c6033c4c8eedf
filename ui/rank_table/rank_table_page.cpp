// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/rank_table/rank_table_page.h"

#include <QButtonGroup>
#include <QDateTime>
#include <QHeaderView>
#include <QLabel>
#include <QSortFilterProxyModel>
#include <QStackedWidget>

#include "ui/parts/notice.h"
#include "ui/parts/parts.h"
#include "ui/rank_table/dry_run_panel.h"
#include "ui/rank_table/placement_view.h"
#include "ui/rank_table/preview_panel.h"
#include "ui/rank_table/rank_table_list_model.h"
#include "ui/rank_table/rank_table_view.h"

namespace slipstream::ui {
namespace {

constexpr int factsMilliseconds = 30'000;
constexpr int secondsInMinute = 60;

}  // namespace

RankTablePage::RankTablePage(Workspace& workspace, QWidget* parent)
    : Page(workspace, parent),
      tree_(new RankTableModel(table(), this)),
      list_(new RankTableListModel(*tree_, this)),
      sorted_(new QSortFilterProxyModel(this)),
      treeView_(new RankTableView),
      listView_(new RankTableView),
      views_(new QStackedWidget),
      whole_(new QStackedWidget),
      shapes_(new QButtonGroup(this)),
      placement_(new PlacementView(table(), this)),
      preview_(new PreviewPanel(table(), this)),
      generate_(new GeneratePanel(this)),
      dryRun_(new DryRunPanel(this)),
      title_(label({}, TextSize::pageTitle)),
      facts_(new ElidedLabel),
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
  connect(&table(), &Document::changed, this, &RankTablePage::edited);
  connect(&table(), &Document::draftChanged, this, &RankTablePage::refreshFacts);
  connect(&table(), &RankTableDocument::placeWanted, this, &RankTablePage::showPlace);
  connect(&table(), &RankTableDocument::lineWanted, this, [this](int line) {
    workspace().goTo(name());
    dryRun_->hide();
    preview_->show();
    preview_->showLine(line);
  });
  connect(placement_, &PlacementView::chosen, this,
          [this](RankTablePlace place) { select(place, RankTableCell::rank); });
  connect(dryRun_, &DryRunPanel::closed, preview_, &QWidget::show);
  connect(&table(), &Document::changed, dryRun_, &DryRunPanel::expire);
  connect(generate_, &GeneratePanel::generated, this,
          [this](const RankTable& made) { replaceBy(made, tr("Generate")); });
  connect(shapes_, &QButtonGroup::idClicked, views_, &QStackedWidget::setCurrentIndex);
  connect(tree_, &QAbstractItemModel::rowsInserted, this, [this](const QModelIndex& parent, int first, int last) {
    for (int row = first; row <= last && !parent.isValid(); ++row) treeView_->expand(tree_->index(row, 0));
  });
  connect(&factsTimer_, &QTimer::timeout, this, &RankTablePage::refreshFacts);
  factsTimer_.start(factsMilliseconds);
}

void RankTablePage::edited() {
  editedAt_ = QDateTime::currentDateTime();
  notice_->hide();
}

void RankTablePage::refresh() {
  const bool blank = table().isBlank();
  const bool readable = table().isReadable() && !blank;
  whole_->setCurrentIndex(blank ? 0 : 1);
  title_->setText(table().title());
  save_->setEnabled(table().isModified() || (!blank && table().file().empty()));
  save_->setToolTip(save_->isEnabled() ? QString() : tr("Everything is saved"));
  const bool wrong = blank || table().reading().verdict() == Verdict::reject;
  actions_.dryRun->setEnabled(!wrong);
  actions_.dryRun->setToolTip(wrong ? tr("A dry run needs a table without errors") : actions_.dryRun->text());
  actions_.addServer->setEnabled(blank || readable);
  actions_.renumber->setEnabled(readable && !table().lines().empty());
  hint_->setText(table().isReadable() || blank
                     ? tr("Drag a row to reorder; ranks follow when you renumber.")
                     : tr("The text is not JSON; these are the rows of the last one that was."));
  selectionChanged();
  refreshFacts();
}

void RankTablePage::refreshFacts() {
  if (table().isBlank()) return facts_->setWhole({});
  int devices = 0;
  for (const ServerLine& server : table().lines()) devices += static_cast<int>(server.devices.size());
  QStringList facts{tr("version 1.0"), tr("%n server(s)", nullptr, static_cast<int>(table().lines().size())),
                    tr("%n device(s)", nullptr, devices)};
  // What was taken up from a draft was edited nobody knows when.
  if (table().isModified() && !table().isRecovered()) {
    const auto minutes = static_cast<int>(editedAt_.secsTo(QDateTime::currentDateTime()) / secondsInMinute);
    facts << (minutes < 1 ? tr("edited just now") : tr("edited %n minute(s) ago", nullptr, minutes));
  }
  if (table().isModified()) facts << (table().isDraftKept() ? tr("kept as draft") : tr("not saved"));
  facts_->setWhole(facts.join(QStringLiteral(" · ")));
}

RankTableView* RankTablePage::view() const {
  return views_->currentIndex() == 0 ? treeView_ : listView_;
}

std::vector<RankTablePlace> RankTablePage::selected() const {
  std::vector<RankTablePlace> places;
  for (const QModelIndex& index : view()->selectionModel()->selectedRows()) {
    const QModelIndex inTree = view() == treeView_ ? index : list_->inTree(sorted_->mapToSource(index));
    places.push_back(tree_->placeOf(inTree));
  }
  return places;
}

void RankTablePage::select(RankTablePlace place, RankTableCell cell) {
  QModelIndex index = tree_->indexOf(place, place.device < 0 ? RankTableCell::name : cell);
  if (!index.isValid()) return;
  if (view() == listView_) index = sorted_->mapFromSource(list_->fromTree(index));
  view()->setCurrentIndex(index);
  view()->scrollTo(index, QAbstractItemView::EnsureVisible);
}

void RankTablePage::selectionChanged() {
  const std::vector<RankTablePlace> places = selected();
  actions_.remove->setEnabled(!places.empty() && table().isReadable());
  actions_.addDevice->setEnabled(table().isReadable() && !table().lines().empty() && !table().isBlank());
  const RankTablePlace current = places.empty() ? RankTablePlace{} : places.front();
  placement_->setCurrent(current);
  if (!places.empty()) preview_->setCurrent(current);
}

void RankTablePage::showPlace(RankTablePlace place, RankTableCell cell) {
  workspace().goTo(name());
  select(place, cell);
  view()->setFocus(Qt::OtherFocusReason);
}

}  // namespace slipstream::ui
