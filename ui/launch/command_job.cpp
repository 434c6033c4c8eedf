#include "ui/launch/command_job.h"

#include <QCoreApplication>
#include <QPointer>
#include <QProcess>

#include "ui/launch/launcher.h"

namespace slipstream::ui {
namespace {

constexpr int notStarted = -1;

using Done = std::function<void(const CommandResult&)>;

/// Answers as long as `context` lives.
void start(QProcess& process, QObject* context, const QStringList& arguments, const Done& done) {
  QObject::connect(&process, &QProcess::errorOccurred, context, [&process, done](QProcess::ProcessError error) {
    if (error != QProcess::FailedToStart) return;
    done({notStarted, {}, process.errorString()});
    process.deleteLater();
  });
  QObject::connect(&process, &QProcess::finished, context, [&process, done](int code, QProcess::ExitStatus status) {
    CommandResult result{status == QProcess::NormalExit ? code : notStarted, process.readAllStandardOutput(),
                         QString::fromUtf8(process.readAllStandardError().trimmed())};
    if (result.exitCode != 0 && result.words.isEmpty()) result.words = process.errorString();
    process.deleteLater();
    done(result);
  });
  process.start(QString::fromStdString(commandLineProgram().string()), arguments);
}

}  // namespace

void runCommand(QObject* owner, const QStringList& arguments, const Done& done) {
  start(*new QProcess(owner), owner, arguments, done);
}

void runToTheEnd(QObject* owner, const QStringList& arguments, const Done& done) {
  auto* process = new QProcess(QCoreApplication::instance());
  QObject::connect(QCoreApplication::instance(), &QCoreApplication::aboutToQuit, process,
                   [process] { process->waitForFinished(-1); });
  start(*process, process, arguments, [guard = QPointer<QObject>(owner), done](const CommandResult& result) {
    if (guard) done(result);
  });
}

}  // namespace slipstream::ui
