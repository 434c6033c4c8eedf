#pragma once

#include <QObject>
#include <QStringList>
#include <filesystem>
#include <optional>
#include <string>

#include "engine/record/run_store.h"

namespace slipstream::ui {

/// Starts the command line, which supervises runs on its own: they outlive the window, and the window outlives them.
class Launcher : public QObject {
  Q_OBJECT

 public:
  explicit Launcher(QObject* parent);

  /// `slipstream run FILE --store STORE --detach --json` with more flags; nothing passes through a shell.
  void run(const std::filesystem::path& experiment, const std::filesystem::path& store, const QStringList& flags = {});
  /// The same of `slipstream resume RUN`; without a step from its newest checkpoint.
  void resume(const std::string& run, const std::filesystem::path& store, std::optional<std::int64_t> fromStep = {});

 Q_SIGNALS:
  void started(const QString& run);
  void refused(const QString& words);

 private:
  void start(const QStringList& arguments);
};

/// The command line's program: beside the running one.
std::filesystem::path commandLineProgram();

}  // namespace slipstream::ui
