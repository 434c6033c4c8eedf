// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <initializer_list>
#include <random>
#include <source_location>
#include <string>
#include <vector>

#include "engine/npu/twin/global_accesses.h"

namespace slipstream::twin {

using Where = std::source_location;

/// Sizes of a vector core of an Atlas A2 (dav-2201), from the public documentation of Ascend C.
inline constexpr std::size_t unifiedBufferBytes = std::size_t{192} << 10;
inline constexpr std::size_t selectReserve = std::size_t{8} << 10;  ///< what Select takes for itself
inline constexpr std::size_t mostBuffers = 64;
inline constexpr std::size_t blockBytes = 32;

/// What a buffer of the unified buffer is for.
enum class Position { vectorIn, vectorOut, vectorCalc, passingThrough };

/// Where a queue's buffer is in its cycle. A VECIN buffer is filled while `allocated` and computed with while `taken`;
/// a VECOUT buffer is written by vector instructions while `allocated` and copied out while `taken`. One that passes
/// through is filled while `allocated` and copied out while `taken`.
enum class Stage { free, allocated, queued, taken };

struct UbBuffer {
  Position position;
  std::byte* begin;
  std::size_t bytes;
  Stage stage = Stage::free;
  unsigned generation = 0;                       ///< how often it was given out: an older tensor must not be used
  std::uint64_t vectorWrite = 0;                 ///< when a vector instruction wrote to it last
  std::uint64_t scalarWrite = 0;                 ///< when the scalar unit did
  std::vector<std::function<void()>> transfers;  ///< copies that were started and have not happened
};

struct UbQueue {
  Position position;
  unsigned depth;
  std::vector<std::size_t> buffers = {};  ///< indices, given out in turn
  std::size_t next = 0;
  std::deque<std::size_t> queued = {};
};

/// Part of a buffer that an instruction reads or writes.
struct Operand {
  std::size_t buffer;
  unsigned generation;
  std::byte* begin;
  std::size_t bytes;
};

/// The events between units that kernels may wait for.
enum class Event { vectorToScalar, scalarToVector };

/// One vector core that executes blocks of a kernel on the host, one after the other, and watches the laws of the
/// hardware. What breaks one ends the program with the kernel, the block and the line of the source: such a kernel
/// would give wrong results on a device, or hang. Vector instructions happen at once; copies between global memory and
/// the unified buffer as late as queues allow, or earlier, at random.
class Core {
 public:
  explicit Core(std::uint64_t seed);

  /// The core that executes a block on this thread. Ends the program where none does.
  static Core& current(const Where& where);

  /// Executes one block: `body` calls the kernel's function.
  void runBlock(const char* kernel, unsigned block, unsigned blocks, GlobalAccesses& accesses,
                const std::function<void()>& body);

  unsigned block() const { return block_; }
  unsigned blocks() const { return blocks_; }

  std::size_t addQueue(Position position, unsigned depth, unsigned count, std::size_t bytes, const Where& where);
  std::size_t addBuffer(std::size_t bytes, const Where& where);
  Operand wholeBuffer(std::size_t buffer) const;
  Operand allocate(std::size_t queue, const Where& where);
  void enqueue(std::size_t queue, const Operand& tensor, const Where& where);
  Operand dequeue(std::size_t queue, const Where& where);
  void release(std::size_t queue, const Operand& tensor, const Where& where);

  /// Checks the operands of a vector instruction, and marks `to` as written by the vector unit.
  void vectorInstruction(const Operand& to, std::initializer_list<Operand> from, const Where& where);
  /// Select keeps part of the unified buffer for itself.
  void reserveForSelect(const Where& where);
  void scalarRead(const Operand& element, const Where& where);
  void scalarWrite(const Operand& element, const Where& where);
  void setFlag(Event event, int id, const Where& where);
  void waitFlag(Event event, int id, const Where& where);

  /// Starts a copy into (out of) a queue's tensor.
  void copyIn(const Operand& to, std::function<void()> copy, const Where& where);
  void copyOut(const Operand& from, std::function<void()> copy, const Where& where);
  void readsGlobal(const void* begin, std::size_t bytes, const Where& where);
  void writesGlobal(const void* begin, std::size_t bytes, const Where& where);

  void addPipe(const Where& where);

  /// Ends the program, unless the law holds.
  void require(bool holds, const char* law, const Where& where) const {
    if (!holds) broken(law, where);
  }
  [[noreturn]] void broken(const std::string& law, const Where& where) const;

 private:
  static constexpr int eventIds = 8;

  bool byLot() { return (random_() & 1U) != 0; }
  UbBuffer& bufferOf(const Operand& operand, const Where& where);
  std::size_t addMemory(Position position, std::size_t bytes, const Where& where);
  void checkOperand(const Operand& operand, const Where& where);
  void finishBlock();
  void reset();

  std::vector<std::byte> memory_;
  std::byte* base_;
  std::mt19937_64 random_;
  const char* kernel_ = "";
  unsigned block_ = 0;
  unsigned blocks_ = 0;
  GlobalAccesses* accesses_ = nullptr;
  std::vector<UbBuffer> buffers_;
  std::vector<UbQueue> queues_;
  std::size_t used_ = 0;
  std::size_t pipes_ = 0;
  bool selects_ = false;
  std::uint64_t clock_ = 0;
  std::uint64_t seenByScalar_ = 0;
  std::uint64_t seenByVector_ = 0;
  std::array<std::array<std::uint64_t, eventIds>, 2> flags_{};  ///< when it was set; 0: it is not
};

}  // namespace slipstream::twin
