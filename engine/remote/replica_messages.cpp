// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/remote/replica_messages.h"

#include <type_traits>

#include "engine/base/byte_codec.h"

namespace slipstream::replica {
namespace {

// The fields of each type, listed once: A is a FrameWriter over constant values, or a FrameReader over others.

/// Each entry is a text of its own, so that a list holds no more entries than its bytes do.
template <class V>
void listed(FrameWriter& archive, const V& list, const auto& one) {
  std::vector<std::string> texts;
  for (const auto& entry : list) {
    FrameWriter writer;
    one(writer, entry);
    texts.push_back(writer.take());
  }
  archive(texts);
}
template <class V>
void listed(FrameReader& archive, V& list, const auto& one) {
  std::vector<std::string> texts;
  archive(texts);
  for (const std::string& text : texts) {
    FrameReader reader(text);
    one(reader, list.emplace_back());
    if (!reader.good()) return archive.turnBad();
  }
}

template <class A, class V>
void optional(A& archive, V& value, const auto& content) {
  bool present = value.has_value();
  archive(present);
  if constexpr (std::is_same_v<A, FrameReader>) {
    if (present) value.emplace();
  }
  if (present) content(*value);
}

template <class A, class E>
void enumeration(A& archive, E& value, int highest) {
  int number = static_cast<int>(value);
  archive(number);
  if constexpr (std::is_same_v<A, FrameReader>) {
    if (number < 0 || number > highest) return archive.turnBad();
    value = static_cast<std::remove_const_t<E>>(number);
  }
}

/// By name: versions may number states otherwise.
template <class A, class S>
void stateOf(A& archive, S& state) {
  std::string name(nameOf(state));
  archive(name);
  if constexpr (std::is_same_v<A, FrameReader>) {
    const auto known = stateNamed(name);
    if (!known) return archive.turnBad();
    state = *known;
  }
}

template <class A, class V>
void record(A& archive, V& run) {
  archive(run.id, run.name, run.experimentName, run.variant, run.group, run.experimentText, run.planText,
          run.commandText, run.environmentText, run.sourceRevision, run.seed, run.ranks, run.device);
  stateOf(archive, run.state);
  archive(run.why, run.attempt, run.colourSlot, run.createdAt, run.startedAt, run.endedAt, run.supervisor.pid,
          run.supervisor.startTicks, run.supervisor.bootId, run.supervisor.host);
}

template <class A, class V>
void label(A& archive, V& value) {
  archive(value.title, value.note, value.tags, value.pinned, value.archived);
}

template <class A, class V>
void rows(A& archive, V& change) {
  optional(archive, change.attempts, [&](auto& list) {
    listed(archive, list, [](auto& entry, auto& row) { entry(row.attempt, row.fromStep, row.startedAt); });
  });
  optional(archive, change.memory, [&](auto& memory) { archive(memory); });
  optional(archive, change.checkpoints, [&](auto& list) {
    listed(archive, list, [](auto& entry, auto& row) {
      entry(row.step, row.attempt, row.full, row.bytes, row.newBytes, row.wallNanoseconds);
    });
  });
  listed(archive, change.events, [](auto& entry, auto& event) {
    entry(event.wallNanoseconds, event.attempt, event.rank);
    enumeration(entry, event.level, static_cast<int>(EventLevel::error));
    entry(event.code, event.text);
  });
  listed(archive, change.chunks, [](auto& entry, auto& chunk) {
    entry(chunk.name, chunk.attempt, chunk.rank, chunk.position, chunk.samples, chunk.data);
  });
  optional(archive, change.folded, [&](auto& list) {
    listed(archive, list, [](auto& entry, auto& range) { entry(range.attempt, range.rank, range.first, range.last); });
  });
  listed(archive, change.waiting, [](auto& entry, auto& block) {
    entry(block.attempt, block.rank, block.sequence, block.steps, block.payload);
  });
}

template <class A, class V>
void content(A& archive, V& message) {
  using T = std::remove_const_t<V>;
  if constexpr (std::is_same_v<T, Ask>) {
    archive(message.version, message.positions);
  } else if constexpr (std::is_same_v<T, Answer>) {
    archive(message.version, message.storeId, message.host, message.program);
  } else if constexpr (std::is_same_v<T, Gone>) {
    archive(message.run);
  } else if constexpr (std::is_same_v<T, Alive>) {
    archive(message.allTold);
  } else if constexpr (std::is_same_v<T, Problem>) {
    archive(message.text);
  } else {
    archive(message.run, message.from, message.to, message.anew, message.complete);
    optional(archive, message.record, [&](auto& run) {
      record(archive, run);
      enumeration(archive, message.stopRequest, static_cast<int>(StopKind::now));
    });
    optional(archive, message.label, [&](auto& value) { label(archive, value); });
    rows(archive, message);
  }
}

template <std::size_t index = 0>
Result<Message> decodeKind(std::size_t kind, FrameReader& reader) {
  if constexpr (index < std::variant_size_v<Message>) {
    if (kind != index) return decodeKind<index + 1>(kind, reader);
    std::variant_alternative_t<index, Message> message;
    content(reader, message);
    if (reader.good()) return Message(std::move(message));
  }
  return fail("message", "", "cannot be read: it is damaged, or of another version of slipstream",
              "use the same version on both sides");
}

}  // namespace

std::string encode(const Message& message) {
  FrameWriter writer;
  writer(static_cast<std::uint8_t>(message.index()));
  std::visit([&](const auto& one) { content(writer, one); }, message);
  return writer.take();
}

Result<Message> decode(std::string_view bytes) {
  FrameReader reader(bytes);
  std::uint8_t kind = 0;
  reader(kind);
  return decodeKind(kind, reader);
}

}  // namespace slipstream::replica
