// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/layers/packed_bf16_weights.h"

#include <algorithm>
#include <array>
#include <span>

#include <immintrin.h>

#include "engine/nn/layers/bf16_pairs.h"
#include "engine/nn/layers/bf16_weight_gradient.h"

namespace slipstream {
namespace {

/// Output channels that are packed together.
constexpr std::int64_t groupChannels = 16;
/// Values in a register, and so input channels that are packed together where they are paired.
constexpr std::int64_t registerValues = 32;

/// Two neighbouring output channels side by side. Rows are `width` apart.
SLIPSTREAM_BF16_PAIRS
void pairOutputs(const float* stored, std::int64_t width, const PackedBf16Weights& format, Bfloat16* packed) {
  for (std::int64_t c = 0; c < format.inputs; c += groupChannels, packed += format.inputStride) {
    for (std::int64_t o = 0; o < groupChannels; o += 2) {
      const float* first = stored + o * width + c;
      const auto both = _mm512_cvtne2ps_pbh(_mm512_loadu_ps(first + width), _mm512_loadu_ps(first));
      _mm512_store_si512(packed + o * groupChannels, interleaveHalves(reinterpret_cast<__m512i>(both)));
    }
  }
}

/// Two neighbouring input channels side by side, of sixteen output channels together. Rows are `width` apart.
SLIPSTREAM_BF16_PAIRS
void pairInputs(const float* stored, std::int64_t width, const PackedBf16Weights& format, Bfloat16* packed) {
  for (std::int64_t c = 0; c < format.inputs; c += registerValues) {
    __m512i rows[groupChannels];
    for (std::int64_t o = 0; o < groupChannels; ++o) {
      const float* first = stored + o * width + c;
      rows[o] = reinterpret_cast<__m512i>(
          _mm512_cvtne2ps_pbh(_mm512_loadu_ps(first + groupChannels), _mm512_loadu_ps(first)));
    }
    __m512i columns[groupChannels];
    transposePairs(rows, columns);
    for (const __m512i& column : columns) {
      _mm512_store_si512(packed, column);
      packed += format.inputStride;
    }
  }
}

/// The output channels behind the last.
void pairZeros(const PackedBf16Weights& format, Bfloat16* packed) {
  for (std::int64_t c = 0; c < format.inputs; c += 2, packed += format.inputStride) {
    std::fill_n(packed, registerValues, Bfloat16{});
  }
}

void packGroup(const PackedBf16Weights& format, const float* stored, std::int64_t group, std::int64_t place,
               Bfloat16* packed) {
  const auto output = group * groupChannels;
  const auto width = format.kernel * format.kernel * format.inputs;
  const float* from = stored + output * width + place * format.inputs;
  Bfloat16* to = packed + output / format.blockOutputs * format.blockStride + place / format.kernel * format.rowStride +
                 place % format.kernel * format.columnStride;
  if (!format.pairsInputs) return pairOutputs(from, width, format, to);
  to += output % format.blockOutputs * 2;
  if (output >= format.outputs) return pairZeros(format, to);
  pairInputs(from, width, format, to);
}

}  // namespace

std::optional<PackedBf16Weights> pairedWeights(const dnnl::memory::desc& description) {
  if (!multipliesPixelPairs() || description.data_type() != dnnl::memory::data_type::bf16) return std::nullopt;
  if (description.data.format_kind != dnnl_blocked) return std::nullopt;
  const auto sizes = description.dims();
  const auto& blocks = description.data.format_desc.blocking;
  const auto inside = std::span(blocks.inner_blks).first(static_cast<std::size_t>(blocks.inner_nblks));
  const auto insideOf = std::span(blocks.inner_idxs).first(inside.size());
  const auto are = [](std::span<const dnnl_dim_t> values, std::initializer_list<dnnl_dim_t> wanted) {
    return std::ranges::equal(values, wanted);
  };
  PackedBf16Weights format{.outputs = sizes[0],
                           .inputs = sizes[1],
                           .kernel = sizes[2],
                           .pairsInputs = are(insideOf, {0, 1}),
                           .blockOutputs = groupChannels,
                           .blockStride = blocks.strides[0],
                           .inputStride = blocks.strides[1],
                           .rowStride = blocks.strides[2],
                           .columnStride = blocks.strides[3]};
  if (format.outputs % groupChannels != 0 || format.inputs % registerValues != 0) return std::nullopt;
  if (!format.pairsInputs) {
    const bool paired = are(insideOf, {0, 1, 0}) && are(inside, {8, 16, 2});
    return paired ? std::optional(format) : std::nullopt;
  }
  format.blockOutputs = inside[0];
  return inside[1] == 2 && inside[0] % groupChannels == 0 ? std::optional(format) : std::nullopt;
}

void packPairs(const PackedBf16Weights& format, const float* stored, Bfloat16* packed) {
  const auto places = format.kernel * format.kernel;
  const auto blocks = (format.outputs + format.blockOutputs - 1) / format.blockOutputs;
  const auto groups = blocks * (format.blockOutputs / groupChannels);
#pragma omp parallel for
  for (std::int64_t i = 0; i < groups * places; ++i) packGroup(format, stored, i / places, i % places, packed);
}

}  // namespace slipstream
