// What the main window does with files: opening, saving, launching what was edited.
#include <QFile>
#include <QFileDialog>
#include <QMessageBox>

#include <nlohmann/json.hpp>

#include "engine/base/files.h"
#include "engine/plan/rank_table_lines.h"
#include "ui/panel/bottom_panel.h"
#include "ui/window/main_window.h"
#include "ui/window/page_stack.h"
#include "ui/workspace/document_files.h"
#include "ui/workspace/settings.h"

namespace slipstream::ui {
namespace {

QString words(const Failures& failures) {
  return QString::fromStdString(toText(failures));
}

}  // namespace

void MainWindow::connectFiles() {
  connect(actions_.newExperiment, &QAction::triggered, this,
          [this] { newExperiment(QStringLiteral(":/experiments/quickstart.json")); });
  connect(actions_.openExperiment, &QAction::triggered, this,
          [this] { open(workspace_.experiment(), QStringLiteral("boost")); });
  connect(actions_.openRankTable, &QAction::triggered, this,
          [this] { open(workspace_.rankTable(), QStringLiteral("rank-table")); });
  connect(actions_.openStore, &QAction::triggered, this, [this] {
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Open store"));
    if (folder.isEmpty()) return;
    workspace_.store().openLater(folder.toStdString(), this, [this](const Status& opened) {
      if (opened) return Settings::rememberStore(workspace_.store().folder());
      QMessageBox::warning(this, tr("Open store"), words(opened.error()));
    });
  });
  connect(actions_.save, &QAction::triggered, this, [this] {
    if (Document* document = pages_->front().document()) saveDocument(this, *document);
  });
  connect(actions_.saveAs, &QAction::triggered, this, [this] {
    if (Document* document = pages_->front().document()) saveDocument(this, *document, true);
  });
  connect(actions_.quit, &QAction::triggered, this, &QWidget::close);
}

Status MainWindow::openFile(const std::filesystem::path& file) {
  SLIPSTREAM_TRY(text, readFile(file));
  const auto json = readGenerously(text);  // tables with comments and surplus commas can be mended
  const bool table = json && looksLikeRankTable(*json);
  Document& document = table ? static_cast<Document&>(workspace_.rankTable()) : workspace_.experiment();
  if (!mayLeave(this, {&document})) return {};
  SLIPSTREAM_CHECK(document.load(file));
  showPage(table ? QStringLiteral("rank-table") : QStringLiteral("boost"));
  return {};
}

void MainWindow::newExperiment(const QString& resource) {
  QFile file(resource);
  if (!mayLeave(this, {&workspace_.experiment()}) || !file.open(QIODevice::ReadOnly)) return;
  workspace_.experiment().start(file.readAll().toStdString());
  showPage(QStringLiteral("boost"));
}

void MainWindow::open(Document& document, const QString& pageName) {
  const QString name = QFileDialog::getOpenFileName(this, tr("Open"), {}, tr("JSON files (*.json)"));
  if (name.isEmpty()) return;
  // Read before the question: nobody gives up edits for a file that cannot be opened.
  const auto text = readFile(name.toStdString());
  if (text && !mayLeave(this, {&document})) return;
  const Status loaded = text ? document.load(name.toStdString()) : Status(tl::unexpected(text.error()));
  if (!loaded) {
    QMessageBox::warning(this, tr("Open"), words(loaded.error()));
    return;
  }
  showPage(pageName);
}

void MainWindow::connectLaunch() {
  connect(actions_.launch, &QAction::triggered, this, &MainWindow::launchExperiment);
  connect(&workspace_.experiment(), &ExperimentDocument::planChanged, this, [this] {
    refresh();
    if (std::exchange(launchAwaited_, false)) launchOrSayWhy();
  });
}

/// A page asks right after it has edited, and a text is planned a moment later.
void MainWindow::launchOncePlanned() {
  launchAwaited_ = workspace_.experiment().isPlanning();
  if (!launchAwaited_) launchOrSayWhy();
}

void MainWindow::launchOrSayWhy() {
  if (workspace_.experiment().isCurrent()) return launchExperiment();
  panel_->showNextProblem();
  workspace_.say(tr("Not launched: the experiment has mistakes, which are listed here"));
}

/// What is launched is what was saved, also where it waits and the file is edited meanwhile.
void MainWindow::launchExperiment() {
  ExperimentDocument& experiment = workspace_.experiment();
  if ((experiment.isModified() || experiment.file().empty()) && !saveDocument(this, experiment)) return;
  const auto planned = experiment.planned();
  const QString name = planned ? QString::fromStdString(planned->experimentName) : experiment.title();
  workspace_.launcher().runInTurn(name, experiment.text(), experiment.file());
}

}  // namespace slipstream::ui
