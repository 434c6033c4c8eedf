#pragma once

#include <chrono>
#include <memory>

#include "ui/store/store_watcher.h"

namespace slipstream::ui {

/// Looks at a store again and again, for the reader's thread alone, and tells each state of it from the one before.
class StoreLook {
 public:
  struct Found {
    std::shared_ptr<StoreSnapshot> snapshot;  ///< null: nothing has changed
    bool hasOrphan = false;                   ///< a run that is not marked as ended, but nobody carries on
  };

  /// `connection` is StoreReader::connection(); `last` is what was found before.
  Found look(RunStore& store, int connection, const StoreSnapshot& last);

 private:
  void measure(const std::filesystem::path& folder);

  int connection_ = 0;
  std::int64_t dataVersion_ = 0;  ///< SQLite's, which begins anew with every connection
  std::int64_t version_ = 0;      ///< the snapshots': never the same again
  std::int64_t bytes_ = 0;
  bool hasGrown_ = false;  ///< it was written to since it was measured
  std::chrono::steady_clock::time_point measuredAt_;
};

}  // namespace slipstream::ui
