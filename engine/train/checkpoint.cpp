#include "engine/train/checkpoint.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/base/error.h"

namespace slipstream {
namespace {

/// One piece of what a checkpoint holds, where it lives on this rank.
struct Piece {
  std::string name;
  std::vector<std::int64_t> shape;
  std::span<float> values;
  bool perRank = false;
};

std::span<float> rangeOf(std::span<float> values, Range range) {
  return values.subspan(static_cast<std::size_t>(range.begin), static_cast<std::size_t>(range.size()));
}

/// State over the whole flat space is kept tensor by tensor, so that what did not change is stored once.
void addState(std::vector<Piece>& pieces, const StateTensor& state, const ParameterLayout& layout) {
  if (static_cast<std::int64_t>(state.values.size()) != layout.size()) {
    pieces.push_back({state.name, {static_cast<std::int64_t>(state.values.size())}, state.values, state.perRank});
    return;
  }
  for (const FlatTensor& tensor : layout.tensors()) {
    pieces.push_back({fmt::format("{}/{}", state.name, tensor.spec.name), tensor.spec.shape,
                      rangeOf(state.values, tensor.range), state.perRank});
  }
}

std::vector<Piece> piecesOf(Network& network, Update& update, bool full) {
  const ParameterLayout& layout = network.layout();
  std::vector<Piece> pieces;
  const std::span<float> weights = update.weights().acquire({0, layout.size()});
  for (const FlatTensor& tensor : layout.tensors()) {
    pieces.push_back({tensor.spec.name, tensor.spec.shape, rangeOf(weights, tensor.range)});
  }
  for (const NetworkState& state : network.states()) {
    pieces.push_back({"state/" + state.name, {static_cast<std::int64_t>(state.values.size())}, state.values, true});
  }
  if (!full) return pieces;
  for (const StateTensor& state : update.state()) addState(pieces, state, layout);
  return pieces;
}

const TensorRecord& recordOf(const CheckpointManifest& manifest, const Piece& piece, int rank) {
  const int shard = piece.perRank ? rank : -1;
  const auto found = std::find_if(manifest.tensors.begin(), manifest.tensors.end(), [&](const TensorRecord& record) {
    return record.name == piece.name && record.shard == shard;
  });
  if (found == manifest.tensors.end()) {
    throw Error(fmt::format("the checkpoint of step {} holds no tensor {}", manifest.step, piece.name));
  }
  if (found->shape != piece.shape) {
    throw Error(fmt::format("tensor {} of the checkpoint of step {} has another shape than the network's", piece.name,
                            manifest.step));
  }
  return *found;
}

void fetchInto(Link& link, const TensorRecord& record, std::span<float> values) {
  const std::vector<float> fetched = link.fetch(record.hash);
  if (fetched.size() != values.size()) {
    throw Error(fmt::format("tensor {} came with {} values instead of {}", record.name, fetched.size(), values.size()));
  }
  std::copy(fetched.begin(), fetched.end(), values.begin());
}

}  // namespace

std::vector<OutgoingTensor> checkpointTensors(Network& network, Update& update, bool full, int rank, int ranks) {
  std::vector<OutgoingTensor> tensors;
  int shared = 0;
  for (const Piece& piece : piecesOf(network, update, full)) {
    const bool mine = piece.perRank || shared++ % ranks == rank;
    if (mine) tensors.push_back({piece.name, piece.shape, piece.perRank ? rank : -1, piece.values});
  }
  return tensors;
}

void restoreCheckpoint(const CheckpointManifest& manifest, Link& link, Network& network, Update& update,
                       Communicator& communicator) {
  for (const Piece& piece : piecesOf(network, update, manifest.full)) {
    const TensorRecord& record = recordOf(manifest, piece, communicator.rank());
    if (piece.perRank || communicator.rank() == 0) fetchInto(link, record, piece.values);
    if (!piece.perRank) communicator.broadcast(std::as_writable_bytes(piece.values), 0);
  }
}

}  // namespace slipstream
