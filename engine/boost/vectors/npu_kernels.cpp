// SPDX-License-Identifier: GPL-3.0-or-later
// Ascend C: plain arithmetic on vectors, element by element.
#include "../../npu/kernels/transfers.h"

namespace slipstream_npu {
namespace {

/// result = operation(left, right), tile by tile.
class Elementwise {
 public:
  __aicore__ inline Elementwise() {
    pipe_.InitBuffer(left_, 2, wideTileBytes);
    pipe_.InitBuffer(right_, 2, wideTileBytes);
    pipe_.InitBuffer(out_, 2, wideTileBytes);
  }

  __aicore__ inline void subtract(__gm__ float* left, __gm__ float* right, __gm__ float* result, uint64_t elements) {
    for (uint32_t index = firstOfBlock(); index < partsOf(elements, wideTileElements); index += blockStep()) {
      const Tile tile = partAt(elements, index, wideTileElements);
      Vector a = load(left_, left + tile.start, tile.elements);
      Vector b = load(right_, right + tile.start, tile.elements);
      Vector difference = out_.AllocTensor<float>();
      AscendC::Sub(difference, a, b, tile.elements);
      left_.FreeTensor(a);
      right_.FreeTensor(b);
      finish(out_, difference, result + tile.start, tile.elements);
    }
  }

  __aicore__ inline void multiply(__gm__ float* values, float factor, uint64_t elements) {
    for (uint32_t index = firstOfBlock(); index < partsOf(elements, wideTileElements); index += blockStep()) {
      const Tile tile = partAt(elements, index, wideTileElements);
      Vector value = load(left_, values + tile.start, tile.elements);
      Vector scaled = out_.AllocTensor<float>();
      AscendC::Muls(scaled, value, factor, tile.elements);
      left_.FreeTensor(value);
      finish(out_, scaled, values + tile.start, tile.elements);
    }
  }

 private:
  AscendC::TPipe pipe_;
  InQueue left_;
  InQueue right_;
  OutQueue out_;
};

/// scale * (sum of parts), and what the first result holds; all parts of a tile are read before a result is written.
class Sum {
 public:
  __aicore__ inline Sum(GM_ADDR vectors, uint32_t parts, uint32_t results)
      : vectors_(vectors), parts_(parts), results_(results) {
    pipe_.InitBuffer(in_, 2, wideTileBytes);
    pipe_.InitBuffer(out_, 2, wideTileBytes);
  }

  __aicore__ inline void run(uint64_t elements, float scale, bool add) {
    for (uint32_t index = firstOfBlock(); index < partsOf(elements, wideTileElements); index += blockStep()) {
      const Tile tile = partAt(elements, index, wideTileElements);
      Vector sum = out_.AllocTensor<float>();
      for (uint32_t part = 0; part < parts_; ++part) {
        Vector values = load(in_, addressAt(vectors_, part) + tile.start, tile.elements);
        if (part == 0) {
          AscendC::Muls(sum, values, 1.0f, tile.elements);
        } else {
          AscendC::Add(sum, sum, values, tile.elements);
        }
        in_.FreeTensor(values);
      }
      AscendC::Muls(sum, sum, scale, tile.elements);
      if (add) addHeld(sum, tile);
      write(sum, tile);
    }
  }

 private:
  __aicore__ inline void addHeld(const Vector& sum, const Tile& tile) {
    Vector held = load(in_, addressAt(vectors_, parts_) + tile.start, tile.elements);
    AscendC::Add(sum, sum, held, tile.elements);
    in_.FreeTensor(held);
  }

  __aicore__ inline void write(const Vector& sum, const Tile& tile) {
    out_.EnQue(sum);
    Vector ready = out_.DeQue<float>();
    for (uint32_t result = 0; result < results_; ++result) {
      store(addressAt(vectors_, parts_ + result) + tile.start, ready, tile.elements);
    }
    out_.FreeTensor(ready);
  }

  GM_ADDR vectors_;
  uint32_t parts_;
  uint32_t results_;
  AscendC::TPipe pipe_;
  InQueue in_;
  OutQueue out_;
};

}  // namespace
}  // namespace slipstream_npu

/// `vectors`: the addresses of `parts` vectors and then of `results`. add: 1, to what the first result holds.
extern "C" __global__ __aicore__ void slipstream_vectors_sum(GM_ADDR vectors, uint32_t parts, uint32_t results,
                                                             uint64_t elements, float scale, uint32_t add) {
  slipstream_npu::Sum(vectors, parts, results).run(elements, scale, add != 0);
}

extern "C" __global__ __aicore__ void slipstream_vectors_scale(GM_ADDR values, uint64_t elements, float factor) {
  slipstream_npu::Elementwise().multiply(reinterpret_cast<__gm__ float*>(values), factor, elements);
}

extern "C" __global__ __aicore__ void slipstream_vectors_difference(GM_ADDR left, GM_ADDR right, GM_ADDR result,
                                                                    uint64_t elements) {
  slipstream_npu::Elementwise().subtract(reinterpret_cast<__gm__ float*>(left), reinterpret_cast<__gm__ float*>(right),
                                         reinterpret_cast<__gm__ float*>(result), elements);
}
