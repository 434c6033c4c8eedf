// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QFile>
#include <QFileDialog>
#include <QMessageBox>
#include <QPushButton>
#include <algorithm>
#include <iterator>
#include <set>

#include "engine/config/json.h"
#include "engine/experiment/experiment_scope.h"
#include "engine/launch/hosts_of_plan.h"
#include "ui/documents/document_files.h"
#include "ui/experiment/new_experiment_dialog.h"
#include "ui/panel/bottom_panel.h"
#include "ui/runs/run_import.h"
#include "ui/store/job_thread.h"
#include "ui/widgets/notice.h"
#include "ui/window/help_window.h"
#include "ui/window/layout_memory.h"
#include "ui/window/main_window.h"
#include "ui/window/menus.h"
#include "ui/window/page_stack.h"
#include "ui/window/preferences_dialog.h"
#include "ui/window/shortcuts_dialog.h"
#include "ui/workspace/document_dialogs.h"
#include "ui/workspace/settings.h"

// What the main window does with files: opening, saving, launching what was edited.
// Theme, language and layout of the window.
namespace slipstream::ui {
namespace {

QString failureText(const Failures& failures) {
  return QString::fromStdString(toText(failures));
}

/// The one server of all ranks, where it is another machine.
std::optional<QString> otherServerOf(const std::vector<RunPlan>& plans) {
  std::set<std::string> servers;
  for (const RunPlan& plan : plans) {
    if (plan.local) return std::nullopt;
    std::ranges::copy(hostsOf(plan), std::inserter(servers, servers.end()));
  }
  return servers.size() == 1 ? std::optional(QString::fromStdString(*servers.begin())) : std::nullopt;
}

}  // namespace

void MainWindow::connectFiles() {
  connect(actions_.newExperiment, &QAction::triggered, this, &MainWindow::askForNewExperiment);
  connect(actions_.openExperiment, &QAction::triggered, this, [this] { open(workspace_.experiment(), PageId::boost); });
  connect(actions_.openRankTable, &QAction::triggered, this,
          [this] { open(workspace_.rankTable(), PageId::rankTable); });
  connect(actions_.openStore, &QAction::triggered, this, [this] {
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Open store"));
    if (folder.isEmpty()) return;
    workspace_.store().openLater(folder.toStdString(), this, [this](const Status& opened) {
      if (opened) return Settings::rememberStore(workspace_.store().folder());
      showWarning(this, tr("Open store"), failureText(opened.error()));
    });
  });
  auto* imports = new RunImport(workspace_, this);
  connect(actions_.importFiles, &QAction::triggered, imports, &RunImport::askForFiles);
  connect(actions_.importFolder, &QAction::triggered, imports, &RunImport::askForFolder);
  connect(actions_.save, &QAction::triggered, this, [this] {
    if (Document* document = pages_->front().document()) saveDocument(this, *document);
  });
  connect(actions_.saveAs, &QAction::triggered, this, [this] {
    if (Document* document = pages_->front().document()) saveDocumentAs(this, *document);
  });
  connect(actions_.quit, &QAction::triggered, this, &QWidget::close);
}

Status MainWindow::openFile(const std::filesystem::path& file) {
  SLIPSTREAM_TRY(document, readDocument(file));
  open(document);
  return {};
}

void MainWindow::open(const DocumentText& read) {
  switch (read.kind) {
    case DocumentKind::rankTable:
      return open(workspace_.rankTable(), read, PageId::rankTable);
    case DocumentKind::study:
      open(workspace_.studyDraft(), read, PageId::study);
      return workspace_.studies().chooseDraft();
    case DocumentKind::experiment:
      return open(workspace_.experiment(), read, PageId::boost);
  }
}

/// A draft of the same file is kept open instead: the page reports it, and can go back to the file. What is wrong with
/// a table of whatever version is listed at once, with what mends it.
void MainWindow::open(Document& document, const DocumentText& read, PageId page) {
  std::error_code gone;
  const bool isRecovered = document.isRecovered() && std::filesystem::equivalent(read.file, document.file(), gone);
  if (!isRecovered) {
    if (!confirmClose(this, {&document})) {
      const QString name = QString::fromStdString(read.file.filename().string());
      return workspace_.report(tr("%1 was not opened: %2 stays").arg(name, document.title()));
    }
    document.load(read.file, read.text);
  }
  showPage(page);
  const auto isError = [](const Problem& problem) { return problem.severity == Verdict::reject; };
  if (std::ranges::any_of(document.problems(), isError)) panel_->openForProblems();
}

/// Asked before the open one is given up.
void MainWindow::askForNewExperiment() {
  std::set<std::string> taken;
  if (const StoreSnapshotPointer snapshot = workspace_.store().snapshot()) {
    for (const RunRow& row : snapshot->runs) taken.insert(row.run.experimentName);
  }
  OpenRankTable table{.use = pages_->front().id() == PageId::rankTable};
  const RankTableDocument& open = workspace_.rankTable();
  const bool usable =
      !open.isBlank() && !open.file().empty() && !open.isModified() && open.reading().verdict() != Verdict::reject;
  if (usable) {
    table.path = open.file().string();
    table.ranks = open.reading().table.ranks();
  }
  NewExperimentDialog dialog(std::move(taken), std::move(table), this);
  if (dialog.exec() != QDialog::Accepted || !confirmClose(this, {&workspace_.experiment()})) return;
  // An edit, so that a draft is kept of what was chosen.
  workspace_.experiment().start({});
  workspace_.experiment().edit(dialog.text(), tr("New experiment"));
  showPage(PageId::plan);
  // What comes next is most often its launch, which is possible once it is planned.
  if (QWidget* launch = findChild<ToolBar*>()->widgetForAction(actions_.launch)) launch->setFocus(Qt::OtherFocusReason);
}

void MainWindow::newExperiment(const QString& resource) {
  QFile file(resource);
  if (!confirmClose(this, {&workspace_.experiment()}) || !file.open(QIODevice::ReadOnly)) return;
  workspace_.experiment().start(file.readAll().toStdString());
  showPage(PageId::boost);
}

void MainWindow::open(Document& document, PageId page) {
  const QString title = page == PageId::rankTable ? tr("Open a rank table") : tr("Open an experiment");
  const QString name = QFileDialog::getOpenFileName(this, title, {}, tr("JSON files (*.json);;All files (*)"));
  if (name.isEmpty()) return;
  // Read before the question: nobody gives up edits for a file that cannot be opened.
  const auto read = readDocument(name.toStdString());
  if (read) return open(document, *read, page);
  showWarning(this, tr("Open"), failureText(read.error()));
}

void MainWindow::connectLaunch() {
  connect(actions_.launch, &QAction::triggered, this, &MainWindow::launchExperiment);
  for (Document* document :
       {static_cast<Document*>(&workspace_.experiment()), static_cast<Document*>(&workspace_.rankTable()),
        static_cast<Document*>(&workspace_.studyDraft())}) {
    connect(document, &Document::saved, this, [this, document] {
      workspace_.report(tr("%1 is saved").arg(QString::fromStdString(document->file().string())));
    });
  }
  connect(&workspace_.experiment(), &ExperimentDocument::planChanged, this, [this] {
    refresh();
    if (std::exchange(launchAwaited_, false)) launchOrReport();
  });
}

/// A page asks right after it has edited, and a text is planned a moment later.
void MainWindow::launchOncePlanned() {
  launchAwaited_ = workspace_.experiment().isPlanning();
  if (!launchAwaited_) launchOrReport();
}

void MainWindow::launchOrReport() {
  if (const QString& readOnly = workspace_.store().whyReadOnly(); !readOnly.isEmpty())
    return workspace_.report(readOnly);
  // What is wrong here may be right there: paths and devices are of there.
  if (workspace_.experiment().isCurrent() || !workspace_.remotes().chosen().empty()) return launchExperiment();
  panel_->showNextProblem();
  workspace_.report(tr("Not launched: the experiment has mistakes, which are listed here"));
}

/// A new experiment is kept beside its runs, so that nobody has to think of a place for it first. Asks for one where it
/// names files relative to its place, and where it cannot be kept there.
bool MainWindow::saveToStore() {
  ExperimentDocument& experiment = workspace_.experiment();
  const std::string text = experiment.text();
  if (const auto root = parseJson(text, ""); root && namesRelativePaths(*root)) {
    return saveDocumentAs(this, experiment);
  }
  const auto file =
      diskThread().wait([store = workspace_.store().folder(), name = experiment.proposedName().toStdString(), text] {
        return experimentFileIn(store, name, text);
      });
  const Status saved = file.and_then([&](const std::filesystem::path& free) { return experiment.save(free); });
  if (saved) return true;
  showWarning(this, tr("Save"), failureText(saved.error()));
  return saveDocumentAs(this, experiment);
}

/// Where ranks are started that are all on one other machine: a rank table that was written for one is most often
/// wanted here, hosts that were named are meant. Flags of `slipstream run`; nothing where the launch is given up.
std::optional<QStringList> MainWindow::askWhereToLaunch() {
  const auto planned = workspace_.experiment().planned();
  const auto server = planned ? otherServerOf(planned->plans) : std::nullopt;
  if (!server) return QStringList();
  QMessageBox box(QMessageBox::Question, tr("Launch"), tr("%1 is not this machine").arg(*server), QMessageBox::NoButton,
                  this);
  box.setTextFormat(Qt::PlainText);
  const bool isTable = planned->plans.front().experiment.parallel.hosts.empty();
  const QString where = tr("All ranks are on that server. They can be started there by ssh, or all on this machine.");
  const QString ofTables = tr("In a rank table this machine is 127.0.0.1.");
  box.setInformativeText(isTable ? where + QLatin1Char(' ') + ofTables : where);
  QPushButton* there = box.addButton(tr("Launch there"), QMessageBox::AcceptRole);
  QPushButton* here = box.addButton(tr("Launch on this machine"), QMessageBox::AcceptRole);
  box.addButton(QMessageBox::Cancel);
  box.setDefaultButton(isTable ? here : there);
  box.exec();
  if (box.clickedButton() == there) return QStringList();
  if (box.clickedButton() == here) return QStringList{QStringLiteral("--local")};
  return std::nullopt;
}

/// What is launched is what was saved, also where it waits and the file is edited meanwhile.
void MainWindow::launchExperiment() {
  const auto flags = workspace_.remotes().chosen().empty() ? askWhereToLaunch() : QStringList();
  if (!flags) return;
  ExperimentDocument& experiment = workspace_.experiment();
  // What runs is the file: its path is in the record of the run, and repeats it.
  // In the store's folder each launch has its own: nobody chose that file to be written over.
  const bool isKept = experiment.file().parent_path() == experimentsOf(workspace_.store().folder());
  const bool isNew = experiment.file().empty() || (isKept && experiment.isModified());
  if (isNew && !saveToStore()) return;
  if (experiment.isModified() && !saveDocument(this, experiment)) return;
  const auto planned = experiment.planned();
  const QString name = planned ? QString::fromStdString(planned->experimentName) : experiment.title();
  if (const std::string& remote = workspace_.remotes().chosen(); !remote.empty()) {
    return workspace_.launcher().runThere(remote, name, experiment.text(), experiment.file());
  }
  workspace_.launcher().runInTurn(name, experiment.text(), experiment.file(), *flags);
}

void MainWindow::connectAppearance() {
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
  actions_.desktopNotices->setChecked(Settings::desktopNotices());
  connect(actions_.desktopNotices, &QAction::toggled, this, &Settings::setDesktopNotices);
  connect(actions_.resetLayout, &QAction::triggered, this, [this] { layout_->reset(); });
  connect(actions_.preferences, &QAction::triggered, this, [this] {
    // Another language makes the window anew, and ends its dialogs with it.
    auto* preferences = new PreferencesDialog(actions_, this);
    preferences->setAttribute(Qt::WA_DeleteOnClose);
    preferences->open();
  });
  connect(actions_.shortcuts, &QAction::triggered, this, [this] { ShortcutsDialog(*this, this).exec(); });
  connect(actions_.algorithms, &QAction::triggered, this, [this] {
    if (help_ == nullptr) help_ = new HelpWindow(this);
    help_->show();
    help_->raise();
  });
  connect(actions_.about, &QAction::triggered, this, [this] {
    showMessage(this, windowIcon(), tr("About Slipstream"),
                tr("Slipstream %1\nCompare acceleration algorithms for distributed training.\n"
                   "GPL-3.0-or-later")
                    .arg(QCoreApplication::applicationVersion()));
  });
}

}  // namespace slipstream::ui
