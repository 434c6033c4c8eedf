// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/wire/messages.h"

#include <array>
#include <concepts>
#include <utility>

#include "engine/base/byte_codec.h"

namespace slipstream {
namespace {

constexpr std::string_view mark = "SL";
constexpr char version = 3;
constexpr std::size_t headerBytes = mark.size() + 2;
/// Room for a message without its large text, so that a part is copied once.
constexpr std::size_t roomForNumbers = 256;

}  // namespace

constexpr StopKind highest(StopKind) {
  return StopKind::now;
}
constexpr EventLevel highest(EventLevel) {
  return EventLevel::error;
}

void fields(FrameWriter& archive, const MetricBlock& block) {
  archive(encode(block));
}
void fields(FrameReader& archive, MetricBlock& block) {
  std::string bytes;
  archive(bytes);
  auto decoded = decodeMetricBlock(bytes);
  if (!decoded) return archive.turnBad();
  block = std::move(*decoded);
}

/// For writing (constant values) and for reading: the fields of each type, listed once.
template <class Value, class Type>
concept Is = std::same_as<std::remove_const_t<Value>, Type>;

template <class Archive, Is<TensorRecord> Value>
void fields(Archive& archive, Value& tensor) {
  archive(tensor.name, tensor.dtype, tensor.shape, tensor.shard, tensor.hash, tensor.bytes);
}
template <class Archive, Is<CheckpointManifest> Value>
void fields(Archive& archive, Value& manifest) {
  archive(manifest.step, manifest.attempt, manifest.full, manifest.progressText, manifest.tensors, manifest.snapshot);
}

namespace wire {

template <class Archive, Is<Hello> Value>
void fields(Archive& archive, Value& hello) {
  archive(hello.runId, hello.attempt, hello.rank, hello.pid, hello.acknowledged);
}
template <class Archive, Is<Heartbeat> Value>
void fields(Archive& archive, Value& heartbeat) {
  archive(heartbeat.step, heartbeat.phase, heartbeat.collectiveSequence, heartbeat.sent, heartbeat.delayedMicroseconds);
}
template <class Archive, Is<EventNote> Value>
void fields(Archive& archive, Value& note) {
  archive(note.wallNanoseconds, note.level, note.code, note.text);
}
template <class Archive, Is<MemoryUse> Value>
void fields(Archive& archive, Value& memory) {
  archive(memory.bytes);
}
template <class Archive, Is<CheckpointTensor> Value>
void fields(Archive& archive, Value& offer) {
  archive(offer.step, offer.tensor, offer.snapshot, offer.round);
}
template <class Archive, Is<CheckpointEnd> Value>
void fields(Archive& archive, Value& end) {
  archive(end.step, end.full, end.progressText, end.tensors, end.afterSequence, end.snapshot);
}
template <class Archive, Is<TensorPart> Value>
void fields(Archive& archive, Value& part) {
  archive(part.hash, part.index, part.crc, part.last, part.bytes);
}
template <class Archive, Is<Fetch> Value>
void fields(Archive& archive, Value& fetch) {
  archive(fetch.hash);
}
template <class Archive, Is<Finished> Value>
void fields(Archive& archive, Value& finished) {
  archive(finished.stopped, finished.stepsDone);
}
template <class Archive, Is<Failed> Value>
void fields(Archive& archive, Value& failed) {
  archive(failed.cause);
}
template <class Archive, Is<Task> Value>
void fields(Archive& archive, Value& task) {
  archive(task.planText, task.checkpoint);
}
template <class Archive, Is<Refused> Value>
void fields(Archive& archive, Value& refused) {
  archive(refused.why);
}
template <class Archive, Is<HubStatus> Value>
void fields(Archive& archive, Value& pulse) {
  archive(pulse.stop, pulse.acknowledged, pulse.resendFrom);
}
template <class Archive, Is<TensorRequest> Value>
void fields(Archive& archive, Value& wanted) {
  archive(wanted.step, wanted.hash, wanted.snapshot, wanted.round);
}
template <class Archive, Is<TransferAck> Value>
void fields(Archive& archive, Value& taken) {
  archive(taken.step, taken.parts, taken.snapshot, taken.round);
}
template <class Archive, Is<CheckpointDone> Value>
void fields(Archive& archive, Value& done) {
  archive(done.step, done.snapshot);
}
template <class Archive, Is<CheckpointQuery> Value>
void fields(Archive& archive, Value& asked) {
  archive(asked.step, asked.snapshot);
}
template <class Archive, Is<CheckpointReply> Value>
void fields(Archive& archive, Value& kept) {
  archive(kept.step, kept.snapshot, kept.manifest);
}
template <class Archive, Is<Reidentify> Value>
void fields(Archive&, Value&) {}
template <class Archive, Is<FinalAck> Value>
void fields(Archive&, Value&) {}

/// The content's kind is a number in front of it.
void fields(FrameWriter& archive, const Data& data) {
  archive(data.sequence, static_cast<std::uint8_t>(data.content.index()));
  std::visit([&](const auto& content) { archive(content); }, data.content);
}
void fields(FrameReader& archive, Data& data) {
  std::uint8_t kind = 0;
  archive(data.sequence, kind);
  if (kind == 0) return archive(data.content.emplace<MetricBlock>());
  if (kind == 1) return archive(data.content.emplace<EventNote>());
  if (kind == 2) return archive(data.content.emplace<MemoryUse>());
  archive.turnBad();
}

}  // namespace wire

namespace {

template <class Type>
std::optional<Message> decodeAs(std::string_view content) {
  Type value;
  FrameReader reader(content);
  reader(value);
  if (!reader.good()) return std::nullopt;
  return Message(std::move(value));
}

template <std::size_t... Index>
std::optional<Message> decodeType(std::size_t type, std::string_view content, std::index_sequence<Index...>) {
  using Decoder = std::optional<Message> (*)(std::string_view);
  constexpr std::array<Decoder, sizeof...(Index)> decoders{decodeAs<std::variant_alternative_t<Index, Message>>...};
  return type < decoders.size() ? decoders[type](content) : std::nullopt;
}

}  // namespace

std::string encode(const Message& message) {
  FrameWriter writer;
  const auto* part = std::get_if<wire::TensorPart>(&message);
  writer.reserve(roomForNumbers + (part != nullptr ? part->bytes.size() : 0));
  writer(mark[0], mark[1], version, static_cast<std::uint8_t>(message.index()));
  std::visit([&](const auto& content) { writer(content); }, message);
  return writer.take();
}

std::optional<Message> decodeMessage(std::string_view bytes) {
  if (bytes.size() < headerBytes || bytes.substr(0, mark.size()) != mark || bytes[mark.size()] != version) return {};
  const auto type = static_cast<std::uint8_t>(bytes[mark.size() + 1]);
  return decodeType(type, bytes.substr(headerBytes), std::make_index_sequence<std::variant_size_v<Message>>{});
}

}  // namespace slipstream
