// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/launch/remote_watch.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>
#include <algorithm>
#include <thread>

#include "engine/base/clock.h"
#include "engine/base/text.h"
#include "ui/store/store_watcher.h"

namespace slipstream::ui {
namespace {

/// How often the user's list is looked at: the command line adds to it too.
constexpr int listMilliseconds = 2000;

QString wordOf(const char* text) {
  return QCoreApplication::translate("RemoteWatch", text);
}

QString timeText(std::int64_t wallNanoseconds) {
  constexpr std::int64_t nanosecondsPerMillisecond = 1'000'000;
  const QDateTime time = QDateTime::fromMSecsSinceEpoch(wallNanoseconds / nanosecondsPerMillisecond);
  const QString clock = QLocale().toString(time.time(), QStringLiteral("HH:mm"));
  const bool today = time.date() == QDate::currentDate();
  return today ? clock : QLocale::system().toString(time.date(), QLocale::ShortFormat) + QLatin1Char(' ') + clock;
}

}  // namespace

QString linkText(const FollowState& state) {
  switch (state.link) {
    case FollowState::Link::connecting:
      return wordOf(QT_TRANSLATE_NOOP("RemoteWatch", "connecting"));
    case FollowState::Link::catchingUp:
      return wordOf(QT_TRANSLATE_NOOP("RemoteWatch", "catching up"));
    case FollowState::Link::upToDate:
      return wordOf(QT_TRANSLATE_NOOP("RemoteWatch", "up to date"));
    case FollowState::Link::offline:
      break;
  }
  if (state.heardAt == 0) return wordOf(QT_TRANSLATE_NOOP("RemoteWatch", "offline"));
  return wordOf(QT_TRANSLATE_NOOP("RemoteWatch", "offline since %1")).arg(timeText(state.heardAt));
}

/// One thread that follows one remote. Whoever drops it waits for the thread.
class RemoteWatch::Follower {
 public:
  Follower(RemoteWatch& watch, int number, const Remote& remote, const std::filesystem::path& store)
      : number_(number), thread_([&watch, number, remote, store](const std::stop_token& stop) {
          FollowState told;
          Stopwatch sinceTold;
          const auto tell = [&](const FollowState& state) {
            const bool same = state.link == told.link && state.problem == told.problem && state.taken == told.taken;
            if (same && sinceTold.seconds() < 1) return;
            told = state;
            sinceTold.restart();
            QMetaObject::invokeMethod(&watch, [&watch, number, state] { watch.hear(number, state); });
          };
          const Status followed = followRemote(remote, store, tell, stop);
          if (followed) return;
          told.link = FollowState::Link::offline;
          told.problem = trim(toText(followed.error()));
          QMetaObject::invokeMethod(&watch, [&watch, number, told] { watch.giveUp(number, told); });
        }) {}

  int number() const { return number_; }
  void askToStop() { thread_.request_stop(); }

 private:
  int number_;
  std::jthread thread_;
};

RemoteWatch::RemoteWatch(StoreWatcher& store, QObject* parent) : QObject(parent), store_(store), disk_(this) {
  timer_.setInterval(listMilliseconds);
  connect(&timer_, &QTimer::timeout, this, &RemoteWatch::reload);
  connect(&store, &StoreWatcher::opened, this, [this] {
    restart();
    timer_.start();
    reload();
  });
}

RemoteWatch::~RemoteWatch() {
  for (const auto& follower : followers_) {
    if (follower) follower->askToStop();
  }
}

const RemoteLink* RemoteWatch::find(const std::string& name) const {
  const auto found = std::ranges::find(links_, name, [](const RemoteLink& link) { return link.remote.name; });
  return found == links_.end() ? nullptr : &*found;
}

void RemoteWatch::choose(const std::string& remote) {
  if (remote == chosen_) return;
  chosen_ = remote;
  Q_EMIT chosenChanged();
}

void RemoteWatch::add(const Remote& remote) {
  disk_.run(
      this, [remote]() -> Status { return addRemote(remote); },
      [this, name = remote.name](const Status& saved) {
        if (!saved) Q_EMIT refused(QString::fromStdString(toText(saved.error())));
        // One that was given up may have been mended.
        if (saved && find(name) != nullptr) restart();
        reload();
      });
}

void RemoteWatch::reload() {
  if (!disk_.isIdle()) return;
  disk_.run(
      this, [] { return loadRemotes(); }, [this](const Result<std::vector<Remote>>& remotes) { take(remotes); });
}

void RemoteWatch::take(const Result<std::vector<Remote>>& remotes) {
  const QString complaint = remotes ? QString() : QString::fromStdString(toText(remotes.error()));
  if (!complaint.isEmpty() && complaint != complaint_) Q_EMIT refused(complaint);
  complaint_ = complaint;
  if (!remotes) return;
  const bool same = std::ranges::equal(*remotes, links_, {}, {}, &RemoteLink::remote);
  if (same) return;
  links_.clear();
  for (const Remote& remote : *remotes) links_.push_back({remote, {}});
  restart();
  if (find(chosen_) == nullptr) choose({});
  Q_EMIT changed();
}

/// All of them, into the store that is open now.
void RemoteWatch::restart() {
  for (auto& follower : followers_) retire(std::move(follower));
  followers_.clear();
  if (!store_.isOpen() || !store_.whyReadOnly().isEmpty()) return;
  for (RemoteLink& link : links_) {
    link.state = {};
    followers_.push_back(std::make_unique<Follower>(*this, ++lastFollower_, link.remote, store_.folder()));
  }
}

/// It ends within moments, for which the window does not wait.
void RemoteWatch::retire(std::unique_ptr<Follower> follower) {
  if (!follower) return;
  follower->askToStop();
  retiring_.start([last = std::shared_ptr<Follower>(std::move(follower))]() mutable { last.reset(); });
}

void RemoteWatch::hear(int follower, const FollowState& state) {
  for (std::size_t i = 0; i < followers_.size(); ++i) {
    if (followers_[i]->number() != follower || links_[i].state == state) continue;
    links_[i].state = state;
    Q_EMIT changed();
  }
}

void RemoteWatch::giveUp(int follower, const FollowState& state) {
  const bool isOurs = std::ranges::any_of(followers_, [&](const auto& one) { return one->number() == follower; });
  if (!isOurs) return;
  hear(follower, state);
  Q_EMIT refused(QString::fromStdString(state.problem));
}

}  // namespace slipstream::ui
