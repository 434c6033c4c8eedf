// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_import.h"

#include <QFileDialog>
#include <QUuid>

#include "engine/base/shell_line.h"
#include "engine/base/text.h"
#include "engine/trackers/import_runs.h"
#include "ui/store/pool_job.h"
#include "ui/widgets/notice.h"
#include "ui/widgets/widgets.h"
#include "ui/workspace/workspace.h"

namespace slipstream::ui {
namespace {

constexpr int groupLetters = 12;  ///< of the name that runs of one launch share

}  // namespace

/// What was read, and what came of writing it.
struct RunImport::Found {
  std::vector<std::string> words;  ///< of the command that does the same
  RunsToImport runs = {};
  std::vector<AddedRun> added = {};
  Failures failures = {};
};

RunImport::RunImport(Workspace& workspace, QWidget* window) : QObject(window), workspace_(workspace), window_(window) {}

void RunImport::askForFiles() {
  const QStringList names = QFileDialog::getOpenFileNames(
      window_, tr("Import runs"), {}, tr("Event files and tables (*tfevents* *.csv);;All files (*)"));
  std::vector<std::filesystem::path> sources;
  for (const QString& name : names) sources.emplace_back(name.toStdString());
  if (!sources.empty()) take(sources);
}

void RunImport::askForFolder() {
  const QString folder = QFileDialog::getExistingDirectory(window_, tr("Import the runs of a folder"));
  if (!folder.isEmpty()) take({folder.toStdString()});
}

void RunImport::take(const std::vector<std::filesystem::path>& sources) {
  if (const QString& readOnly = workspace_.store().whyReadOnly(); !readOnly.isEmpty()) {
    return workspace_.report(readOnly);
  }
  auto found = std::make_shared<Found>();
  found->words = {"slipstream", "import"};
  for (const std::filesystem::path& source : sources) found->words.push_back(source.string());
  workspace_.report(tr("Reading the runs to import…"));
  const auto read = [found] {
    auto runs = readRunsToImport({{found->words.begin() + 2, found->words.end()}, {}, {}, false});
    if (runs) found->runs = std::move(*runs);
    if (!runs) found->failures = std::move(runs.error());
    return found;
  };
  runInPool(this, read,
            [this](const std::shared_ptr<Found>& all) { all->failures.empty() ? store(all) : finish(*all); });
}

void RunImport::store(std::shared_ptr<Found> found) {
  workspace_.store().write(
      this,
      [found](RunStore& store) {
        auto added = addImportedRuns(store, found->runs, shellLine(found->words),
                                     QUuid::createUuid().toString(QUuid::Id128).left(groupLetters).toStdString());
        if (added) found->added = std::move(*added);
        if (!added) found->failures = std::move(added.error());
      },
      [this, found](const Status& written) {
        if (!written) found->failures = written.error();
        finish(*found);
      });
}

void RunImport::finish(const Found& found) {
  if (!found.failures.empty()) {
    showWarning(window_, tr("Import runs"), text(trim(toText(found.failures))));
  } else {
    QStringList lines{tr("%n run(s) imported", nullptr, static_cast<int>(found.added.size()))};
    for (const std::string& note : found.runs.notes) lines << text(note);
    workspace_.report(lines.join(QStringLiteral("; ")));
    workspace_.store().poll();
  }
  Q_EMIT done();
}

}  // namespace slipstream::ui
