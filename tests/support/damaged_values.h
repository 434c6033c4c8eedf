// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include "engine/store/run_store.h"

namespace slipstream::test {

/// The stored values of one metric of a run become something that nobody wrote.
inline void damageValues(const RunStore& store, const std::string& run, const std::string& metric) {
  SQLite::Database database((store.folder() / "store.db").string(), SQLite::OPEN_READWRITE);
  SQLite::Statement damage(database,
                           "UPDATE chunk SET data = zeroblob(length(data)) WHERE series IN (SELECT series.number FROM"
                           " series JOIN run ON run.number = series.run WHERE run.id = ? AND series.name = ?)");
  damage.bind(1, run);
  damage.bind(2, metric);
  if (damage.exec() == 0) throw std::runtime_error("run " + run + " has no chunk of " + metric);
}

}  // namespace slipstream::test
