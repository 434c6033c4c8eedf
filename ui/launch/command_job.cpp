#include "ui/launch/command_job.h"

#include <QProcess>

#include "ui/launch/launcher.h"

namespace slipstream::ui {
namespace {

constexpr int notStarted = -1;

}  // namespace

void runCommand(QObject* owner, const QStringList& arguments, const std::function<void(const CommandResult&)>& done) {
  auto* process = new QProcess(owner);
  QObject::connect(process, &QProcess::errorOccurred, owner, [process, done](QProcess::ProcessError error) {
    if (error != QProcess::FailedToStart) return;
    done({notStarted, {}, process->errorString()});
    process->deleteLater();
  });
  QObject::connect(process, &QProcess::finished, owner, [process, done](int code, QProcess::ExitStatus status) {
    CommandResult result{status == QProcess::NormalExit ? code : notStarted, process->readAllStandardOutput(),
                         QString::fromUtf8(process->readAllStandardError().trimmed())};
    if (result.exitCode != 0 && result.words.isEmpty()) result.words = process->errorString();
    process->deleteLater();
    done(result);
  });
  process->start(QString::fromStdString(commandLineProgram().string()), arguments);
}

}  // namespace slipstream::ui
