// SPDX-License-Identifier: GPL-3.0-or-later
// Ascend C: sums of rows, and their means taken out of a gradient.
#include "../../npu/kernels/two_float.h"

namespace slipstream_npu {
namespace {

class RowSums {
 public:
  __aicore__ inline RowSums() {
    pipe_.InitBuffer(in_, 2, tileBytes);
    pipe_.InitBuffer(out_, 2, foldedFloats * 4);
    for (int32_t k = 0; k < 4; ++k) pipe_.InitBuffer(memory_[k], tileBytes);
  }

  __aicore__ inline void sum(__gm__ float* values, int32_t elements, __gm__ float* to) {
    const int32_t count = roundedUp(elements, lanes);
    const Expansion<2> sums{{memory_[0].Get<float>(), memory_[1].Get<float>()}};
    Vector tile = load(in_, values, elements);
    AscendC::Muls(sums.part[0], tile, 1.0f, count);
    AscendC::Duplicate(sums.part[1], 0.0f, count);
    in_.FreeTensor(tile);
    fold(sums, {memory_[2].Get<float>(), memory_[3].Get<float>()}, count);
    Vector folded = out_.AllocTensor<float>();
    writeFolded(sums, folded);
    finish(out_, folded, to, foldedFloats);
  }

 private:
  AscendC::TPipe pipe_;
  InQueue in_;
  OutQueue out_;
  Memory memory_[4];
};

}  // namespace
}  // namespace slipstream_npu

/// Leaves at sums + foldedFloats * tile so many floats, which add up to the tile's sum.
extern "C" __global__ __aicore__ void slipstream_row_sums(GM_ADDR values, GM_ADDR tiles, uint32_t tileCount,
                                                          GM_ADDR sums) {
  using namespace slipstream_npu;
  RowSums rows;
  for (uint32_t index = firstOfBlock(); index < tileCount; index += blockStep()) {
    const Tile tile = tileAt(tiles, index);
    rows.sum(reinterpret_cast<__gm__ float*>(values) + tile.start, tile.elements,
             reinterpret_cast<__gm__ float*>(sums) + foldedFloats * static_cast<uint64_t>(index));
  }
}

/// Subtracts from every tile the float whose bits are its `of`.
extern "C" __global__ __aicore__ void slipstream_subtract_means(GM_ADDR gradient, GM_ADDR tiles, uint32_t tileCount) {
  using namespace slipstream_npu;
  AscendC::TPipe pipe;
  InQueue in;
  OutQueue out;
  pipe.InitBuffer(in, 2, tileBytes);
  pipe.InitBuffer(out, 2, tileBytes);
  for (uint32_t index = firstOfBlock(); index < tileCount; index += blockStep()) {
    const Tile tile = tileAt(tiles, index);
    __gm__ float* at = reinterpret_cast<__gm__ float*>(gradient) + tile.start;
    Vector values = load(in, at, tile.elements);
    Vector less = out.AllocTensor<float>();
    AscendC::Adds(less, values, -floatOf(tile.of), tile.elements);
    in.FreeTensor(values);
    finish(out, less, at, tile.elements);
  }
}
