// SPDX-License-Identifier: GPL-3.0-or-later
// Ascend C: one step of the optimizers.
#include "../npu/kernels/two_float.h"
#include "step_arithmetic.h"

namespace slipstream_npu {
namespace {

using Numbers = slipstream::StepNumbers;
constexpr uint32_t numberCount = sizeof(Numbers) / sizeof(float);

constexpr uint32_t plainForm = static_cast<uint32_t>(slipstream::StepForm::plain);
constexpr uint32_t nesterovForm = static_cast<uint32_t>(slipstream::StepForm::nesterov);
constexpr uint32_t adamForm = static_cast<uint32_t>(slipstream::StepForm::adam);
constexpr uint32_t directionForm = static_cast<uint32_t>(slipstream::StepForm::direction);
constexpr uint32_t signForm = static_cast<uint32_t>(slipstream::StepForm::sign);

/// Where a tile's elements are in the vectors.
struct TileAddresses {
  __gm__ float* weights;
  __gm__ float* gradients;
  __gm__ float* velocity;
  __gm__ float* second;
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
    pipe_.InitBuffer(secondIn_, 2, tileBytes);
    pipe_.InitBuffer(secondOut_, 2, tileBytes);
    pipe_.InitBuffer(mask_, tileElements / 8);
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
      __gm__ float* second = keepsTwo() ? from.second + done : from.second;
      stepTile({from.weights + done, from.gradients + done, velocity, second, copy}, count, by, mean);
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
    Vector stepped = weightsOut_.AllocTensor<float>();
    if (form_ == directionForm) {
      findDirection(at, {weights, along, stepped}, count, by);
    } else {
      AscendC::Muls(along, along, by.inverseScale, count);
      AscendC::Muls(moved, weights, by.decay, count);
      AscendC::Add(along, along, moved, count);
      moveWeights(at, {weights, along, stepped}, moved, count, by);
    }
    weightsIn_.FreeTensor(weights);
    if (copyType_ == float16Copy) writeCopy<half>(stepped, at.copy, count);
    if (copyType_ == bfloat16Copy) writeCopy<bfloat16_t>(stepped, at.copy, count);
    finish(weightsOut_, stepped, at.weights, count);
  }

  /// A tile's weights, what they are stepped along, and where the result goes.
  struct Moved {
    Vector weights;
    Vector along;
    Vector stepped;
  };

  __aicore__ inline bool keepsTwo() const { return form_ == adamForm || form_ == directionForm; }

  /// Replaces `of.along` on its way.
  __aicore__ inline void moveWeights(const TileAddresses& at, const Moved& of, const Vector& spare, int32_t count,
                                     const Numbers& by) {
    if (form_ == adamForm) {
      stepMoments(at, of.along, spare, count, by);
      AscendC::Muls(of.stepped, of.weights, by.shrink, count);
      AscendC::Sub(of.stepped, of.stepped, spare, count);
      return;
    }
    if (form_ == signForm) {
      stepSign(at, of.along, spare, count, by);
      AscendC::Muls(of.stepped, of.weights, by.shrink, count);
      AscendC::Muls(of.along, of.along, by.rate, count);
      AscendC::Sub(of.stepped, of.stepped, of.along, count);
      return;
    }
    if (form_ != plainForm) stepVelocity(at, of.along, spare, count, by);
    AscendC::Muls(of.along, of.along, by.rate, count);
    AscendC::Sub(of.stepped, of.weights, of.along, count);
  }

  /// What stands in the weights' place are gradients, and what they are stepped along are weights.
  __aicore__ inline void findDirection(const TileAddresses& at, const Moved& of, int32_t count, const Numbers& by) {
    const Vector gradients = memory_[2].Get<float>();
    const Vector direction = memory_[3].Get<float>();
    AscendC::Muls(gradients, of.weights, by.inverseScale, count);
    stepMoments(at, gradients, direction, count, by);
    AscendC::Muls(of.along, of.along, by.decay, count);
    AscendC::Add(of.stepped, direction, of.along, count);
  }

  /// Steps both moments along `gradients`, which are used up; what adam moves along goes to `moved`.
  __aicore__ inline void stepMoments(const TileAddresses& at, const Vector& gradients, const Vector& moved,
                                     int32_t count, const Numbers& by) {
    Vector before = load(velocityIn_, at.velocity, count);
    Vector first = velocityOut_.AllocTensor<float>();
    AscendC::Muls(first, before, by.momentum, count);
    velocityIn_.FreeTensor(before);
    AscendC::Muls(moved, gradients, by.keepGradient, count);
    AscendC::Add(first, first, moved, count);
    Vector secondBefore = load(secondIn_, at.second, count);
    Vector second = secondOut_.AllocTensor<float>();
    AscendC::Muls(second, secondBefore, by.momentum2, count);
    secondIn_.FreeTensor(secondBefore);
    AscendC::Mul(moved, gradients, gradients, count);
    AscendC::Muls(moved, moved, by.keepGradient2, count);
    AscendC::Add(second, second, moved, count);
    AscendC::Sqrt(moved, second, count);
    AscendC::Muls(moved, moved, by.correction2, count);
    AscendC::Adds(moved, moved, by.epsilon, count);
    AscendC::Div(moved, first, moved, count);
    AscendC::Muls(moved, moved, by.rate, count);
    finish(velocityOut_, first, at.velocity, count);
    finish(secondOut_, second, at.second, count);
  }

  /// Replaces `along` by the sign of what momentum makes of it, which is then stepped.
  __aicore__ inline void stepSign(const TileAddresses& at, const Vector& along, const Vector& spare, int32_t count,
                                  const Numbers& by) {
    const Vector mixed = memory_[2].Get<float>();
    const int32_t whole = roundedUp(count, repeat);
    AscendC::Duplicate(mixed, 0.0f, whole);
    Vector before = load(velocityIn_, at.velocity, count);
    Vector velocity = velocityOut_.AllocTensor<float>();
    AscendC::Muls(mixed, before, by.momentum, count);
    AscendC::Muls(spare, along, by.keepGradient, count);
    AscendC::Add(mixed, mixed, spare, count);
    AscendC::Muls(velocity, before, by.momentum2, count);
    velocityIn_.FreeTensor(before);
    AscendC::Muls(spare, along, by.keepGradient2, count);
    AscendC::Add(velocity, velocity, spare, count);
    signsOf(mixed, along, whole);
    finish(velocityOut_, velocity, at.velocity, count);
  }

  /// Zeros and what is no number stay what they are. `count`: whole repeats.
  __aicore__ inline void signsOf(const Vector& mixed, const Vector& signs, int32_t count) {
    const Vector zeros = memory_[3].Get<float>();
    const AscendC::LocalTensor<uint8_t> mask = mask_.Get<uint8_t>();
    const auto elements = static_cast<uint32_t>(count);
    AscendC::Duplicate(zeros, 0.0f, count);
    AscendC::Compare(mask, mixed, zeros, AscendC::CMPMODE::GT, elements);
    AscendC::Duplicate(signs, 1.0f, count);
    AscendC::Select(signs, mask, signs, mixed, AscendC::SELMODE::VSEL_TENSOR_TENSOR_MODE, elements);
    AscendC::Compare(mask, mixed, zeros, AscendC::CMPMODE::LT, elements);
    AscendC::Duplicate(zeros, -1.0f, count);
    AscendC::Select(signs, mask, zeros, signs, AscendC::SELMODE::VSEL_TENSOR_TENSOR_MODE, elements);
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
  InQueue secondIn_;
  OutQueue weightsOut_;
  OutQueue velocityOut_;
  OutQueue secondOut_;
  OutQueue copyOut_;
  Memory memory_[4];
  Memory mask_;
};

__aicore__ inline Numbers numbersAt(GM_ADDR table, uint32_t segment) {
  AscendC::GlobalTensor<float> numbers;
  numbers.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(table) + stepNumberFloats * static_cast<uint64_t>(segment),
                          numberCount);
  return {numbers.GetValue(0), numbers.GetValue(1), numbers.GetValue(2), numbers.GetValue(3), numbers.GetValue(4),
          numbers.GetValue(5), numbers.GetValue(6), numbers.GetValue(7), numbers.GetValue(8), numbers.GetValue(9)};
}

/// How many elements further on the segment is in the vector than among the weights.
__aicore__ inline int64_t shiftAt(GM_ADDR table, uint32_t segment, uint32_t vector) {
  AscendC::GlobalTensor<int64_t> shifts;
  shifts.SetGlobalBuffer(reinterpret_cast<__gm__ int64_t*>(table) + 2 * static_cast<uint64_t>(segment), 2);
  return shifts.GetValue(vector);
}

}  // namespace
}  // namespace slipstream_npu

/// `numbers`: stepNumberFloats floats a segment, the first ones StepNumbers; `shifts`: two 64-bit numbers a segment,
/// SegmentShift. `form` and `copyType` count as StepForm and WeightCopy do. What neither needs, velocity, second moment
/// and copy, is not read.
extern "C" __global__ __aicore__ void slipstream_optimizer_step(GM_ADDR weights, GM_ADDR gradients, GM_ADDR velocity,
                                                                GM_ADDR second, GM_ADDR copy, GM_ADDR tiles,
                                                                uint32_t tileCount, GM_ADDR numbers, GM_ADDR shifts,
                                                                uint32_t form, uint32_t copyType) {
  using namespace slipstream_npu;
  Step step(form, copyType);
  for (uint32_t index = firstOfBlock(); index < tileCount; index += blockStep()) {
    const Tile tile = tileAt(tiles, index);
    const uint32_t segment = tile.of & ~isRow;
    const int64_t start = static_cast<int64_t>(tile.start);
    TileAddresses at{reinterpret_cast<__gm__ float*>(weights) + start,
                     reinterpret_cast<__gm__ float*>(gradients) + start + shiftAt(shifts, segment, 0),
                     reinterpret_cast<__gm__ float*>(velocity), reinterpret_cast<__gm__ float*>(second), copy};
    if (form != plainForm) {
      const int64_t state = start + shiftAt(shifts, segment, 1);
      at.velocity += state;
      if (form == adamForm || form == directionForm) at.second += state;
    }
    if (copyType != noCopy) at.copy += 2 * start;
    const float mean = (tile.of & isRow) != 0 ? step.meanOf(at.gradients, tile.elements) : 0.0f;
    step.step(at, tile.elements, numbersAt(numbers, segment), mean);
  }
}
