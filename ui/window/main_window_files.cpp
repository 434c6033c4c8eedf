// SPDX-License-Identifier: GPL-3.0-or-later
// What the main window does with files: opening, saving, launching what was edited.
#include <QFile>
#include <QFileDialog>

#include "ui/panel/bottom_panel.h"
#include "ui/parts/message_box.h"
#include "ui/window/main_window.h"
#include "ui/window/page_stack.h"
#include "ui/workspace/document_files.h"
#include "ui/workspace/document_text.h"
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
      showWarning(this, tr("Open store"), words(opened.error()));
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
  SLIPSTREAM_TRY(document, readDocument(file));
  open(document);
  return {};
}

void MainWindow::open(const DocumentText& read) {
  Document& document = read.isRankTable ? static_cast<Document&>(workspace_.rankTable()) : workspace_.experiment();
  open(document, read, read.isRankTable ? QStringLiteral("rank-table") : QStringLiteral("boost"));
}

/// What was recovered of the very file stands for it: the page says so, and can go back to the file.
void MainWindow::open(Document& document, const DocumentText& read, const QString& pageName) {
  std::error_code gone;
  const bool isRecovered = document.isRecovered() && std::filesystem::equivalent(read.file, document.file(), gone);
  if (!isRecovered) {
    if (!mayLeave(this, {&document})) {
      const QString name = QString::fromStdString(read.file.filename().string());
      return workspace_.say(tr("%1 was not opened: %2 stays").arg(name, document.title()));
    }
    document.load(read.file, read.text);
  }
  showPage(pageName);
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
  const auto read = readDocument(name.toStdString());
  if (read) return open(document, *read, pageName);
  showWarning(this, tr("Open"), words(read.error()));
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
  if (const QString& readOnly = workspace_.store().whyReadOnly(); !readOnly.isEmpty()) return workspace_.say(readOnly);
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
