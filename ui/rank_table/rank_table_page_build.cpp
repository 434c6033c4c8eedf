// SPDX-License-Identifier: GPL-3.0-or-later
// How the page is put together.
#include <QAction>
#include <QButtonGroup>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QScrollArea>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QStackedWidget>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/rank_table/dry_run_panel.h"
#include "ui/rank_table/placement_view.h"
#include "ui/rank_table/preview_panel.h"
#include "ui/rank_table/rank_table_model.h"
#include "ui/rank_table/rank_table_page.h"
#include "ui/rank_table/rank_table_view.h"
#include "ui/widgets/notice.h"
#include "ui/widgets/widgets.h"
#include "ui/workspace/document_dialogs.h"

namespace slipstream::ui {
namespace {

constexpr int rankWidth = 64, deviceWidth = 70;
constexpr int leftShare = 13, rightShare = 16, shareWidth = 30, leastTableWidth = 370;
constexpr int toolIcon = 16;
constexpr int placementHeight = 190, leastPlacementHeight = 40;
constexpr int roomForPreview = 310;  ///< of the page, for everything but the placement above the text

/// As high as what is in it, and scrolls where that is too much.
class PlacementArea : public QScrollArea {
 public:
  explicit PlacementArea(QWidget* content) {
    setWidgetResizable(true);
    setWidget(content);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    viewport()->setAutoFillBackground(false);
    content->setAutoFillBackground(false);
  }
  QSize minimumSizeHint() const override { return {0, leastPlacementHeight}; }
  QSize sizeHint() const override {
    return {QScrollArea::sizeHint().width(), std::min(placementHeight, widget()->minimumHeight())};
  }

 protected:
  bool viewportEvent(QEvent* event) override {
    if (event->type() == QEvent::LayoutRequest) updateGeometry();
    return QScrollArea::viewportEvent(event);
  }
};

}  // namespace

void RankTablePage::makeActions() {
  const auto make = [this](const QIcon& shape, const QString& title, auto slot) {
    auto* action = new QAction(shape, title, this);
    connect(action, &QAction::triggered, this, slot);
    addAction(action);
    return action;
  };
  actions_.local = make({}, tr("Generate from local devices…"), [this] { generate(TableSource::localDevices); });
  actions_.hosts = make({}, tr("Generate from a host list…"), [this] { generate(TableSource::hostList); });
  actions_.slurm = make({}, tr("Generate from Slurm variables…"), [this] { generate(TableSource::slurm); });
  actions_.merge = make(icon(Symbol::merge), tr("Merge…"), [this] { mergeTables(); });
  actions_.addServer = make(icon(Symbol::add), tr("Add server"), [this] { addOneServer(); });
  actions_.addServer->setIconText(tr("Server"));
  actions_.addDevice = make(icon(Symbol::add), tr("Add device"), [this] { addOneDevice(); });
  actions_.addDevice->setIconText(tr("Device"));
  actions_.remove = make(icon(Symbol::trash), tr("Delete selected rows"), [this] { removeSelected(); });
  actions_.remove->setShortcut(QKeySequence::Delete);
  actions_.remove->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  actions_.renumber = make({}, tr("Renumber ranks"), [this] { renumber(); });
  actions_.dryRun = make(icon(Symbol::server), tr("Dry run"), [this] { startDryRun(); });
  actions_.train =
      make(icon(Symbol::add), tr("New experiment on this table…"), [this] { Q_EMIT newExperimentWanted(); });
  actions_.train->setIconText(tr("New experiment"));
}

void RankTablePage::build() {
  setProperty("page", true);
  setAttribute(Qt::WA_StyledBackground);
  save_ = button(Symbol::save, tr("Save"));
  connect(save_, &QPushButton::clicked, this, [this] { saveDocument(this, table()); });
  sorted_->setSourceModel(list_);
  sorted_->setSortRole(RankTableListModel::sortRole);
  prepareView(treeView_, tree_);
  prepareView(listView_, sorted_);
  QVBoxLayout* layout = column(this, gapWide);
  layout->setContentsMargins(pageMargin, gapWide, pageMargin, gapWide);
  layout->addLayout(titleRow());
  layout->addLayout(toolRow());
  layout->addWidget(notice_);
  layout->addWidget(generate_);
  whole_->addWidget(emptySide());
  whole_->addWidget(body());
  layout->addWidget(whole_, 1);
}

QHBoxLayout* RankTablePage::titleRow() {
  auto* row = new QHBoxLayout;
  row->setSpacing(gapWide);
  summary_->setProperty("second", true);
  row->addWidget(title_);
  row->addWidget(summary_, 1);
  addAll(*row, {toolButton(actions_.train), save_});
  return row;
}

QHBoxLayout* RankTablePage::toolRow() {
  auto* generateButton = new QToolButton;
  generateButton->setText(tr("Generate"));
  auto* menu = new QMenu(generateButton);
  menu->addActions({actions_.local, actions_.hosts, actions_.slurm});
  openMenuOf(*generateButton, Symbol::generate, menu);
  auto* row = new QHBoxLayout;
  row->setSpacing(gapSmall);
  row->addWidget(generateButton);
  for (QAction* action : {open_, actions_.merge, actions_.addServer, actions_.addDevice, actions_.renumber}) {
    row->addWidget(toolButton(action));
  }
  row->addStretch();
  row->addWidget(toolButton(actions_.dryRun));
  return row;
}

QWidget* RankTablePage::emptySide() {
  QPushButton* start = button(Symbol::generate, tr("Generate from local devices"));
  connect(start, &QPushButton::clicked, actions_.local, &QAction::trigger);
  return new EmptyState(tr("No rank table is open"),
                        tr("A rank table says which rank runs on which device of which server. Without one all ranks "
                           "run on this machine."),
                        start);
}

QWidget* RankTablePage::body() {
  auto* split = new QSplitter(Qt::Horizontal);
  split->setChildrenCollapsible(false);
  split->setProperty("quiet", true);
  split->setHandleWidth(1);
  split->addWidget(leftSide());
  split->addWidget(rightSide());
  split->setStretchFactor(0, leftShare);
  split->setStretchFactor(1, rightShare);
  split->setSizes({leftShare * shareWidth, rightShare * shareWidth});
  return split;
}

QWidget* RankTablePage::leftSide() {
  auto* side = new QWidget;
  side->setMinimumWidth(widthForFont(leastTableWidth));
  QVBoxLayout* layout = column(side);
  layout->setContentsMargins(0, 0, gapText, 0);
  views_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);  // no higher than its rows
  views_->addWidget(treeView_);
  views_->addWidget(listView_);
  auto* foot = new QHBoxLayout;
  auto* shape = new QLabel;
  shape->setPixmap(icon(Symbol::drag, IconInk::second).pixmap(toolIcon, toolIcon));
  hint_->setWordWrap(true);
  foot->addWidget(shape);
  foot->addWidget(hint_, 1);
  const std::pair<Symbol, QString> forms[] = {{Symbol::server, tr("Tree")}, {Symbol::table, tr("Table")}};
  auto* shapes = new QHBoxLayout;
  shapes->setSpacing(0);
  for (int id = 0; id < 2; ++id) {
    QPushButton* choice = button(forms[id].first, forms[id].second);
    choice->setCheckable(true);
    choice->setChecked(id == 0);
    shapes_->addButton(choice, id);
    shapes->addWidget(choice);
  }
  joinSegments({shapes_->button(0), shapes_->button(1)});
  foot->addLayout(shapes);
  layout->addWidget(views_, 1);
  layout->addLayout(foot);
  layout->addStretch();
  return side;
}

QWidget* RankTablePage::rightSide() {
  auto* side = new QWidget;
  rightSide_ = column(side);
  rightSide_->setContentsMargins(gapText, 0, 0, 0);
  placementTitle_ = label(tr("Placement"), TextSize::section);
  placementArea_ = new PlacementArea(placement_);
  rightSide_->addWidget(placementTitle_);
  rightSide_->addWidget(placementArea_);
  rightSide_->addWidget(preview_, 1);
  rightSide_->addWidget(dryRun_, 1);
  return side;
}

/// Low pages show the placement in turn with the text.
void RankTablePage::resizeEvent(QResizeEvent* event) {
  Page::resizeEvent(event);
  QTimer::singleShot(0, this, &RankTablePage::showFirstFault);  // once the rows have their new places
  const bool low = height() < roomForPreview + placementArea_->sizeHint().height();
  if (low == placementTitle_->isHidden()) return;
  placementTitle_->setHidden(low);
  if (low) {
    preview_->takePlacement(placementArea_);
  } else if (QWidget* area = preview_->givePlacement()) {
    rightSide_->insertWidget(1, area);
    area->show();
  }
}

void RankTablePage::prepareView(RankTableView* view, QAbstractItemModel* model) {
  view->setModel(model);
  const bool isTree = view == treeView_;
  view->setRootIsDecorated(isTree);
  view->setAccessibleName(isTree ? tr("Servers and devices") : tr("Devices by rank"));
  view->setContextMenuPolicy(Qt::ActionsContextMenu);
  view->addActions({actions_.addServer, actions_.addDevice, actions_.remove, actions_.renumber});
  const int nameColumn = isTree ? 0 : 1;
  const int addressWidth =
      QFontMetrics(textFont(TextSize::body)).horizontalAdvance(QStringLiteral("255.255.255.255")) + gapSection;
  const std::vector<int> widths =
      isTree ? std::vector<int>{0, rankWidth, addressWidth} : std::vector<int>{rankWidth, 0, deviceWidth, addressWidth};
  view->header()->setStretchLastSection(false);
  view->header()->setSectionResizeMode(nameColumn, QHeaderView::Stretch);
  for (int column = 0; column < std::ssize(widths); ++column) {
    if (column != nameColumn) view->setColumnWidth(column, widths[static_cast<std::size_t>(column)]);
  }
  if (isTree) {
    view->expandAll();
  } else {
    view->setDragDropMode(QAbstractItemView::NoDragDrop);
    view->setSortingEnabled(true);
    view->sortByColumn(0, Qt::AscendingOrder);
  }
  connect(view->selectionModel(), &QItemSelectionModel::selectionChanged, this, &RankTablePage::selectionChanged);
}

}  // namespace slipstream::ui
