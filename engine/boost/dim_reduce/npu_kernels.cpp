// SPDX-License-Identifier: GPL-3.0-or-later
// Ascend C: projections onto rows and back, steps outside of them, and products of centred rows.
#include "../../npu/kernels/weighted_sum.h"

namespace slipstream_npu {
namespace {

/// What is done element by element.
class Elementwise {
 public:
  __aicore__ inline Elementwise() {
    pipe_.InitBuffer(left_, 2, tileBytes);
    pipe_.InitBuffer(right_, 2, tileBytes);
    pipe_.InitBuffer(less_, 2, tileBytes);
    pipe_.InitBuffer(out_, 2, tileBytes);
    pipe_.InitBuffer(memory_, tileBytes);
  }

  __aicore__ inline void residualStep(float decay, __gm__ float* gradient, __gm__ float* inside, __gm__ float* momentum,
                                      const Tile& tile) {
    const Vector outside = memory_.Get<float>();
    Vector all = load(left_, gradient + tile.start, tile.elements);
    Vector part = load(right_, inside + tile.start, tile.elements);
    Vector before = load(less_, momentum + tile.start, tile.elements);
    Vector after = out_.AllocTensor<float>();
    AscendC::Sub(outside, all, part, tile.elements);
    AscendC::Muls(after, before, decay, tile.elements);
    AscendC::Add(after, after, outside, tile.elements);
    left_.FreeTensor(all);
    right_.FreeTensor(part);
    less_.FreeTensor(before);
    finish(out_, after, momentum + tile.start, tile.elements);
  }

  __aicore__ inline void moveAlong(__gm__ float* start, float rate, __gm__ float* direction, __gm__ float* moved,
                                   const Tile& tile) {
    const Vector along = memory_.Get<float>();
    Vector from = load(left_, start + tile.start, tile.elements);
    Vector way = load(right_, direction + tile.start, tile.elements);
    Vector to = out_.AllocTensor<float>();
    AscendC::Muls(along, way, rate, tile.elements);
    AscendC::Add(to, from, along, tile.elements);
    left_.FreeTensor(from);
    right_.FreeTensor(way);
    finish(out_, to, moved + tile.start, tile.elements);
  }

 private:
  AscendC::TPipe pipe_;
  InQueue left_;
  InQueue right_;
  InQueue less_;
  OutQueue out_;
  Memory memory_;
};

/// Rows of a matrix in global memory.
struct Rows {
  __gm__ float* values;
  uint32_t count;
  uint64_t stride;

  __aicore__ inline __gm__ float* at(uint32_t row, uint64_t column) const { return values + row * stride + column; }
};

/// Dot products of rows, tile by tile.
class Products {
 public:
  __aicore__ inline Products() {
    pipe_.InitBuffer(in_, 2, tileBytes);
    pipe_.InitBuffer(out_, 2, foldedFloats * 4);
    for (uint32_t k = 0; k < vectors; ++k) pipe_.InitBuffer(memory_[k], tileBytes);
    pipe_.InitBuffer(upperHalf_, tileBytes);
    makeUpperHalfBits(upperHalf_.Get<uint32_t>(), tileElements);
  }

  /// Leaves the dot product of every row with the vector at to + foldedFloats * row.
  __aicore__ inline void project(const Rows& rows, __gm__ float* vector, const Tile& tile, __gm__ float* to) {
    const int32_t count = roundedUp(tile.elements, lanes);
    const Side a{memory(0), memory(1), {memory(2), memory(3)}};
    const Side b{memory(4), memory(5), {memory(6), memory(7)}};
    fetch(vector + tile.start, tile.elements, a);
    for (uint32_t row = 0; row < rows.count; ++row) {
      fetch(rows.at(row, tile.start), tile.elements, b);
      twoProduct(a.values, a.halves, b.values, b.halves, memory(8), memory(9), memory(10), count);
      leave(to + static_cast<uint64_t>(foldedFloats) * row, count);
    }
  }

  /// Leaves those of row `i` with itself and all behind it, less the mean of all rows, one behind the other.
  __aicore__ inline void centredRow(const Rows& rows, uint32_t i, const Tile& tile, __gm__ float* to) {
    const int32_t count = roundedUp(tile.elements, lanes);
    const Side a{memory(0), memory(1), {memory(2), memory(3)}};
    const Side b{memory(4), memory(5), {memory(6), memory(7)}};
    centre(rows.at(i, tile.start), tile.elements, a);
    for (uint32_t j = i; j < rows.count; ++j) {
      centre(rows.at(j, tile.start), tile.elements, b);
      twoProduct(a.values, a.halves, b.values, b.halves, memory(8), memory(9), memory(10), count);
      AscendC::Mul(memory(10), a.values, b.rest, count);
      AscendC::Add(memory(9), memory(9), memory(10), count);
      AscendC::Mul(memory(10), a.rest, b.values, count);
      AscendC::Add(memory(9), memory(9), memory(10), count);
      leave(to + static_cast<uint64_t>(foldedFloats) * (j - i), count);
    }
  }

  /// The negative of the rows' mean in two floats: the sum, and what division leaves of it divided once more.
  __aicore__ inline void findMean(const Rows& rows, const Tile& tile) {
    const int32_t count = roundedUp(tile.elements, lanes);
    const Expansion<2> sums{{memory(11), memory(12)}};
    const Spare spare{memory(8), memory(9)};
    AscendC::Duplicate(sums.part[0], 0.0f, count);
    AscendC::Duplicate(sums.part[1], 0.0f, count);
    for (uint32_t row = 0; row < rows.count; ++row) {
      Vector values = load(in_, rows.at(row, tile.start), tile.elements);
      AscendC::Muls(memory(10), values, -1.0f, count);
      in_.FreeTensor(values);
      addTo(sums, 0, memory(10), spare, count);
    }
    divide(sums, static_cast<float>(rows.count), count);
  }

 private:
  static constexpr uint32_t vectors = 13;

  /// A vector of one or two floats an element, and the first ones cut.
  struct Side {
    Vector values;
    Vector rest;
    Halves halves;
  };

  __aicore__ inline Vector memory(uint32_t which) { return memory_[which].Get<float>(); }

  __aicore__ inline void fetch(__gm__ float* from, int32_t elements, const Side& to) {
    const int32_t count = roundedUp(elements, lanes);
    Vector values = load(in_, from, elements);
    AscendC::Muls(to.values, values, 1.0f, count);
    in_.FreeTensor(values);
    split(to.values, to.halves, upperHalf_.Get<uint32_t>(), count);
  }

  /// The same, and the mean's negative added.
  __aicore__ inline void centre(__gm__ float* from, int32_t elements, const Side& to) {
    const int32_t count = roundedUp(elements, lanes);
    const Spare spare{memory(8), memory(9)};
    Vector values = load(in_, from, elements);
    AscendC::Muls(to.values, values, 1.0f, count);
    in_.FreeTensor(values);
    AscendC::Muls(to.rest, memory(11), 1.0f, count);
    twoSum(to.values, to.rest, spare, count);
    AscendC::Add(to.rest, to.rest, memory(12), count);
    twoSum(to.values, to.rest, spare, count);
    split(to.values, to.halves, upperHalf_.Get<uint32_t>(), count);
  }

  /// sums /= by, whose quotient's error is at most the last digits of the second part.
  __aicore__ inline void divide(const Expansion<2>& sums, float by, int32_t count) {
    const Side sum{sums.part[0], sums.part[1], {memory(2), memory(3)}};
    const Side quotient{memory(4), memory(5), {memory(6), memory(7)}};
    const Vector divisor = memory(0);
    AscendC::Duplicate(divisor, by, count);
    AscendC::Div(quotient.values, sum.values, divisor, count);
    split(quotient.values, quotient.halves, upperHalf_.Get<uint32_t>(), count);
    split(divisor, sum.halves, upperHalf_.Get<uint32_t>(), count);
    twoProduct(quotient.values, quotient.halves, divisor, sum.halves, memory(8), memory(9), memory(10), count);
    AscendC::Sub(sum.values, sum.values, memory(8), count);
    AscendC::Sub(sum.values, sum.values, memory(9), count);
    AscendC::Add(sum.values, sum.values, sum.rest, count);
    AscendC::Div(sum.rest, sum.values, divisor, count);
    AscendC::Muls(sum.values, quotient.values, 1.0f, count);
  }

  /// Adds up the products and their errors (memory 8 and 9).
  __aicore__ inline void leave(__gm__ float* to, int32_t count) {
    const Expansion<2> sums{{memory(8), memory(9)}};
    fold(sums, {memory(10), memory(7)}, count);
    Vector folded = out_.AllocTensor<float>();
    writeFolded(sums, folded);
    finish(out_, folded, to, foldedFloats);
  }

  AscendC::TPipe pipe_;
  InQueue in_;
  OutQueue out_;
  Memory memory_[vectors];
  Memory upperHalf_;
};

}  // namespace
}  // namespace slipstream_npu

/// Leaves at partials + foldedFloats * (rows * tile + row) so many floats, which add up to the tile's part of a dot
/// product.
extern "C" __global__ __aicore__ void slipstream_project(GM_ADDR rows, uint32_t rowCount, uint64_t stride,
                                                         GM_ADDR vector, uint64_t elements, GM_ADDR partials) {
  using namespace slipstream_npu;
  Products products;
  const Rows matrix{reinterpret_cast<__gm__ float*>(rows), rowCount, stride};
  for (uint32_t index = firstOfBlock(); index < partsOf(elements, tileElements); index += blockStep()) {
    products.project(
        matrix, reinterpret_cast<__gm__ float*>(vector), partAt(elements, index, tileElements),
        reinterpret_cast<__gm__ float*>(partials) + static_cast<uint64_t>(foldedFloats) * rowCount * index);
  }
}

/// What the tables are: WeightedSumTables.
extern "C" __global__ __aicore__ void slipstream_back_project(GM_ADDR vectors, GM_ADDR coefficients, GM_ADDR tiles,
                                                              uint32_t count, uint32_t outputs, uint32_t tileCount) {
  using namespace slipstream_npu;
  WeightedSum<sumParts>({vectors, coefficients, tiles, count, outputs, tileCount}).run();
}

extern "C" __global__ __aicore__ void slipstream_residual_step(float decay, GM_ADDR gradient, GM_ADDR inside,
                                                               GM_ADDR momentum, uint64_t elements) {
  using namespace slipstream_npu;
  Elementwise work;
  for (uint32_t index = firstOfBlock(); index < partsOf(elements, tileElements); index += blockStep()) {
    work.residualStep(decay, reinterpret_cast<__gm__ float*>(gradient), reinterpret_cast<__gm__ float*>(inside),
                      reinterpret_cast<__gm__ float*>(momentum), partAt(elements, index, tileElements));
  }
}

extern "C" __global__ __aicore__ void slipstream_move_along(GM_ADDR start, float rate, GM_ADDR direction, GM_ADDR moved,
                                                            uint64_t elements) {
  using namespace slipstream_npu;
  Elementwise work;
  for (uint32_t index = firstOfBlock(); index < partsOf(elements, tileElements); index += blockStep()) {
    work.moveAlong(reinterpret_cast<__gm__ float*>(start), rate, reinterpret_cast<__gm__ float*>(direction),
                   reinterpret_cast<__gm__ float*>(moved), partAt(elements, index, tileElements));
  }
}

/// Of `elements` columns leaves for every tile and pair of rows (i, j), i <= j, in rows, foldedFloats numbers that add
/// up to the tile's part of the centred rows' dot product.
extern "C" __global__ __aicore__ void slipstream_centred_gram(GM_ADDR rows, uint32_t rowCount, uint64_t stride,
                                                              uint64_t elements, GM_ADDR partials) {
  using namespace slipstream_npu;
  Products products;
  const Rows matrix{reinterpret_cast<__gm__ float*>(rows), rowCount, stride};
  const uint64_t ofTile = static_cast<uint64_t>(rowCount) * (rowCount + 1) / 2 * foldedFloats;
  for (uint32_t index = firstOfBlock(); index < partsOf(elements, tileElements); index += blockStep()) {
    const Tile tile = partAt(elements, index, tileElements);
    __gm__ float* to = reinterpret_cast<__gm__ float*>(partials) + ofTile * index;
    products.findMean(matrix, tile);
    for (uint32_t i = 0; i < rowCount; ++i) {
      products.centredRow(matrix, i, tile, to);
      to += static_cast<uint64_t>(foldedFloats) * (rowCount - i);
    }
  }
}
