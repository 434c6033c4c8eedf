// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/device/staged_copies.h"

#include <algorithm>
#include <cstring>

#include "engine/base/error.h"

namespace slipstream {

void StagedCopies::copyIn(std::span<std::byte> deviceBytes, std::span<const std::byte> hostBytes) {
  if (deviceBytes.size() != hostBytes.size()) throw Error("a copy between buffers of different sizes");
  for (std::size_t i = 0; i < partsOf(hostBytes.size()); ++i) {
    Chunk& chunk = freeChunk(next_++);
    const auto from = part(hostBytes, i);
    const auto staging = chunk.memory->bytes().first(from.size());
    std::memcpy(staging.data(), from.data(), from.size());
    chunk.copy = device_.startCopyIn(part(deviceBytes, i), staging);
  }
}

void StagedCopies::copyOut(std::span<std::byte> hostBytes, std::span<const std::byte> deviceBytes) {
  if (deviceBytes.size() != hostBytes.size()) throw Error("a copy between buffers of different sizes");
  const std::size_t parts = partsOf(hostBytes.size());
  const std::size_t first = next_;
  next_ += parts;
  for (std::size_t i = 0; i < parts + chunks_.size(); ++i) {
    if (i >= chunks_.size() && i - chunks_.size() < parts) {
      const std::size_t arriving = i - chunks_.size();
      Chunk& chunk = freeChunk(first + arriving);
      const auto to = part(hostBytes, arriving);
      std::memcpy(to.data(), chunk.memory->bytes().data(), to.size());
    }
    if (i >= parts) continue;
    const auto from = part(deviceBytes, i);
    Chunk& chunk = freeChunk(first + i);
    chunk.copy = device_.startCopyOut(chunk.memory->bytes().first(from.size()), from);
  }
}

StagedCopies::Chunk& StagedCopies::freeChunk(std::size_t index) {
  Chunk& chunk = chunks_[index % chunks_.size()];
  if (!chunk.memory) chunk.memory = device_.allocateStaging(chunkBytes_);
  if (chunk.copy) chunk.copy->wait();
  chunk.copy.reset();
  return chunk;
}

template <class Byte>
std::span<Byte> StagedCopies::part(std::span<Byte> bytes, std::size_t index) const {
  const std::size_t start = index * chunkBytes_;
  return bytes.subspan(start, std::min(chunkBytes_, bytes.size() - start));
}

}  // namespace slipstream
