// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/launch/command_job.h"

#include <QCoreApplication>
#include <QPointer>
#include <QProcess>

#include "engine/base/files.h"

namespace slipstream::ui {
namespace {

constexpr int notStarted = -1;
/// Planning reads data through, and a start is answered after its first row.
constexpr int closingMilliseconds = 30'000;

using Done = std::function<void(const CommandResult&)>;

QString whyNot(const QProcess& process) {
  return QCoreApplication::translate("Command", "%1 cannot be run: %2. Install it beside this window, and try again.")
      .arg(process.program(), process.errorString());
}

/// Answers as long as `context` lives.
void start(QProcess& process, QObject* context, const QStringList& arguments, const std::string& input,
           const Done& done) {
  QObject::connect(&process, &QProcess::errorOccurred, context, [&process, done](QProcess::ProcessError error) {
    if (error != QProcess::FailedToStart) return;
    done({notStarted, {}, whyNot(process)});
    process.deleteLater();
  });
  QObject::connect(&process, &QProcess::finished, context, [&process, done](int code, QProcess::ExitStatus status) {
    CommandResult result{status == QProcess::NormalExit ? code : notStarted, process.readAllStandardOutput(),
                         QString::fromUtf8(process.readAllStandardError().trimmed())};
    if (result.exitCode != 0 && result.words.isEmpty()) result.words = whyNot(process);
    process.deleteLater();
    done(result);
  });
  process.start(QString::fromStdString(commandLineProgram().string()), arguments);
  process.write(QByteArray::fromStdString(input));
  process.closeWriteChannel();
}

}  // namespace

std::filesystem::path commandLineProgram() {
  return programFolder() / "slipstream";
}

void runCommand(QObject* owner, const QStringList& arguments, const Done& done, const std::string& input) {
  start(*new QProcess(owner), owner, arguments, input, done);
}

void finishCommands(QObject* owner) {
  for (QProcess* process : owner->findChildren<QProcess*>(QString(), Qt::FindDirectChildrenOnly)) {
    process->disconnect(owner);
    process->waitForFinished(closingMilliseconds);
  }
}

void runToTheEnd(QObject* owner, const QStringList& arguments, const Done& done) {
  auto* process = new QProcess(QCoreApplication::instance());
  QObject::connect(QCoreApplication::instance(), &QCoreApplication::aboutToQuit, process,
                   [process] { process->waitForFinished(-1); });
  start(*process, process, arguments, {}, [guard = QPointer<QObject>(owner), done](const CommandResult& result) {
    if (guard) done(result);
  });
}

}  // namespace slipstream::ui
