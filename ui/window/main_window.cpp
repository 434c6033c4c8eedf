#include "ui/window/main_window.h"

#include <QAbstractButton>
#include <QApplication>
#include <QCloseEvent>
#include <QMenuBar>
#include <QMessageBox>
#include <QSplitter>
#include <QStatusBar>
#include <QToolBar>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include "ui/charts/charts_page.h"
#include "ui/checkpoints/checkpoints_page.h"
#include "ui/compare/compare_page.h"
#include "ui/experiment/boost_page.h"
#include "ui/experiment/plan_page.h"
#include "ui/layers/layers_page.h"
#include "ui/panel/bottom_panel.h"
#include "ui/parts/parts.h"
#include "ui/rank_table/rank_table_page.h"
#include "ui/ranks/ranks_page.h"
#include "ui/report/report_page.h"
#include "ui/report/report_saver.h"
#include "ui/runs/run_actions.h"
#include "ui/runs/run_inspector.h"
#include "ui/runs/runs_dock.h"
#include "ui/window/command_box.h"
#include "ui/window/example.h"
#include "ui/window/status_line.h"
#include "ui/window/welcome_page.h"
#include "ui/workspace/document_files.h"
#include "ui/workspace/draft_notice.h"
#include "ui/workspace/settings.h"

namespace slipstream::ui {
namespace {

constexpr int layoutVersion = 1;
constexpr int dockWidth = 296;
constexpr int narrowDockWidth = 240;
constexpr int narrowWindow = 1200;
constexpr int tabHeight = 34;
constexpr int toolIconSize = 16;
constexpr int commandBoxWidth = 336;
constexpr int narrowCommandBoxWidth = 240;
const QString windowLayout = QStringLiteral("window");
const QString bodyLayout = QStringLiteral("body");

QToolButton* toolButton(QAction* action) {
  auto* button = new QToolButton;
  button->setDefaultAction(action);
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  button->setProperty("framed", true);
  return button;
}

}  // namespace

MainWindow::MainWindow(Workspace& workspace) : workspace_(workspace), actions_(this) {
  setWindowTitle(tr("Slipstream"));
  setWindowIcon(QIcon(QStringLiteral(":/icon.svg")));
  setMinimumSize(1024, 640);
  resize(1280, 800);
  actions_.undo = workspace.undo().createUndoAction(this, tr("Undo"));
  actions_.undo->setShortcut(QKeySequence::Undo);
  actions_.undo->setIcon(icon(Symbol::undo));
  actions_.redo = workspace.undo().createRedoAction(this, tr("Redo"));
  actions_.redo->setShortcut(QKeySequence::Redo);
  actions_.redo->setIcon(icon(Symbol::redo));
  buildBody();
  buildToolBar();
  buildMenus();
  connectFiles();
  connectRuns();
  connectLooks();
  restoreLayout();
  refresh();
  runs_->view().setFocus(Qt::OtherFocusReason);
}

MainWindow::~MainWindow() = default;

void MainWindow::buildToolBar() {
  auto* bar = new QToolBar(tr("Tools"), this);
  bar->setObjectName(QStringLiteral("tools"));
  bar->setMovable(false);
  bar->setIconSize({toolIconSize, toolIconSize});
  bar->toggleViewAction()->setVisible(false);
  QToolButton* launch = toolButton(actions_.launch);
  launch->setProperty("primary", true);
  actions_.launch->setIcon(icon(Symbol::launch, IconInk::onAccent));
  QToolButton* stop = toolButton(actions_.stopAfterStep);
  auto* stops = new QMenu(stop);
  stops->addActions({actions_.stopAfterStep, actions_.stopAfterCheckpoint, actions_.stopNow});
  stop->setMenu(stops);
  stop->setPopupMode(QToolButton::MenuButtonPopup);
  bar->addWidget(launch);
  bar->addWidget(stop);
  bar->addSeparator();
  bar->addWidget(toolButton(actions_.compare));
  QToolButton* report = toolButton(actions_.saveReport);
  bar->addWidget(report);
  bar->addSeparator();
  bar->addAction(actions_.undo);
  bar->addAction(actions_.redo);
  auto* space = new QWidget;
  space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  bar->addWidget(space);
  commandBox_ = new CommandBox(
      workspace_, [this] { return commands(); }, bar);
  bar->addWidget(commandBox_);
  addToolBar(bar);
}

void MainWindow::buildMenus() {
  QMenu* file = menuBar()->addMenu(tr("&File"));
  file->addAction(actions_.newExperiment);
  addTemplates(*file->addMenu(icon(Symbol::add), tr("New from")));
  file->addActions({actions_.openExperiment, actions_.openRankTable, actions_.openStore});
  file->addSeparator();
  file->addActions({actions_.save, actions_.saveAs, actions_.saveReport});
  file->addSeparator();
  file->addAction(actions_.quit);
  QMenu* edit = menuBar()->addMenu(tr("&Edit"));
  edit->addActions({actions_.undo, actions_.redo, actions_.filterRuns, actions_.commandBox});
  edit->addSeparator();
  edit->addActions({actions_.nextProblem, actions_.previousProblem});
  QMenu* view = menuBar()->addMenu(tr("&View"));
  view->addActions({actions_.themeSystem, actions_.themeLight, actions_.themeDark});
  view->addSeparator();
  view->addActions({actions_.languageSystem, actions_.languageEnglish, actions_.languageChinese});
  view->addSeparator();
  view->addAction(inspector_->toggleViewAction());
  view->addAction(actions_.resetLayout);
  QMenu* run = menuBar()->addMenu(tr("&Run"));
  run->addActions({actions_.launch, actions_.runExample});
  run->addSeparator();
  run->addActions({actions_.stopAfterStep, actions_.stopAfterCheckpoint, actions_.stopNow, actions_.resume});
  run->addSeparator();
  const RunActions& chosen = runs_->runActions();
  run->addActions({chosen.rename, chosen.describe, chosen.pin, chosen.unpin, chosen.archive, chosen.unarchive});
  run->addActions({chosen.copyCommand, chosen.unqueue, chosen.remove});
  run->addSeparator();
  run->addAction(actions_.compare);
  for (Page* page : pages_) {
    if (page->actions().isEmpty()) continue;
    QMenu* menu = menuBar()->addMenu(page->title());
    menu->addActions(page->actions());
  }
  menuBar()->addMenu(tr("&Help"))->addAction(actions_.about);
}

void MainWindow::buildBody() {
  runs_ = new RunsDock(workspace_, actions_, this);
  addDockWidget(Qt::LeftDockWidgetArea, runs_);
  inspector_ = new RunInspector(workspace_, this);
  addDockWidget(Qt::RightDockWidgetArea, inspector_);
  inspector_->hide();
  tabs_ = new QTabBar;
  tabs_->setDrawBase(false);
  tabs_->setExpanding(false);
  tabs_->setUsesScrollButtons(true);
  tabs_->setMinimumHeight(tabHeight);
  tabs_->setAccessibleName(tr("Pages"));
  stack_ = new QStackedWidget;
  auto* middle = new QWidget;
  middle->setProperty("panel", true);
  middle->setAttribute(Qt::WA_StyledBackground);
  QVBoxLayout* layout = column(middle, 0);
  layout->addWidget(tabs_);
  layout->addWidget(hairline());
  draftNotice_ = new DraftNotice;
  layout->addWidget(draftNotice_);
  layout->addWidget(stack_, 1);
  panel_ = new BottomPanel(workspace_, this);
  body_ = new QSplitter(Qt::Vertical);
  body_->setChildrenCollapsible(false);
  body_->addWidget(middle);
  body_->addWidget(panel_);
  body_->setStretchFactor(0, 1);
  setCentralWidget(body_);
  statusBar()->addWidget(new StatusLine(workspace_, this), 1);
  statusBar()->setSizeGripEnabled(false);

  addPage(new WelcomePage(workspace_, actions_, this));
  addPage(new RankTablePage(workspace_, this));
  addPage(new BoostPage(workspace_, this));
  addPage(new PlanPage(workspace_, this));
  addPage(new ChartsPage(workspace_, this));
  addPage(new ComparePage(workspace_, this));
  addPage(new RanksPage(workspace_, this));
  addPage(new LayersPage(workspace_, this));
  addPage(new CheckpointsPage(workspace_, this));
  addPage(new ReportPage(workspace_, this));
  connect(tabs_, &QTabBar::currentChanged, this, &MainWindow::frontChanged);
}

void MainWindow::addPage(Page* page) {
  pages_.push_back(page);
  stack_->addWidget(page);
  const int index = tabs_->addTab(page->title());
  tabs_->setTabToolTip(index, page->title());
  const auto retitle = [this, page, index] {
    const Document* document = page->document();
    const bool modified = document != nullptr && document->isModified();
    tabs_->setTabText(index, modified ? page->title() + QStringLiteral(" •") : page->title());
  };
  connect(page, &Page::titleChanged, this, retitle);
  connect(page, &Page::newExperimentWanted, actions_.newExperiment, &QAction::trigger);
  connect(page, &Page::saveWanted, actions_.save, &QAction::trigger);
  connect(page, &Page::launchWanted, actions_.launch, &QAction::trigger);
  if (Document* document = page->document()) connect(document, &Document::fileChanged, this, retitle);
  retitle();
}

Page* MainWindow::page(const QString& name) const {
  for (Page* page : pages_) {
    if (page->name() == name) return page;
  }
  return nullptr;
}

void MainWindow::showPage(const QString& name) {
  const auto found = std::find(pages_.begin(), pages_.end(), page(name));
  if (found != pages_.end()) tabs_->setCurrentIndex(static_cast<int>(found - pages_.begin()));
}

void MainWindow::frontChanged(int index) {
  stack_->setCurrentIndex(index);
  Document* document = pages_[static_cast<std::size_t>(index)]->document();
  workspace_.undo().setActiveStack(document == nullptr ? &workspace_.labelUndo() : &document->undoStack());
  draftNotice_->follow(document);
  refresh();
}

void MainWindow::connectRuns() {
  connect(&workspace_.store(), &StoreWatcher::changed, this, &MainWindow::refresh);
  connect(&workspace_.selection(), &RunSelection::changed, this, &MainWindow::refresh);
  connect(&workspace_.experiment(), &ExperimentDocument::planChanged, this, &MainWindow::refresh);
  connect(&workspace_, &Workspace::wanted, this, &MainWindow::showPage);
  connect(actions_.launch, &QAction::triggered, this, &MainWindow::launchExperiment);
  connect(actions_.stopAfterStep, &QAction::triggered, this, [this] { stop(StopKind::afterStep); });
  connect(actions_.stopAfterCheckpoint, &QAction::triggered, this, [this] { stop(StopKind::afterCheckpoint); });
  connect(actions_.stopNow, &QAction::triggered, this, [this] { stop(StopKind::now); });
  connect(actions_.resume, &QAction::triggered, this,
          [this] { workspace_.launcher().resume(workspace_.selection().current(), workspace_.store().folder()); });
  connect(actions_.compare, &QAction::triggered, this, [this] { showPage(QStringLiteral("compare")); });
  connect(actions_.saveReport, &QAction::triggered, this, [this] {
    showPage(QStringLiteral("report"));
    static_cast<ReportPage*>(page(QStringLiteral("report")))->saver().ask();
  });
  connect(actions_.filterRuns, &QAction::triggered, runs_, &RunsDock::focusFilter);
  connect(runs_, &RunsDock::detailsWanted, inspector_, &RunInspector::editTags);
  connect(actions_.runExample, &QAction::triggered, this, [this] { launchExample(workspace_); });
  connect(actions_.commandBox, &QAction::triggered, commandBox_, &CommandBox::begin);
  connect(actions_.nextProblem, &QAction::triggered, panel_, &BottomPanel::showNextProblem);
  connect(actions_.previousProblem, &QAction::triggered, panel_, &BottomPanel::showPreviousProblem);
}

void MainWindow::connectLooks() {
  const std::pair<QAction*, ThemeChoice> themes[] = {{actions_.themeSystem, ThemeChoice::system},
                                                     {actions_.themeLight, ThemeChoice::light},
                                                     {actions_.themeDark, ThemeChoice::dark}};
  for (const auto& [action, choice] : themes) {
    action->setChecked(Settings::theme() == choice);
    connect(action, &QAction::triggered, this, [choice = choice] {
      Settings::setTheme(choice);
      applyTheme(*qApp, choice);
    });
  }
  const std::pair<QAction*, QString> languages[] = {{actions_.languageSystem, QString()},
                                                    {actions_.languageEnglish, QStringLiteral("en")},
                                                    {actions_.languageChinese, QStringLiteral("zh_CN")}};
  for (const auto& [action, language] : languages) {
    action->setChecked(Settings::language() == language);
    connect(action, &QAction::triggered, this, [this, language = language] {
      Settings::setLanguage(language);
      Q_EMIT languageChosen();
    });
  }
  connect(actions_.resetLayout, &QAction::triggered, this, [this] {
    Settings::forgetLayouts();
    inspector_->hide();
    restoreLayout();
  });
  connect(actions_.about, &QAction::triggered, this, [this] {
    QMessageBox::about(this, tr("About Slipstream"),
                       tr("Slipstream %1\nCompare acceleration algorithms for distributed training.\n"
                          "GPL-3.0-or-later")
                           .arg(QCoreApplication::applicationVersion()));
  });
}

std::vector<QAction*> MainWindow::commands() const {
  std::vector<QAction*> all;
  for (const QAction* menu : menuBar()->actions()) {
    for (QAction* action : menu->menu()->actions()) {
      if (!action->isSeparator() && action->menu() == nullptr) all.push_back(action);
    }
  }
  return all;
}

void MainWindow::refresh() {
  const bool hasRuns = !workspace_.store().snapshot()->runs.empty();
  for (std::size_t i = 0; i < pages_.size(); ++i) {
    // The page in front stays: after a launch it waits for the run's first row.
    const int index = static_cast<int>(i);
    tabs_->setTabEnabled(index, hasRuns || !pages_[i]->needsRuns() || index == tabs_->currentIndex());
  }
  tabs_->setTabVisible(0, !hasRuns || tabs_->currentIndex() == 0);
  const RunRow* run = workspace_.currentRun();
  const bool living = run != nullptr && isLiving(run->run.state);
  for (QAction* stop : {actions_.stopAfterStep, actions_.stopAfterCheckpoint, actions_.stopNow}) {
    stop->setEnabled(living);
    stop->setToolTip(living ? stop->text() : tr("No living run is chosen"));
  }
  actions_.resume->setEnabled(run != nullptr && !living && run->run.state != RunState::done);
  actions_.compare->setEnabled(hasRuns);
  actions_.saveReport->setEnabled(run != nullptr);
  const bool ready = workspace_.experiment().isCurrent();
  actions_.launch->setEnabled(ready);
  actions_.launch->setToolTip(ready ? actions_.launch->text() : tr("No experiment without mistakes is open"));
}

void MainWindow::stop(StopKind kind) {
  workspace_.launcher().stop({workspace_.selection().current()}, kind);
}

void MainWindow::restoreLayout() {
  resizeDocks({runs_}, {width() < narrowWindow ? narrowDockWidth : dockWidth}, Qt::Horizontal);
  restoreState(Settings::layout(windowLayout), layoutVersion);
  panel_->restoreLayout();
  body_->restoreState(Settings::layout(bodyLayout));
}

void MainWindow::saveLayout() {
  Settings::setLayout(windowLayout, saveState(layoutVersion));
  Settings::setLayout(bodyLayout, body_->saveState());
  panel_->saveLayout();
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (workspace_.store().snapshot()->hasLiving() && !Settings::knowsRunsGoOn()) {
    event->ignore();
    return tellThatRunsGoOn();
  }
  if (!mayLeave(this, {&workspace_.experiment(), &workspace_.rankTable()})) return event->ignore();
  saveLayout();
  QMainWindow::closeEvent(event);
}

/// Told once in a lifetime.
void MainWindow::tellThatRunsGoOn() {
  Settings::setKnowsRunsGoOn();
  auto* box = new QMessageBox(QMessageBox::Information, tr("Runs go on"),
                              tr("Runs go on without the window. Open it again at any time to see how they stand."),
                              QMessageBox::Close | QMessageBox::Cancel, this);
  box->button(QMessageBox::Close)->setText(tr("Close the window"));
  box->setAttribute(Qt::WA_DeleteOnClose);
  connect(box->button(QMessageBox::Close), &QAbstractButton::clicked, this, &QWidget::close, Qt::QueuedConnection);
  box->open();
}

void MainWindow::resizeEvent(QResizeEvent* event) {
  QMainWindow::resizeEvent(event);
  const bool narrow = width() < narrowWindow;
  commandBox_->setFixedWidth(narrow ? narrowCommandBoxWidth : commandBoxWidth);
  if (tabs_->property("compact").toBool() == narrow) return;
  resizeDocks({runs_}, {narrow ? narrowDockWidth : dockWidth}, Qt::Horizontal);
  tabs_->setProperty("compact", narrow);
  tabs_->style()->unpolish(tabs_);
  tabs_->style()->polish(tabs_);
}

}  // namespace slipstream::ui
