#include "ui/store/store_watcher.h"

#include <algorithm>

namespace slipstream::ui {
namespace {

constexpr int pollMilliseconds = 250;
/// A window waits shorter for other programs than a supervisor does.
constexpr std::chrono::milliseconds windowPatience{400};

std::int64_t bytesUnder(const std::filesystem::path& folder) {
  std::int64_t bytes = 0;
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code vanished;
    if (entry->is_regular_file(vanished)) bytes += static_cast<std::int64_t>(entry->file_size(vanished));
  }
  return bytes;
}

std::shared_ptr<StoreSnapshot> look(RunStore& store) {
  auto snapshot = std::make_shared<StoreSnapshot>();
  snapshot->folder = store.folder();
  snapshot->version = store.dataVersion();
  const std::map<std::string, RunLabel> labels = store.labels();
  for (RunRecord& run : store.heads()) {
    const auto label = labels.find(run.id);
    snapshot->runs.push_back({std::move(run), label == labels.end() ? RunLabel{} : label->second});
  }
  snapshot->bytes = bytesUnder(store.folder());
  return snapshot;
}

/// A run that nobody carries on is not running.
bool hasOrphan(const StoreSnapshot& snapshot) {
  return std::any_of(snapshot.runs.begin(), snapshot.runs.end(), [](const RunRow& row) {
    return !isTerminal(row.run.state) && row.run.supervisor.pid != 0 &&
           livenessOf(row.run.supervisor) == Liveness::gone;
  });
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

StoreWatcher::StoreWatcher(QObject* parent) : QObject(parent), reader_(this) {
  connect(&timer_, &QTimer::timeout, this, &StoreWatcher::poll);
  connect(&reader_, &StoreReader::failed, this, [this](const QString& words) {
    waiting_ = false;
    Q_EMIT troubled(words);
  });
  timer_.setInterval(pollMilliseconds);
}

Status StoreWatcher::open(const std::filesystem::path& folder) {
  SLIPSTREAM_TRY(store, RunStore::open(folder, StoreAccess::write, windowPatience));
  store->markLost();
  folder_ = std::filesystem::absolute(folder).lexically_normal();
  snapshot_ = std::make_shared<StoreSnapshot>();
  waiting_ = false;
  reader_.open(folder_);
  timer_.start();
  Q_EMIT opened();
  Q_EMIT changed();
  poll();
  return {};
}

Status StoreWatcher::write(const std::function<void(RunStore&)>& action) {
  try {
    SLIPSTREAM_TRY(store, RunStore::open(folder_, StoreAccess::write, windowPatience));
    action(*store);
  } catch (const std::exception& error) {
    return fail(folder_.string(), "", error.what(), "try again");
  }
  poll();
  return {};
}

void StoreWatcher::poll() {
  if (!isOpen() || waiting_) return;
  waiting_ = true;
  const std::int64_t known = snapshot_->version;
  const bool empty = snapshot_->runs.empty();
  reader_.read(
      this,
      [known, empty](RunStore& store) -> std::shared_ptr<StoreSnapshot> {
        if (!empty && store.dataVersion() == known) return nullptr;
        return look(store);
      },
      [this](const std::shared_ptr<StoreSnapshot>& snapshot) { receive(snapshot); });
}

void StoreWatcher::receive(StoreSnapshotPointer snapshot) {
  waiting_ = false;
  const bool orphaned = hasOrphan(snapshot ? *snapshot : *snapshot_);
  if (snapshot && (snapshot->version != snapshot_->version || snapshot->runs.size() != snapshot_->runs.size())) {
    snapshot_ = std::move(snapshot);
    Q_EMIT changed();
  }
  if (orphaned) write([](RunStore& store) { store.markLost(); });
}

}  // namespace slipstream::ui
