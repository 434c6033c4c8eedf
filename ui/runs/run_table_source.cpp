// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_table_source.h"

#include <algorithm>
#include <chrono>

#include "engine/store/run_store.h"

namespace slipstream::ui {
namespace {

/// A request comes between one piece of the runs and the next, so that it is answered at once.
constexpr std::chrono::milliseconds pieceTime{15};
/// How often what was read so far is shown.
constexpr std::chrono::milliseconds showPause{400};

}  // namespace

/// What is known of each run. A run that has ended changes no more but for its label.
class RunTableSource::Known {
 public:
  using Clock = std::chrono::steady_clock;

  /// The runs of the snapshot with what is known of them, archived ones only where they are asked for.
  ArrangedRunsPointer arranged(RunStore& store, const StoreSnapshotPointer& snapshot, const TableRequest& request) {
    take(snapshot);
    useQuery(request.query);
    auto table = std::make_shared<ArrangedRuns>();
    table->snapshot = snapshot;
    const bool archived = request.query.asksFor("is", "archived");
    const bool needsStore = request.query.needsStore();
    std::vector<KnownRun> listed, shown;
    for (const RunRow& row : snapshot->runs) {
      if (row.label.archived) ++table->archived;
      if (row.label.archived && !archived) continue;
      const Entry& entry = entries_.at(row.run.id);
      ++table->listed;
      if (!entry.wasRead) ++table->unread;
      listed.push_back({&row, entry.values});
      const bool matches = needsStore ? matchesInStore(store, request.query, row)
                                      : request.query.matches(*entry.values, row.run, row.label);
      (matches ? shown : table->filtered).push_back(listed.back());
    }
    if (!extents_ || extentsStale_) {
      extents_ = std::make_shared<std::vector<ColumnExtent>>(extentsOf(listed));
      differs_ = differencesOf(listed);
    }
    extentsStale_ = false;
    table->extents = extents_;
    table->differs = shown.size() == listed.size() ? differs_ : differencesOf(shown);
    arrange(shown, request, *names_, *table);
    shownAt_ = Clock::now();
    return table;
  }

  /// Whether the query asks for a metric that none of the runs has and no run could have; looked up once for each state
  /// of the store.
  Status checkMetrics(RunStore& store, const StoreSnapshot& snapshot, const RunQuery& query) {
    if (!query.needsStore()) return {};
    useQuery(query);
    if (checked_ && (*checked_ || checkedVersion_ == snapshot.version)) return *checked_;
    std::vector<std::string> runs;
    for (const RunRow& row : snapshot.runs) runs.push_back(row.run.id);
    checked_ = query.checkMetrics(store, runs);
    checkedVersion_ = snapshot.version;
    return *checked_;
  }

  /// Reads some of what is not known yet. Returns whether that is worth showing, and whether more is left.
  struct Progress {
    bool show = false, more = false;
  };
  Progress readPiece(RunStore& store) {
    const auto end = Clock::now() + pieceTime;
    if (!studies_) studies_ = studiesOfRuns(store);
    while (!unread_.empty() && Clock::now() < end) {
      const std::string id = std::move(unread_.back());
      unread_.pop_back();
      read(store, id);
    }
    const bool more = !unread_.empty();
    return {!more || Clock::now() - shownAt_ > showPause, more};
  }

  bool hasUnread() const { return !unread_.empty(); }

 private:
  struct Stamp {
    RunState state = RunState::draft;
    int attempt = 0;
    std::int64_t endedAt = 0, version = 0;
    bool operator==(const Stamp&) const = default;
  };
  struct Entry {
    Stamp stamp;
    RunLabel label;
    RunValuesPointer values;
    std::optional<bool> matches;  ///< query_, where that asks the store
    bool isStale = true;          ///< what was read is another state's
    bool wasRead = false;         ///< in some state
  };

  static Stamp stampOf(const RunRow& row, std::int64_t version) {
    return {row.run.state, row.run.attempt, row.run.endedAt, isTerminal(row.run.state) ? 0 : version};
  }

  void useQuery(const RunQuery& query) {
    if (query == query_) return;
    query_ = query;
    checked_.reset();
    for (auto& [id, entry] : entries_) entry.matches.reset();
  }

  /// Asked once for each state of the run.
  bool matchesInStore(RunStore& store, const RunQuery& query, const RunRow& row) {
    std::optional<bool>& matches = entries_.at(row.run.id).matches;
    if (!matches) matches = query.matches(store, row.run, row.label);
    return *matches;
  }

  void take(const StoreSnapshotPointer& snapshot) {
    if (snapshot == snapshot_) return;
    snapshot_ = snapshot;
    names_.emplace(*snapshot);
    unread_.clear();
    for (const RunRow& row : snapshot->runs) {
      Entry& entry = entries_[row.run.id];
      const Stamp stamp = stampOf(row, snapshot->version);
      const bool isStale = !entry.values || entry.stamp != stamp;
      if (isStale || entry.label != row.label) refresh(entry, row);
      if (isStale) studies_.reset();
      entry.isStale = entry.isStale || isStale;
      if (entry.isStale) unread_.push_back(row.run.id);  // the newest is read first, from the back
      entry.stamp = stamp;
    }
  }

  /// What was read of a living run is shown until it is read anew.
  void refresh(Entry& entry, const RunRow& row) {
    auto values = std::make_shared<RunValues>(entry.values ? *entry.values : valuesOfHead(row.run, row.label));
    refreshHead(*values, row.run, row.label);
    entry.values = std::move(values);
    entry.label = row.label;
    entry.matches.reset();
    extentsStale_ = true;
  }

  void read(RunStore& store, const std::string& id) {
    const auto whole = store.find(id);
    if (!whole) return;
    Entry& entry = entries_.at(id);
    entry.values = std::make_shared<RunValues>(readRunValues(store, *whole, entry.label, *studies_));
    entry.isStale = false;
    entry.wasRead = true;
    extentsStale_ = true;
  }

  std::unordered_map<std::string, Entry> entries_;
  std::vector<std::string> unread_;
  StoreSnapshotPointer snapshot_;
  RunQuery query_;                 ///< of what entries match
  std::optional<Status> checked_;  ///< its metrics
  std::int64_t checkedVersion_ = 0;
  std::optional<StudiesOfRuns> studies_;
  std::optional<RunNames> names_;                             ///< of the snapshot
  std::shared_ptr<const std::vector<ColumnExtent>> extents_;  ///< of all listed runs
  std::vector<bool> differs_;                                 ///< the same
  bool extentsStale_ = true;
  Clock::time_point shownAt_;
};

RunTableSource::RunTableSource(Workspace& workspace, QObject* parent)
    : QObject(parent), workspace_(workspace), reader_(this), known_(std::make_shared<Known>()) {
  connect(&workspace.store(), &StoreWatcher::opened, this, &RunTableSource::restart);
  connect(&workspace.store(), &StoreWatcher::changed, this, &RunTableSource::refresh);
  if (workspace.store().isOpen()) reader_.open(workspace.store().folder());
}

RunTableSource::~RunTableSource() = default;

/// Nothing is known of another store.
void RunTableSource::restart() {
  known_ = std::make_shared<Known>();
  table_.reset();
  isArranging_ = isReading_ = false;
  isStale_ = true;
  reader_.open(workspace_.store().folder());
  Q_EMIT arranged();
}

void RunTableSource::ask(TableRequest request) {
  request_ = std::move(request);
  hasRequest_ = true;
  ++number_;
  refresh();
}

void RunTableSource::setWanted(bool wanted) {
  isWanted_ = wanted;
  if (isStale_) refresh();
}

void RunTableSource::refresh() {
  isStale_ = true;
  if (isWanted_ && hasRequest_ && !isArranging_ && workspace_.store().isOpen()) arrangeNow();
}

void RunTableSource::arrangeNow() {
  isArranging_ = true;
  isStale_ = false;
  struct Answer {
    ArrangedRunsPointer table;
    Status status;
    bool hasUnread = false;
  };
  reader_.read(
      this,
      [known = known_, snapshot = workspace_.store().snapshot(), request = request_](RunStore& store) {
        Answer answer;
        answer.status = known->checkMetrics(store, *snapshot, request.query);
        if (answer.status) answer.table = known->arranged(store, snapshot, request);
        answer.hasUnread = known->hasUnread();
        return answer;
      },
      [this, number = number_](const Answer& answer) {
        isArranging_ = false;
        if (!answer.status) {
          if (number == number_) Q_EMIT refused(QString::fromStdString(toText(answer.status.error())));
        } else {
          table_ = answer.table;
          if (number == number_) Q_EMIT accepted();
          Q_EMIT arranged();
        }
        if (isStale_) return refresh();
        if (answer.hasUnread) readMore();
      },
      [this](const QString&) {
        isArranging_ = false;
        isStale_ = true;
      });
}

void RunTableSource::readMore() {
  if (isReading_ || !isWanted_) return;
  isReading_ = true;
  reader_.read(
      this, [known = known_](RunStore& store) { return known->readPiece(store); },
      [this](const Known::Progress& progress) {
        isReading_ = false;
        if (progress.show) return refresh();
        if (progress.more && !isArranging_) readMore();
      },
      [this](const QString&) { isReading_ = false; });
}

}  // namespace slipstream::ui
