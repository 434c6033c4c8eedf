// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/blend.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include <immintrin.h>

#include "engine/base/processor_clones.h"

#define SLIPSTREAM_WIDE [[gnu::target("arch=x86-64-v4,avx512vbmi")]]

namespace slipstream {
namespace {

constexpr std::size_t lanes = ColumnBlend::lanes;
/// Shares are whole numbers of parts of it: as large as two of them may be in sixteen bits.
constexpr float wholeShare = 16384;
/// Rows are kept in parts of a byte's step: as many as leave a byte's largest value in sixteen bits.
constexpr int partBits = 7;
constexpr std::int32_t half = 1 << (partBits - 1);
/// From sums in parts of a share to rows.
constexpr int sumBits = 14 - partBits;

using Floats4 [[gnu::vector_size(16)]] = float;

/// Three channels and one value too many.
inline Floats4 pixelAt(const float* values) {
  Floats4 quad;
  std::memcpy(&quad, values, sizeof(quad));
  return quad;
}

SLIPSTREAM_PROCESSOR_CLONES
void widen(const std::uint8_t* bytes, std::size_t count, float* values) {
  for (std::size_t i = 0; i < count; ++i) values[i] = bytes[i];
}

/// All sums are whole numbers below 2^24: exact.
SLIPSTREAM_PROCESSOR_CLONES
void blendPixels(const float* row, const std::int32_t* first, const std::int32_t* second, const float* share,
                 std::size_t count, float* sums) {
  for (std::size_t x = 0; x < count; ++x) {
    const Floats4 a = pixelAt(row + 3 * first[x]);
    const Floats4 b = pixelAt(row + 3 * second[x]);
    const Floats4 blended = a * (wholeShare - share[x]) + b * share[x];
    std::memcpy(sums + 3 * x, &blended, sizeof(blended));
  }
}

SLIPSTREAM_PROCESSOR_CLONES
void narrow(const float* sums, std::size_t count, std::int16_t* output) {
  for (std::size_t i = 0; i < count; ++i) {
    output[i] = static_cast<std::int16_t>((static_cast<std::int32_t>(sums[i]) + (1 << (sumBits - 1))) >> sumBits);
  }
}

/// Sixteen sums of two bytes by their shares: one instruction picks all 32 bytes of the 64 at hand and widens them, one
/// multiplies and adds.
SLIPSTREAM_WIDE
inline __m512i sumsAt(const std::uint8_t* near, __m512i bytes, __m512i shares) {
  constexpr __mmask64 everyOther = 0x5555555555555555;
  return _mm512_madd_epi16(_mm512_maskz_permutexvar_epi8(everyOther, bytes, _mm512_loadu_si512(near)), shares);
}

SLIPSTREAM_WIDE
void blendSteps(const ColumnBlend::Step* steps, std::size_t count, ColumnBlend::TwoRows rows,
                ColumnBlend::TwoOutputs outputs) {
  constexpr __mmask16 all = 0xFFFF;
  const __m512i rounding = _mm512_set1_epi32(1 << (sumBits - 1));
  for (std::size_t i = 0; i < count; ++i) {
    const __m512i bytes = _mm512_load_si512(steps[i].bytes.data());
    const __m512i shares = _mm512_load_si512(steps[i].shares.data());
    for (std::size_t row = 0; row < 2; ++row) {
      const __m512i sums = _mm512_add_epi32(sumsAt(rows[row] + steps[i].base, bytes, shares), rounding);
      const __m256i parts = _mm512_maskz_cvtepi32_epi16(all, _mm512_maskz_srli_epi32(all, sums, sumBits));
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(outputs[row] + i * lanes), parts);
    }
  }
}

/// The step that makes values from `begin` on, where the bytes lie near enough; those behind the last pixel are made of
/// it too.
bool makeStep(const PixelPairs& pairs, std::size_t begin, ColumnBlend::Step& step) {
  const std::size_t last = pairs.share.size() - 1;
  const std::size_t from = std::min(begin / 3, last);
  const std::size_t to = std::min((begin + lanes - 1) / 3, last);
  // Pixels follow each other in one direction.
  step.base = 3 * std::min(pairs.first[from], pairs.first[to]);
  constexpr std::int32_t reach = 64;
  if (3 * std::max(pairs.second[from], pairs.second[to]) + 2 - step.base >= reach) return false;
  std::size_t pixel = from;
  auto channel = static_cast<std::int32_t>(begin % 3);
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    step.bytes[4 * lane] = static_cast<std::uint8_t>(3 * pairs.first[pixel] + channel - step.base);
    step.bytes[4 * lane + 2] = static_cast<std::uint8_t>(3 * pairs.second[pixel] + channel - step.base);
    step.shares[2 * lane] = static_cast<std::int16_t>(wholeShare - pairs.share[pixel]);
    step.shares[2 * lane + 1] = static_cast<std::int16_t>(pairs.share[pixel]);
    if (++channel < 3) continue;
    channel = 0;
    pixel = std::min(pixel + 1, last);
  }
  return true;
}

/// `share` in 1/32768.
SLIPSTREAM_PROCESSOR_CLONES
void blendPlainly(const std::int16_t* upper, const std::int16_t* lower, std::int16_t share, std::size_t count,
                  std::uint8_t* output) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::int32_t change = (lower[i] - upper[i]) * share;
    output[i] = static_cast<std::uint8_t>((upper[i] + ((change + (1 << 14)) >> 15) + half) >> partBits);
  }
}

/// The same for 32 values at once.
SLIPSTREAM_WIDE
inline __m256i blended(__m512i upper, __m512i lower, __m512i shares) {
  constexpr __mmask32 all = ~__mmask32{0};
  const __m512i part = _mm512_mulhrs_epi16(_mm512_sub_epi16(lower, upper), shares);
  const __m512i value = _mm512_add_epi16(_mm512_add_epi16(upper, _mm512_set1_epi16(half)), part);
  return _mm512_maskz_cvtepi16_epi8(all, _mm512_srli_epi16(value, partBits));
}

SLIPSTREAM_WIDE
void blendWidely(const std::int16_t* upper, const std::int16_t* lower, std::int16_t share, std::size_t count,
                 std::uint8_t* output) {
  const __m512i shares = _mm512_set1_epi16(share);
  constexpr std::size_t width = 32;
  constexpr std::size_t ahead = 1344;
  std::size_t i = 0;
  for (; i + width <= count; i += width) {
    const __m256i bytes = blended(_mm512_loadu_si512(upper + i), _mm512_loadu_si512(lower + i), shares);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(output + i), bytes);
    // What is written next is in no cache: nobody reads a batch for some time.
    __builtin_prefetch(output + i + ahead, 1);
  }
  if (i == count) return;
  const __mmask32 inside = (__mmask32{1} << (count - i)) - 1;
  const __m256i bytes =
      blended(_mm512_maskz_loadu_epi16(inside, upper + i), _mm512_maskz_loadu_epi16(inside, lower + i), shares);
  _mm256_mask_storeu_epi8(output + i, inside, bytes);
}

}  // namespace

bool blendsWide() {
  static const bool has = __builtin_cpu_supports("x86-64-v4") != 0 && __builtin_cpu_supports("avx512vbmi") != 0;
  return has;
}

void ColumnBlend::prepare(PixelPairs pairs) {
  pairs_ = std::move(pairs);
  for (float& share : pairs_.share) share = std::nearbyint(share * wholeShare);
  steps_.resize(wide_ ? (3 * pairs_.share.size() + lanes - 1) / lanes : 0);
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (!makeStep(pairs_, i * lanes, steps_[i])) return steps_.clear();
  }
}

void ColumnBlend::run(TwoRows rows, std::size_t pixels, TwoOutputs outputs) {
  if (isWide()) return blendSteps(steps_.data(), steps_.size(), rows, outputs);
  for (std::size_t row = 0; row < 2; ++row) runPlainly(rows[row], pixels, outputs[row]);
}

void ColumnBlend::runPlainly(const std::uint8_t* row, std::size_t pixels, std::int16_t* output) {
  const std::size_t count = pairs_.share.size();
  row_.resize(std::max(row_.size(), 3 * pixels + padding));
  sums_.resize(std::max(sums_.size(), 3 * count + padding));
  widen(row, 3 * pixels, row_.data());
  blendPixels(row_.data(), pairs_.first.data(), pairs_.second.data(), pairs_.share.data(), count, sums_.data());
  narrow(sums_.data(), 3 * count, output);
}

void blendRows(const std::int16_t* upper, const std::int16_t* lower, float share, std::size_t count,
               std::uint8_t* output, bool wide) {
  constexpr float whole = 32768;
  constexpr float largest = 32767;  // of sixteen bits; the last part of a whole is given away
  const auto parts = static_cast<std::int16_t>(std::min(std::nearbyint(share * whole), largest));
  if (wide) return blendWidely(upper, lower, parts, count, output);
  blendPlainly(upper, lower, parts, count, output);
}

}  // namespace slipstream
