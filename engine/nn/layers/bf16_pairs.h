// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include <immintrin.h>

/// Before a function that only runs where the processor has AVX-512 BF16.
#define SLIPSTREAM_BF16_PAIRS [[gnu::target("arch=x86-64-v4,avx512bf16")]]

namespace slipstream {

/// A register of 32 bf16 values whose halves take turns: value i of the first half, value i of the second half.
SLIPSTREAM_BF16_PAIRS
inline __m512i interleaveHalves(__m512i values) {
  alignas(64) static constexpr std::uint16_t order[]{0, 16, 1, 17, 2,  18, 3,  19, 4,  20, 5,  21, 6,  22, 7,  23,
                                                     8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31};
  // Without a mask g++ 12 takes this intrinsic, and those below, for readers of uninitialized registers.
  return _mm512_maskz_permutexvar_epi16(0xFFFFFFFF, _mm512_load_si512(order), values);
}

/// Transposes a matrix of 16 x 16 pairs of bf16 values; a pair stays together.
SLIPSTREAM_BF16_PAIRS
inline void transposePairs(const __m512i (&rows)[16], __m512i (&columns)[16]) {
  constexpr __mmask8 allWide = 0xFF;
  constexpr __mmask16 all = 0xFFFF;
  __m512i pairs[16];  // each of two rows
  for (int i = 0; i < 16; i += 2) {
    pairs[i] = _mm512_maskz_unpacklo_epi32(all, rows[i], rows[i + 1]);
    pairs[i + 1] = _mm512_maskz_unpackhi_epi32(all, rows[i], rows[i + 1]);
  }
  __m512i quads[16];  // each of four rows: in each of its quarters the same column of the quarter
  for (int i = 0; i < 16; i += 4) {
    quads[i] = _mm512_maskz_unpacklo_epi64(allWide, pairs[i], pairs[i + 2]);
    quads[i + 1] = _mm512_maskz_unpackhi_epi64(allWide, pairs[i], pairs[i + 2]);
    quads[i + 2] = _mm512_maskz_unpacklo_epi64(allWide, pairs[i + 1], pairs[i + 3]);
    quads[i + 3] = _mm512_maskz_unpackhi_epi64(allWide, pairs[i + 1], pairs[i + 3]);
  }
  constexpr int evenQuarters = 0x88, oddQuarters = 0xDD;
  for (int j = 0; j < 4; ++j) {
    const __m512i upperEven = _mm512_maskz_shuffle_i32x4(all, quads[j], quads[j + 4], evenQuarters);
    const __m512i upperOdd = _mm512_maskz_shuffle_i32x4(all, quads[j], quads[j + 4], oddQuarters);
    const __m512i lowerEven = _mm512_maskz_shuffle_i32x4(all, quads[j + 8], quads[j + 12], evenQuarters);
    const __m512i lowerOdd = _mm512_maskz_shuffle_i32x4(all, quads[j + 8], quads[j + 12], oddQuarters);
    columns[j] = _mm512_maskz_shuffle_i32x4(all, upperEven, lowerEven, evenQuarters);
    columns[j + 4] = _mm512_maskz_shuffle_i32x4(all, upperOdd, lowerOdd, evenQuarters);
    columns[j + 8] = _mm512_maskz_shuffle_i32x4(all, upperEven, lowerEven, oddQuarters);
    columns[j + 12] = _mm512_maskz_shuffle_i32x4(all, upperOdd, lowerOdd, oddQuarters);
  }
}

}  // namespace slipstream
