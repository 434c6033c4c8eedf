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

using Floats4 [[gnu::vector_size(16)]] = float;

/// Three channels and one value too many.
inline Floats4 pixelAt(const float* values) {
  Floats4 four;
  std::memcpy(&four, values, sizeof(four));
  return four;
}

SLIPSTREAM_PROCESSOR_CLONES
void widen(const std::uint8_t* bytes, std::size_t count, float* values) {
  for (std::size_t i = 0; i < count; ++i) values[i] = bytes[i];
}

/// All sums are whole numbers below 2^24: exact.
SLIPSTREAM_PROCESSOR_CLONES
void blendPixels(const float* row, const std::int32_t* first, const std::int32_t* second, const float* share,
                 std::size_t count, float* output) {
  for (std::size_t x = 0; x < count; ++x) {
    const Floats4 a = pixelAt(row + 3 * first[x]);
    const Floats4 b = pixelAt(row + 3 * second[x]);
    const Floats4 blended = a * (wholeShare - share[x]) + b * share[x];
    std::memcpy(output + 3 * x, &blended, sizeof(blended));
  }
}

SLIPSTREAM_PROCESSOR_CLONES
void scale(const float* factors, const float* offsets, std::size_t count, float* values) {
  for (std::size_t i = 0; i < count; ++i) values[i] = values[i] * factors[i] + offsets[i];
}

SLIPSTREAM_PROCESSOR_CLONES
void blendPlainly(const float* upper, const float* lower, float share, std::size_t count, float* output) {
  for (std::size_t i = 0; i < count; ++i) output[i] = upper[i] + (lower[i] - upper[i]) * share;
}

SLIPSTREAM_WIDE
void blendPastCaches(const float* upper, const float* lower, float share, std::size_t count, float* output) {
  const __m512 shares = _mm512_set1_ps(share);
  for (std::size_t i = 0; i < count; i += lanes) {
    const __m512 from = _mm512_loadu_ps(upper + i);
    const __m512 change = _mm512_mul_ps(_mm512_sub_ps(_mm512_loadu_ps(lower + i), from), shares);
    _mm512_stream_ps(output + i, _mm512_add_ps(from, change));
  }
}

/// Sixteen sums of two bytes by their shares: one instruction picks all 32 bytes of the 64 at hand and widens them, one
/// multiplies and adds.
SLIPSTREAM_WIDE
inline __m512 blendedAt(const std::uint8_t* near, __m512i bytes, __m512i shares) {
  constexpr __mmask64 everyOther = 0x5555555555555555;
  constexpr __mmask16 all = 0xFFFF;
  const __m512i pairs = _mm512_maskz_permutexvar_epi8(everyOther, bytes, _mm512_loadu_si512(near));
  return _mm512_maskz_cvtepi32_ps(all, _mm512_madd_epi16(pairs, shares));
}

/// The channels of sixteen values come again after three steps: their factors and offsets stay in registers.
SLIPSTREAM_WIDE
void blendSteps(const ColumnBlend::Step* steps, std::size_t count, const float* factors, const float* offsets,
                ColumnBlend::TwoRows rows, ColumnBlend::TwoOutputs outputs) {
  const __m512 factor[]{_mm512_load_ps(factors), _mm512_load_ps(factors + lanes), _mm512_load_ps(factors + 2 * lanes)};
  const __m512 offset[]{_mm512_load_ps(offsets), _mm512_load_ps(offsets + lanes), _mm512_load_ps(offsets + 2 * lanes)};
  for (std::size_t i = 0; i < count; i += 3) {
    for (std::size_t k = 0; k < 3; ++k) {
      const ColumnBlend::Step& step = steps[i + k];
      const __m512i bytes = _mm512_load_si512(step.bytes.data());
      const __m512i shares = _mm512_load_si512(step.shares.data());
      for (std::size_t row = 0; row < 2; ++row) {
        const __m512 scaled = _mm512_mul_ps(blendedAt(rows[row] + step.base, bytes, shares), factor[k]);
        _mm512_storeu_ps(outputs[row] + (i + k) * lanes, _mm512_add_ps(scaled, offset[k]));
      }
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

bool fillsCacheLines(const float* values, std::size_t count) {
  return reinterpret_cast<std::uintptr_t>(values) % 64 == 0 && count % lanes == 0;
}

}  // namespace

bool blendsWide() {
  static const bool has = __builtin_cpu_supports("x86-64-v4") != 0 && __builtin_cpu_supports("avx512vbmi") != 0;
  return has;
}

void ColumnBlend::prepare(PixelPairs pairs) {
  pairs_ = std::move(pairs);
  for (float& share : pairs_.share) share = std::nearbyint(share * wholeShare);
  repeatChannels();
  const std::size_t count = wide_ ? (pairs_.share.size() + lanes - 1) / lanes * 3 : 0;
  steps_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (!makeStep(pairs_, i * lanes, steps_[i])) return steps_.clear();
  }
}

void ColumnBlend::repeatChannels() {
  const std::size_t count = 3 * pairs_.share.size() + padding;
  if (factors_.size() >= count) return;
  factors_.resize(count);
  offsets_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    factors_[i] = normalization_.factor(i % 3) / wholeShare;
    offsets_[i] = normalization_.offset(i % 3);
  }
}

void ColumnBlend::run(TwoRows rows, std::size_t pixels, TwoOutputs outputs) {
  if (isWide()) return blendSteps(steps_.data(), steps_.size(), factors_.data(), offsets_.data(), rows, outputs);
  for (std::size_t row = 0; row < 2; ++row) runPlainly(rows[row], pixels, outputs[row]);
}

void ColumnBlend::runPlainly(const std::uint8_t* row, std::size_t pixels, float* output) {
  row_.resize(std::max(row_.size(), 3 * pixels + padding));
  widen(row, 3 * pixels, row_.data());
  blendPixels(row_.data(), pairs_.first.data(), pairs_.second.data(), pairs_.share.data(), pairs_.share.size(), output);
  scale(factors_.data(), offsets_.data(), 3 * pairs_.share.size(), output);
}

void blendRows(const float* upper, const float* lower, float share, std::size_t count, float* output, bool wide) {
  if (wide && fillsCacheLines(output, count)) return blendPastCaches(upper, lower, share, count, output);
  blendPlainly(upper, lower, share, count, output);
}

void finishBlending() {
  _mm_sfence();
}

}  // namespace slipstream
