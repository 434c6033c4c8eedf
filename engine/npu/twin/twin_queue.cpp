// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/npu/twin/twin_queue.h"

#include "npu_kernels/copies.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <fstream>
#include <new>
#include <numeric>

#include "engine/base/error.h"
#include "engine/base/failure.h"
#include "engine/base/files.h"
#include "engine/npu/npu_tiles.h"

namespace slipstream {
namespace {

constexpr std::align_val_t memoryAlignment{512};

constexpr const char* seedVariable = "SLIPSTREAM_TWIN_SEED";
constexpr const char* launchesVariable = "SLIPSTREAM_TWIN_LAUNCHES";

std::uint64_t seedOfEnvironment() {
  const auto text = environment(seedVariable);
  if (!text) return 0;
  std::uint64_t seed = 0;
  const char* behind = text->data() + text->size();
  const auto [end, error] = std::from_chars(text->data(), behind, seed);
  if (error == std::errc() && end == behind) return seed;
  throw Error(toText(Failure{seedVariable, *text, "is not a whole number from 0 to 18446744073709551615",
                             "set it to such a number, or unset it"}));
}

/// Memory of the host that holds NaN until it is written.
class TwinMemory final : public NpuMemory {
 public:
  explicit TwinMemory(std::size_t bytes) : data_(static_cast<std::byte*>(::operator new(bytes, memoryAlignment))) {
    std::memset(data_, 0xff, bytes);
  }
  ~TwinMemory() override { ::operator delete(data_, memoryAlignment); }
  TwinMemory(const TwinMemory&) = delete;
  TwinMemory& operator=(const TwinMemory&) = delete;
  std::byte* data() override { return data_; }

 private:
  std::byte* data_;
};

}  // namespace

TwinQueue::TwinQueue() : TwinQueue(seedOfEnvironment()) {}

TwinQueue::TwinQueue(std::uint64_t seed)
    : random_(seed), core_(random_()), launchesFile_(environment(launchesVariable).value_or("")) {}

void TwinQueue::launch(const NpuKernel& kernel, unsigned blocks, std::span<const NpuArgument> arguments) {
  if (arguments.size() != kernel.argumentCount) {
    throw Error(std::string(kernel.name) + " is launched with another number of arguments than it has");
  }
  if (blocks == 0) throw Error(std::string(kernel.name) + " is launched without blocks");
  record(kernel.name);
  std::vector<unsigned> order(blocks);
  std::iota(order.begin(), order.end(), 0U);
  std::shuffle(order.begin(), order.end(), random_);
  twin::GlobalAccesses accesses(blocks);
  for (const unsigned block : order) {
    core_.runBlock(kernel.name, block, blocks, accesses, [&] { kernel.onHost(arguments.data()); });
  }
}

void TwinQueue::record(const char* kernel) {
  if (launchesFile_.empty() || recorded_.contains(kernel)) return;
  std::ofstream file(launchesFile_, std::ios::app);
  file << kernel << "\n" << std::flush;
  if (!file) {
    throw Error(toText(Failure{launchesVariable, launchesFile_, "the names of launched kernels cannot be written there",
                               "name a file that you may write to, or unset it"}));
  }
  recorded_.insert(kernel);
}

/// What the memory held before is lost: nobody may rely on it.
std::byte* TwinQueue::scratch(std::size_t bytes) {
  if (scratchBytes_ < bytes || scratch_ == nullptr) {
    scratch_ = allocate(std::max<std::size_t>(bytes, 1));
    scratchBytes_ = bytes;
  } else {
    std::memset(scratch_->data(), 0xff, bytes);
  }
  return scratch_->data();
}

void TwinQueue::upload(void* deviceMemory, std::span<const std::byte> host) {
  if (!host.empty()) std::memcpy(deviceMemory, host.data(), host.size());
}

void TwinQueue::download(std::span<std::byte> host, const void* deviceMemory) {
  if (!host.empty()) std::memcpy(host.data(), deviceMemory, host.size());
}

/// By the kernel that copies where an NPU's runtime does not: it is to run wherever kernels are tested.
void TwinQueue::copyWithin(void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  launch(npu_kernels::copies_bytes, npuBlocksForCopy(*this, bytes),
         std::array<NpuArgument, 3>{to, from, std::uint64_t{bytes}});
}

void TwinQueue::clear(void* deviceMemory, std::size_t bytes) {
  std::memset(deviceMemory, 0, bytes);
}

std::unique_ptr<NpuMemory> TwinQueue::allocate(std::size_t bytes) {
  return std::make_unique<TwinMemory>(bytes);
}

}  // namespace slipstream
