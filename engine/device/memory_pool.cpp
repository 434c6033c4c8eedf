// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/device/memory_pool.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/device/device.h"

namespace slipstream {
namespace {

constexpr std::size_t smallestBlock = 512;

}  // namespace

std::size_t blockSize(std::size_t bytes) {
  const std::size_t step = std::max(smallestBlock, std::bit_floor(bytes) / 8);
  return std::max(smallestBlock, (bytes + step - 1) / step * step);
}

class MemoryPool::Blocks {
 public:
  Blocks(std::unique_ptr<RawMemory> raw, std::string deviceName)
      : raw_(std::move(raw)), deviceName_(std::move(deviceName)) {}
  ~Blocks() {
    for (const auto& [memory, bytes] : all_) raw_->giveBack(memory);
  }
  Blocks(const Blocks&) = delete;
  Blocks& operator=(const Blocks&) = delete;

  std::byte* take(std::size_t bytes, MemoryCategory category) {
    const std::size_t size = blockSize(bytes);
    std::byte* memory = reuse(size);
    if (memory == nullptr) memory = takeNew(size);
    if (memory == nullptr) throw Error(shortage(bytes, category));
    raw_->clear({memory, bytes});
    return memory;
  }

  void putBack(std::byte* memory) { free_[all_.at(memory)].push_back(memory); }

  void trim() {
    for (auto& [size, blocks] : free_) {
      const auto goes = std::ranges::partition(blocks, [&](std::byte* memory) { return kept_.contains(memory); });
      for (std::byte* memory : goes) {
        raw_->giveBack(memory);
        all_.erase(memory);
        held_ -= size;
      }
      blocks.erase(goes.begin(), goes.end());
    }
  }

  std::span<const std::byte> keep(const void* address) {
    const auto block = blockOf(address);
    if (!block.empty()) kept_.insert(block.data());
    return block;
  }

  std::span<const std::byte> blockOf(const void* address) const {
    const auto* wanted = static_cast<const std::byte*>(address);
    const auto after = all_.upper_bound(wanted);
    if (after == all_.begin()) return {};
    const auto& [memory, size] = *std::prev(after);
    if (std::less<>{}(wanted, memory + size)) return {memory, size};
    return {};
  }

  std::size_t held() const { return held_; }

 private:
  std::byte* reuse(std::size_t size) {
    const auto found = free_.find(size);
    if (found == free_.end() || found->second.empty()) return nullptr;
    std::byte* memory = found->second.back();
    found->second.pop_back();
    return memory;
  }

  std::byte* takeNew(std::size_t size) {
    std::byte* memory = raw_->take(size);
    if (memory == nullptr && !free_.empty()) {
      trim();
      memory = raw_->take(size);
    }
    if (memory == nullptr) return nullptr;
    all_[memory] = size;
    held_ += size;
    return memory;
  }

  std::string shortage(std::size_t bytes, MemoryCategory category) const {
    const RawMemory::Capacity capacity = raw_->capacity();
    return "out of memory on " + deviceName_ + ": " + sizeText(bytes) + " for " +
           std::string(memoryCategoryNames[static_cast<std::size_t>(category)]) + "; " + sizeText(capacity.free) +
           " of " + sizeText(capacity.total) + " are free, and this rank holds " + sizeText(held_) +
           "; use a smaller dataset.batch_size, fewer ranks on this device, or optimizer_parallel";
  }

  std::unique_ptr<RawMemory> raw_;
  std::string deviceName_;
  std::map<std::byte*, std::size_t, std::less<>> all_;   ///< block -> size, in use or not
  std::map<std::size_t, std::vector<std::byte*>> free_;  ///< by size; the last one back is the first one out
  std::set<const std::byte*> kept_;                      ///< of `all_`: never given back
  std::size_t held_ = 0;
};

namespace {

/// Of an empty request: it has no block.
class EmptyBuffer final : public Buffer {
 public:
  std::span<std::byte> bytes() override { return {}; }
};

/// `Blocks` is the pool's, which nobody else may name.
template <class Blocks>
class PooledBuffer final : public Buffer {
 public:
  PooledBuffer(std::shared_ptr<Blocks> blocks, std::span<std::byte> memory, MemoryCategory category, MemoryMeter& meter)
      : blocks_(std::move(blocks)),
        memory_(memory),
        counted_(meter, category, static_cast<std::int64_t>(memory.size())) {}
  ~PooledBuffer() override { blocks_->putBack(memory_.data()); }
  PooledBuffer(const PooledBuffer&) = delete;
  PooledBuffer& operator=(const PooledBuffer&) = delete;

  std::span<std::byte> bytes() override { return memory_; }

 private:
  std::shared_ptr<Blocks> blocks_;
  std::span<std::byte> memory_;
  CountedMemory counted_;
};

}  // namespace

MemoryPool::MemoryPool(std::unique_ptr<RawMemory> raw, MemoryMeter& meter, std::string deviceName)
    : blocks_(std::make_shared<Blocks>(std::move(raw), std::move(deviceName))), meter_(meter) {}

MemoryPool::~MemoryPool() = default;

std::unique_ptr<Buffer> MemoryPool::allocate(std::size_t bytes, MemoryCategory category) {
  if (bytes == 0) return std::make_unique<EmptyBuffer>();
  refuseWhileRecording("allocate memory");
  const std::span memory(blocks_->take(bytes, category), bytes);
  return std::make_unique<PooledBuffer<Blocks>>(blocks_, memory, category, meter_);
}

std::span<const std::byte> MemoryPool::blockOf(const void* address) const {
  return blocks_->blockOf(address);
}

std::span<const std::byte> MemoryPool::keepBlock(const void* address) {
  return blocks_->keep(address);
}

std::size_t MemoryPool::heldBytes() const {
  return blocks_->held();
}

void MemoryPool::trim() {
  refuseWhileRecording("give memory back");
  blocks_->trim();
}

}  // namespace slipstream
