// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/npu/acl_queue.h"

#include <algorithm>
#include <string>
#include <utility>

#include "engine/base/error.h"
#include "engine/base/text.h"

namespace slipstream {
namespace {

unsigned vectorCoresOf(int number) {
  std::int64_t cores = 0;
  checkAcl(aclLibrary().deviceCapability(static_cast<std::uint32_t>(number), acl::vectorCores, &cores),
           "ask for the number of vector cores");
  if (cores < 1) throw Error("the device npu:" + std::to_string(number) + " says that it has no vector core");
  return static_cast<unsigned>(cores);
}

}  // namespace

AclMemory::AclMemory(std::size_t bytes, std::shared_ptr<NpuStreams> streams, const std::function<void()>& relief)
    : streams_(std::move(streams)), size_(bytes) {
  if (bytes == 0) return;
  refuseWhileRecording("allocate memory");
  aclError result = aclLibrary().allocate(&memory_, bytes, acl::hugePagesFirst);
  if (result == acl::noMemory && relief) {
    relief();
    result = aclLibrary().allocate(&memory_, bytes, acl::hugePagesFirst);
  }
  if (result != acl::success) checkAcl(result, "take " + sizeText(bytes) + " beside the vectors");
}

AclMemory::~AclMemory() {
  if (memory_ == nullptr) return;
  aclLibrary().synchronizeStream(streams_->work.handle());
  aclLibrary().free(memory_);
}

AclQueue::AclQueue(Device& device, int number, std::shared_ptr<NpuStreams> streams, std::function<void()> relief)
    : device_(device), streams_(std::move(streams)), relief_(std::move(relief)), vectorCores_(vectorCoresOf(number)) {}

void AclQueue::launch(const NpuKernel& kernel, unsigned blocks, std::span<const NpuArgument> arguments) {
  if (arguments.size() != kernel.argumentCount) {
    throw Error(std::string("the kernel ") + kernel.name + " is launched with another number of arguments than it has");
  }
  if (blocks == 0) return;
  const AclLibrary& library = aclLibrary();
  const aclrtFuncHandle function = kernels_.function(kernel.name);
  aclrtArgsHandle list = nullptr;
  checkAcl(library.beginArguments(function, &list), "begin a kernel's arguments");
  for (NpuArgument argument : arguments) {
    aclrtParamHandle place = nullptr;
    checkAcl(library.appendArgument(list, &argument.bits, argument.bytes, &place), "add a kernel's argument");
  }
  checkAcl(library.endArguments(list), "end a kernel's arguments");
  const aclError result = library.launch(function, blocks, stream(), nullptr, list, nullptr);
  if (result != acl::success) checkAcl(result, std::string("start the kernel ") + kernel.name);
}

std::byte* AclQueue::scratch(std::size_t bytes) {
  if (!scratch_ || scratch_->size() < bytes) {
    const std::size_t grown = std::max(bytes, scratch_ ? 2 * scratch_->size() : 0);
    scratch_.reset();
    scratch_ = std::make_unique<AclMemory>(grown, streams_, relief_);
  }
  return scratch_->data();
}

void AclQueue::upload(void* deviceMemory, std::span<const std::byte> host) {
  device_.copyIn({static_cast<std::byte*>(deviceMemory), host.size()}, host);
}

void AclQueue::download(std::span<std::byte> host, const void* deviceMemory) {
  device_.copyOut(host, {static_cast<const std::byte*>(deviceMemory), host.size()});
}

void AclQueue::copyWithin(void* to, const void* from, std::size_t bytes) {
  device_.copyWithin({static_cast<std::byte*>(to), bytes}, {static_cast<const std::byte*>(from), bytes});
}

void AclQueue::clear(void* deviceMemory, std::size_t bytes) {
  if (bytes == 0) return;
  checkAcl(aclLibrary().set(deviceMemory, bytes, 0, bytes, stream()), "clear memory");
}

std::unique_ptr<NpuMemory> AclQueue::allocate(std::size_t bytes) {
  return std::make_unique<AclMemory>(bytes, streams_, relief_);
}

}  // namespace slipstream
