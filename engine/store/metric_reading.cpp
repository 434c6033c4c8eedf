// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

#include "engine/record/metric_info.h"
#include "engine/store/metric_table.h"
#include "engine/store/series_chunk.h"

namespace slipstream {
namespace {

void appendSample(const Series& from, std::size_t index, Series& to) {
  to.steps.push_back(from.steps[index]);
  to.wallNanoseconds.push_back(from.wallNanoseconds[index]);
  to.values.push_back(from.values[index]);
}

/// Steps in increasing order, the later report of the same step counts.
void tidy(Series& series) {
  const auto unordered = [](std::int64_t a, std::int64_t b) { return a >= b; };
  if (std::adjacent_find(series.steps.begin(), series.steps.end(), unordered) == series.steps.end()) return;
  std::vector<std::size_t> order(series.steps.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return series.steps[a] < series.steps[b]; });
  Series sorted;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool repeated = i + 1 < order.size() && series.steps[order[i + 1]] == series.steps[order[i]];
    if (!repeated) appendSample(series, order[i], sorted);
  }
  series = std::move(sorted);
}

/// Drops the steps after `limit`. What is reported at `limit` itself may be an evaluation of the very state that the
/// newer attempt starts from, and stays unless that attempt reports the step too.
void clip(Series& series, std::int64_t limit) {
  const auto end = std::upper_bound(series.steps.begin(), series.steps.end(), limit);
  const auto count = static_cast<std::size_t>(end - series.steps.begin());
  series.steps.resize(count);
  series.wallNanoseconds.resize(count);
  series.values.resize(count);
}

/// The mean over the ranks that report a step, in rank order; its time is when the last of them had done it.
Series meanOverRanks(std::map<int, Series>& ranks) {
  if (ranks.size() == 1) return std::move(ranks.begin()->second);
  struct Sum {
    double value = 0;
    int count = 0;
    std::int64_t wall = 0;
  };
  std::map<std::int64_t, Sum> sums;
  for (const auto& [rank, series] : ranks) {
    auto at = sums.begin();
    for (std::size_t i = 0; i < series.steps.size(); ++i) {
      at = sums.try_emplace(at, series.steps[i]);
      Sum& sum = at->second;
      sum.value += series.values[i];
      sum.count += 1;
      sum.wall = std::max(sum.wall, series.wallNanoseconds[i]);
      ++at;
    }
  }
  Series mean;
  for (const auto& [step, sum] : sums) {
    mean.steps.push_back(step);
    mean.wallNanoseconds.push_back(sum.wall);
    mean.values.push_back(sum.value / sum.count);
  }
  return mean;
}

}  // namespace

std::vector<std::string> MetricTable::names(std::int64_t run) {
  Snapshot snapshot(database_);
  std::set<std::string> names;
  Query series = database_.query("SELECT DISTINCT name FROM series WHERE run = ?", run);
  while (series.next()) names.insert(series.text(0));
  Query tail = database_.query("SELECT payload FROM tail WHERE run = ?", run);
  while (tail.next()) {
    for (std::string& name : storedBlock(tail.bytes(0)).names) names.insert(std::move(name));
  }
  return {names.begin(), names.end()};
}

/// Chunks are numbered one after the other and their steps rise, so that each is found in a few looks.
std::int64_t MetricTable::chunkAt(std::int64_t series, std::int64_t step) {
  std::int64_t low = 0, high = 0;
  {
    Query ends = database_.query("SELECT min(position), max(position) FROM chunk WHERE series = ?", series);
    if (!ends.next()) return 0;
    low = ends.integer(0);
    high = ends.integer(1);
  }
  const std::int64_t first = low;
  while (low < high) {
    const std::int64_t middle = low + (high - low + 1) / 2;
    Query chunk = database_.query("SELECT data FROM chunk WHERE series = ? AND position = ?", series, middle);
    if (!chunk.next()) return first;
    const auto begins = firstStepOf(chunk.bytes(0));
    if (!begins) return first;  // whoever decodes it says so
    (*begins <= step ? low : high) = *begins <= step ? middle : middle - 1;
  }
  return low;
}

Series MetricTable::readChunks(std::int64_t series, const std::optional<StepRange>& steps) {
  Series samples;
  if (steps) {
    Query chunks = database_.query("SELECT data FROM chunk WHERE series = ?1 AND position >= ?2 ORDER BY position",
                                   series, chunkAt(series, steps->first));
    while (chunks.next()) {
      if (const auto begins = firstStepOf(chunks.bytes(0)); begins && *begins > steps->last) break;
      decodeChunk(chunks.bytes(0), samples);
    }
    return samples;
  }
  {
    // A hint that a damaged file may tell anything in; total() overflows into a larger number, not into an error.
    constexpr std::int64_t mostReserved = 1 << 22;
    Query total = database_.query("SELECT total(samples) FROM chunk WHERE series = ?", series);
    total.next();
    const auto count = static_cast<std::size_t>(std::clamp<std::int64_t>(total.integer(0), 0, mostReserved));
    samples.steps.reserve(count);
    samples.wallNanoseconds.reserve(count);
    samples.values.reserve(count);
  }
  Query chunks = database_.query("SELECT data FROM chunk WHERE series = ? ORDER BY position", series);
  while (chunks.next()) decodeChunk(chunks.bytes(0), samples);
  return samples;
}

std::map<int, std::map<int, Series>> MetricTable::readAll(std::int64_t run, const std::string& name, int rank,
                                                          const std::optional<StepRange>& steps) {
  std::map<int, std::map<int, Series>> all;
  Query series =
      database_.query("SELECT number, attempt, rank FROM series WHERE run = ?1 AND name = ?2 AND (?3 < 0 OR rank = ?3)",
                      run, name, rank);
  while (series.next()) all[series.smallInteger(1)][series.smallInteger(2)] = readChunks(series.integer(0), steps);

  Query tail = database_.query(
      "SELECT attempt, rank, payload FROM tail WHERE run = ?1 AND (?2 < 0 OR rank = ?2)"
      " ORDER BY attempt, rank, sequence",
      run, rank);
  while (tail.next()) {
    const MetricBlock block = storedBlock(tail.bytes(2));
    const auto found = std::find(block.names.begin(), block.names.end(), name);
    if (found == block.names.end()) continue;
    Series& samples = all[tail.smallInteger(0)][tail.smallInteger(1)];
    const auto column = static_cast<std::size_t>(found - block.names.begin());
    for (std::size_t row = 0; row < block.steps.size(); ++row) {
      samples.steps.push_back(block.steps[row]);
      samples.wallNanoseconds.push_back(block.wallNanoseconds[row]);
      samples.values.push_back(block.values[row * block.names.size() + column]);
    }
  }
  return all;
}

std::vector<RankProgress> MetricTable::progress(std::int64_t run) {
  Snapshot snapshot(database_);
  std::map<int, RankProgress> ranks;
  const auto note = [&](int rank, std::int64_t step, std::int64_t wall) {
    RankProgress& known = ranks.try_emplace(rank, RankProgress{rank, step, wall}).first->second;
    if (step >= known.step) known = {rank, step, wall};
  };
  // With max() the other columns are those of the row that has it (SQLite's "bare columns").
  Query folded = database_.query(
      "SELECT rank, max(position), data FROM series JOIN chunk ON chunk.series = series.number WHERE run = ?1"
      " AND name = 'loss' AND attempt = (SELECT attempt FROM run WHERE number = ?1) GROUP BY rank",
      run);
  while (folded.next()) {
    Series last;
    decodeChunk(folded.bytes(2), last);
    if (!last.steps.empty()) note(folded.smallInteger(0), last.steps.back(), last.wallNanoseconds.back());
  }
  Query tail = database_.query(
      "SELECT rank, payload FROM tail WHERE run = ?1 AND attempt = (SELECT attempt FROM run WHERE number = ?1)", run);
  while (tail.next()) {
    const MetricBlock block = storedBlock(tail.bytes(1));
    if (block.steps.empty() || std::find(block.names.begin(), block.names.end(), metric::loss) == block.names.end())
      continue;
    note(tail.smallInteger(0), block.steps.back(), block.wallNanoseconds.back());
  }
  std::vector<RankProgress> all;
  for (const auto& [rank, progress] : ranks) all.push_back(progress);
  return all;
}

std::map<int, std::int64_t> MetricTable::limits(std::int64_t run) {
  std::map<int, std::int64_t> limits;
  std::int64_t limit = std::numeric_limits<std::int64_t>::max();
  // An attempt that has reported nothing yet takes nothing away: it may never begin.
  Query attempts = database_.query(
      "SELECT attempt, from_step, EXISTS (SELECT 1 FROM tail t WHERE t.run = a.run AND t.attempt = a.attempt)"
      " OR EXISTS (SELECT 1 FROM folded f WHERE f.run = a.run AND f.attempt = a.attempt)"
      " FROM attempt a WHERE run = ? ORDER BY attempt DESC",
      run);
  while (attempts.next()) {
    limits[attempts.smallInteger(0)] = limit;
    if (attempts.integer(2) != 0) limit = std::min(limit, attempts.integer(1));
  }
  return limits;
}

/// While a run goes on, a mean over the ranks that have reported so far would change once the others have.
MetricTable::LiveAttempt MetricTable::liveAttempt(std::int64_t run) {
  LiveAttempt live;
  std::int64_t ranks = 0;
  {
    Query row = database_.query(
        "SELECT attempt, ranks FROM run WHERE number = ? AND state IN ('starting', 'running', 'stopping')", run);
    if (!row.next()) return live;
    live.attempt = row.smallInteger(0);
    ranks = row.integer(1);
  }
  const std::vector<RankProgress> reached = progress(run);
  live.allReport = std::ssize(reached) >= ranks;
  live.completeStep = -1;
  if (!live.allReport || reached.empty()) return live;
  live.completeStep = std::ranges::min(reached, {}, &RankProgress::step).step;
  return live;
}

Series MetricTable::read(std::int64_t run, const std::string& name, int rank, const std::optional<StepRange>& steps) {
  Snapshot snapshot(database_);
  std::map<int, std::map<int, Series>> all = readAll(run, name, rank, steps);
  const std::map<int, std::int64_t> limitOf = limits(run);
  const LiveAttempt live = liveAttempt(run);
  Series whole;
  for (auto& [attempt, ranks] : all) {
    for (auto& [number, series] : ranks) tidy(series);
    const bool ofOneRank = ranks.size() == 1 && live.allReport;
    Series part = meanOverRanks(ranks);
    if (rank < 0 && attempt == live.attempt && !ofOneRank) clip(part, live.completeStep);
    const auto limit = limitOf.find(attempt);
    if (limit != limitOf.end()) clip(part, limit->second);
    if (whole.steps.empty()) {
      whole = std::move(part);
    } else {
      for (std::size_t i = 0; i < part.steps.size(); ++i) appendSample(part, i, whole);
    }
  }
  tidy(whole);
  return whole;
}

}  // namespace slipstream
