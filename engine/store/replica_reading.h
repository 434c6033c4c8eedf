// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "engine/store/database.h"
#include "engine/store/replica.h"

namespace slipstream {

/// How far a copy has come: digests of what is replaced as a whole, and the last numbers of what only grows.
struct ReplicaPosition {
  std::string record = "-", label = "-", attempts = "-", memory = "-", checkpoints = "-";
  std::int64_t event = 0;
  std::int64_t chunk = 0;  ///< of a run these only grow: a chunk that is replaced gets a new number
  std::string tail = "-";

  std::string text() const;
  /// Nothing of a text that is none, or of another form.
  static std::optional<ReplicaPosition> parse(const std::string& text);
};

/// What is known of the copy of one run.
struct KnownCopy {
  using Stream = std::pair<int, int>;   ///< attempt and rank
  std::string text;                     ///< its position
  std::string seen;                     ///< the row and the label of the run when it was looked at
  std::map<Stream, std::int64_t> sent;  ///< the last waiting block of each rank
};

/// Reads what of one run a copy lacks, at one moment.
class ReplicaReading {
 public:
  ReplicaReading(Database& database, std::int64_t number, KnownCopy& known, RunChange& change);

  /// Fills the change in; the new position. `row`: what of the record may change, as one text.
  ReplicaPosition read(const RunRecord& record, StopKind stop, const std::string& row);

 private:
  bool isFull() const;
  void readLabel();
  void readLists();
  template <class Take, class List>
  void readList(std::string& position, const char* sql, int columns, const Take& take, std::optional<List>& list);
  void readEvents();
  std::vector<std::int64_t> newChunks();
  void readChunks();
  void readTail();
  void readWaiting(const KnownCopy::Stream& stream, std::int64_t last);

  Database& database_;
  std::int64_t number_;
  KnownCopy& known_;
  RunChange& change_;
  ReplicaPosition position_;
  std::size_t bytes_ = 0;
};

}  // namespace slipstream
