// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/launch/study_launcher.h"

#include "ui/launch/launcher.h"
#include "ui/store/store_watcher.h"

namespace slipstream::ui {

StudyLauncher::StudyLauncher(StoreWatcher& store, QObject* parent) : QObject(parent), store_(store) {}

StudyLauncher::~StudyLauncher() {
  finishCommands(this);
}

void StudyLauncher::freeze(const std::filesystem::path& file) {
  run(std::filesystem::absolute(file).string(), &StudyLauncher::frozen);
}

void StudyLauncher::goOn(const std::string& study) {
  run(study, &StudyLauncher::started);
}

void StudyLauncher::pause(const std::string& study) {
  ask({QStringLiteral("pause"), QStringLiteral("--"), QString::fromStdString(study)}, [](const QByteArray&) {});
}

void StudyLauncher::addSeeds(const std::string& study, int count) {
  ask({QStringLiteral("add-seeds"), QStringLiteral("--count"), QString::number(count), QStringLiteral("--"),
       QString::fromStdString(study)},
      [this, study](const QByteArray&) { goOn(study); });
}

/// Detached, it names the study once its queue is alive.
void StudyLauncher::run(const std::string& study, void (StudyLauncher::*begun)(const QString&)) {
  ask({QStringLiteral("run"), QStringLiteral("--detach"), QStringLiteral("--"), QString::fromStdString(study)},
      [this, begun](const QByteArray& output) { (this->*begun)(QString::fromUtf8(output).trimmed()); });
}

/// What stands behind "--" may begin with a dash.
void StudyLauncher::ask(const QStringList& arguments, const std::function<void(const QByteArray& output)>& done) {
  ++pending_;
  Q_EMIT busyChanged();
  const QStringList words = QStringList{QStringLiteral("study"), arguments.front(), QStringLiteral("--store"),
                                        QString::fromStdString(store_.folder().string())} +
                            arguments.mid(1);
  runCommand(this, words, [this, done](const CommandResult& result) {
    --pending_;
    store_.poll();
    if (result.exitCode == 0) done(result.output);
    Q_EMIT busyChanged();
    if (result.exitCode != 0) Q_EMIT refused(result.message);
  });
}

}  // namespace slipstream::ui
