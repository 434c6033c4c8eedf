// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <filesystem>
#include <functional>

#include "ui/workspace/workspace.h"

namespace slipstream::ui {

/// The records of runs that are still there, the pinned one before the others.
std::vector<RunRecord> runsToCompare(RunStore& store, const std::vector<std::string>& ids);

/// Saves the report of the shown runs: as the files that `slipstream report` writes, or as an image. Files are made and
/// written in the reader's thread.
class ReportSaver : public QObject {
  Q_OBJECT

 public:
  /// `window` is what the file dialog opens over.
  ReportSaver(Workspace& workspace, QWidget* window);

  /// Asks where to.
  void ask();
  /// The ending names the format: .html, .pdf, .png, .csv.
  void save(const std::filesystem::path& file);
  /// Writes the page among temporary files and opens it in the browser.
  void openInBrowser();

 Q_SIGNALS:
  void saved(const QString& file);
  void failed(const QString& words);

 private:
  QString proposedName() const;
  /// Runs `write` in the reader's thread with the shown runs.
  void write(const std::filesystem::path& file,
             const std::function<Status(RunStore&, const std::vector<RunRecord>&)>& action,
             const std::function<void()>& done = {});
  void fail(const QString& words);

  Workspace& workspace_;
  QWidget* window_;
};

}  // namespace slipstream::ui
