// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/store/store_watcher.h"

#include <algorithm>

#include <unistd.h>

#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/slurm/jobs.h"
#include "engine/store/file_identity.h"
#include "engine/store/store_folder.h"

namespace slipstream::ui {
namespace {

constexpr int pollMilliseconds = 250;
/// What could not be marked as lost is tried again after so long.
constexpr int orphanMilliseconds = 5000;
/// A scheduler answers everybody's questions: not more often than this.
constexpr std::chrono::seconds schedulerPause{10};
/// Measuring walks through every file of the store.
constexpr std::chrono::seconds measurePause{5};
/// People who wait for a window wait shorter than a supervisor does.
constexpr std::chrono::milliseconds windowLockTimeout{1000};

Status written(const std::filesystem::path& folder, const std::function<void(RunStore&)>& action) {
  try {
    SLIPSTREAM_TRY(store, RunStore::open(folder, StoreAccess::write, windowLockTimeout));
    action(*store);
    return {};
  } catch (const std::exception& error) {
    return fail(folder.string(), "", error.what(), "try again");
  }
}

/// Opening to write makes what is missing: a store that was deleted stays deleted.
Status writtenToOpen(const std::filesystem::path& folder, const std::function<void(RunStore&)>& action) {
  if (identityOf(storeFileIn(folder))) return written(folder, action);
  return fail(folder.string(), "", "the store is gone: it was deleted or moved", "put it back, or open another one");
}

bool mayBeWritten(const std::filesystem::path& folder) {
  return ::access(folder.c_str(), W_OK) == 0 && ::access(storeFileIn(folder).c_str(), W_OK) == 0;
}

/// A store that can be used; not empty: why it can only be read.
Result<std::string> prepare(const std::filesystem::path& folder) {
  SLIPSTREAM_CHECK(fitForAStore(folder));
  const Status prepared = written(folder, [](RunStore& store) { store.markLost(); });
  if (prepared) return std::string();
  if (mayBeWritten(folder) || !RunStore::open(folder, StoreAccess::read, windowLockTimeout)) {
    return tl::unexpected(prepared.error());
  }
  return trim(toText(prepared.error()));
}

/// Queue, locks and the list of stores go by the name: one folder has one, however it was written.
std::filesystem::path oneNameOf(const std::filesystem::path& folder) {
  std::error_code error;
  const std::filesystem::path found = std::filesystem::weakly_canonical(std::filesystem::absolute(folder), error);
  const std::filesystem::path name = error ? std::filesystem::absolute(folder).lexically_normal() : found;
  return name.has_filename() ? name : name.parent_path();
}

}  // namespace

StoreWatcher::StoreWatcher(QObject* parent)
    : QObject(parent), reader_(this), longReader_(this), writer_(this), poller_(std::make_shared<StorePoller>()) {
  connect(&timer_, &QTimer::timeout, this, &StoreWatcher::poll);
  connect(&reader_, &StoreReader::failed, this, &StoreWatcher::setTrouble);
  connect(&longReader_, &StoreReader::failed, this, &StoreWatcher::setTrouble);
  timer_.setInterval(pollMilliseconds);
}

Status StoreWatcher::open(const std::filesystem::path& folder) {
  SLIPSTREAM_TRY(whyReadOnly, prepare(folder));
  take(folder, QString::fromStdString(whyReadOnly));
  return {};
}

void StoreWatcher::openLater(const std::filesystem::path& folder, QObject* receiver, const Written& done) {
  const QPointer<QObject> guard(receiver);
  writer_.run(
      this, [folder] { return prepare(folder); },
      [this, folder, guard, done](const Result<std::string>& prepared) {
        if (prepared) take(folder, QString::fromStdString(*prepared));
        if (guard) done(prepared ? Status() : Status(tl::unexpected(prepared.error())));
      });
}

void StoreWatcher::take(const std::filesystem::path& folder, const QString& whyReadOnly) {
  folder_ = oneNameOf(folder);
  whyReadOnly_ = whyReadOnly.isEmpty() ? QString() : tr("This store can only be read. %1").arg(whyReadOnly);
  isPolling_ = false;
  isMeasuring_ = false;
  trouble_.clear();
  store_ = 0;
  reader_.open(folder_);
  longReader_.open(folder_);
  timer_.start();
  begin();
  poll();
}

/// Nothing is known of what the folder holds now.
void StoreWatcher::begin() {
  snapshot_ = std::make_shared<StoreSnapshot>();
  bytes_ = 0;
  hasGrown_ = true;
  measuredAt_ = {};
  Q_EMIT opened();
  Q_EMIT changed();
}

void StoreWatcher::write(QObject* receiver, std::function<void(RunStore&)> action, Written done) {
  const QPointer<QObject> guard(receiver);
  writer_.run(
      this, [folder = folder_, action = std::move(action)] { return writtenToOpen(folder, action); },
      [this, guard, done = std::move(done)](const Status& result) {
        poll();
        if (guard && done) done(result);
      });
}

void StoreWatcher::poll() {
  if (!isOpen()) return;
  mustPollAgain_ = isPolling_;
  if (isPolling_) return;
  isPolling_ = true;
  reader_.read(
      this,
      [poller = poller_, last = snapshot_, bytes = bytes_, reader = &reader_](RunStore& store) {
        return poller->poll(store, *reader, bytes, *last);
      },
      [this](const PollResult& found) { receive(found); }, [this](const QString& message) { miss(message); });
}

/// What is gone is not shown as if it were there.
void StoreWatcher::miss(const QString& message) {
  isPolling_ = false;
  setTrouble(message);
  if (reader_.isGone() && !snapshot_->runs.empty()) begin();
}

void StoreWatcher::setTrouble(const QString& message) {
  if (message == trouble_) return;
  trouble_ = message;
  Q_EMIT troubled(message);
}

void StoreWatcher::receive(const PollResult& found) {
  isPolling_ = false;
  setTrouble({});
  const bool replaced = store_ != 0 && found.store != store_;
  store_ = found.store;
  if (replaced) begin();
  if (found.snapshot) {
    snapshot_ = found.snapshot;
    Q_EMIT changed();
  }
  if (replaced) Q_EMIT noticed(tr("Another store was put in the place of this one. Its runs are listed now."));
  Q_EMIT polled();
  hasGrown_ = hasGrown_ || found.hasGrown;
  measure();
  if (found.hasOrphan && whyReadOnly_.isEmpty()) markLost();
  followScheduler();
  if (mustPollAgain_) poll();
}

void StoreWatcher::measure() {
  const auto now = std::chrono::steady_clock::now();
  if (isMeasuring_ || !hasGrown_ || now - measuredAt_ < measurePause) return;
  isMeasuring_ = true;
  hasGrown_ = false;
  measuredAt_ = now;
  longReader_.read(
      this, [](RunStore& store) { return bytesUnder(store.folder()); },
      [this](std::int64_t bytes) {
        isMeasuring_ = false;
        bytes_ = bytes;
      },
      [this](const QString&) { isMeasuring_ = false; });
}

void StoreWatcher::followScheduler() {
  const auto now = std::chrono::steady_clock::now();
  const auto isOfAJob = [](const RunRow& row) { return isLiving(row.run.state) && !row.run.job.empty(); };
  if (now - askedSchedulerAt_ < schedulerPause || !whyReadOnly_.isEmpty() ||
      std::ranges::none_of(snapshot_->runs, isOfAJob))
    return;
  askedSchedulerAt_ = now;
  // Where the scheduler does not answer, runs keep the state that they had.
  write(this, [](RunStore& store) { static_cast<void>(followJobs(store)); });
}

void StoreWatcher::markLost() {
  if (isMarking_) return;
  isMarking_ = true;
  write(
      this, [](RunStore& store) { store.markLost(); },
      [this](const Status& marked) {
        if (marked) isMarking_ = false;
        if (!marked) QTimer::singleShot(orphanMilliseconds, this, [this] { isMarking_ = false; });
      });
}

}  // namespace slipstream::ui
