// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "ui/store/store_watcher.h"

namespace slipstream::ui {

/// What came of one look at a store.
struct StoreFound {
  std::shared_ptr<StoreSnapshot> snapshot;  ///< null: nothing has changed
  bool hasOrphan = false;                   ///< a run that is not marked as ended, but nobody carries on
  bool hasGrown = false;                    ///< it was written to since the last look
  int store = 0;                            ///< StoreReader::store()
};

/// Looks at a store again and again, for the reader's thread alone, and tells each state of it from the one before.
class StoreLook {
 public:
  /// `bytes` is what was measured last, `last` what was found before.
  StoreFound look(RunStore& store, const StoreReader& reader, std::int64_t bytes, const StoreSnapshot& last);

 private:
  int connection_ = 0;
  std::int64_t dataVersion_ = 0;  ///< SQLite's, which begins anew with every connection
  std::int64_t version_ = 0;      ///< the snapshots': never the same again
};

}  // namespace slipstream::ui
