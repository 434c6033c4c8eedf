#include "ui/launch/launcher.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <algorithm>

#include "engine/base/files.h"
#include "ui/store/store_watcher.h"
#include "ui/workspace/settings.h"

namespace slipstream::ui {
namespace {

constexpr int queueMilliseconds = 500;
/// A supervisor that still lives has one of the newest runs.
constexpr std::size_t runsOfLaunches = 16;

}  // namespace

std::filesystem::path commandLineProgram() {
  return programFolder() / "slipstream";
}

Launcher::Launcher(StoreWatcher& store, QObject* parent) : QObject(parent), store_(store) {
  recall();
  timer_.setInterval(queueMilliseconds);
  connect(&timer_, &QTimer::timeout, this, &Launcher::startNext);
  connect(&store_, &StoreWatcher::opened, this, [this] {
    greeted_ = false;
    awaited_.clear();
    Q_EMIT queueChanged();
  });
  connect(&store_, &StoreWatcher::changed, this, &Launcher::greet);
  connect(this, &Launcher::queueChanged, this, [this] {
    if (queue().empty()) return timer_.stop();
    if (!timer_.isActive()) timer_.start();
  });
}

void Launcher::run(const std::filesystem::path& experiment, const std::filesystem::path& store,
                   const QStringList& flags) {
  start(QStringList{QStringLiteral("run"), QString::fromStdString(experiment.string()), QStringLiteral("--store"),
                    QString::fromStdString(store.string()), QStringLiteral("--detach"), QStringLiteral("--json")} +
        flags);
}

void Launcher::runInTurn(const std::filesystem::path& experiment, const QString& title, const QStringList& flags) {
  if (queue().empty() && !isBusy()) return run(experiment, store_.folder(), flags);
  queue_.push_back({++lastNumber_, title, experiment, store_.folder(), flags});
  remember();
  Q_EMIT queueChanged();
  Q_EMIT told(tr("%1 waits until the runs before it have ended", nullptr).arg(title));
}

void Launcher::resume(const std::string& run, const std::filesystem::path& store,
                      std::optional<std::int64_t> fromStep) {
  QStringList arguments{QStringLiteral("resume"), QString::fromStdString(run), QStringLiteral("--store"),
                        QString::fromStdString(store.string()), QStringLiteral("--detach")};
  if (fromStep) arguments << QStringLiteral("--from") << QString::number(*fromStep);
  start(arguments);
}

void Launcher::stop(const std::vector<std::string>& runs, StopKind kind) {
  const StoreSnapshotPointer snapshot = store_.snapshot();
  const Status asked = store_.write([&](RunStore& store) {
    for (const std::string& run : runs) {
      const RunRow* row = snapshot->find(run);
      if (row != nullptr && !isTerminal(row->run.state)) store.requestStop(run, kind);
    }
  });
  if (!asked) Q_EMIT refused(QString::fromStdString(toText(asked.error())));
}

std::vector<QueuedLaunch> Launcher::queue() const {
  std::vector<QueuedLaunch> here;
  for (const QueuedLaunch& launch : queue_) {
    if (launch.store == store_.folder()) here.push_back(launch);
  }
  return here;
}

void Launcher::removeFromQueue(int number) {
  std::erase_if(queue_, [number](const QueuedLaunch& launch) { return launch.number == number; });
  remember();
  Q_EMIT queueChanged();
}

bool Launcher::isBusy() const {
  if (starting_ > 0 || !awaited_.empty()) return true;
  const StoreSnapshotPointer snapshot = store_.snapshot();
  if (snapshot->hasLiving()) return true;
  const std::size_t count = std::min(runsOfLaunches, snapshot->runs.size());
  return std::any_of(snapshot->runs.rbegin(), snapshot->runs.rbegin() + static_cast<std::ptrdiff_t>(count),
                     [](const RunRow& row) {
                       return row.run.supervisor.pid != 0 && livenessOf(row.run.supervisor) == Liveness::alive;
                     });
}

void Launcher::start(const QStringList& arguments) {
  auto* process = new QProcess(this);
  ++starting_;
  connect(process, &QProcess::errorOccurred, this, [this, process](QProcess::ProcessError error) {
    if (error != QProcess::FailedToStart) return;
    --starting_;
    Q_EMIT refused(process->errorString());
    process->deleteLater();
  });
  connect(process, &QProcess::finished, this, [this, process](int code, QProcess::ExitStatus status) {
    ended(*process, status == QProcess::NormalExit && code == 0);
    process->deleteLater();
  });
  process->start(QString::fromStdString(commandLineProgram().string()), arguments);
}

void Launcher::ended(QProcess& process, bool well) {
  --starting_;
  if (!well) return Q_EMIT refused(QString::fromUtf8(process.readAllStandardError().trimmed()));
  const QByteArray output = process.readAllStandardOutput();
  const QString named = QJsonDocument::fromJson(output).object().value(QStringLiteral("run")).toString();
  const QString run = named.isEmpty() ? QString::fromUtf8(output.trimmed()) : named;
  if (store_.snapshot()->find(run.toStdString()) == nullptr) awaited_ = run.toStdString();
  Q_EMIT started(run);
}

void Launcher::startNext() {
  const std::vector<QueuedLaunch> waiting = queue();
  if (waiting.empty() || isBusy()) return;
  const QueuedLaunch& next = waiting.front();
  removeFromQueue(next.number);
  run(next.experiment, next.store, next.flags);
}

/// Says once what was found running when the store was opened.
void Launcher::greet() {
  const StoreSnapshotPointer snapshot = store_.snapshot();
  if (!awaited_.empty() && snapshot->find(awaited_) != nullptr) awaited_.clear();
  if (greeted_ || snapshot->runs.empty()) return;
  greeted_ = true;
  const auto living = std::count_if(snapshot->runs.begin(), snapshot->runs.end(),
                                    [](const RunRow& row) { return isLiving(row.run.state); });
  if (living > 0 && starting_ == 0)
    Q_EMIT told(tr("%n run(s) went on without the window", nullptr, static_cast<int>(living)));
}

void Launcher::remember() const {
  QVariantList list;
  for (const QueuedLaunch& launch : queue_) {
    list.append(QVariantMap{{QStringLiteral("title"), launch.title},
                            {QStringLiteral("experiment"), QString::fromStdString(launch.experiment.string())},
                            {QStringLiteral("store"), QString::fromStdString(launch.store.string())},
                            {QStringLiteral("flags"), launch.flags}});
  }
  Settings::setQueue(list);
}

void Launcher::recall() {
  for (const QVariant& entry : Settings::queue()) {
    const QVariantMap launch = entry.toMap();
    queue_.push_back({++lastNumber_, launch.value(QStringLiteral("title")).toString(),
                      launch.value(QStringLiteral("experiment")).toString().toStdString(),
                      launch.value(QStringLiteral("store")).toString().toStdString(),
                      launch.value(QStringLiteral("flags")).toStringList()});
  }
}

}  // namespace slipstream::ui
