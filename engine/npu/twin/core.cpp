// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/npu/twin/core.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace slipstream::twin {
namespace {

/// Bytes of which every float, half and bfloat16 is a NaN.
constexpr int poison = 0xff;

thread_local Core* executing = nullptr;

/// While it lives, this thread executes blocks on the core.
class Executing {
 public:
  explicit Executing(Core& core) : before_(std::exchange(executing, &core)) {}
  ~Executing() { executing = before_; }
  Executing(const Executing&) = delete;
  Executing& operator=(const Executing&) = delete;

 private:
  Core* before_;
};

bool overlap(const Operand& one, const Operand& other) {
  return one.begin < other.begin + other.bytes && other.begin < one.begin + one.bytes;
}

bool same(const Operand& one, const Operand& other) {
  return one.begin == other.begin && one.bytes == other.bytes;
}

bool takesCopies(Position position) {
  return position == Position::vectorIn || position == Position::passingThrough;
}

bool givesCopies(Position position) {
  return position == Position::vectorOut || position == Position::passingThrough;
}

std::size_t indexOf(Event event) {
  return static_cast<std::size_t>(event);
}

}  // namespace

Core::Core(std::uint64_t seed) : memory_(unifiedBufferBytes + blockBytes), random_(seed) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory_.data());
  base_ = memory_.data() + (blockBytes - address % blockBytes) % blockBytes;
}

Core& Core::current(const Where& where) {
  if (executing == nullptr) {
    std::fprintf(stderr, "Ascend C twin: %s:%u: no kernel is being executed\n", where.file_name(), where.line());
    std::abort();
  }
  return *executing;
}

void Core::broken(const std::string& law, const Where& where) const {
  std::fprintf(stderr, "Ascend C twin: kernel %s, block %u of %u, %s:%u: %s\n", kernel_, block_, blocks_,
               where.file_name(), where.line(), law.c_str());
  std::abort();
}

void Core::reset() {
  buffers_.clear();
  buffers_.reserve(mostBuffers);
  queues_.clear();
  used_ = pipes_ = 0;
  selects_ = false;
  clock_ = seenByScalar_ = seenByVector_ = 0;
  flags_ = {};
}

void Core::runBlock(const char* kernel, unsigned block, unsigned blocks, GlobalAccesses& accesses,
                    const std::function<void()>& body) {
  kernel_ = kernel;
  block_ = block;
  blocks_ = blocks;
  accesses_ = &accesses;
  reset();
  const Executing here(*this);
  body();
  finishBlock();
}

void Core::finishBlock() {
  const Where atTheEnd = Where::current();
  for (UbBuffer& buffer : buffers_) {
    for (const auto& transfer : buffer.transfers) transfer();
    buffer.transfers.clear();
    const bool returned = buffer.position == Position::vectorCalc || buffer.stage == Stage::free;
    require(returned, "a queue's tensor was not freed before the kernel ended", atTheEnd);
  }
  for (const auto& ofEvent : flags_) {
    const bool waitedFor = std::ranges::all_of(ofEvent, [](std::uint64_t set) { return set == 0; });
    require(waitedFor, "a flag was set and never waited for", atTheEnd);
  }
}

void Core::addPipe(const Where& where) {
  require(++pipes_ == 1, "a kernel has one TPipe", where);
}

std::size_t Core::addMemory(Position position, std::size_t bytes, const Where& where) {
  const std::size_t rounded = (bytes + blockBytes - 1) / blockBytes * blockBytes;
  require(buffers_.size() < mostBuffers, "more than 64 buffers", where);
  require(rounded > 0, "a buffer without bytes", where);
  require(used_ + rounded <= unifiedBufferBytes, "more than the 192 KB of the unified buffer", where);
  buffers_.push_back({position, base_ + used_, rounded, Stage::free, 0, 0, 0, {}});
  std::memset(buffers_.back().begin, poison, rounded);
  used_ += rounded;
  if (selects_) reserveForSelect(where);
  return buffers_.size() - 1;
}

void Core::reserveForSelect(const Where& where) {
  selects_ = true;
  require(used_ + selectReserve <= unifiedBufferBytes, "Select needs 8 KB of the unified buffer for itself", where);
}

std::size_t Core::addQueue(Position position, unsigned depth, unsigned count, std::size_t bytes, const Where& where) {
  require(position != Position::vectorCalc, "a queue is of VECIN or VECOUT, or leads from one to the other", where);
  UbQueue queue{position, depth};
  for (unsigned i = 0; i < count; ++i) queue.buffers.push_back(addMemory(position, bytes, where));
  queues_.push_back(std::move(queue));
  return queues_.size() - 1;
}

std::size_t Core::addBuffer(std::size_t bytes, const Where& where) {
  return addMemory(Position::vectorCalc, bytes, where);
}

Operand Core::wholeBuffer(std::size_t buffer) const {
  const UbBuffer& of = buffers_[buffer];
  return {buffer, of.generation, of.begin, of.bytes};
}

Operand Core::allocate(std::size_t queue, const Where& where) {
  UbQueue& of = queues_[queue];
  require(!of.buffers.empty(), "AllocTensor of a queue that has no buffers", where);
  const std::size_t index = of.buffers[of.next];
  UbBuffer& buffer = buffers_[index];
  require(buffer.stage == Stage::free, "AllocTensor beyond the buffers of the queue", where);
  of.next = (of.next + 1) % of.buffers.size();
  for (const auto& transfer : buffer.transfers) transfer();
  buffer.transfers.clear();
  std::memset(buffer.begin, poison, buffer.bytes);
  buffer.stage = Stage::allocated;
  ++buffer.generation;
  buffer.vectorWrite = buffer.scalarWrite = 0;
  return wholeBuffer(index);
}

void Core::enqueue(std::size_t queue, const Operand& tensor, const Where& where) {
  UbQueue& of = queues_[queue];
  UbBuffer& buffer = bufferOf(tensor, where);
  require(std::ranges::count(of.buffers, tensor.buffer) == 1, "EnQue of another queue's tensor", where);
  require(buffer.stage == Stage::allocated, "EnQue of a tensor that was not allocated", where);
  require(of.queued.size() < of.depth, "EnQue beyond the depth of the queue", where);
  buffer.stage = Stage::queued;
  of.queued.push_back(tensor.buffer);
  if (!takesCopies(of.position) || !byLot()) return;
  for (const auto& transfer : buffer.transfers) transfer();
  buffer.transfers.clear();
}

Operand Core::dequeue(std::size_t queue, const Where& where) {
  UbQueue& of = queues_[queue];
  require(!of.queued.empty(), "DeQue of an empty queue", where);
  const std::size_t index = of.queued.front();
  of.queued.pop_front();
  UbBuffer& buffer = buffers_[index];
  for (const auto& transfer : buffer.transfers) transfer();
  buffer.transfers.clear();
  buffer.stage = Stage::taken;
  return wholeBuffer(index);
}

void Core::release(std::size_t queue, const Operand& tensor, const Where& where) {
  UbQueue& of = queues_[queue];
  require(std::ranges::count(of.buffers, tensor.buffer) == 1, "FreeTensor of another queue's tensor", where);
  UbBuffer& buffer = buffers_[tensor.buffer];
  require(buffer.stage != Stage::free && buffer.generation == tensor.generation, "FreeTensor of a tensor that is free",
          where);
  require(buffer.stage == Stage::taken, "FreeTensor of a tensor that was not dequeued", where);
  buffer.stage = Stage::free;
}

UbBuffer& Core::bufferOf(const Operand& operand, const Where& where) {
  UbBuffer& buffer = buffers_[operand.buffer];
  require(buffer.generation == operand.generation, "use of a tensor that was freed", where);
  require(operand.begin >= buffer.begin && operand.begin + operand.bytes <= buffer.begin + buffer.bytes,
          "an operand reaches beyond its buffer", where);
  return buffer;
}

void Core::checkOperand(const Operand& operand, const Where& where) {
  const UbBuffer& buffer = bufferOf(operand, where);
  const auto offset = static_cast<std::size_t>(operand.begin - base_);
  require(offset % blockBytes == 0, "a vector instruction's operand is not aligned to 32 bytes", where);
  require(buffer.position != Position::passingThrough, "a vector instruction on a tensor that passes through", where);
  if (buffer.position == Position::vectorIn) {
    require(buffer.stage == Stage::taken, "a vector instruction on a VECIN tensor that was not dequeued", where);
  } else if (buffer.position == Position::vectorOut) {
    require(buffer.stage == Stage::allocated,
            "a vector instruction on a VECOUT tensor that is not allocated, or was enqueued", where);
  }
  require(buffer.scalarWrite <= seenByVector_, "a vector instruction on what the scalar unit wrote, without S_V",
          where);
}

void Core::vectorInstruction(const Operand& to, std::initializer_list<Operand> from, const Where& where) {
  checkOperand(to, where);
  for (const Operand& operand : from) {
    checkOperand(operand, where);
    require(!overlap(to, operand) || same(to, operand), "operands overlap and are not the same", where);
  }
  buffers_[to.buffer].vectorWrite = ++clock_;
}

void Core::scalarRead(const Operand& element, const Where& where) {
  const UbBuffer& buffer = bufferOf(element, where);
  const bool copied = takesCopies(buffer.position) && buffer.vectorWrite == 0;
  require(!copied, "GetValue of what a copy brought, without a flag", where);
  require(buffer.vectorWrite <= seenByScalar_, "GetValue of a vector instruction's result, without V_S", where);
}

void Core::scalarWrite(const Operand& element, const Where& where) {
  UbBuffer& buffer = bufferOf(element, where);
  require(buffer.vectorWrite <= seenByScalar_, "SetValue where a vector instruction wrote, without V_S", where);
  buffer.scalarWrite = ++clock_;
}

void Core::setFlag(Event event, int id, const Where& where) {
  require(id >= 0 && id < eventIds, "an event's number is 0 to 7", where);
  auto& set = flags_[indexOf(event)][static_cast<std::size_t>(id)];
  require(set == 0, "SetFlag of a flag that is set", where);
  set = ++clock_;
}

void Core::waitFlag(Event event, int id, const Where& where) {
  require(id >= 0 && id < eventIds, "an event's number is 0 to 7", where);
  auto& set = flags_[indexOf(event)][static_cast<std::size_t>(id)];
  require(set != 0, "WaitFlag of a flag that nobody set: a device would wait forever", where);
  (event == Event::vectorToScalar ? seenByScalar_ : seenByVector_) = std::exchange(set, 0);
}

void Core::copyIn(const Operand& to, std::function<void()> copy, const Where& where) {
  UbBuffer& buffer = bufferOf(to, where);
  const bool fits = takesCopies(buffer.position) && buffer.stage == Stage::allocated;
  require(fits, "a copy into a tensor that is not of VECIN and allocated", where);
  buffer.transfers.push_back(std::move(copy));
}

void Core::copyOut(const Operand& from, std::function<void()> copy, const Where& where) {
  UbBuffer& buffer = bufferOf(from, where);
  const bool fits = givesCopies(buffer.position) && buffer.stage == Stage::taken;
  require(fits, "a copy out of a tensor that is not of VECOUT and dequeued", where);
  if (byLot()) {
    copy();
  } else {
    buffer.transfers.push_back(std::move(copy));
  }
}

void Core::readsGlobal(const void* begin, std::size_t bytes, const Where& where) {
  require(accesses_->read(block_, begin, bytes), "global memory is read that a block of the launch writes", where);
}

void Core::writesGlobal(const void* begin, std::size_t bytes, const Where& where) {
  require(accesses_->write(block_, begin, bytes),
          "global memory is written that another block of the launch reads or writes", where);
}

}  // namespace slipstream::twin
