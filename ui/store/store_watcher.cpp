#include "ui/store/store_watcher.h"

#include <algorithm>

#include "ui/store/store_look.h"

namespace slipstream::ui {
namespace {

constexpr int pollMilliseconds = 250;
/// What could not be marked as lost is tried again after so long.
constexpr int orphanMilliseconds = 5000;
/// People who wait for a window wait shorter than a supervisor does.
constexpr std::chrono::milliseconds windowPatience{1000};

Status written(const std::filesystem::path& folder, const std::function<void(RunStore&)>& action) {
  try {
    SLIPSTREAM_TRY(store, RunStore::open(folder, StoreAccess::write, windowPatience));
    action(*store);
    return {};
  } catch (const std::exception& error) {
    return fail(folder.string(), "", error.what(), "try again");
  }
}

Status prepare(const std::filesystem::path& folder) {
  return written(folder, [](RunStore& store) { store.markLost(); });
}

/// Queue, locks and the list of stores go by the name: one folder has one, however it was written.
std::filesystem::path oneNameOf(const std::filesystem::path& folder) {
  std::error_code error;
  const std::filesystem::path found = std::filesystem::weakly_canonical(std::filesystem::absolute(folder), error);
  const std::filesystem::path name = error ? std::filesystem::absolute(folder).lexically_normal() : found;
  return name.has_filename() ? name : name.parent_path();
}

}  // namespace

QString RunRow::title() const {
  if (!label.title.empty()) return QString::fromStdString(label.title);
  return QString::fromStdString(run.variant.empty() ? run.name : run.variant);
}

const RunRow* StoreSnapshot::find(const std::string& id) const {
  const auto found = std::find_if(runs.begin(), runs.end(), [&](const RunRow& row) { return row.run.id == id; });
  return found == runs.end() ? nullptr : &*found;
}

bool StoreSnapshot::hasLiving() const {
  return std::any_of(runs.begin(), runs.end(), [](const RunRow& row) { return isLiving(row.run.state); });
}

StoreWatcher::StoreWatcher(QObject* parent)
    : QObject(parent), reader_(this), longReader_(this), writer_(this), look_(std::make_shared<StoreLook>()) {
  connect(&timer_, &QTimer::timeout, this, &StoreWatcher::poll);
  connect(&reader_, &StoreReader::failed, this, &StoreWatcher::setTrouble);
  connect(&longReader_, &StoreReader::failed, this, &StoreWatcher::setTrouble);
  timer_.setInterval(pollMilliseconds);
}

Status StoreWatcher::open(const std::filesystem::path& folder) {
  SLIPSTREAM_CHECK(prepare(folder));
  take(folder);
  return {};
}

void StoreWatcher::openLater(const std::filesystem::path& folder, QObject* receiver, const Written& done) {
  const QPointer<QObject> guard(receiver);
  writer_.run(
      this, [folder] { return prepare(folder); },
      [this, folder, guard, done](const Status& prepared) {
        if (prepared) take(folder);
        if (guard) done(prepared);
      });
}

void StoreWatcher::take(const std::filesystem::path& folder) {
  folder_ = oneNameOf(folder);
  snapshot_ = std::make_shared<StoreSnapshot>();
  isPolling_ = false;
  trouble_.clear();
  reader_.open(folder_);
  longReader_.open(folder_);
  timer_.start();
  Q_EMIT opened();
  Q_EMIT changed();
  poll();
}

void StoreWatcher::write(QObject* receiver, std::function<void(RunStore&)> action, Written done) {
  const QPointer<QObject> guard(receiver);
  writer_.run(
      this, [folder = folder_, action = std::move(action)] { return written(folder, action); },
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
      [look = look_, last = snapshot_, reader = &reader_](RunStore& store) {
        const StoreLook::Found found = look->look(store, reader->connection(), *last);
        return std::pair<StoreSnapshotPointer, bool>(found.snapshot, found.hasOrphan);
      },
      [this](const std::pair<StoreSnapshotPointer, bool>& found) { receive(found.first, found.second); },
      [this](const QString&) { isPolling_ = false; });
}

void StoreWatcher::setTrouble(const QString& words) {
  if (words == trouble_) return;
  trouble_ = words;
  Q_EMIT troubled(words);
}

void StoreWatcher::receive(const StoreSnapshotPointer& snapshot, bool hasOrphan) {
  isPolling_ = false;
  setTrouble({});
  if (snapshot) {
    snapshot_ = snapshot;
    Q_EMIT changed();
  }
  if (hasOrphan) markLost();
  if (mustPollAgain_) poll();
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
