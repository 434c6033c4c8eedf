// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/remote/fetch.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/byte_codec.h"
#include "engine/base/files.h"
#include "engine/base/hash.h"
#include "engine/base/private_files.h"
#include "engine/record/run_record.h"
#include "engine/remote/frame_channel.h"
#include "engine/store/checkpoint_store.h"

namespace slipstream {
namespace {

using Json = nlohmann::json;

constexpr std::chrono::seconds longestSilence{30};
constexpr std::size_t hashDigits = 64;

Result<CheckpointManifest> manifestOf(CheckpointStore& store, const WeightsPlace& place) {
  return place.snapshot ? store.snapshot(place.step) : store.manifest(place.step);
}

/// What is sent: the manifest or why there is none, then a frame a part, and an empty one at the end.
std::string manifestText(const CheckpointManifest& manifest) {
  Json tensors = Json::array();
  for (const TensorRecord& tensor : manifest.tensors) {
    tensors.push_back({tensor.name, tensor.dtype, tensor.shape, tensor.shard, tensor.hash, tensor.bytes});
  }
  return Json{
      {"attempt", manifest.attempt}, {"full", manifest.full}, {"progress", manifest.progressText}, {"tensors", tensors}}
      .dump();
}

bool isHash(const std::string& text) {
  return text.size() == hashDigits && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

tl::unexpected<Failures> notSent(const WeightsPlace& place, const std::string& problem) {
  return fail(fmt::format("checkpoint {}@{}", place.run, place.step), "", problem,
              "try again; where it fails again, look at it there: slipstream store verify");
}

/// Throws what nlohmann throws where the text is none of ours.
CheckpointManifest parseManifest(const std::string& text, const WeightsPlace& place) {
  const Json json = Json::parse(text);
  CheckpointManifest manifest;
  manifest.step = place.step;
  manifest.snapshot = place.snapshot;
  manifest.attempt = json.at("attempt").get<int>();
  manifest.full = json.at("full").get<bool>();
  manifest.progressText = json.at("progress").get<std::string>();
  for (const Json& one : json.at("tensors")) {
    TensorRecord tensor{
        one.at(0).get<std::string>(), one.at(1).get<std::string>(), one.at(2).get<std::vector<std::int64_t>>(),
        one.at(3).get<int>(),         one.at(4).get<std::string>(), one.at(5).get<std::int64_t>()};
    if (!isHash(tensor.hash) || tensor.bytes < 0) throw Error("a tensor of the checkpoint cannot be");
    manifest.tensors.push_back(std::move(tensor));
  }
  return manifest;
}

std::string expect(FrameChannel& channel) {
  auto frame = channel.receive(longestSilence);
  if (!frame) throw ChannelEnded("has been silent for 30 s");
  return std::move(*frame);
}

/// A tensor that is on its way.
struct Coming {
  std::int64_t bytes = 0;  ///< that the manifest says
  std::int64_t came = 0;
  std::int64_t parts = 0;
  Sha256 hash;
};
using ComingTensors = std::map<std::string, Coming>;

/// What the store lacks, by hash. Throws Error where what it holds already is damaged.
ComingTensors lackingTensors(CheckpointStore& store, const CheckpointManifest& manifest) {
  ComingTensors lacking;
  std::set<std::string> held;
  for (const TensorRecord& tensor : manifest.tensors) {
    if (!store.has(tensor.hash)) {
      lacking[tensor.hash].bytes = tensor.bytes;
    } else if (held.insert(tensor.hash).second &&
               sha256(std::span<const std::byte>(store.read(tensor.hash))) != tensor.hash) {
      throw Error(fmt::format("tensor {} is here already, and its bytes do not match its hash", tensor.name));
    }
  }
  return lacking;
}

/// In their order and no more than were promised: whoever sends may not fill the disk here.
void takePart(Coming& tensor, std::int64_t index, std::span<const std::byte> part) {
  tensor.came += std::ssize(part);
  if (index != tensor.parts || tensor.came > tensor.bytes) {
    throw Error("more of a tensor came than the checkpoint says, or in another order");
  }
  ++tensor.parts;
  tensor.hash.add(part);
}

/// Parts until the empty frame; the bytes of them. Throws Error where they are not the tensors that were promised.
std::int64_t takeParts(FrameChannel& channel, CheckpointStore& store, ComingTensors& lacking) {
  std::int64_t bytes = 0;
  for (std::string frame = expect(channel); !frame.empty(); frame = expect(channel)) {
    FrameReader reader(frame);
    std::string hash;
    std::int64_t index = 0;
    std::string part;
    reader(hash, index, part);
    const auto tensor = lacking.find(hash);
    if (!reader.good() || tensor == lacking.end()) throw Error("a part that nobody asked for came");
    const auto content = std::as_bytes(std::span(part.data(), part.size()));
    takePart(tensor->second, index, content);
    store.addPart(hash, index, content);
    bytes += std::ssize(part);
  }
  for (auto& [hash, tensor] : lacking) {
    if (tensor.hash.text() != hash) throw Error("the bytes of a tensor do not match its hash");
  }
  return bytes;
}

Result<std::int64_t> receive(FrameChannel& channel, CheckpointStore& store, const WeightsPlace& place) {
  const std::string head = expect(channel);
  FrameReader reader(head);
  bool found = false;
  std::string text;
  reader(found, text);
  if (!reader.good()) return notSent(place, "what has come cannot be read");
  if (!found) return notSent(place, text);
  const CheckpointManifest manifest = parseManifest(text, place);
  ComingTensors lacking = lackingTensors(store, manifest);
  std::vector<std::string> hashes;
  for (const auto& [hash, tensor] : lacking) hashes.push_back(hash);
  FrameWriter wanted;
  wanted(hashes);
  channel.send(wanted.take());
  store.begin();
  std::int64_t bytes = 0;
  try {
    bytes = takeParts(channel, store, lacking);
    store.complete(manifest);
  } catch (...) {
    store.abandon();
    throw;
  }
  return bytes;
}

void sendParts(FrameChannel& channel, CheckpointStore& store, const std::vector<std::string>& wanted) {
  for (const std::string& hash : wanted) {
    const std::vector<std::byte> bytes = store.read(hash);
    for (std::size_t begin = 0, index = 0; begin < bytes.size(); begin += checkpointPartBytes, ++index) {
      const std::size_t count = std::min<std::size_t>(checkpointPartBytes, bytes.size() - begin);
      std::string part(count, '\0');
      std::memcpy(part.data(), bytes.data() + begin, count);
      FrameWriter writer;
      writer(hash, static_cast<std::int64_t>(index), part);
      channel.send(writer.take());
    }
  }
  channel.send("");
}

Status keepLog(const std::filesystem::path& folder, const Json& log) {
  const int attempt = log.at("attempt").get<int>();
  const int rank = log.at("rank").get<int>();
  const std::string stream = log.at("stream").get<std::string>();
  if (attempt < 0 || rank < 0 || (stream != "stdout" && stream != "stderr")) return {};
  const auto place = folder / fmt::format("attempt-{}", attempt) / "copy" / fmt::format("rank.{}", rank);
  SLIPSTREAM_CHECK(makePrivateFolder(place));
  return writeFile(place / stream, log.at("text").get<std::string>());
}

}  // namespace

bool hasWeights(const std::filesystem::path& store, const WeightsPlace& place) {
  const auto checkpoints = CheckpointStore::openToRead(store, place.run);
  return checkpoints && manifestOf(**checkpoints, place);
}

Result<std::int64_t> receiveWeights(const std::filesystem::path& store, const WeightsPlace& place, int input,
                                    int output) {
  SLIPSTREAM_CHECK(makePrivateFolder(checkpointFile(store, place.run).parent_path()));
  SLIPSTREAM_TRY(checkpoints, CheckpointStore::openToWrite(store, place.run));
  FrameChannel channel(input, output);
  try {
    return receive(channel, *checkpoints, place);
  } catch (const Json::exception&) {
    return notSent(place, "what has come cannot be read");
  } catch (const ChannelEnded&) {
    throw;
  } catch (const StoreBlocked&) {
    throw;
  } catch (const Error& error) {
    return notSent(place, error.what());
  }
}

Status sendWeights(const std::filesystem::path& store, const WeightsPlace& place, int input, int output) {
  const auto checkpoints = CheckpointStore::openToRead(store, place.run);
  FrameChannel channel(input, output);
  FrameWriter head;
  auto manifest =
      checkpoints ? manifestOf(**checkpoints, place) : Result<CheckpointManifest>(tl::unexpected(checkpoints.error()));
  head(manifest.has_value(), manifest ? manifestText(*manifest) : manifest.error().front().problem);
  channel.send(head.take());
  if (!manifest) return tl::unexpected(manifest.error());
  const std::string answer = expect(channel);
  FrameReader reader(answer);
  std::vector<std::string> wanted;
  reader(wanted);
  if (!reader.good()) return notSent(place, "what was asked for cannot be read");
  sendParts(channel, **checkpoints, wanted);
  return {};
}

Result<std::int64_t> fetchWeights(const RemoteConnection& connection, const std::filesystem::path& store,
                                  const WeightsPlace& place) {
  std::vector<std::string> arguments{"checkpoint", "send", place.run, std::to_string(place.step)};
  if (place.snapshot) arguments.emplace_back("--snapshot");
  RemoteCommand command(connection, arguments);
  try {
    return receiveWeights(store, place, command.socket(), command.socket());
  } catch (const ChannelEnded& end) {
    const std::string words = command.lastWords();
    return tl::unexpected(Failures{connection.unreachable(words.empty() ? end.what() : words)});
  }
}

Status fetchLogs(const RemoteConnection& connection, const std::filesystem::path& store, const std::string& run) {
  if (!isRunId(run)) return fail("RUN", run, "is no id of a run", "");
  SLIPSTREAM_TRY(text, connection.ask({"logs", run, "--json"}));
  const auto begin = text.find('[');  // behind what a login script prints
  const Json list = begin == std::string::npos ? Json() : Json::parse(text.substr(begin), nullptr, false);
  if (!list.is_array()) return tl::unexpected(Failures{connection.withoutProgram("what answers there has no logs")});
  try {
    for (const Json& log : list) SLIPSTREAM_CHECK(keepLog(store / "logs" / run, log));
  } catch (const Json::exception&) {
    return fail("run " + run, "", "its logs cannot be read", "use the same version of slipstream on both sides");
  }
  return {};
}

}  // namespace slipstream
