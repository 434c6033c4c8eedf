// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPicture>
#include <filesystem>
#include <functional>

#include "engine/record/report_summary.h"
#include "ui/workspace/workspace.h"

namespace slipstream::ui {

class ReportPaper;

/// Saves the report of the shown runs: as the page that `slipstream report` writes, as PDF, as PNG or as a table. Files
/// are written in the reader's thread.
class ReportSaver : public QObject {
  Q_OBJECT

 public:
  /// `window` is what the file dialog stands before.
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
  /// Runs `write` in the reader's thread with the shown runs.
  void write(const std::filesystem::path& file,
             const std::function<Status(RunStore&, const std::vector<RunRecord>&)>& action,
             const std::function<void()>& done = {});
  void savePages(const std::filesystem::path& file);
  void draw(const std::filesystem::path& file, const std::shared_ptr<ReportPaper>& paper,
            const std::shared_ptr<void>& exporting);
  void fail(const QString& words);

  Workspace& workspace_;
  QWidget* window_;
};

}  // namespace slipstream::ui
