// SPDX-License-Identifier: GPL-3.0-or-later
// Ascend C: Adasum's dot products and combinations, in sums of floats.
#include "../../npu/kernels/weighted_sum.h"

namespace slipstream_npu {
namespace {

constexpr uint32_t mantissaBits = 23;

/// A power of two and its inverse, as bits of floats.
struct Scale {
  uint32_t up;
  uint32_t inverse;
};

/// That which brings numbers up to `largest` near 1. Products of what it scales are floats with exact errors.
__aicore__ inline Scale scaleFor(uint32_t largest) {
  constexpr uint32_t most = 253;  // both are normal numbers
  uint32_t exponent = largest >> mantissaBits;
  if (exponent < 1) exponent = 1;
  if (exponent > most) exponent = most;
  return {(254 - exponent) << mantissaBits, exponent << mantissaBits};
}

/// Per tile: of every leaf eight times its scale's inverse (0: it holds what is no number, and its pairs mean nothing),
/// then of every pair (i, j), i <= j, in rows `Parts` times eight floats that add up to its scaled dot product.
template <uint32_t Parts>
class Dots {
 public:
  __aicore__ inline Dots(GM_ADDR leaves, uint32_t count) : leaves_(leaves), count_(count) {
    pipe_.InitBuffer(left_, 2, tileBytes);
    pipe_.InitBuffer(right_, 2, tileBytes);
    pipe_.InitBuffer(out_, 2, mostLeaves * Parts * lanes * 4);
    for (uint32_t k = 0; k < vectors; ++k) pipe_.InitBuffer(memory_[k], tileBytes);
    pipe_.InitBuffer(upperHalf_, tileBytes);
    pipe_.InitBuffer(found_, 2 * lanes * 4);
    makeUpperHalfBits(upperHalf_.Get<uint32_t>(), tileElements);
  }

  __aicore__ inline void run(const Tile& tile, __gm__ float* to) {
    findScales(tile, to);
    to += lanes * count_;
    for (uint32_t i = 0; i < count_; ++i) {
      row(tile, i, to);
      to += static_cast<uint64_t>(count_ - i) * Parts * lanes;
    }
  }

 private:
  static constexpr uint32_t vectors = 9 + Parts;

  __aicore__ inline Vector memory(uint32_t which) { return memory_[which].template Get<float>(); }

  __aicore__ inline void findScales(const Tile& tile, __gm__ float* to) {
    Vector inverses = out_.AllocTensor<float>();
    const int32_t count = roundedUp(tile.elements, lanes);
    const Vector found = found_.Get<float>();
    for (uint32_t i = 0; i < count_; ++i) {
      Vector values = load(left_, addressAt(leaves_, i) + tile.start, tile.elements);
      AscendC::Abs(memory(0), values, count);
      AscendC::ReduceMax(found, memory(0), memory(1), count);
      AscendC::Sub(memory(0), values, values, count);  // zeros, but for what is no number
      AscendC::ReduceSum(found[lanes], memory(0), memory(1), count);
      left_.FreeTensor(values);
      letScalarSeeVectors(pipe_);
      const bool numbers = found.GetValue(lanes) == 0.0f;
      const Scale scale = scaleFor(found.ReinterpretCast<uint32_t>().GetValue(0));
      scales_[i] = floatOf(scale.up);
      AscendC::Duplicate(inverses[i * lanes], numbers ? floatOf(scale.inverse) : 0.0f, lanes);
    }
    finish(out_, inverses, to, static_cast<int32_t>(count_) * lanes);
  }

  /// The pairs of leaf i with itself and those behind it.
  __aicore__ inline void row(const Tile& tile, uint32_t i, __gm__ float* to) {
    const int32_t count = roundedUp(tile.elements, lanes);
    const Vector a = memory(0);
    const Halves ofA{memory(1), memory(2)};
    scaled(left_, i, tile, a);
    split(a, ofA, upperHalf_.Get<uint32_t>(), count);
    Vector dots = out_.AllocTensor<float>();
    for (uint32_t j = i; j < count_; ++j) {
      const Vector b = memory(3);
      const Halves ofB{memory(4), memory(5)};
      scaled(right_, j, tile, b);
      split(b, ofB, upperHalf_.Get<uint32_t>(), count);
      Expansion<Parts> sums;
      for (uint32_t k = 0; k < Parts; ++k) sums.part[k] = memory(9 + k);
      twoProduct(a, ofA, b, ofB, sums.part[0], sums.part[1], memory(6), count);
      for (uint32_t k = 2; k < Parts; ++k) AscendC::Duplicate(sums.part[k], 0.0f, count);
      fold(sums, {memory(7), memory(8)}, count);
      writeFolded(sums, dots[(j - i) * Parts * lanes]);
    }
    finish(out_, dots, to, static_cast<int32_t>((count_ - i) * Parts) * lanes);
  }

  __aicore__ inline void scaled(InQueue& queue, uint32_t leaf, const Tile& tile, const Vector& to) {
    Vector values = load(queue, addressAt(leaves_, leaf) + tile.start, tile.elements);
    AscendC::Muls(to, values, scales_[leaf], roundedUp(tile.elements, lanes));
    queue.FreeTensor(values);
  }

  GM_ADDR leaves_;
  uint32_t count_;
  float scales_[mostLeaves];
  AscendC::TPipe pipe_;
  InQueue left_;
  InQueue right_;
  OutQueue out_;
  Memory memory_[vectors];
  Memory upperHalf_;
  Memory found_;
};

template <uint32_t Parts>
__aicore__ inline void dotsOfTiles(GM_ADDR leaves, uint32_t count, GM_ADDR tiles, uint32_t tileCount,
                                   GM_ADDR partials) {
  Dots<Parts> dots(leaves, count);
  const uint64_t ofTile =
      (static_cast<uint64_t>(count) + static_cast<uint64_t>(count) * (count + 1) / 2 * Parts) * lanes;
  for (uint32_t index = firstOfBlock(); index < tileCount; index += blockStep()) {
    dots.run(tileAt(tiles, index), reinterpret_cast<__gm__ float*>(partials) + ofTile * index);
  }
}

}  // namespace
}  // namespace slipstream_npu

/// `leaves`: their addresses, at most mostLeaves. What it leaves of a tile at `partials`: class Dots.
extern "C" __global__ __aicore__ void slipstream_adasum_dots(GM_ADDR leaves, uint32_t count, GM_ADDR tiles,
                                                             uint32_t tileCount, GM_ADDR partials) {
  using namespace slipstream_npu;
  dotsOfTiles<sumParts>(leaves, count, tiles, tileCount, partials);
}

extern "C" __global__ __aicore__ void slipstream_adasum_exact_dots(GM_ADDR leaves, uint32_t count, GM_ADDR tiles,
                                                                   uint32_t tileCount, GM_ADDR partials) {
  using namespace slipstream_npu;
  dotsOfTiles<exactSumParts>(leaves, count, tiles, tileCount, partials);
}

/// What the tables are: WeightedSumTables.
extern "C" __global__ __aicore__ void slipstream_adasum_combine(GM_ADDR vectors, GM_ADDR coefficients, GM_ADDR tiles,
                                                                uint32_t count, uint32_t outputs, uint32_t tileCount) {
  using namespace slipstream_npu;
  WeightedSum<sumParts>({vectors, coefficients, tiles, count, outputs, tileCount}).run();
}

extern "C" __global__ __aicore__ void slipstream_adasum_exact_combine(GM_ADDR vectors, GM_ADDR coefficients,
                                                                      GM_ADDR tiles, uint32_t count, uint32_t outputs,
                                                                      uint32_t tileCount) {
  using namespace slipstream_npu;
  WeightedSum<exactSumParts>({vectors, coefficients, tiles, count, outputs, tileCount}).run();
}
