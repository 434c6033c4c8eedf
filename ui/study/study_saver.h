// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <filesystem>

#include "ui/workspace/workspace.h"

namespace slipstream::ui {

/// Saves the verdict of the chosen study as the files that `slipstream study report` writes, in the reader's thread.
class StudySaver : public QObject {
  Q_OBJECT

 public:
  /// `window` is what the file dialog opens over.
  StudySaver(Workspace& workspace, QWidget* window);

  /// Asks where to.
  void ask();
  /// The ending names the format: .html, .pdf, .tex, .json or .csv.
  void save(const std::filesystem::path& file);

 Q_SIGNALS:
  void saved(const QString& file);
  void failed(const QString& words);

 private:
  void fail(const QString& words);

  Workspace& workspace_;
  QWidget* window_;
};

}  // namespace slipstream::ui
