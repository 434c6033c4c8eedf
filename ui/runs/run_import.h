// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <filesystem>
#include <vector>

namespace slipstream::ui {

class Workspace;

/// Takes runs of other programs into the store, to be read beside ours: TensorBoard's event files and CSV tables.
class RunImport : public QObject {
  Q_OBJECT

 public:
  RunImport(Workspace& workspace, QWidget* window);

  /// Files, or a folder with event files anywhere below.
  void askForFiles();
  void askForFolder();
  /// Reads them in a thread of its own; all of them become runs, or none, and what is wrong is said.
  void take(const std::vector<std::filesystem::path>& sources);

 Q_SIGNALS:
  void done();

 private:
  struct Found;
  void store(std::shared_ptr<Found> found);
  void finish(const Found& found);

  Workspace& workspace_;
  QWidget* window_;
};

}  // namespace slipstream::ui
