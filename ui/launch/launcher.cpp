#include "ui/launch/launcher.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>

#include "engine/base/files.h"

namespace slipstream::ui {

std::filesystem::path commandLineProgram() {
  return programFolder() / "slipstream";
}

Launcher::Launcher(QObject* parent) : QObject(parent) {}

void Launcher::run(const std::filesystem::path& experiment, const std::filesystem::path& store,
                   const QStringList& flags) {
  start(QStringList{QStringLiteral("run"), QString::fromStdString(experiment.string()), QStringLiteral("--store"),
                    QString::fromStdString(store.string()), QStringLiteral("--detach"), QStringLiteral("--json")} +
        flags);
}

void Launcher::resume(const std::string& run, const std::filesystem::path& store,
                      std::optional<std::int64_t> fromStep) {
  QStringList arguments{QStringLiteral("resume"), QString::fromStdString(run), QStringLiteral("--store"),
                        QString::fromStdString(store.string()), QStringLiteral("--detach")};
  if (fromStep) arguments << QStringLiteral("--from") << QString::number(*fromStep);
  start(arguments);
}

void Launcher::start(const QStringList& arguments) {
  auto* process = new QProcess(this);
  connect(process, &QProcess::errorOccurred, this, [this, process](QProcess::ProcessError error) {
    if (error != QProcess::FailedToStart) return;
    Q_EMIT refused(process->errorString());
    process->deleteLater();
  });
  connect(process, &QProcess::finished, this, [this, process](int code, QProcess::ExitStatus status) {
    const QByteArray output = process->readAllStandardOutput();
    if (status == QProcess::NormalExit && code == 0) {
      const QString run = QJsonDocument::fromJson(output).object().value(QStringLiteral("run")).toString();
      Q_EMIT started(run.isEmpty() ? QString::fromUtf8(output.trimmed()) : run);
    } else {
      Q_EMIT refused(QString::fromUtf8(process->readAllStandardError().trimmed()));
    }
    process->deleteLater();
  });
  process->start(QString::fromStdString(commandLineProgram().string()), arguments);
}

}  // namespace slipstream::ui
