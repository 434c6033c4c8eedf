// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agreed_numbers.h"
#include "kernel_operator.h"

/// What the product's Ascend C kernels share: how vectors that begin anywhere come to a vector core and leave it, and
/// the tables that the host makes. Included by kernel sources only.
namespace slipstream_npu {

using Vector = AscendC::LocalTensor<float>;
using InQueue = AscendC::TQue<AscendC::TPosition::VECIN, 2>;
using OutQueue = AscendC::TQue<AscendC::TPosition::VECOUT, 2>;
using Memory = AscendC::TBuf<AscendC::TPosition::VECCALC>;

constexpr int32_t repeat = 64;  ///< floats in a repeat of 256 bytes
constexpr uint32_t tileBytes = tileElements * 4;
constexpr uint32_t wideTileBytes = wideTileElements * 4;

__aicore__ inline int32_t roundedUp(int32_t count, int32_t step) {
  return (count + step - 1) / step * step;
}

/// `count` floats from anywhere in global memory, followed by zeros up to a whole block. To be freed.
__aicore__ inline Vector load(InQueue& queue, __gm__ float* from, int32_t count) {
  Vector filled = queue.AllocTensor<float>();
  AscendC::GlobalTensor<float> source;
  source.SetGlobalBuffer(from, static_cast<uint64_t>(count));
  const AscendC::DataCopyExtParams params{1, static_cast<uint32_t>(count) * 4U, 0, 0, 0};
  const int32_t missing = roundedUp(count, lanes) - count;
  const AscendC::DataCopyPadExtParams<float> pad{true, 0, static_cast<uint8_t>(missing), 0.0f};
  AscendC::DataCopyPad(filled, source, params, pad);
  queue.EnQue(filled);
  return queue.DeQue<float>();
}

/// The first `count` elements of a tensor of VECOUT that was dequeued.
template <class T>
__aicore__ inline void store(__gm__ T* to, const AscendC::LocalTensor<T>& from, int32_t count) {
  AscendC::GlobalTensor<T> target;
  target.SetGlobalBuffer(to, static_cast<uint64_t>(count));
  const AscendC::DataCopyExtParams params{1, static_cast<uint32_t>(count * static_cast<int32_t>(sizeof(T))), 0, 0, 0};
  AscendC::DataCopyPad(target, from, params);
}

/// Stores a computed tensor and frees it.
template <class T>
__aicore__ inline void finish(OutQueue& queue, AscendC::LocalTensor<T>& computed, __gm__ T* to, int32_t count) {
  queue.EnQue(computed);
  AscendC::LocalTensor<T> ready = queue.DeQue<T>();
  store(to, ready, count);
  queue.FreeTensor(ready);
}

/// Lets the scalar unit read what vector instructions have computed.
__aicore__ inline void letScalarSeeVectors(AscendC::TPipe& pipe) {
  const event_t event = static_cast<event_t>(pipe.FetchEventID(AscendC::HardEvent::V_S));
  AscendC::SetFlag<AscendC::HardEvent::V_S>(event);
  AscendC::WaitFlag<AscendC::HardEvent::V_S>(event);
}

/// Entry `index` of a table of addresses.
__aicore__ inline __gm__ float* addressAt(GM_ADDR table, uint32_t index) {
  AscendC::GlobalTensor<uint64_t> addresses;
  addresses.SetGlobalBuffer(reinterpret_cast<__gm__ uint64_t*>(table) + index, 1);
  return reinterpret_cast<__gm__ float*>(addresses.GetValue(0));
}

/// Consecutive elements of some vectors, as NpuTile is in memory.
struct Tile {
  uint64_t start;
  int32_t elements;
  uint32_t of;
};

__aicore__ inline Tile tileAt(GM_ADDR table, uint32_t index) {
  AscendC::GlobalTensor<uint32_t> words;
  words.SetGlobalBuffer(reinterpret_cast<__gm__ uint32_t*>(table) + 4 * static_cast<uint64_t>(index), 4);
  const uint64_t low = words.GetValue(0);
  const uint64_t high = words.GetValue(1);
  return {low | high << 32U, static_cast<int32_t>(words.GetValue(2)), words.GetValue(3)};
}

/// Part `index` of a vector of `elements` that is cut into parts of `most`.
__aicore__ inline Tile partAt(uint64_t elements, uint32_t index, int32_t most) {
  const uint64_t start = static_cast<uint64_t>(index) * static_cast<uint64_t>(most);
  const uint64_t left = elements - start;
  const bool whole = left >= static_cast<uint64_t>(most);
  return {start, whole ? most : static_cast<int32_t>(left), 0};
}

__aicore__ inline uint32_t partsOf(uint64_t elements, int32_t most) {
  return static_cast<uint32_t>((elements + static_cast<uint64_t>(most) - 1) / static_cast<uint64_t>(most));
}

__aicore__ inline uint32_t firstOfBlock() {
  return static_cast<uint32_t>(AscendC::GetBlockIdx());
}
__aicore__ inline uint32_t blockStep() {
  return static_cast<uint32_t>(AscendC::GetBlockNum());
}

/// The float of these bits.
__aicore__ inline float floatOf(uint32_t bits) {
  union {
    uint32_t bits;
    float value;
  } both;
  both.bits = bits;
  return both.value;
}

}  // namespace slipstream_npu
