// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "two_float.h"

/// Sums of vectors times coefficients. Included by kernel sources only.
namespace slipstream_npu {

/// What the host gives a weighted sum.
struct WeightedSumTables {
  GM_ADDR vectors;       ///< addresses: `count` vectors, then `outputs` results, which may be among them
  GM_ADDR coefficients;  ///< of every segment and vector, `Parts` times a number and its halves, in floats
  GM_ADDR tiles;         ///< whose `of` is the segment
  uint32_t count;
  uint32_t outputs;
  uint32_t tileCount;
};

/// Outputs = sum of coefficient times vector, in the vectors' order, in `Parts` floats each, rounded once.
template <uint32_t Parts>
class WeightedSum {
 public:
  __aicore__ inline explicit WeightedSum(const WeightedSumTables& tables) : tables_(tables) {
    pipe_.InitBuffer(in_, 2, tileBytes);
    pipe_.InitBuffer(out_, 2, tileBytes);
    for (uint32_t k = 0; k < Parts; ++k) {
      pipe_.InitBuffer(sums_[k], tileBytes);
      all_.part[k] = sums_[k].template Get<float>();
    }
    for (uint32_t k = 0; k < vectors; ++k) pipe_.InitBuffer(memory_[k], tileBytes);
    pipe_.InitBuffer(upperHalf_, tileBytes);
    pipe_.InitBuffer(isNumber_, tileElements / 8);
    makeUpperHalfBits(upperHalf_.Get<uint32_t>(), tileElements);
  }

  __aicore__ inline void run() {
    for (uint32_t index = firstOfBlock(); index < tables_.tileCount; index += blockStep()) {
      combine(tileAt(tables_.tiles, index));
    }
  }

 private:
  static constexpr uint32_t vectors = 6;

  __aicore__ inline void combine(const Tile& tile) {
    const int32_t count = roundedUp(tile.elements, lanes);
    for (uint32_t k = 0; k < Parts; ++k) AscendC::Duplicate(all_.part[k], 0.0f, count);
    for (uint32_t i = 0; i < tables_.count; ++i) add(tile, i, count);
    // A sum that is no number has no rest: its first part alone is what plain arithmetic makes of it.
    const uint32_t whole = static_cast<uint32_t>(roundedUp(tile.elements, repeat));
    Vector result = out_.AllocTensor<float>();
    const Vector rounded = memory_[0].template Get<float>();
    AscendC::Muls(rounded, all_.part[Parts - 1], 1.0f, count);
    for (uint32_t k = Parts - 1; k > 0; --k) AscendC::Add(rounded, all_.part[k - 1], rounded, count);
    const AscendC::LocalTensor<uint8_t> isNumber = isNumber_.Get<uint8_t>();
    AscendC::Compare(isNumber, rounded, rounded, AscendC::CMPMODE::EQ, whole);
    AscendC::Select(result, isNumber, rounded, all_.part[0], AscendC::SELMODE::VSEL_TENSOR_TENSOR_MODE, whole);
    out_.EnQue(result);
    Vector ready = out_.DeQue<float>();
    for (uint32_t o = 0; o < tables_.outputs; ++o) {
      store(addressAt(tables_.vectors, tables_.count + o) + tile.start, ready, tile.elements);
    }
    out_.FreeTensor(ready);
  }

  __aicore__ inline void add(const Tile& tile, uint32_t vector, int32_t count) {
    const Spare spare{memory_[0].template Get<float>(), memory_[1].template Get<float>()};
    const Vector product = memory_[2].template Get<float>();
    const Vector error = memory_[3].template Get<float>();
    const Halves halves{memory_[4].template Get<float>(), memory_[5].template Get<float>()};
    Vector values = load(in_, addressAt(tables_.vectors, vector) + tile.start, tile.elements);
    split(values, halves, upperHalf_.Get<uint32_t>(), count);
    for (uint32_t k = 0; k < Parts; ++k) {
      twoProduct(values, halves, factorAt(tile.of, vector, k), product, error, spare.first, count);
      addTo(all_, k, product, spare, count);
      if (k + 1 < Parts) addTo(all_, k + 1, error, spare, count);
    }
    in_.FreeTensor(values);
  }

  __aicore__ inline Factor factorAt(uint32_t segment, uint32_t vector, uint32_t part) const {
    const uint64_t entry = (static_cast<uint64_t>(segment) * tables_.count + vector) * Parts + part;
    AscendC::GlobalTensor<float> numbers;
    numbers.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(tables_.coefficients) + 3 * entry, 3);
    return {numbers.GetValue(0), numbers.GetValue(1), numbers.GetValue(2)};
  }

  WeightedSumTables tables_;
  AscendC::TPipe pipe_;
  InQueue in_;
  OutQueue out_;
  Memory sums_[Parts];
  Memory memory_[vectors];
  Memory upperHalf_;
  Memory isNumber_;
  Expansion<Parts> all_;
};

}  // namespace slipstream_npu
