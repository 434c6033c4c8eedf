// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/store/store_snapshot.h"

#include <QCoreApplication>
#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>

#include "ui/store/store_reader.h"

namespace slipstream::ui {
namespace {

QString plainName(const RunRow& row) {
  if (!row.label.title.empty()) return row.title();
  return nameWithSeed(row.title(), row.run.seed);
}

const std::string& ownName(const RunRow& row) {
  if (!row.label.title.empty()) return row.label.title;
  return row.run.variant.empty() ? row.run.name : row.run.variant;
}

/// What runs are called alike by; a title that people gave stands for the seed, too. Of the row, which it refers to.
std::tuple<std::string_view, std::string_view, std::optional<std::uint64_t>> nameKey(const RunRow& row) {
  const bool titled = !row.label.title.empty();
  return {ownName(row), row.run.experimentName, titled ? std::nullopt : std::optional(row.run.seed)};
}

/// What tells runs of one name apart, oldest first: their ranks where these differ, and a number.
std::vector<RunMark> marksOf(const std::vector<const RunRow*>& alike) {
  const bool isScaled =
      std::ranges::any_of(alike, [&](const RunRow* row) { return row->run.ranks != alike.front()->run.ranks; });
  std::map<int, int> known;
  std::vector<RunMark> marks;
  for (const RunRow* row : alike) {
    const int ranks = row->run.ranks;
    const int repeat = ++known[isScaled ? ranks : 0];
    RunMark mark;
    if (isScaled)
      mark.ranks = QStringLiteral(" · ") + QCoreApplication::translate("RunTree", "%n rank(s)", nullptr, ranks);
    if (repeat > 1) mark.number = QStringLiteral(" #%1").arg(repeat);
    marks.push_back(mark);
  }
  return marks;
}

std::vector<RunRow> rowsOf(RunStore& store) {
  std::vector<RunRow> rows;
  const std::map<std::string, RunLabel> labels = store.labels();
  for (RunRecord& run : store.heads()) {
    const auto label = labels.find(run.id);
    rows.push_back({std::move(run), label == labels.end() ? RunLabel{} : label->second});
  }
  return rows;
}

/// A run that nobody carries on is not running.
bool orphaned(const std::vector<RunRow>& runs) {
  return std::any_of(runs.begin(), runs.end(), [](const RunRow& row) {
    return row.run.remote.empty() && !isTerminal(row.run.state) && row.run.supervisor.pid != 0 && row.run.job.empty() &&
           livenessOf(row.run.supervisor) == Liveness::gone;
  });
}

/// A process that is killed writes nothing.
bool queueHasGone(const std::vector<StudySummary>& studies) {
  return std::any_of(studies.begin(), studies.end(),
                     [](const StudySummary& study) { return study.carriedOn && !isCarriedOn(study.record); });
}

}  // namespace

QString seedName(std::uint64_t seed) {
  return QCoreApplication::translate("RunTree", "seed %1").arg(seed);
}

QString nameWithSeed(const QString& title, std::uint64_t seed) {
  return QStringLiteral("%1 · %2").arg(title, seedName(seed));
}

QString RunRow::title() const {
  if (!label.title.empty()) return QString::fromStdString(label.title);
  return QString::fromStdString(run.variant.empty() ? run.name : run.variant);
}

void StoreSnapshot::index() {
  places.clear();
  places.reserve(runs.size());
  for (std::size_t i = 0; i < runs.size(); ++i) places.emplace(runs[i].run.id, i);
}

const RunRow* StoreSnapshot::find(const std::string& id) const {
  if (places.size() == runs.size()) {
    const auto place = places.find(id);
    return place == places.end() ? nullptr : &runs[place->second];
  }
  const auto found = std::find_if(runs.begin(), runs.end(), [&](const RunRow& row) { return row.run.id == id; });
  return found == runs.end() ? nullptr : &*found;
}

const StudySummary* StoreSnapshot::findStudy(const std::string& name) const {
  const auto found = std::find_if(studies.begin(), studies.end(),
                                  [&](const StudySummary& study) { return study.record.name == name; });
  return found == studies.end() ? nullptr : &*found;
}

bool StoreSnapshot::hasLiving() const {
  return std::any_of(runs.begin(), runs.end(),
                     [](const RunRow& row) { return row.run.remote.empty() && isLiving(row.run.state); });
}

RunNames::RunNames(const StoreSnapshot& snapshot) {
  std::map<decltype(nameKey(snapshot.runs.front())), std::vector<const RunRow*>> named;
  for (const RunRow& row : snapshot.runs) named[nameKey(row)].push_back(&row);
  for (const auto& [name, alike] : named) {
    if (alike.size() < 2) continue;
    const std::vector<RunMark> marks = marksOf(alike);
    for (std::size_t i = 0; i < alike.size(); ++i) marks_.emplace(alike[i]->run.id, marks[i]);
  }
}

QString RunNames::of(const RunRow& row) const {
  return plainName(row) + markOf(row);
}

QString RunNames::seedOf(const RunRow& row) const {
  return seedName(row.run.seed) + markOf(row);
}

QString RunNames::markOf(const RunRow& row) const {
  const auto found = marks_.find(row.run.id);
  return found == marks_.end() ? QString() : found->second.ranks + found->second.number;
}

QString RunNames::numberOf(const RunRow& row) const {
  const auto found = marks_.find(row.run.id);
  return found == marks_.end() ? QString() : found->second.number;
}

QString runName(const StoreSnapshot& snapshot, const RunRow& row) {
  std::vector<const RunRow*> alike;
  std::size_t own = 0;
  for (const RunRow& other : snapshot.runs) {
    if (nameKey(other) != nameKey(row)) continue;
    if (other.run.id == row.run.id) own = alike.size();
    alike.push_back(&other);
  }
  if (alike.size() < 2) return plainName(row);
  const RunMark mark = marksOf(alike)[own];
  return plainName(row) + mark.ranks + mark.number;
}

PollResult StorePoller::poll(RunStore& store, const StoreReader& reader, std::int64_t bytes,
                             const StoreSnapshot& last) {
  const std::int64_t dataVersion = store.dataVersion();
  const bool changed = reader.connection() != connection_ || dataVersion != dataVersion_ || queueHasGone(last.studies);
  if (!changed && bytes == last.bytes) return {nullptr, orphaned(last.runs), false, reader.store()};
  auto snapshot = std::make_shared<StoreSnapshot>();
  snapshot->folder = store.folder();
  snapshot->runs = changed ? rowsOf(store) : last.runs;
  if (changed) snapshot->index();
  if (!changed) snapshot->places = last.places;
  snapshot->studies = changed ? studySummaries(store) : last.studies;
  snapshot->bytes = bytes;
  snapshot->version = changed ? version_ + 1 : version_;
  version_ = snapshot->version;
  connection_ = reader.connection();
  dataVersion_ = dataVersion;
  const bool orphan = orphaned(snapshot->runs);
  return {std::move(snapshot), orphan, changed, reader.store()};
}

}  // namespace slipstream::ui
