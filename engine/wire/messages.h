// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/record/checkpoint_manifest.h"
#include "engine/record/metric_block.h"
#include "engine/record/run_record.h"

namespace slipstream::wire {

// Sent by workers.

/// First message of every connection. `acknowledged`: the data that this worker no longer holds.
struct Hello {
  std::string runId;
  int attempt = 0;
  int rank = 0;
  std::int64_t pid = 0;
  std::uint64_t acknowledged = 0;
};

/// Every second. `sent` is the last data sequence sent before it, so the hub sees whether some went missing.
struct Heartbeat {
  std::int64_t step = 0;
  std::string phase;
  std::uint64_t collectiveSequence = 0;
  std::uint64_t sent = 0;
  std::uint64_t delayedMicroseconds = 0;  ///< see RankStatus
};

struct EventNote {
  std::int64_t wallNanoseconds = 0;
  EventLevel level = EventLevel::information;
  std::string code;
  std::string text;
};

struct MemoryUse {
  std::map<std::string, std::int64_t> bytes;
};

/// What must not be lost: numbered from 1 without gaps, kept by the worker until the hub acknowledges its commit.
struct Data {
  std::uint64_t sequence = 0;
  std::variant<MetricBlock, EventNote, MemoryUse> content;
};

/// Offers one tensor of a checkpoint by its hash; its bytes follow only if they are requested. `round` grows whenever a
/// worker sends everything again: answers to an earlier round no longer count. (Parts and ends need no round: the
/// messages of a rank arrive in order.)
struct CheckpointTensor {
  std::int64_t step = 0;
  TensorRecord tensor;
  bool snapshot = false;
  std::uint64_t round = 0;
};

/// This rank has offered all its tensors. `afterSequence`: its data up to the step.
struct CheckpointEnd {
  std::int64_t step = 0;
  bool full = true;
  std::string progressText;
  std::uint32_t tensors = 0;
  std::uint64_t afterSequence = 0;
  bool snapshot = false;
};

/// At most checkpointPartBytes of a tensor, in either direction.
struct TensorPart {
  std::string hash;
  std::int64_t index = 0;
  std::uint32_t crc = 0;
  bool last = false;
  std::string bytes;
};

/// Asks for all parts of a stored tensor.
struct Fetch {
  std::string hash;
};

/// Asks for what the store keeps of this run at a step.
struct CheckpointQuery {
  std::int64_t step = 0;
  bool snapshot = false;
};

struct Finished {
  bool stopped = false;
  std::int64_t stepsDone = 0;
};

struct Failed {
  std::string cause;
};

// Sent by the hub.

struct Task {
  std::string planText;
  std::optional<CheckpointManifest> checkpoint;
};

struct Refused {
  std::string why;
};

/// The hub does not know this connection: send Hello again.
struct Reidentify {};

/// After every heartbeat and commit. `acknowledged` is committed; `resendFrom` > 0 asks for the data from there on.
struct HubStatus {
  StopKind stop = StopKind::none;
  std::uint64_t acknowledged = 0;
  std::uint64_t resendFrom = 0;
};

/// Asks for the parts of a tensor that was offered in this round.
struct TensorRequest {
  std::int64_t step = 0;
  std::string hash;
  bool snapshot = false;
  std::uint64_t round = 0;
};

/// How many parts of this rank's round the hub has written; limits what is in flight.
struct TransferAck {
  std::int64_t step = 0;
  std::int64_t parts = 0;
  bool snapshot = false;
  std::uint64_t round = 0;
};

/// The checkpoint of this step is over: kept, or given up for a cause that is in the run's events.
struct CheckpointDone {
  std::int64_t step = 0;
  bool snapshot = false;
};

/// Answers CheckpointQuery; nothing where the store keeps none.
struct CheckpointReply {
  std::int64_t step = 0;
  bool snapshot = false;
  std::optional<CheckpointManifest> manifest;
};

/// The final message (Finished, Failed) is committed.
struct FinalAck {};

}  // namespace slipstream::wire

namespace slipstream {

using Message = std::variant<wire::Hello, wire::Heartbeat, wire::Data, wire::CheckpointTensor, wire::CheckpointEnd,
                             wire::TensorPart, wire::Fetch, wire::Finished, wire::Failed, wire::Task, wire::Refused,
                             wire::Reidentify, wire::HubStatus, wire::TensorRequest, wire::TransferAck,
                             wire::CheckpointDone, wire::FinalAck, wire::CheckpointQuery, wire::CheckpointReply>;

/// One frame: two letters, version, type, content.
std::string encode(const Message& message);
/// Nothing where the bytes are not one whole message of this version.
std::optional<Message> decodeMessage(std::string_view bytes);

}  // namespace slipstream
