// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <limits>

#include "engine/npu/twin/tensors.h"

enum event_t { EVENT_ID0, EVENT_ID1, EVENT_ID2, EVENT_ID3, EVENT_ID4, EVENT_ID5, EVENT_ID6, EVENT_ID7 };
enum pipe_t { PIPE_S, PIPE_V, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_ALL };

namespace AscendC {

enum class TPosition : std::uint8_t { VECIN, VECOUT, VECCALC };
using QuePosition = TPosition;
enum class HardEvent : std::uint8_t { V_S, S_V };
using TEventID = std::int8_t;

constexpr slipstream::twin::Position positionOf(TPosition source, TPosition target) {
  if (source == TPosition::VECIN && target == TPosition::VECOUT) return slipstream::twin::Position::passingThrough;
  if (source != target) return slipstream::twin::Position::vectorCalc;
  if (source == TPosition::VECIN) return slipstream::twin::Position::vectorIn;
  if (source == TPosition::VECOUT) return slipstream::twin::Position::vectorOut;
  return slipstream::twin::Position::vectorCalc;
}

constexpr slipstream::twin::Event eventOf(HardEvent event) {
  return event == HardEvent::V_S ? slipstream::twin::Event::vectorToScalar : slipstream::twin::Event::scalarToVector;
}

/// Of a queue or a buffer to which InitBuffer has not given memory.
inline constexpr std::size_t noMemory = std::numeric_limits<std::size_t>::max();

/// Buffers that travel between two units: from VECIN to VECOUT, from a copy inward to one outward.
template <TPosition source, TPosition target, std::int32_t depth>
class TQueBind {
 public:
  template <class T>
  LocalTensor<T> AllocTensor(Where where = Where::current()) {
    return LocalTensor<T>(Core::current(where).allocate(index(where), where));
  }
  template <class T>
  bool EnQue(const LocalTensor<T>& tensor, Where where = Where::current()) {
    Core::current(where).enqueue(index(where), tensor.memory(), where);
    return true;
  }
  template <class T>
  LocalTensor<T> DeQue(Where where = Where::current()) {
    return LocalTensor<T>(Core::current(where).dequeue(index(where), where));
  }
  template <class T>
  void FreeTensor(LocalTensor<T>& tensor, Where where = Where::current()) {
    Core::current(where).release(index(where), tensor.memory(), where);
  }

 private:
  friend class TPipe;
  std::size_t index(const Where& where) const {
    Core::current(where).require(index_ != noMemory, "a TQue was not given memory by InitBuffer", where);
    return index_;
  }

  std::size_t index_ = noMemory;
};

/// Buffers that travel between a copy and vector instructions.
template <TPosition position, std::int32_t depth>
class TQue : public TQueBind<position, position, depth> {};

/// Memory that only vector instructions use.
template <TPosition position>
class TBuf {
 public:
  template <class T>
  LocalTensor<T> Get(Where where = Where::current()) {
    return LocalTensor<T>(Core::current(where).wholeBuffer(index(where)));
  }

 private:
  friend class TPipe;
  std::size_t index(const Where& where) const {
    Core::current(where).require(index_ != noMemory, "a TBuf was not given memory by InitBuffer", where);
    return index_;
  }

  std::size_t index_ = noMemory;
};

class TPipe {
 public:
  explicit TPipe(Where where = Where::current()) { Core::current(where).addPipe(where); }
  TPipe(const TPipe&) = delete;
  TPipe& operator=(const TPipe&) = delete;

  template <TPosition source, TPosition target, std::int32_t depth>
  bool InitBuffer(TQueBind<source, target, depth>& queue, std::uint8_t count, std::uint32_t bytes,
                  Where where = Where::current()) {
    queue.index_ = Core::current(where).addQueue(positionOf(source, target), depth, count, bytes, where);
    return true;
  }
  template <TPosition position>
  bool InitBuffer(TBuf<position>& buffer, std::uint32_t bytes, Where where = Where::current()) {
    buffer.index_ = Core::current(where).addBuffer(bytes, where);
    return true;
  }
  /// A number that no flag of the event uses: kernels wait for a flag as soon as they have set it.
  TEventID FetchEventID(HardEvent) { return 0; }
};

template <HardEvent event>
void SetFlag(std::int32_t id, Where where = Where::current()) {
  Core::current(where).setFlag(eventOf(event), id, where);
}
template <HardEvent event>
void WaitFlag(std::int32_t id, Where where = Where::current()) {
  Core::current(where).waitFlag(eventOf(event), id, where);
}

/// Instructions of one unit happen in order in the twin.
template <pipe_t pipe>
void PipeBarrier() {}

}  // namespace AscendC
