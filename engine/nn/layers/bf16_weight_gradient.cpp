// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/layers/bf16_weight_gradient.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <dnnl.hpp>
#include <immintrin.h>
#include <omp.h>

#include "engine/nn/layers/bf16_pairs.h"

namespace slipstream {
namespace {

/// So many pixels are packed and multiplied at a time: packed operands and the tile of sums stay in the second cache.
constexpr std::int64_t blockPixels = 256;
constexpr std::int64_t blockPairs = blockPixels / 2;
/// At most, of each operand.
constexpr std::int64_t tileChannels = 256;

/// An operand is packed in panels of so many channels: one after another the pairs, of each the channels, of each both
/// pixels, which fill a register.
constexpr std::int64_t panelChannels = 16;
constexpr std::int64_t pairValues = 2 * panelChannels;
/// A cache line apart from a power of two, so that panels do not compete for the same places in the caches.
constexpr std::int64_t panelValues = (blockPairs + 1) * pairValues;
constexpr std::int64_t operandValues = tileChannels / panelChannels * panelValues;
constexpr std::size_t workplaceBytes =
    2 * operandValues * sizeof(Bfloat16) + tileChannels * tileChannels * sizeof(float);

/// What one call keeps in registers: sums of rows of output gradients by columns of inputs.
constexpr std::int64_t registerRows = 4;
constexpr std::int64_t registerPanels = 4;
constexpr std::int64_t registerColumns = registerPanels * panelChannels;

/// Of values in a cache line.
constexpr std::int64_t lineValues = 32;

/// Part of the channels of one place of the kernel, for part of the images' rows.
struct Tile {
  std::int64_t kernelRow;
  std::int64_t kernelColumn;
  std::int64_t outputChannel;
  std::int64_t outputChannels;
  std::int64_t inputChannel;
  std::int64_t inputChannels;
  std::int64_t firstRow;  ///< of all output images' rows
  std::int64_t endRow;
};

std::int64_t roundedUp(std::int64_t value, std::int64_t unit) {
  return (value + unit - 1) / unit * unit;
}
std::int64_t quotientRoundedUp(std::int64_t value, std::int64_t unit) {
  return (value + unit - 1) / unit;
}

std::int64_t gradientValues(const JoinedPixels& joined) {
  return joined.output.channels * joined.kernel * joined.kernel * joined.input.channels;
}

/// Into tiles, and their sums into parts, which are added at the end.
struct Division {
  std::int64_t outputTiles;
  std::int64_t inputTiles;
  std::int64_t tiles;
  std::int64_t parts;
};

/// As few parts as keep all threads busy, while the partial sums are small.
Division divisionOf(const JoinedPixels& joined, int threads) {
  Division made{};
  made.outputTiles = quotientRoundedUp(joined.output.channels, tileChannels);
  made.inputTiles = quotientRoundedUp(joined.input.channels, tileChannels);
  made.tiles = joined.kernel * joined.kernel * made.outputTiles * made.inputTiles;
  constexpr std::int64_t mostPartialSums = std::int64_t{2} << 20;
  const auto most = std::clamp<std::int64_t>(mostPartialSums / gradientValues(joined), 1, threads);
  const auto idleShare = [&](std::int64_t parts) {
    const auto items = made.tiles * parts;
    return static_cast<double>(roundedUp(items, threads) - items) / static_cast<double>(items);
  };
  made.parts = 1;
  for (std::int64_t parts = 2; parts <= most && idleShare(made.parts) > 0.05; ++parts) {
    if (idleShare(parts) < idleShare(made.parts)) made.parts = parts;
  }
  return made;
}

Tile tileOf(const JoinedPixels& joined, const Division& division, std::int64_t item) {
  const auto part = item / division.tiles;
  const auto tile = item % division.tiles;
  const auto place = tile / (division.outputTiles * division.inputTiles);
  Tile made{};
  made.kernelRow = place / joined.kernel;
  made.kernelColumn = place % joined.kernel;
  made.outputChannel = tile / division.inputTiles % division.outputTiles * tileChannels;
  made.outputChannels = std::min(tileChannels, joined.output.channels - made.outputChannel);
  made.inputChannel = tile % division.inputTiles * tileChannels;
  made.inputChannels = std::min(tileChannels, joined.input.channels - made.inputChannel);
  const auto rows = joined.batch * joined.output.height;
  made.firstRow = rows * part / division.parts;
  made.endRow = rows * (part + 1) / division.parts;
  return made;
}

/// Where some pixels of a tile are; an odd count is filled up with zeros.
struct PixelBlock {
  std::int64_t item = -1;  ///< none where the work has ended
  Tile tile{};
  std::int64_t count = 0;
  std::array<const Bfloat16*, blockPixels> outputGradients;
  std::array<const Bfloat16*, blockPixels> inputs;
};

alignas(64) constexpr Bfloat16 zeros[tileChannels]{};

/// The joined pixels of several items, a block at a time; of an item that joins none an empty block.
class PixelWalk {
 public:
  PixelWalk(const JoinedPixels& joined, const Division& division, const Bfloat16* input, const Bfloat16* outputGradient,
            std::int64_t firstItem, std::int64_t endItem)
      : joined_(joined),
        division_(division),
        input_(input),
        outputGradient_(outputGradient),
        item_(firstItem),
        endItem_(endItem) {
    if (item_ < endItem_) startItem();
  }

  void next(PixelBlock& block) {
    block.item = item_ < endItem_ ? item_ : -1;
    block.tile = tile_;
    block.count = 0;
    if (block.item < 0) return;
    while (block.count < blockSize_ && row_ < tile_.endRow) takeFromRow(block);
    if (block.count % 2 == 1) {
      block.outputGradients[static_cast<std::size_t>(block.count)] = zeros;
      block.inputs[static_cast<std::size_t>(block.count)] = zeros;
    }
    if (row_ == tile_.endRow && ++item_ < endItem_) startItem();
  }

 private:
  void startItem() {
    tile_ = tileOf(joined_, division_, item_);
    const auto before = joined_.columnsBefore - tile_.kernelColumn;
    const auto first = before > 0 ? quotientRoundedUp(before, joined_.stride) : 0;
    const auto last = joined_.input.width - 1 + before;
    firstColumn_ = std::min(first, joined_.output.width);
    endColumn_ = last < 0 ? firstColumn_ : std::clamp(last / joined_.stride + 1, firstColumn_, joined_.output.width);
    column_ = firstColumn_;
    const auto pixels = std::max<std::int64_t>((tile_.endRow - tile_.firstRow) * (endColumn_ - firstColumn_), 1);
    blockSize_ = roundedUp(quotientRoundedUp(pixels, quotientRoundedUp(pixels, blockPixels)), 2);
    row_ = tile_.firstRow;
    skipRowsWithout();
  }

  std::int64_t inputRow() const {
    return row_ % joined_.output.height * joined_.stride + tile_.kernelRow - joined_.rowsBefore;
  }
  void skipRowsWithout() {
    const auto joins = [&] {
      return firstColumn_ < endColumn_ && inputRow() >= 0 && inputRow() < joined_.input.height;
    };
    while (row_ < tile_.endRow && !joins()) ++row_;
  }

  void takeFromRow(PixelBlock& block) {
    const auto sample = row_ / joined_.output.height;
    const auto inputRows = sample * joined_.input.height + inputRow();
    const auto* inputs = input_ + inputRows * joined_.input.width * joined_.input.channels + tile_.inputChannel;
    const auto* gradients =
        outputGradient_ + row_ * joined_.output.width * joined_.output.channels + tile_.outputChannel;
    for (; column_ < endColumn_ && block.count < blockSize_; ++column_, ++block.count) {
      const auto x = column_ * joined_.stride + tile_.kernelColumn - joined_.columnsBefore;
      block.outputGradients[static_cast<std::size_t>(block.count)] = gradients + column_ * joined_.output.channels;
      block.inputs[static_cast<std::size_t>(block.count)] = inputs + x * joined_.input.channels;
    }
    if (column_ < endColumn_) return;
    column_ = firstColumn_;
    ++row_;
    skipRowsWithout();
  }

  const JoinedPixels& joined_;
  const Division& division_;
  const Bfloat16* input_;
  const Bfloat16* outputGradient_;
  std::int64_t item_;
  std::int64_t endItem_;
  Tile tile_{};
  std::int64_t row_ = 0;
  std::int64_t column_ = 0;
  std::int64_t firstColumn_ = 0;  ///< columns that join an input pixel
  std::int64_t endColumn_ = 0;
  std::int64_t blockSize_ = 0;  ///< all blocks of a tile are about as large
};

/// Interleaves the values of two pixels: which of the first's 32 and the second's 32.
alignas(64) constexpr std::uint16_t lowerPairs[]{0, 32, 1, 33, 2,  34, 3,  35, 4,  36, 5,  37, 6,  38, 7,  39,
                                                 8, 40, 9, 41, 10, 42, 11, 43, 12, 44, 13, 45, 14, 46, 15, 47};
alignas(64) constexpr std::uint16_t upperPairs[]{16, 48, 17, 49, 18, 50, 19, 51, 20, 52, 21, 53, 22, 54, 23, 55,
                                                 24, 56, 25, 57, 26, 58, 27, 59, 28, 60, 29, 61, 30, 62, 31, 63};

SLIPSTREAM_BF16_PAIRS
void pack(const Bfloat16* const* pixels, std::int64_t pairs, std::int64_t channels, Bfloat16* packed) {
  const __m512i lower = _mm512_load_si512(lowerPairs);
  const __m512i upper = _mm512_load_si512(upperPairs);
  for (std::int64_t pair = 0; pair < pairs; ++pair, packed += pairValues) {
    const Bfloat16* first = pixels[2 * pair];
    const Bfloat16* second = pixels[2 * pair + 1];
    Bfloat16* to = packed;
    for (std::int64_t c = 0; c < channels; c += 2 * panelChannels, to += 2 * panelValues) {
      const __m512i a = _mm512_loadu_si512(first + c);
      const __m512i b = _mm512_loadu_si512(second + c);
      _mm512_store_si512(to, _mm512_permutex2var_epi16(a, lower, b));
      _mm512_store_si512(to + panelValues, _mm512_permutex2var_epi16(a, upper, b));
    }
  }
}

/// Cache lines of what comes next, asked for while other pixels are multiplied: as much at once would be waited for.
struct LinesAhead {
  std::int64_t count;
  std::array<const Bfloat16*, blockPairs> at;
};

/// Part `index` of `parts` of a block's values, no more than a call can ask for; where there are none, a line that is
/// at hand.
void findLines(const PixelBlock& block, std::int64_t index, std::int64_t parts, const Bfloat16* atHand,
               LinesAhead& lines) {
  lines.count = 0;
  const auto take = [&](const Bfloat16* values, std::int64_t channels) {
    for (std::int64_t c = 0; c < channels && lines.count < std::ssize(lines.at); c += lineValues) {
      lines.at[static_cast<std::size_t>(lines.count++)] = values + c;
    }
  };
  for (auto i = block.count * index / parts; i < block.count * (index + 1) / parts; ++i) {
    take(block.outputGradients[static_cast<std::size_t>(i)], block.tile.outputChannels);
    take(block.inputs[static_cast<std::size_t>(i)], block.tile.inputChannels);
  }
  if (lines.count == 0) take(atHand, lineValues);
}

/// Sums of registerRows rows that are `width` apart: what is in `sums`, of rows tileChannels apart, but where these
/// are the `first`, and the products.
template <bool first>
SLIPSTREAM_BF16_PAIRS void multiplyPairs(const Bfloat16* rows, const Bfloat16* columns, std::int64_t pairs,
                                         const LinesAhead& ahead, const float* sums, float* to, std::int64_t width) {
  __m512 sum[registerRows][registerPanels];
  for (auto& row : sum) {
    for (auto& values : row) values = _mm512_setzero_ps();
  }
  for (std::int64_t pair = 0; pair < pairs; ++pair, rows += pairValues, columns += pairValues) {
    __builtin_prefetch(ahead.at[static_cast<std::size_t>(std::min(pair, ahead.count - 1))], 0, 2);
    __m512i column[registerPanels];
    for (std::int64_t j = 0; j < registerPanels; ++j) column[j] = _mm512_load_si512(columns + j * panelValues);
    for (std::int64_t i = 0; i < registerRows; ++i) {
      std::int32_t both = 0;
      std::memcpy(&both, rows + 2 * i, sizeof(both));
      const __m512i row = _mm512_set1_epi32(both);
      for (std::int64_t j = 0; j < registerPanels; ++j) {
        sum[i][j] = _mm512_dpbf16_ps(sum[i][j], reinterpret_cast<__m512bh>(row), reinterpret_cast<__m512bh>(column[j]));
      }
    }
  }
  for (std::int64_t i = 0; i < registerRows; ++i) {
    for (std::int64_t j = 0; j < registerPanels; ++j) {
      const auto column = j * panelChannels;
      if constexpr (!first) sum[i][j] = _mm512_add_ps(_mm512_loadu_ps(sums + i * tileChannels + column), sum[i][j]);
      _mm512_storeu_ps(to + i * width + column, sum[i][j]);
    }
  }
}

/// What one thread works on: packed operands, and the sums of a tile until its last block. Where the gradient is
/// its rows may be powers of two apart, which compete for places in the caches.
struct WorkBuffers {
  Bfloat16* outputGradients;
  Bfloat16* inputs;
  float* sums;
};

/// Asks for the lines that a call will write: the gradient is not in the caches.
void fetchToWrite(const float* to, std::int64_t width) {
  for (std::int64_t i = 0; i < registerRows; ++i) {
    for (std::int64_t j = 0; j < registerPanels; ++j) __builtin_prefetch(to + i * width + j * panelChannels, 1);
  }
}

void multiplyBlock(const PixelBlock& block, const PixelBlock& following, bool first, const WorkBuffers& place,
                   float* to, std::int64_t width) {
  const Tile& tile = block.tile;
  const auto pairs = quotientRoundedUp(block.count, 2);
  pack(block.outputGradients.data(), pairs, tile.outputChannels, place.outputGradients);
  pack(block.inputs.data(), pairs, tile.inputChannels, place.inputs);
  const auto multiply = first ? multiplyPairs<true> : multiplyPairs<false>;
  const auto calls = tile.outputChannels / registerRows * (tile.inputChannels / registerColumns);
  LinesAhead ahead;
  std::int64_t call = 0;
  for (std::int64_t c = 0; c < tile.inputChannels; c += registerColumns) {
    for (std::int64_t o = 0; o < tile.outputChannels; o += registerRows, ++call) {
      findLines(following, call, calls, place.inputs, ahead);
      if (o + registerRows < tile.outputChannels) fetchToWrite(to + (o + registerRows) * width + c, width);
      multiply(place.outputGradients + o / panelChannels * panelValues + 2 * (o % panelChannels),
               place.inputs + c / panelChannels * panelValues, pairs, ahead, place.sums + o * tileChannels + c,
               to + o * width + c, width);
    }
  }
}

/// `gradient` is that of the first part of the images; the other parts' follow it.
void sumItems(const JoinedPixels& joined, const Division& division, PixelWalk walk, const WorkBuffers& place,
              float* gradient) {
  const auto width = joined.kernel * joined.kernel * joined.input.channels;
  std::array<PixelBlock, 2> blocks;
  walk.next(blocks[0]);
  bool first = true;
  for (std::size_t number = 0; blocks[number % 2].item >= 0; ++number) {
    const PixelBlock& block = blocks[number % 2];
    PixelBlock& following = blocks[(number + 1) % 2];
    walk.next(following);
    const Tile& tile = block.tile;
    const bool last = following.item != block.item;
    float* corner = gradient + block.item / division.tiles * gradientValues(joined) + tile.outputChannel * width +
                    (tile.kernelRow * joined.kernel + tile.kernelColumn) * joined.input.channels + tile.inputChannel;
    multiplyBlock(block, following, first, place, last ? corner : place.sums, last ? width : tileChannels);
    first = last;
  }
}

void addParts(const float* partial, std::int64_t parts, std::int64_t values, float* sum) {
#pragma omp parallel for
  for (std::int64_t begin = 0; begin < values; begin += panelChannels) {
    std::array<float, panelChannels> added{};
    for (std::int64_t part = 0; part < parts; ++part) {
      const float* from = partial + part * values + begin;
      for (std::size_t i = 0; i < added.size(); ++i) added[i] += from[i];
    }
    std::ranges::copy(added, sum + begin);
  }
}

}  // namespace

bool multipliesPixelPairs() {
  static const bool does = dnnl::get_effective_cpu_isa() == dnnl::cpu_isa::avx512_core_bf16;
  return does;
}

bool fitsPixelTiles(const JoinedPixels& joined) {
  return joined.input.channels % registerColumns == 0 && joined.output.channels % (2 * panelChannels) == 0;
}

std::size_t pixelProductBytes(const JoinedPixels& joined, int threads) {
  const auto parts = divisionOf(joined, threads).parts;
  const auto partial = parts > 1 ? parts * gradientValues(joined) : 0;
  return static_cast<std::size_t>(partial) * sizeof(float) + static_cast<std::size_t>(threads) * workplaceBytes;
}

void sumOfPixelProducts(const JoinedPixels& joined, const Bfloat16* input, const Bfloat16* outputGradient,
                        std::span<std::byte> scratch, int threads, float* gradient) {
  const Division division = divisionOf(joined, threads);
  std::byte* places = scratch.data();
  auto* partial = reinterpret_cast<float*>(places + static_cast<std::size_t>(threads) * workplaceBytes);
  float* sums = division.parts > 1 ? partial : gradient;
  const auto items = division.tiles * division.parts;
#pragma omp parallel num_threads(threads)
  {
    const auto thread = omp_get_thread_num(), team = omp_get_num_threads();
    auto* operands = reinterpret_cast<Bfloat16*>(places + static_cast<std::size_t>(thread) * workplaceBytes);
    const WorkBuffers place{operands, operands + operandValues, reinterpret_cast<float*>(operands + 2 * operandValues)};
    sumItems(joined, division,
             {joined, division, input, outputGradient, items * thread / team, items * (thread + 1) / team}, place,
             sums);
  }
  if (division.parts > 1) addParts(partial, division.parts, gradientValues(joined), gradient);
}

}  // namespace slipstream
