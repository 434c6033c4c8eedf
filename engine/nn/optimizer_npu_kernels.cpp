// SPDX-License-Identifier: GPL-3.0-or-later
// Ascend C: one step of the optimizers.
#include "../npu/kernels/two_float.h"

namespace slipstream_npu {
namespace {

struct Numbers {
  float rate;
  float inverseScale;
  float decay;
  float momentum;
  float keepGradient;
};

/// Where a tile's elements are in the vectors.
struct TileAddresses {
  __gm__ float* weights;
  __gm__ float* gradients;
  __gm__ float* velocity;
  GM_ADDR copy;
};

class Step {
 public:
  __aicore__ inline Step(uint32_t form, uint32_t copyType) : form_(form), copyType_(copyType) {
    pipe_.InitBuffer(weightsIn_, 2, tileBytes);
    pipe_.InitBuffer(gradientsIn_, 2, tileBytes);
    pipe_.InitBuffer(velocityIn_, 2, tileBytes);
    pipe_.InitBuffer(weightsOut_, 2, tileBytes);
    pipe_.InitBuffer(velocityOut_, 2, tileBytes);
    pipe_.InitBuffer(copyOut_, 2, tileBytes / 2);
    for (int32_t k = 0; k < 4; ++k) pipe_.InitBuffer(memory_[k], tileBytes);
  }

  /// Elements of one segment; a mean of 0 changes nothing.
  __aicore__ inline void step(const TileAddresses& from, int32_t elements, const Numbers& by, float mean) {
    for (int32_t done = 0; done < elements; done += tileElements) {
      const int32_t left = elements - done;
      const int32_t count = left < tileElements ? left : tileElements;
      GM_ADDR copy = copyType_ == noCopy ? from.copy : from.copy + 2 * static_cast<int64_t>(done);
      __gm__ float* velocity = form_ == plainForm ? from.velocity : from.velocity + done;
      stepTile({from.weights + done, from.gradients + done, velocity, copy}, count, by, mean);
    }
  }

  /// The mean of a row: its sum in two floats, divided once.
  __aicore__ inline float meanOf(__gm__ float* row, int32_t elements) {
    const float sum = sumOf(row, elements, 1.0f);
    if (sum - sum == 0.0f) return sum / static_cast<float>(elements);
    // Beyond floats, unless an element is: a smaller sum may have a mean.
    constexpr float smaller = 0x1p-64f;
    return sumOf(row, elements, smaller) / static_cast<float>(elements) / smaller;
  }

 private:
  __aicore__ inline float sumOf(__gm__ float* row, int32_t elements, float scale) {
    const Expansion<2> sums{{memory_[0].Get<float>(), memory_[1].Get<float>()}};
    float high = 0.0f;
    float low = 0.0f;
    for (int32_t done = 0; done < elements; done += tileElements) {
      const int32_t left = elements - done;
      const int32_t size = left < tileElements ? left : tileElements;
      const int32_t count = roundedUp(size, lanes);
      Vector tile = load(gradientsIn_, row + done, size);
      AscendC::Muls(sums.part[0], tile, scale, count);
      AscendC::Duplicate(sums.part[1], 0.0f, count);
      gradientsIn_.FreeTensor(tile);
      fold(sums, {memory_[2].Get<float>(), memory_[3].Get<float>()}, count);
      letScalarSeeVectors(pipe_);
      for (uint32_t k = 0; k < lanes; ++k) {
        const float value = sums.part[0].GetValue(k);
        const float sum = high + value;
        const float part = sum - high;
        low += ((high - (sum - part)) + (value - part)) + sums.part[1].GetValue(k);
        high = sum;
      }
    }
    return high - high == 0.0f ? high + low : high;  // what is no number has no rest
  }

  __aicore__ inline void stepTile(const TileAddresses& at, int32_t count, const Numbers& by, float mean) {
    const Vector along = memory_[0].Get<float>();
    const Vector moved = memory_[1].Get<float>();
    Vector weights = load(weightsIn_, at.weights, count);
    Vector gradients = load(gradientsIn_, at.gradients, count);
    AscendC::Adds(along, gradients, -mean, count);
    gradientsIn_.FreeTensor(gradients);
    AscendC::Muls(along, along, by.inverseScale, count);
    AscendC::Muls(moved, weights, by.decay, count);
    AscendC::Add(along, along, moved, count);
    if (form_ != plainForm) stepVelocity(at, along, moved, count, by);
    AscendC::Muls(along, along, by.rate, count);
    Vector stepped = weightsOut_.AllocTensor<float>();
    AscendC::Sub(stepped, weights, along, count);
    weightsIn_.FreeTensor(weights);
    if (copyType_ == float16Copy) writeCopy<half>(stepped, at.copy, count);
    if (copyType_ == bfloat16Copy) writeCopy<bfloat16_t>(stepped, at.copy, count);
    finish(weightsOut_, stepped, at.weights, count);
  }

  /// Replaces `along` by what the weights move along.
  __aicore__ inline void stepVelocity(const TileAddresses& at, const Vector& along, const Vector& spare, int32_t count,
                                      const Numbers& by) {
    Vector before = load(velocityIn_, at.velocity, count);
    Vector velocity = velocityOut_.AllocTensor<float>();
    AscendC::Muls(velocity, before, by.momentum, count);
    velocityIn_.FreeTensor(before);
    AscendC::Muls(spare, along, by.keepGradient, count);
    AscendC::Add(velocity, velocity, spare, count);
    if (form_ == nesterovForm) {
      AscendC::Muls(spare, velocity, by.momentum, count);
      AscendC::Add(along, along, spare, count);
    } else {
      AscendC::Muls(along, velocity, 1.0f, count);
    }
    finish(velocityOut_, velocity, at.velocity, count);
  }

  template <class T>
  __aicore__ inline void writeCopy(const Vector& weights, GM_ADDR to, int32_t count) {
    AscendC::LocalTensor<T> rounded = copyOut_.AllocTensor<T>();
    AscendC::Cast(rounded, weights, AscendC::RoundMode::CAST_RINT, static_cast<uint32_t>(count));
    finish(copyOut_, rounded, reinterpret_cast<__gm__ T*>(to), count);
  }

  uint32_t form_;
  uint32_t copyType_;
  AscendC::TPipe pipe_;
  InQueue weightsIn_;
  InQueue gradientsIn_;
  InQueue velocityIn_;
  OutQueue weightsOut_;
  OutQueue velocityOut_;
  OutQueue copyOut_;
  Memory memory_[4];
};

__aicore__ inline Numbers numbersAt(GM_ADDR table, uint32_t segment) {
  AscendC::GlobalTensor<float> numbers;
  numbers.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(table) + stepNumberFloats * static_cast<uint64_t>(segment),
                          5);
  return {numbers.GetValue(0), numbers.GetValue(1), numbers.GetValue(2), numbers.GetValue(3), numbers.GetValue(4)};
}

/// How many elements further on the segment is in the vector than among the weights.
__aicore__ inline int64_t shiftAt(GM_ADDR table, uint32_t segment, uint32_t vector) {
  AscendC::GlobalTensor<int64_t> shifts;
  shifts.SetGlobalBuffer(reinterpret_cast<__gm__ int64_t*>(table) + 2 * static_cast<uint64_t>(segment), 2);
  return shifts.GetValue(vector);
}

}  // namespace
}  // namespace slipstream_npu

/// `numbers`: stepNumberFloats floats a segment, five of them StepNumbers; `shifts`: two 64-bit numbers a segment,
/// SegmentShift. `form` and `copyType` count as StepForm and WeightCopy do. What neither needs, velocity and copy, is
/// not read.
extern "C" __global__ __aicore__ void slipstream_optimizer_step(GM_ADDR weights, GM_ADDR gradients, GM_ADDR velocity,
                                                                GM_ADDR copy, GM_ADDR tiles, uint32_t tileCount,
                                                                GM_ADDR numbers, GM_ADDR shifts, uint32_t form,
                                                                uint32_t copyType) {
  using namespace slipstream_npu;
  Step step(form, copyType);
  for (uint32_t index = firstOfBlock(); index < tileCount; index += blockStep()) {
    const Tile tile = tileAt(tiles, index);
    const uint32_t segment = tile.of & ~isRow;
    const int64_t start = static_cast<int64_t>(tile.start);
    TileAddresses at{reinterpret_cast<__gm__ float*>(weights) + start,
                     reinterpret_cast<__gm__ float*>(gradients) + start + shiftAt(shifts, segment, 0),
                     reinterpret_cast<__gm__ float*>(velocity), copy};
    if (form != plainForm) at.velocity += start + shiftAt(shifts, segment, 1);
    if (copyType != noCopy) at.copy += 2 * start;
    const float mean = (tile.of & isRow) != 0 ? step.meanOf(at.gradients, tile.elements) : 0.0f;
    step.step(at, tile.elements, numbersAt(numbers, segment), mean);
  }
}
