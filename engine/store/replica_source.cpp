// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <set>

#include "engine/base/clock.h"
#include "engine/store/replica.h"
#include "engine/store/replica_reading.h"
#include "engine/store/run_table.h"
#include "engine/store/store_database.h"

namespace slipstream {
namespace {

/// Whoever ends a run writes a little more: its last events, and its metrics in another form.
constexpr std::int64_t afterTheEnd = 15'000'000'000;

}  // namespace

ReplicaSource::ReplicaSource(std::unique_ptr<Database> database) : database_(std::move(database)) {
  Query row = database_->query("SELECT id FROM identity");
  if (row.next()) storeId_ = row.text(0);
}

ReplicaSource::~ReplicaSource() = default;

Result<std::unique_ptr<ReplicaSource>> ReplicaSource::open(const std::filesystem::path& folder,
                                                           std::map<std::string, std::string> known) {
  SLIPSTREAM_TRY(database, openStoreDatabase(folder, StoreAccess::read));
  std::unique_ptr<ReplicaSource> source(new ReplicaSource(std::move(database)));
  for (auto& [run, position] : known) source->known_[run].text = std::move(position);
  return source;
}

bool ReplicaSource::hasChanged() {
  const std::int64_t now = database_->number("PRAGMA data_version");
  return std::exchange(version_, now) != now;
}

#define SLIPSTREAM_RUN_ROW                                                                                            \
  "state || char(9) || why || char(9) || attempt || char(9) || stop_request || char(9) || started_at || char(9) ||"   \
  " ended_at || char(9) || supervisor_pid || char(9) || supervisor_start || char(9) || supervisor_host || char(9) ||" \
  " created_at"

void ReplicaSource::look(bool everything) {
  std::deque<std::pair<std::string, std::int64_t>> found;
  std::set<std::string> there;
  Query rows = database_->query(
      "SELECT id, number, state IN ('done', 'failed', 'stopped', 'lost') AND ended_at < ?," SLIPSTREAM_RUN_ROW
      " || ifnull((SELECT title || char(9) || note || char(9) || tags || char(9) || pinned || archived FROM label"
      " WHERE label.run = run.number), '') FROM run WHERE number NOT IN (SELECT run FROM replica) ORDER BY number",
      wallNanoseconds() - afterTheEnd);
  while (rows.next()) {
    const std::string id = rows.text(0);
    if (!isRunId(id)) continue;
    there.insert(id);
    KnownCopy& known = known_[id];
    std::string seen = rows.text(3);
    const bool changed = seen != known.seen;
    known.seen = std::move(seen);
    if (rows.integer(2) == 0) {
      found.emplace_front(id, rows.integer(1));
    } else if (changed || everything) {
      found.emplace_back(id, rows.integer(1));
    }
  }
  std::erase_if(suspects_, [&](const auto& old) {
    return !there.contains(old.first) || std::ranges::find(found, old) != found.end();
  });
  suspects_.insert(suspects_.begin(), found.begin(), found.end());
  for (const auto& [run, known] : known_) {
    if (!there.contains(run) && std::ranges::find(gone_, run) == gone_.end()) gone_.push_back(run);
  }
}

std::optional<std::string> ReplicaSource::nextGone() {
  while (!gone_.empty()) {
    const std::string run = std::move(gone_.front());
    gone_.pop_front();
    const auto known = known_.extract(run);
    if (!known.empty() && !known.mapped().text.empty()) return run;
  }
  return std::nullopt;
}

std::optional<RunChange> ReplicaSource::next() {
  while (!suspects_.empty()) {
    const auto [run, number] = suspects_.front();
    const auto known = known_.find(run);
    auto change = known == known_.end() ? std::nullopt : changeOf(run, number, known->second);
    if (!change || change->complete) suspects_.pop_front();
    if (change) return change;
  }
  return std::nullopt;
}

std::optional<RunChange> ReplicaSource::changeOf(const std::string& run, std::int64_t number, KnownCopy& known) {
  const Snapshot snapshot(*database_);
  RunTable table(*database_);
  const auto record = table.find(run);
  if (!record) return std::nullopt;
  std::string row;
  {
    Query now = database_->query("SELECT " SLIPSTREAM_RUN_ROW " FROM run WHERE number = ?", number);
    if (!now.next()) return std::nullopt;
    row = now.text(0);
  }
  RunChange change;
  change.run = run;
  change.from = known.text;
  change.to = ReplicaReading(*database_, number, known, change).read(*record, table.stopRequest(run), row).text();
  if (change.to == change.from) return std::nullopt;
  known.text = change.to;
  return change;
}

}  // namespace slipstream
