// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/launch/launcher.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPointer>
#include <QProcess>
#include <algorithm>
#include <utility>

#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/slurm/jobs.h"
#include "ui/store/store_watcher.h"

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

/// With --json the command line says on its standard error what is wrong as {"errors": [{"where", "value", "problem",
/// "remedy"}]}; otherwise in words.
QString wordsOf(const QByteArray& errors) {
  const QJsonDocument document = QJsonDocument::fromJson(errors);
  QStringList lines;
  for (const QJsonValue& error : document.object().value(QStringLiteral("errors")).toArray()) {
    const auto part = [&error](const char* key) { return error[QLatin1String(key)].toString().toStdString(); };
    lines << QString::fromStdString(toText(Failure{part("where"), part("value"), part("problem"), part("remedy")}));
  }
  return lines.isEmpty() ? QString::fromUtf8(errors.trimmed()) : lines.join(QLatin1Char('\n'));
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
                         wordsOf(process.readAllStandardError())};
    if (result.exitCode != 0 && result.message.isEmpty()) result.message = whyNot(process);
    process.deleteLater();
    done(result);
  });
  process.start(QString::fromStdString(commandLineProgram().string()), arguments);
  process.write(QByteArray::fromStdString(input));
  process.closeWriteChannel();
}

constexpr int queueMilliseconds = 500;
/// The first poll may have begun before a run started; the second one would find it.
constexpr int pollsForAwaited = 2;
/// A supervisor that still lives has one of the newest runs.
constexpr std::size_t runsOfLaunches = 16;

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

Launcher::Launcher(StoreWatcher& store, QObject* parent) : QObject(parent), store_(store), queue_(this) {
  timer_.setInterval(queueMilliseconds);
  connect(&timer_, &QTimer::timeout, this, &Launcher::startNext);
  connect(&store_, &StoreWatcher::opened, this, [this] {
    greeted_ = false;
    awaited_.clear();
    queue_.letGo();
    Q_EMIT queueChanged();
  });
  connect(&store_, &StoreWatcher::polled, this, &Launcher::greet);
  connect(&store_, &StoreWatcher::polled, this, &Launcher::findAwaited);
  connect(&queue_, &LaunchQueue::changed, this, &Launcher::queueChanged);
  connect(this, &Launcher::queueChanged, this, [this] {
    if (queue().empty()) return timer_.stop();
    if (!timer_.isActive()) timer_.start();
  });
}

Launcher::~Launcher() {
  finishCommands(this);
}

void Launcher::run(const Launch& launch) {
  run(launch, false, [](bool) {});
}

void Launcher::run(const Launch& launch, bool waited, const Answered& answered) {
  const bool here = launch.remote.empty();
  start(QStringList{QStringLiteral("run"), QString::fromStdString(launch.experiment.string()),
                    QStringLiteral("--stdin"), here ? QStringLiteral("--store") : QStringLiteral("--on"),
                    QString::fromStdString(here ? launch.store.string() : launch.remote), QStringLiteral("--detach"),
                    QStringLiteral("--json")} +
            launch.flags,
        launch.text, waited, answered);
}

void Launcher::runThere(const std::string& remote, const QString& title, const std::string& text,
                        const std::filesystem::path& experiment) {
  Q_EMIT reported(tr("%1 is sent to %2").arg(title, QString::fromStdString(remote)));
  run(Launch{title, text, std::filesystem::absolute(experiment), store_.folder(), {}, remote});
}

void Launcher::runInTurn(const QString& title, const std::string& text, const std::filesystem::path& experiment,
                         const QStringList& flags) {
  const Launch launch{title, text, std::filesystem::absolute(experiment), store_.folder(), flags};
  if (queue().empty() && queue_.isSettled() && !isBusy()) return run(launch);
  queue_.add(launch, [this, title](const LaunchQueue::Added& added) {
    if (!added.failure.isEmpty()) return Q_EMIT refused(added.failure);
    Q_EMIT reported(added.elsewhere ? tr("%1 waits; another window carries on what waits in this store").arg(title)
                                    : tr("%1 queued (position %2)").arg(title).arg(queue().size()));
  });
}

void Launcher::resume(const std::string& run, const std::filesystem::path& store,
                      std::optional<std::int64_t> fromStep) {
  QStringList arguments{QStringLiteral("resume"), QString::fromStdString(run), QStringLiteral("--store"),
                        QString::fromStdString(store.string()), QStringLiteral("--detach")};
  if (fromStep) arguments << QStringLiteral("--from") << QString::number(*fromStep);
  start(arguments, {}, false, [](bool) {});
}

void Launcher::stop(const std::vector<std::string>& runs, StopKind kind) {
  std::vector<std::string> own;
  for (const std::string& run : runs) {
    const RunRow* row = store_.snapshot()->find(run);
    const bool copy = row != nullptr && !row->run.remote.empty();
    copy ? stopThere(*row, kind) : own.push_back(run);
  }
  if (own.empty()) return;
  store_.write(
      this,
      [own, kind](RunStore& store) {
        for (const std::string& run : own) {
          const auto found = store.find(run);
          if (!found || isTerminal(found->state)) continue;
          if (const Status asked = stopRun(store, *found, kind); !asked) throw Error(trim(toText(asked.error())));
        }
      },
      [this](const Status& asked) {
        if (!asked) Q_EMIT refused(QString::fromStdString(toText(asked.error())));
      });
}

void Launcher::stopThere(const RunRow& row, StopKind kind) {
  if (isTerminal(row.run.state)) return;
  const QString when = kind == StopKind::now               ? QStringLiteral("now")
                       : kind == StopKind::afterCheckpoint ? QStringLiteral("checkpoint")
                                                           : QStringLiteral("step");
  runCommand(this,
             {QStringLiteral("stop"), QString::fromStdString(row.run.id), QStringLiteral("--when"), when,
              QStringLiteral("--store"), QString::fromStdString(store_.folder().string())},
             [this, remote = QString::fromStdString(row.run.remote)](const CommandResult& result) {
               if (result.exitCode != 0) return Q_EMIT refused(result.message);
               Q_EMIT reported(tr("%1 was asked to stop the run").arg(remote));
             });
}

std::vector<QueuedLaunch> Launcher::queue() const {
  return queue_.of(store_.folder());
}

bool Launcher::isBusy() const {
  if (isStarting()) return true;
  const StoreSnapshotPointer snapshot = store_.snapshot();
  // What a scheduler or another machine carries on takes nothing of this one.
  const auto isHere = [](const RunRow& row) {
    return isLiving(row.run.state) && row.run.job.empty() && row.run.remote.empty();
  };
  if (std::ranges::any_of(snapshot->runs, isHere)) return true;
  const std::size_t count = std::min(runsOfLaunches, snapshot->runs.size());
  return std::any_of(snapshot->runs.rbegin(), snapshot->runs.rbegin() + static_cast<std::ptrdiff_t>(count),
                     [](const RunRow& row) {
                       return row.run.remote.empty() && row.run.supervisor.pid != 0 &&
                              livenessOf(row.run.supervisor) == Liveness::alive;
                     });
}

void Launcher::start(const QStringList& arguments, const std::string& input, bool waited, const Answered& answered) {
  ++starting_;
  Q_EMIT startingChanged();
  const auto done = [this, waited, answered](const CommandResult& result) {
    constexpr int refusedInput = 2;
    answered(result.exitCode == 0 || result.exitCode == refusedInput);
    ended(result, waited);
  };
  runCommand(this, arguments, done, input);
}

void Launcher::ended(const CommandResult& result, bool waited) {
  --starting_;
  if (result.exitCode != 0) {
    Q_EMIT startingChanged();
    return Q_EMIT refused(result.message);
  }
  const QString named = QJsonDocument::fromJson(result.output).object().value(QStringLiteral("run")).toString();
  const QString run = named.isEmpty() ? QString::fromUtf8(result.output.trimmed()) : named;
  if (store_.snapshot()->find(run.toStdString()) == nullptr) awaited_ = run.toStdString();
  polls_ = 0;
  Q_EMIT startingChanged();
  Q_EMIT started(run, waited);
}

/// A run that is not there by then is in another store, or was deleted: nobody waits for it for ever.
void Launcher::findAwaited() {
  if (awaited_.empty()) return;
  const bool found = store_.snapshot()->find(awaited_) != nullptr;
  if (!found && ++polls_ < pollsForAwaited) return;
  awaited_.clear();
  Q_EMIT startingChanged();
}

void Launcher::startNext() {
  const std::vector<QueuedLaunch> waiting = queue();
  if (!store_.whyReadOnly().isEmpty()) return;
  if (isTaking_ || waiting.empty() || waiting.front().number == failed_ || isBusy()) return;
  isTaking_ = true;
  queue_.takeFirst(
      store_.folder(),
      [this](const QueuedLaunch& launch) {
        run(launch, true, [this, number = launch.number, title = launch.title](bool answered) {
          if (answered) {
            Q_EMIT reported(tr("%1 is next in the queue, and starts").arg(title));
            return queue_.remove(number);
          }
          failed_ = number;
          Q_EMIT reported(tr("%1 could not be started, and is kept among those that wait").arg(title));
        });
      },
      [this] { isTaking_ = false; });
}

/// Reports what the first poll after opening found running; what begins later is no news to whoever began it.
void Launcher::greet() {
  if (std::exchange(greeted_, true)) return;
  const StoreSnapshotPointer snapshot = store_.snapshot();
  const auto living = std::count_if(snapshot->runs.begin(), snapshot->runs.end(),
                                    [](const RunRow& row) { return isLiving(row.run.state); });
  if (living > 0 && starting_ == 0) Q_EMIT reported(tr("%n run(s) still running", nullptr, static_cast<int>(living)));
}

}  // namespace slipstream::ui
