// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/replica_reading.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/base/hash.h"
#include "engine/base/text.h"

namespace slipstream {
namespace {

/// What one change holds at most, about: a copy has to be at some position every few moments, also over a slow line.
constexpr std::size_t mostChangeBytes = 2 << 20;
/// Another form of positions is no form that we read.
constexpr std::string_view positionForm = "1";
constexpr std::string_view nothingYet = "-";
constexpr std::string_view inBetween = "+";

std::string digest(const std::string& text) {
  constexpr std::size_t digits = 16;
  return text.empty() ? std::string(nothingYet) : sha256(text).substr(0, digits);
}

/// The rows of a query as one text, a line each.
std::string linesOf(Query& rows, int columns) {
  std::string lines;
  while (rows.next()) {
    for (int column = 0; column < columns; ++column) lines += rows.text(column) + '\t';
    lines += '\n';
  }
  return lines;
}

}  // namespace

std::string ReplicaPosition::text() const {
  return fmt::format("{} {} {} {} {} {} {} {} {}", positionForm, record, label, attempts, memory, checkpoints, event,
                     chunk, tail);
}

std::optional<ReplicaPosition> ReplicaPosition::parse(const std::string& text) {
  const std::vector<std::string> parts = split(text, ' ');
  constexpr std::size_t count = 9;
  if (parts.size() != count || parts[0] != positionForm) return std::nullopt;
  const auto event = parseInteger(parts[6]);
  const auto chunk = parseInteger(parts[7]);
  if (!event || !chunk) return std::nullopt;
  return ReplicaPosition{parts[1], parts[2], parts[3], parts[4], parts[5], *event, *chunk, parts[8]};
}

ReplicaReading::ReplicaReading(Database& database, std::int64_t number, KnownCopy& known, RunChange& change)
    : database_(database), number_(number), known_(known), change_(change) {
  const auto position = ReplicaPosition::parse(known.text);
  if (position) position_ = *position;
  change.anew = !position && !known.text.empty();
  if (!position) known.sent.clear();
}

ReplicaPosition ReplicaReading::read(const RunRecord& record, StopKind stop, const std::string& row) {
  if (const std::string now = digest(row); now != position_.record) {
    change_.record = record;
    change_.stopRequest = stop;
    position_.record = now;
  }
  readLabel();
  readLists();
  readEvents();
  readChunks();
  if (change_.complete) readTail();
  return position_;
}

bool ReplicaReading::isFull() const {
  return bytes_ > mostChangeBytes;
}

void ReplicaReading::readLabel() {
  std::string text;
  RunLabel label;
  Query row = database_.query("SELECT title, note, tags, pinned, archived FROM label WHERE run = ?", number_);
  if (row.next()) {
    label = {row.text(0), row.text(1), {}, row.integer(3) != 0, row.integer(4) != 0};
    if (const std::string tags = row.text(2); !tags.empty()) label.tags = split(tags, '\n');
    text = fmt::format("{}\t{}\t{}\t{}{}", row.text(0), row.text(1), row.text(2), row.integer(3), row.integer(4));
  }
  const std::string now = digest(text);
  if (now == position_.label) return;
  change_.label = label;
  position_.label = now;
}

template <class Take, class List>
void ReplicaReading::readList(std::string& position, const char* sql, int columns, const Take& take,
                              std::optional<List>& list) {
  std::string now;
  {
    Query rows = database_.query(sql, number_);
    now = digest(linesOf(rows, columns));
  }
  if (now == position) return;
  list.emplace();
  Query rows = database_.query(sql, number_);
  while (rows.next()) take(rows);
  position = now;
}

/// Those that are replaced as a whole.
void ReplicaReading::readLists() {
  readList(
      position_.attempts, "SELECT attempt, from_step, started_at FROM attempt WHERE run = ? ORDER BY attempt", 3,
      [&](Query& row) {
        change_.attempts->push_back({row.smallInteger(0), row.integer(1), row.integer(2)});
      },
      change_.attempts);
  readList(
      position_.memory, "SELECT rank, category, bytes FROM memory WHERE run = ? ORDER BY rank, category", 3,
      [&](Query& row) { (*change_.memory)[row.smallInteger(0)][row.text(1)] = row.integer(2); }, change_.memory);
  readList(
      position_.checkpoints,
      "SELECT step, attempt, full, bytes, new_bytes, wall FROM checkpoint WHERE run = ? ORDER BY step", 6,
      [&](Query& row) {
        change_.checkpoints->push_back(
            {row.integer(0), row.smallInteger(1), row.integer(2) != 0, row.integer(3), row.integer(4), row.integer(5)});
      },
      change_.checkpoints);
}

void ReplicaReading::readEvents() {
  Query rows = database_.query(
      "SELECT number, wall, attempt, rank, level, code, text FROM event WHERE run = ? AND number > ? ORDER BY number",
      number_, position_.event);
  while (rows.next()) {
    if (isFull()) {
      change_.complete = false;
      return;
    }
    Event event{rows.integer(0),   rows.integer(1), rows.smallInteger(2), rows.smallInteger(3),
                EventLevel::error, rows.text(5),    rows.text(6)};
    event.level = static_cast<EventLevel>(std::clamp(rows.smallInteger(4), 0, static_cast<int>(EventLevel::error)));
    bytes_ += event.code.size() + event.text.size() + 64;
    position_.event = event.number;
    change_.events.push_back(std::move(event));
  }
}

/// Numbers come from the index alone; chunks of other runs are not touched.
std::vector<std::int64_t> ReplicaReading::newChunks() {
  std::vector<std::int64_t> numbers;
  Query rows = database_.query(
      "SELECT chunk.number FROM series JOIN chunk ON chunk.series = series.number WHERE series.run = ?"
      " AND chunk.number > ? ORDER BY chunk.number",
      number_, position_.chunk);
  while (rows.next()) numbers.push_back(rows.integer(0));
  return numbers;
}

void ReplicaReading::readChunks() {
  if (!change_.complete) return;
  for (const std::int64_t number : newChunks()) {
    if (isFull()) {
      change_.complete = false;
      return;
    }
    Query row = database_.query(
        "SELECT name, attempt, rank, position, samples, data FROM chunk JOIN series ON series.number = chunk.series"
        " WHERE chunk.number = ?",
        number);
    if (!row.next()) continue;
    change_.chunks.push_back({row.text(0), row.smallInteger(1), row.smallInteger(2), row.integer(3), row.integer(4),
                              std::string(row.bytes(5))});
    bytes_ += change_.chunks.back().data.size() + 64;
    position_.chunk = number;
  }
}

void ReplicaReading::readTail() {
  std::vector<CompactedRange> folded;
  std::map<KnownCopy::Stream, std::int64_t> newest;
  std::string text;
  {
    Query rows = database_.query(
        "SELECT attempt, rank, first, last FROM folded WHERE run = ? ORDER BY attempt, rank, first", number_);
    while (rows.next()) {
      folded.push_back({rows.smallInteger(0), rows.smallInteger(1), rows.integer(2), rows.integer(3)});
      text += fmt::format("{} {} {} {}\n", rows.integer(0), rows.integer(1), rows.integer(2), rows.integer(3));
    }
    Query streams = database_.query(
        "SELECT attempt, rank, max(sequence), count(*) FROM tail WHERE run = ? GROUP BY attempt, rank", number_);
    while (streams.next()) {
      newest[{streams.smallInteger(0), streams.smallInteger(1)}] = streams.integer(2);
      text += fmt::format("{} {} {} {} waiting\n", streams.integer(0), streams.integer(1), streams.integer(2),
                          streams.integer(3));
    }
  }
  const std::string now = digest(text);
  if (now == position_.tail) return;
  change_.folded = std::move(folded);
  position_.tail = now;
  for (const auto& [stream, last] : newest) readWaiting(stream, last);
  if (!change_.complete) position_.tail = inBetween;
}

void ReplicaReading::readWaiting(const KnownCopy::Stream& stream, std::int64_t last) {
  auto& sent = known_.sent.try_emplace(stream, -1).first->second;
  if (sent >= last) return;
  Query rows = database_.query(
      "SELECT sequence, steps, payload FROM tail WHERE run = ? AND attempt = ? AND rank = ? AND sequence > ?"
      " ORDER BY sequence",
      number_, stream.first, stream.second, sent);
  while (rows.next()) {
    if (isFull()) {
      change_.complete = false;
      return;
    }
    sent = rows.integer(0);
    change_.waiting.push_back({stream.first, stream.second, sent, rows.integer(1), std::string(rows.bytes(2))});
    bytes_ += change_.waiting.back().payload.size() + 64;
  }
}

}  // namespace slipstream
