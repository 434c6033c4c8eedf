#pragma once

#include <QObject>
#include <QTimer>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/record/run_label.h"
#include "engine/record/run_store.h"
#include "ui/store/store_reader.h"

namespace slipstream::ui {

/// One run in a list. Texts of the record are empty.
struct RunRow {
  RunRecord run;
  RunLabel label;

  /// What it is called: its title, else its variant, else its name.
  QString title() const;
};

/// The store at one moment; shared, never changed.
struct StoreSnapshot {
  std::filesystem::path folder;
  std::vector<RunRow> runs;  ///< oldest first
  std::int64_t bytes = 0;    ///< of all files of the store
  std::int64_t version = 0;  ///< another number after every write

  /// Null where there is no such run.
  const RunRow* find(const std::string& id) const;
  bool hasLiving() const;
};
using StoreSnapshotPointer = std::shared_ptr<const StoreSnapshot>;

/// Watches the open store and tells whenever something in it has changed, at most four times a second; runs whose
/// supervisor is gone are marked lost. All reading happens in `reader()`.
class StoreWatcher : public QObject {
  Q_OBJECT

 public:
  explicit StoreWatcher(QObject* parent = nullptr);

  /// Opens the store, making it where the folder is new or empty. The failures of one that cannot be used leave the old
  /// one open.
  Status open(const std::filesystem::path& folder);
  bool isOpen() const { return !folder_.empty(); }
  const std::filesystem::path& folder() const { return folder_; }

  /// Never null.
  StoreSnapshotPointer snapshot() const { return snapshot_; }
  StoreReader& reader() { return reader_; }

  /// Writes to the store in the caller's thread: short transactions of what people do (labels, stop requests).
  Status write(const std::function<void(RunStore&)>& action);

  /// Looks at once instead of at the next tick.
  void poll();

 Q_SIGNALS:
  void opened();
  void changed();                       ///< snapshot() is another one
  void troubled(const QString& words);  ///< reading failed; it is tried again

 private:
  void receive(StoreSnapshotPointer snapshot);

  std::filesystem::path folder_;
  StoreReader reader_;
  QTimer timer_;
  StoreSnapshotPointer snapshot_ = std::make_shared<StoreSnapshot>();
  bool waiting_ = false;  ///< for the answer to a poll
};

}  // namespace slipstream::ui
