// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.h"

#include <QAbstractButton>
#include <QCloseEvent>
#include <QCoreApplication>
#include <QMenuBar>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollBar>
#include <QSplitter>
#include <QStatusBar>
#include <QTimer>
#include <QTreeView>
#include <QVBoxLayout>
#include <utility>

#include "ui/charts/charts_page.h"
#include "ui/checkpoints/checkpoints_page.h"
#include "ui/compare/compare_page.h"
#include "ui/experiment/boost_page.h"
#include "ui/experiment/open_experiment_row.h"
#include "ui/experiment/plan_page.h"
#include "ui/layers/layers_page.h"
#include "ui/panel/bottom_panel.h"
#include "ui/rank_table/rank_table_page.h"
#include "ui/ranks/ranks_page.h"
#include "ui/report/report_page.h"
#include "ui/report/report_saver.h"
#include "ui/runs/filter_line.h"
#include "ui/runs/run_delegate.h"
#include "ui/runs/run_inspector.h"
#include "ui/runs/run_table_model.h"
#include "ui/runs/run_tree_view.h"
#include "ui/runs/runs_dock.h"
#include "ui/runs/runs_page.h"
#include "ui/study/study_list.h"
#include "ui/study/study_page.h"
#include "ui/widgets/focus_ring.h"
#include "ui/widgets/widgets.h"
#include "ui/window/command_box.h"
#include "ui/window/desktop_notices.h"
#include "ui/window/example.h"
#include "ui/window/layout_memory.h"
#include "ui/window/menus.h"
#include "ui/window/page_stack.h"
#include "ui/window/status_line.h"
#include "ui/window/welcome_page.h"
#include "ui/window/where_box.h"
#include "ui/window/window_notices.h"
#include "ui/workspace/document_dialogs.h"
#include "ui/workspace/settings.h"

namespace slipstream::ui {
namespace {

/// Below what a full-HD screen at 200 % has, so that the window fits and every edge of it can be reached.
constexpr int leastWidth = 800, leastHeight = 480;
constexpr int commandBoxWidth = 336, narrowCommandBoxWidth = 240;
constexpr int glanceWidth = 264;

}  // namespace

MainWindow::MainWindow(Workspace& workspace) : workspace_(workspace), actions_(this) {
  setWindowTitle(tr("Slipstream"));
  setWindowIcon(QIcon(QStringLiteral(":/icon.svg")));
  setMinimumSize(leastWidth, leastHeight);
  resize(1280, 800);
  makeUndo();
  buildDocks();
  buildPages();
  buildBars();
  layout_ = std::make_unique<LayoutMemory>(LayoutMemory::Parts{*this, pages_->sides(), *runs_, *panel_});
  connectFiles();
  connectLaunch();
  connectRuns();
  connectAppearance();
  layout_->restore();
  refresh();
  for (Document* document : workspace.documents()) {
    if (!document->problems().empty()) document->recheck();  // the last window may have had another language
  }
  focusFirst();
}

MainWindow::~MainWindow() = default;

/// What a person begins with: the runs, or where there are none the first button of the page in front.
void MainWindow::focusFirst() {
  const bool hasRuns = !workspace_.store().snapshot()->runs.empty();
  QWidget* first = hasRuns ? static_cast<QWidget*>(&runs_->view()) : pages_->front().findChild<QPushButton*>();
  if (first != nullptr) first->setFocus(Qt::OtherFocusReason);
}

void MainWindow::makeUndo() {
  actions_.undo = workspace_.undo().createUndoAction(this, tr("Undo"));
  actions_.undo->setShortcut(QKeySequence::Undo);
  actions_.undo->setIcon(icon(Symbol::undo));
  actions_.redo = workspace_.undo().createRedoAction(this, tr("Redo"));
  actions_.redo->setShortcut(QKeySequence::Redo);
  actions_.redo->setIcon(icon(Symbol::redo));
  bringUndoKeysTo(*this);
  new FocusRing(this);
}

void MainWindow::buildDocks() {
  runs_ = new RunsDock(workspace_, actions_, this);
  studies_ = new StudyList(workspace_);
  studies_->setInFront(false);  // no window begins with that page
  runs_->addGroup(studies_);
  openExperiment_ = new OpenExperimentRow(workspace_, runs_);
  runs_->addGroup(openExperiment_);
  QScrollBar* bar = runs_->view().verticalScrollBar();
  const auto alignValues = [this, bar] {
    const bool hasBar = bar->minimum() < bar->maximum();
    const int edge = hasBar ? bar->sizeHint().width() + RunDelegate::edgeBesideBar : RunDelegate::usualEdge;
    openExperiment_->setValueEdge(edge);
    studies_->setValueEdge(edge);
  };
  connect(bar, &QScrollBar::rangeChanged, studies_, alignValues);
  alignValues();
  addDockWidget(Qt::LeftDockWidgetArea, runs_);
  inspector_ = new RunInspector(workspace_, this);
  inspector_->hide();
  connect(inspector_, &RunInspector::closedByPerson, this, [this] {
    isGlanceClosed_ = true;
    isGlanceOurs_ = false;
  });
}

/// In the dock one thing is selected at a time: a study beside its page, the run at hand beside the table of runs,
/// which has a choice of its own, the runs that are shown beside the others.
void MainWindow::showWhatIsSelected() {
  const PageId page = pages_->front().id();
  studies_->setInFront(page == PageId::study);
  const bool ofExperiment = page == PageId::plan || page == PageId::boost;
  openExperiment_->setInFront(ofExperiment);
  const bool marksExperiment = ofExperiment && !openExperiment_->isHidden();
  using Marks = RunDelegate::Marks;
  const bool marksNothing = page == PageId::study || marksExperiment;
  runs_->setMarks(marksNothing ? Marks::none : page == PageId::runs ? Marks::currentRun : Marks::selection);
}

void MainWindow::buildPages() {
  pages_ = new PageStack(workspace_);
  panel_ = new BottomPanel(workspace_, this);
  auto* body = new QSplitter(Qt::Vertical);
  body->setChildrenCollapsible(false);
  auto* front = new QWidget;
  QVBoxLayout* rows = column(front, 0);
  rows->addWidget(pages_, 1);
  rows->addWidget(new AlertBanner(workspace_, this));
  body->addWidget(front);
  body->addWidget(panel_);
  body->setStretchFactor(0, 1);
  setCentralWidget(body);
  pages_->sides().addDockWidget(Qt::RightDockWidgetArea, inspector_);
  inspector_->hide();
  QWidget* holder = pages_->holder();
  addPage(new WelcomePage(workspace_, actions_, holder));
  addPage(new RankTablePage(workspace_, actions_.openRankTable, holder));
  addPage(new BoostPage(workspace_, holder));
  addPage(new PlanPage(workspace_, holder));
  addPage(new RunsPage(workspace_, holder));
  addPage(new ChartsPage(workspace_, holder));
  addPage(new ComparePage(workspace_, holder));
  addPage(new StudyPage(workspace_, holder));
  addPage(new RanksPage(workspace_, holder));
  addPage(new LayersPage(workspace_, holder));
  addPage(new CheckpointsPage(workspace_, holder));
  addPage(new ReportPage(workspace_, holder));
  connect(pages_, &PageStack::frontChanged, this, &MainWindow::refresh);
  connect(pages_, &PageStack::frontChanged, this, [this] { showWhatIsSelected(); });
  connect(pages_, &PageStack::frontChanged, this, &MainWindow::showGlance);
}

void MainWindow::addPage(Page* page) {
  pages_->add(page);
  connect(page, &Page::newExperimentWanted, actions_.newExperiment, &QAction::trigger);
  connect(page, &Page::saveWanted, actions_.save, &QAction::trigger);
  connect(page, &Page::launchWanted, this, &MainWindow::launchOncePlanned);
  connect(page, &Page::bodyBuilt, this, [this] {
    if (layout_ != nullptr) layout_->rememberSplitters();
  });
}

void MainWindow::buildBars() {
  commandBox_ = new CommandBox(
      workspace_, [this] { return actionsOf(*menuBar()); }, this);
  addToolBar(new ToolBar(actions_, new WhereBox(workspace_.remotes(), this), commandBox_, this));
  fillMenuBar(*menuBar(), actions_,
              {runs_->runActions(), inspector_->toggleViewAction(), pages_->pages(),
               [this](const QString& resource) { newExperiment(resource); }});
  statusBar()->addWidget(new StatusLine(workspace_, this), 1);
  statusBar()->setSizeGripEnabled(false);
}

Page* MainWindow::page(PageId id) const {
  return pages_->page(id);
}

PageId MainWindow::frontPage() const {
  return pages_->front().id();
}

void MainWindow::showPage(PageId id) {
  pages_->showPage(id);
}

void MainWindow::connectRuns() {
  connect(&workspace_.store(), &StoreWatcher::changed, this, &MainWindow::refresh);
  connect(&workspace_.remotes(), &RemoteWatch::chosenChanged, this, &MainWindow::refresh);
  connect(&workspace_.selection(), &RunSelection::changed, this, &MainWindow::refresh);
  connect(&workspace_, &Workspace::pageWanted, this, &MainWindow::showPage);
  connect(actions_.compare, &QAction::triggered, this, [this] {
    showTicked();
    showPage(PageId::compare);
  });
  connect(actions_.saveReport, &QAction::triggered, this, [this] {
    actions_.report->trigger();
    static_cast<ReportPage*>(page(PageId::report))->saver().ask();
  });
  connect(actions_.report, &QAction::triggered, this, [this] {
    showTicked();
    showPage(PageId::report);
  });
  connect(&workspace_.store(), &StoreWatcher::opened, this, [this] { hasPolled_ = false; });
  connect(actions_.filterRuns, &QAction::triggered, this, [this] {
    if (frontPage() != PageId::runs) return runs_->focusFilter();
    static_cast<RunsPage*>(page(PageId::runs))->filter().setFocus(Qt::ShortcutFocusReason);
  });
  new DesktopNotices(workspace_, this);
  connect(runs_, &RunsDock::detailsWanted, inspector_, &RunInspector::editTags);
  connect(actions_.runExample, &QAction::triggered, this, [this] { launchExample(workspace_); });
  connect(actions_.commandBox, &QAction::triggered, commandBox_, &CommandBox::begin);
  connect(actions_.nextProblem, &QAction::triggered, panel_, &BottomPanel::showNextProblem);
  connect(actions_.previousProblem, &QAction::triggered, panel_, &BottomPanel::showPreviousProblem);
}

/// A store that has runs opens with them; the first poll comes a moment after the window.
void MainWindow::showRunsAtFirst() {
  const StoreSnapshotPointer snapshot = workspace_.store().snapshot();
  if (hasPolled_ || snapshot->version == 0) return;
  hasPolled_ = true;
  if (snapshot->runs.empty() || pages_->front().id() != PageId::welcome) return;
  showPage(PageId::charts);
  runs_->view().setFocus(Qt::OtherFocusReason);
}

/// In front of the table of runs, what is ticked there is meant.
void MainWindow::showTicked() {
  if (frontPage() != PageId::runs) return;
  const std::vector<std::string> ticked = static_cast<RunsPage*>(page(PageId::runs))->tickedInOrder();
  if (!ticked.empty()) workspace_.selection().setShown(ticked, ticked.front());
}

/// The table of runs has the run at hand beside it, until somebody closes that; what the window opened by itself it
/// closes again where another page needs the room.
void MainWindow::showGlance() {
  const bool onRuns = pages_->front().id() == PageId::runs;
  const bool anyRun = !workspace_.store().snapshot()->runs.empty();
  if (onRuns && anyRun && inspector_->isHidden() && !isGlanceClosed_ && !isNarrow(*this)) {
    runsWidth_ = runs_->width();
    inspector_->show();
    isGlanceOurs_ = true;
    pages_->sides().resizeDocks({inspector_}, {widthForFont(glanceWidth)}, Qt::Horizontal);
  } else if (!onRuns) {
    hideOurGlance();
  }
}

/// The list of runs has back what it had to give for it: once the pages beside it know that they need less.
void MainWindow::hideOurGlance() {
  if (!std::exchange(isGlanceOurs_, false)) return;
  inspector_->hide();
  QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
  if (runs_->width() < runsWidth_) resizeDocks({runs_}, {runsWidth_}, Qt::Horizontal);
}

void MainWindow::refresh() {
  showRunsAtFirst();
  const bool hasRuns = !workspace_.store().snapshot()->runs.empty();
  pages_->setHasRuns(hasRuns);
  showGlance();
  actions_.compare->setEnabled(hasRuns);
  for (QAction* action : {actions_.report, actions_.saveReport}) {
    action->setEnabled(workspace_.currentRun() != nullptr);
  }
  const std::string& remote = workspace_.remotes().chosen();
  const bool ready =
      workspace_.experiment().isCurrent() || (!remote.empty() && !workspace_.experiment().text().empty());
  const QString& readOnly = workspace_.store().whyReadOnly();
  const auto allow = [](QAction* action, const QString& whyNot) {
    action->setEnabled(whyNot.isEmpty());
    action->setToolTip(whyNot.isEmpty() ? action->text() : whyNot);
  };
  allow(actions_.runExample, readOnly);
  const QString notReady = workspace_.experiment().text().empty()
                               ? tr("Create or open an experiment first")
                               : tr("The open experiment has mistakes: Problems lists them");
  allow(actions_.launch, !readOnly.isEmpty() ? readOnly : ready ? QString() : notReady);
  if (ready && readOnly.isEmpty() && !remote.empty()) {
    actions_.launch->setToolTip(tr("Launch on %1").arg(QString::fromStdString(remote)));
  }
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (workspace_.isExporting()) {
    event->ignore();
    return closeOnceWritten();
  }
  if (workspace_.store().snapshot()->hasLiving() && !Settings::knowsRunsGoOn()) {
    event->ignore();
    return explainThatRunsContinue();
  }
  if (!confirmClose(this, workspace_.documents())) return event->ignore();
  saveLayout();
  QMainWindow::closeEvent(event);
}

/// What a page writes to a file would end with the window.
void MainWindow::closeOnceWritten() {
  if (findChild<ClosingNotice*>() == nullptr) (new ClosingNotice(workspace_, this))->open();
}

/// Told once in a lifetime.
void MainWindow::explainThatRunsContinue() {
  Settings::setKnowsRunsGoOn();
  auto* box = new QMessageBox(QMessageBox::Information, tr("Runs go on"),
                              tr("Runs go on without the window. Open it again at any time to see their state."),
                              QMessageBox::Close | QMessageBox::Cancel, this);
  box->button(QMessageBox::Close)->setText(tr("Close the window"));
  box->button(QMessageBox::Cancel)->setText(tr("Cancel"));
  box->setAttribute(Qt::WA_DeleteOnClose);
  connect(box->button(QMessageBox::Close), &QAbstractButton::clicked, this, &QWidget::close, Qt::QueuedConnection);
  box->open();
}

void MainWindow::saveLayout() {
  hideOurGlance();
  layout_->save();
}

void MainWindow::resizeEvent(QResizeEvent* event) {
  QMainWindow::resizeEvent(event);
  const bool narrow = isNarrow(*this);
  commandBox_->setFixedWidth(narrow ? narrowCommandBoxWidth : commandBoxWidth);
  if (std::exchange(isNarrow_, narrow) != narrow) layout_->fitRuns();
}

}  // namespace slipstream::ui
