// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/npu/acl_queue.h"

#include "npu_kernels/copies.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "engine/base/error.h"
#include "engine/npu/copy_alignment.h"
#include "engine/npu/npu_tiles.h"

namespace slipstream {
namespace {

unsigned vectorCoresOf(int number) {
  std::int64_t cores = 0;
  checkAcl(aclLibrary().deviceCapability(static_cast<std::uint32_t>(number), acl::vectorCores, &cores),
           "ask for the number of vector cores");
  if (cores < 1) throw Error("the device npu:" + std::to_string(number) + " says that it has no vector core");
  return static_cast<unsigned>(cores);
}

class PooledMemory final : public NpuMemory {
 public:
  explicit PooledMemory(std::unique_ptr<Buffer> buffer) : buffer_(std::move(buffer)) {}
  std::byte* data() override { return buffer_->bytes().data(); }

 private:
  std::unique_ptr<Buffer> buffer_;
};

}  // namespace

AclQueue::AclQueue(Device& device, const OpenedNpu& npu, std::shared_ptr<NpuStreams> streams)
    : device_(device), npu_(npu), streams_(std::move(streams)), vectorCores_(vectorCoresOf(npu.number())) {}

AclQueue::~AclQueue() {
  aclLibrary().setDevice(npu_.number());
  if (!streams_->settle()) kernels_.leave();
}

void AclQueue::launch(const NpuKernel& kernel, unsigned blocks, std::span<const NpuArgument> arguments) {
  launchOn(stream(), kernel, blocks, arguments);
}

void AclQueue::launchOn(aclrtStream stream, const NpuKernel& kernel, unsigned blocks,
                        std::span<const NpuArgument> arguments) {
  if (arguments.size() != kernel.argumentCount) {
    throw Error(std::string("the kernel ") + kernel.name + " is launched with another number of arguments than it has");
  }
  if (blocks == 0) return;
  select();
  const AclLibrary& library = aclLibrary();
  const aclrtFuncHandle function = kernels_.function(kernel.name);
  aclrtArgsHandle list = nullptr;
  checkAcl(library.beginArguments(function, &list), "begin a kernel's arguments");
  for (NpuArgument argument : arguments) {
    aclrtParamHandle place = nullptr;
    checkAcl(library.appendArgument(list, &argument.bits, argument.bytes, &place), "add a kernel's argument");
  }
  checkAcl(library.endArguments(list), "end a kernel's arguments");
  const aclError result = library.launch(function, blocks, stream, nullptr, list, nullptr);
  if (result != acl::success) checkAcl(result, std::string("start the kernel ") + kernel.name);
}

std::byte* AclQueue::scratch(std::size_t bytes) {
  if (!scratch_ || scratch_->bytes().size() < bytes) {
    const std::size_t grown = std::max(bytes, scratch_ ? 2 * scratch_->bytes().size() : 0);
    scratch_.reset();
    scratch_ = device_.allocate(grown, MemoryCategory::boost);
  }
  return scratch_->bytes().data();
}

void AclQueue::upload(void* deviceMemory, std::span<const std::byte> host) {
  device_.copyIn({static_cast<std::byte*>(deviceMemory), host.size()}, host);
}

void AclQueue::download(std::span<std::byte> host, const void* deviceMemory) {
  device_.copyOut(host, {static_cast<const std::byte*>(deviceMemory), host.size()});
}

void AclQueue::copyWithin(void* to, const void* from, std::size_t bytes) {
  copyOn(stream(), {static_cast<std::byte*>(to), bytes}, {static_cast<const std::byte*>(from), bytes});
}

void AclQueue::copyOn(aclrtStream stream, std::span<std::byte> to, std::span<const std::byte> from) {
  if (to.size() != from.size()) throw Error("a copy between buffers of different sizes");
  if (to.empty()) return;
  if (beforeAligned(to.data()) == 0 && beforeAligned(from.data()) == 0) {
    select();
    checkAcl(aclLibrary().copy(to.data(), to.size(), from.data(), from.size(), acl::deviceToDevice, stream),
             "copy inside an NPU");
    return;
  }
  const std::array<NpuArgument, 3> arguments{to.data(), from.data(), std::uint64_t{to.size()}};
  launchOn(stream, npu_kernels::copies_bytes, npuBlocksForCopy(*this, to.size()), arguments);
}

void AclQueue::clear(void* deviceMemory, std::size_t bytes) {
  if (bytes == 0) return;
  select();
  checkAcl(aclLibrary().set(deviceMemory, bytes, 0, bytes, stream()), "clear memory");
}

std::unique_ptr<NpuMemory> AclQueue::allocate(std::size_t bytes) {
  return std::make_unique<PooledMemory>(device_.allocate(bytes, MemoryCategory::boost));
}

}  // namespace slipstream
