// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/launch/launch_queue.h"

#include <QLockFile>
#include <algorithm>
#include <atomic>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "engine/base/clock.h"
#include "engine/base/files.h"
#include "engine/base/hash.h"
#include "ui/store/job_thread.h"

namespace slipstream::ui {
namespace {

using nlohmann::json;

std::string textOf(const Launch& launch) {
  json flags = json::array();
  for (const QString& flag : launch.flags) flags.push_back(flag.toStdString());
  const json written{{"title", launch.title.toStdString()},
                     {"experiment", launch.experiment.string()},
                     {"store", launch.store.string()},
                     {"flags", flags},
                     {"text", launch.text}};
  return written.dump(2, ' ', false, json::error_handler_t::replace);
}

/// Throws where the text is none of ours.
QueuedLaunch launchIn(const std::string& text) {
  const json read = json::parse(text);
  QueuedLaunch launch;
  launch.title = QString::fromStdString(read.at("title").get<std::string>());
  launch.experiment = read.at("experiment").get<std::string>();
  launch.store = read.at("store").get<std::string>();
  launch.text = read.at("text").get<std::string>();
  for (const json& flag : read.at("flags")) launch.flags << QString::fromStdString(flag.get<std::string>());
  return launch;
}

/// Where the launches that wait are kept.
std::filesystem::path queueFolder() {
  return userDataFolder() / "queue";
}

std::filesystem::path queueFileOf(const std::string& name) {
  return queueFolder() / (name + ".json");
}

/// Held while a window carries on with what waits for the store.
std::filesystem::path queueLockOf(const std::filesystem::path& store) {
  return queueFolder() / (sha256(store.string()).substr(0, 16) + ".lock");
}

/// Writes a launch under a name that sorts behind those before; returns the name.
Result<std::string> writeLaunch(const Launch& launch) {
  static std::atomic<int> count = 0;
  const std::string name = fmt::format("{:020}-{}-{:06}", wallNanoseconds(), ::getpid(), ++count);
  SLIPSTREAM_CHECK(makeFolder(queueFolder()));
  SLIPSTREAM_CHECK(writeFile(queueFileOf(name), textOf(launch)));
  return name;
}

/// All that wait, in order; files that hold none are left out.
std::vector<QueuedLaunch> readLaunches() {
  std::vector<QueuedLaunch> launches;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(queueFolder(), error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().extension() != ".json") continue;
    const auto text = readFile(entry->path());
    if (!text) continue;  // gone meanwhile
    try {
      launches.push_back(launchIn(*text));
      launches.back().name = entry->path().stem().string();
    } catch (const json::exception&) {
      continue;
    }
  }
  std::sort(launches.begin(), launches.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return launches;
}

}  // namespace

/// Which stores this window carries on.
class LaunchQueue::Locks {
 public:
  bool hold(const std::filesystem::path& store) {
    std::unique_ptr<QLockFile>& lock = held_[store.string()];
    if (lock) return true;
    auto wanted = std::make_unique<QLockFile>(QString::fromStdString(queueLockOf(store).string()));
    wanted->setStaleLockTime(0);  // however long a window is open
    if (!wanted->tryLock(0)) return false;
    lock = std::move(wanted);
    return true;
  }
  void release() { held_.clear(); }

 private:
  std::map<std::string, std::unique_ptr<QLockFile>> held_;
};

LaunchQueue::LaunchQueue(QObject* parent) : QObject(parent), locks_(std::make_shared<Locks>()) {
  connect(&watcher_, &QFileSystemWatcher::directoryChanged, this, &LaunchQueue::rescan);
  diskThread().run(
      this, [] { return makeFolder(queueFolder()).has_value(); },
      [this](bool made) {
        if (made) watcher_.addPath(QString::fromStdString(queueFolder().string()));
        rescan();
      });
}

LaunchQueue::~LaunchQueue() {
  letGo();
}

void LaunchQueue::letGo() {
  diskThread().run([locks = locks_] { locks->release(); });
}

std::vector<QueuedLaunch> LaunchQueue::of(const std::filesystem::path& store) const {
  std::vector<QueuedLaunch> here;
  std::copy_if(waiting_.begin(), waiting_.end(), std::back_inserter(here),
               [&](const QueuedLaunch& launch) { return launch.store == store && !removed_.contains(launch.name); });
  return here;
}

void LaunchQueue::add(const Launch& launch, const std::function<void(const Added&)>& done) {
  struct Answer {
    Added added;
    std::vector<QueuedLaunch> waiting;
  };
  ++adding_;
  diskThread().run(
      this,
      [launch, locks = locks_] {
        const auto written = writeLaunch(launch);
        Answer answer{{false, {}}, readLaunches()};
        if (!written) answer.added.failure = QString::fromStdString(toText(written.error()));
        if (written) answer.added.elsewhere = !locks->hold(launch.store);
        return answer;
      },
      [this, done](const Answer& answer) {
        --adding_;
        receive(answer.waiting);
        done(answer.added);
      });
}

void LaunchQueue::remove(int number) {
  const auto found = std::find_if(waiting_.begin(), waiting_.end(),
                                  [number](const QueuedLaunch& launch) { return launch.number == number; });
  if (found == waiting_.end()) return;
  removed_.insert(found->name);
  diskThread().run([file = queueFileOf(found->name)] {
    std::error_code gone;
    std::filesystem::remove(file, gone);
  });
  rescan();
  Q_EMIT changed();
}

void LaunchQueue::takeFirst(const std::filesystem::path& store, const std::function<void(const QueuedLaunch&)>& mine,
                            const std::function<void()>& done) {
  const std::vector<QueuedLaunch> here = of(store);
  if (here.empty()) return done();
  diskThread().run(
      this,
      [store, file = queueFileOf(here.front().name), locks = locks_] {
        std::error_code gone;
        return locks->hold(store) && std::filesystem::exists(file, gone);
      },
      [this, launch = here.front(), mine, done](bool isMine) {
        if (isMine && !removed_.contains(launch.name)) mine(launch);
        done();
      });
}

void LaunchQueue::rescan() {
  diskThread().run(
      this, [] { return readLaunches(); }, [this](std::vector<QueuedLaunch> waiting) { receive(std::move(waiting)); });
}

void LaunchQueue::receive(std::vector<QueuedLaunch> waiting) {
  for (QueuedLaunch& launch : waiting) {
    int& number = numbers_[launch.name];
    if (number == 0) number = ++lastNumber_;
    launch.number = number;
  }
  const bool same = std::equal(waiting.begin(), waiting.end(), waiting_.begin(), waiting_.end(),
                               [](const auto& a, const auto& b) { return a.name == b.name; });
  waiting_ = std::move(waiting);
  if (!same) Q_EMIT changed();
}

}  // namespace slipstream::ui
