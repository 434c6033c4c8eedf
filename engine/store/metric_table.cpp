// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/metric_table.h"

#include <algorithm>

#include "engine/store/series_chunk.h"

namespace slipstream {
namespace {

void appendColumn(const MetricBlock& block, std::size_t column, Series& series) {
  series.steps.insert(series.steps.end(), block.steps.begin(), block.steps.end());
  series.wallNanoseconds.insert(series.wallNanoseconds.end(), block.wallNanoseconds.begin(),
                                block.wallNanoseconds.end());
  const std::size_t width = block.names.size();
  for (std::size_t row = 0; row < block.steps.size(); ++row)
    series.values.push_back(block.values[row * width + column]);
}

}  // namespace

MetricBlock storedBlock(std::string_view payload) {
  Result<MetricBlock> block = decodeMetricBlock(payload);
  if (!block) throw StoreDamaged("the run store's metrics are damaged: " + toText(block.error()));
  return std::move(*block);
}

void MetricTable::forget() {
  waiting_.clear();
  seriesNumbers_.clear();
}

bool MetricTable::append(std::int64_t run, int attempt, int rank, std::int64_t sequence, const MetricBlock& block) {
  const Writer writer{run, attempt, rank};
  if (isCompacted(writer, sequence)) return false;
  const std::int64_t waiting = waitingSteps(writer);
  const auto steps = static_cast<std::int64_t>(block.steps.size());
  const std::string payload = encode(block);
  const int added = database_.execute(
      "INSERT OR IGNORE INTO tail (run, attempt, rank, sequence, steps, payload) VALUES (?, ?, ?, ?, ?, ?)", run,
      attempt, rank, sequence, steps, bytesOf(payload));
  if (added == 0) return false;
  waiting_[writer] = waiting + steps;
  if (waiting + steps >= static_cast<std::int64_t>(chunkSamples)) compact(writer);
  return true;
}

bool MetricTable::isCompacted(const Writer& writer, std::int64_t sequence) {
  const auto [run, attempt, rank] = writer;
  return database_
      .query("SELECT 1 FROM folded WHERE run = ?1 AND attempt = ?2 AND rank = ?3 AND first <= ?4 AND last >= ?4", run,
             attempt, rank, sequence)
      .next();
}

std::int64_t MetricTable::waitingSteps(const Writer& writer) {
  const auto known = waiting_.find(writer);
  if (known != waiting_.end()) return known->second;
  const auto [run, attempt, rank] = writer;
  Query row = database_.query("SELECT ifnull(sum(steps), 0) FROM tail WHERE run = ? AND attempt = ? AND rank = ?", run,
                              attempt, rank);
  row.next();
  return waiting_[writer] = row.integer(0);
}

void MetricTable::compactRun(std::int64_t run) {
  std::vector<Writer> writers;
  {
    Query rows = database_.query("SELECT DISTINCT attempt, rank FROM tail WHERE run = ?", run);
    while (rows.next()) writers.emplace_back(run, rows.smallInteger(0), rows.smallInteger(1));
  }
  for (const Writer& writer : writers) compact(writer);
}

void MetricTable::compact(const Writer& writer) {
  const auto [run, attempt, rank] = writer;
  std::map<std::string, Series> collected;
  std::vector<std::int64_t> sequences;
  {
    Query rows = database_.query(
        "SELECT sequence, payload FROM tail WHERE run = ? AND attempt = ? AND rank = ? ORDER BY sequence", run, attempt,
        rank);
    while (rows.next()) {
      sequences.push_back(rows.integer(0));
      const MetricBlock block = storedBlock(rows.bytes(1));
      for (std::size_t i = 0; i < block.names.size(); ++i) appendColumn(block, i, collected[block.names[i]]);
    }
  }
  for (auto& [name, samples] : collected) appendChunks(seriesNumber(writer, name), std::move(samples));
  markCompacted(writer, sequences);
  database_.execute("DELETE FROM tail WHERE run = ? AND attempt = ? AND rank = ?", run, attempt, rank);
  waiting_[writer] = 0;
}

void MetricTable::markCompacted(const Writer& writer, const std::vector<std::int64_t>& sequences) {
  const auto [run, attempt, rank] = writer;
  for (std::size_t i = 0; i < sequences.size();) {
    std::size_t end = i + 1;
    while (end < sequences.size() && sequences[end] == sequences[end - 1] + 1) ++end;
    const std::int64_t first = sequences[i];
    const std::int64_t last = sequences[end - 1];
    const int extended =
        database_.execute("UPDATE folded SET last = ? WHERE run = ? AND attempt = ? AND rank = ? AND last = ?", last,
                          run, attempt, rank, first - 1);
    if (extended == 0) {
      database_.execute("INSERT INTO folded (run, attempt, rank, first, last) VALUES (?, ?, ?, ?, ?)", run, attempt,
                        rank, first, last);
    }
    i = end;
  }
}

std::int64_t MetricTable::seriesNumber(const Writer& writer, const std::string& name) {
  auto& numbers = seriesNumbers_[writer];
  const auto known = numbers.find(name);
  if (known != numbers.end()) return known->second;
  const auto [run, attempt, rank] = writer;
  database_.execute("INSERT OR IGNORE INTO series (run, name, attempt, rank) VALUES (?, ?, ?, ?)", run, name, attempt,
                    rank);
  Query row = database_.query("SELECT number FROM series WHERE run = ? AND name = ? AND attempt = ? AND rank = ?", run,
                              name, attempt, rank);
  row.next();
  return numbers[name] = row.integer(0);
}

/// Samples of a rare metric join the last chunk as long as that is small, so that no series falls into crumbs.
void MetricTable::appendChunks(std::int64_t series, Series samples) {
  std::int64_t position = 0;
  {
    Query last = database_.query(
        "SELECT number, position, samples, data FROM chunk WHERE series = ? ORDER BY position DESC LIMIT 1", series);
    if (last.next()) {
      position = last.integer(1) + 1;
      if (last.integer(2) < static_cast<std::int64_t>(chunkSamples / 2)) {
        Series joined;
        decodeChunk(last.bytes(3), joined);
        joined.steps.insert(joined.steps.end(), samples.steps.begin(), samples.steps.end());
        joined.wallNanoseconds.insert(joined.wallNanoseconds.end(), samples.wallNanoseconds.begin(),
                                      samples.wallNanoseconds.end());
        joined.values.insert(joined.values.end(), samples.values.begin(), samples.values.end());
        samples = std::move(joined);
        position = last.integer(1);
      }
    }
  }
  const std::size_t total = samples.steps.size();
  const std::size_t pieces = std::max<std::size_t>(1, total / chunkSamples);
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    const std::size_t first = total * piece / pieces;
    const std::size_t count = total * (piece + 1) / pieces - first;
    const std::string data = encodeChunk(samples, first, count);
    database_.execute("INSERT OR REPLACE INTO chunk (series, position, samples, data) VALUES (?, ?, ?, ?)", series,
                      position++, static_cast<std::int64_t>(count), bytesOf(data));
  }
}

}  // namespace slipstream
