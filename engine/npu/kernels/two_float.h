// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "transfers.h"

/// Sums of more digits than a float has, on a vector unit without doubles: unevaluated sums of floats. Included by
/// kernel sources only.
namespace slipstream_npu {

/// Memory for twoSum.
struct Spare {
  Vector first;
  Vector second;
};

/// Replaces (sum, other) by the rounded sum and what rounding took from it, exactly (Knuth, TAOCP vol. 2, 4.2.2).
__aicore__ inline void twoSum(const Vector& sum, const Vector& other, const Spare& spare, int32_t count) {
  AscendC::Add(spare.first, sum, other, count);
  AscendC::Sub(spare.second, spare.first, sum, count);
  AscendC::Sub(other, other, spare.second, count);
  AscendC::Sub(spare.second, spare.first, spare.second, count);
  AscendC::Sub(spare.second, sum, spare.second, count);
  AscendC::Add(other, other, spare.second, count);
  AscendC::Muls(sum, spare.first, 1.0f, count);
}

/// A vector whose elements are sums of `Parts` floats, the largest first.
template <uint32_t Parts>
struct Expansion {
  Vector part[Parts];
};

/// Adds `value` at the size of part `from`; what it held is lost.
template <uint32_t Parts>
__aicore__ inline void addTo(const Expansion<Parts>& sums, uint32_t from, const Vector& value, const Spare& spare,
                             int32_t count) {
  for (uint32_t k = from; k + 1 < Parts; ++k) twoSum(sums.part[k], value, spare, count);
  AscendC::Add(sums.part[Parts - 1], sums.part[Parts - 1], value, count);
}

/// Adds up the elements in a tree until eight are left, in the first eight. `count` is a multiple of 8.
template <uint32_t Parts>
__aicore__ inline void fold(const Expansion<Parts>& sums, const Spare& spare, int32_t count) {
  while (count > lanes) {
    const int32_t kept = roundedUp(count / 2, lanes);
    for (uint32_t k = 0; k < Parts; ++k) {
      addTo(sums, k, sums.part[k][static_cast<uint32_t>(kept)], spare, count - kept);
    }
    count = kept;
  }
}

/// A vector cut into two of 12 bits each, products of which are exact. Cutting by the bits overflows nowhere.
struct Halves {
  Vector high;
  Vector low;
};

/// The bits of a float's upper half; for split().
__aicore__ inline void makeUpperHalfBits(const AscendC::LocalTensor<uint32_t>& bits, int32_t count) {
  AscendC::Duplicate(bits, upperHalfBits, count);
}

__aicore__ inline void split(const Vector& values, const Halves& halves,
                             const AscendC::LocalTensor<uint32_t>& upperHalf, int32_t count) {
  AscendC::And(halves.high.ReinterpretCast<uint16_t>(), values.ReinterpretCast<uint16_t>(),
               upperHalf.ReinterpretCast<uint16_t>(), 2 * count);
  AscendC::Sub(halves.low, values, halves.high, count);
}

/// (product, error) = a * b without error, unless a product is beyond floats (Dekker, Numer. Math. 18, 1971).
__aicore__ inline void twoProduct(const Vector& a, const Halves& ofA, const Vector& b, const Halves& ofB,
                                  const Vector& product, const Vector& error, const Vector& spare, int32_t count) {
  AscendC::Mul(product, a, b, count);
  AscendC::Mul(error, ofA.high, ofB.high, count);
  AscendC::Sub(error, error, product, count);
  AscendC::Mul(spare, ofA.high, ofB.low, count);
  AscendC::Add(error, error, spare, count);
  AscendC::Mul(spare, ofA.low, ofB.high, count);
  AscendC::Add(error, error, spare, count);
  AscendC::Mul(spare, ofA.low, ofB.low, count);
  AscendC::Add(error, error, spare, count);
}

/// A number and its halves.
struct Factor {
  float value;
  float high;
  float low;
};

__aicore__ inline void twoProduct(const Vector& a, const Halves& ofA, const Factor& factor, const Vector& product,
                                  const Vector& error, const Vector& spare, int32_t count) {
  AscendC::Muls(product, a, factor.value, count);
  AscendC::Muls(error, ofA.high, factor.high, count);
  AscendC::Sub(error, error, product, count);
  AscendC::Muls(spare, ofA.high, factor.low, count);
  AscendC::Add(error, error, spare, count);
  AscendC::Muls(spare, ofA.low, factor.high, count);
  AscendC::Add(error, error, spare, count);
  AscendC::Muls(spare, ofA.low, factor.low, count);
  AscendC::Add(error, error, spare, count);
}

/// Copies the eight sums of every part of a folded expansion to consecutive places.
template <uint32_t Parts>
__aicore__ inline void writeFolded(const Expansion<Parts>& sums, const Vector& to) {
  for (uint32_t k = 0; k < Parts; ++k) {
    AscendC::Muls(to[k * static_cast<uint32_t>(lanes)], sums.part[k], 1.0f, lanes);
  }
}

}  // namespace slipstream_npu
