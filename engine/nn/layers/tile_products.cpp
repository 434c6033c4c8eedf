// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/layers/tile_products.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>
#include <vector>

#include <immintrin.h>
#include <omp.h>

#include "engine/nn/layers/bf16_pairs.h"

#define SLIPSTREAM_TILES [[gnu::target("arch=x86-64-v4,avx512bf16,amx-tile,amx-bf16")]]

namespace slipstream {
namespace tile_products {
namespace {

/// A tile register: 16 rows of 64 bytes, as fp32 sums 16 columns, as an operand 32 bf16 values.
constexpr std::int64_t tileLines = 16;
constexpr std::int64_t tileDepth = 32;  ///< of the inner dimension
constexpr std::int64_t tileBytes = 1024;
constexpr std::int64_t registerValues = 16;  ///< fp32 values

/// Sums of two by two tiles stay in registers. An operand is packed in panels of two tiles' lines: one step along the
/// inner dimension after another, of each the three parts, of each both tiles.
constexpr std::int64_t panelLines = 2 * tileLines;
constexpr std::int64_t parts = 3;
constexpr std::int64_t partBytes = 2 * tileBytes;
constexpr std::int64_t stepBytes = parts * partBytes;

/// The most that is packed at a time: a block of A and a panel of B fit the second-level cache.
constexpr std::int64_t mostSteps = 16;
constexpr std::int64_t mostRows = 512;
constexpr std::int64_t mostColumns = 512;

std::int64_t quotientUp(std::int64_t value, std::int64_t unit) {
  return (value + unit - 1) / unit;
}

struct alignas(64) CacheLine {
  std::byte bytes[64];
};

/// Room for packed operands, which a thread keeps from one product to the next.
std::byte* packedRoom(std::int64_t bytes) {
  thread_local std::vector<CacheLine> room;
  const auto lines = static_cast<std::size_t>(bytes) / sizeof(CacheLine);
  if (room.size() < lines) room.resize(lines);
  return room.front().bytes;
}

/// What each tile register holds, as the processor reads it (Intel's manual, volume 1, section 18.3).
struct alignas(64) TileLayout {
  std::uint8_t palette = 1;
  std::uint8_t startRow = 0;
  std::uint8_t reserved[14] = {};
  std::uint16_t rowBytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};

/// A constant, since g++ 12 does not see that the intrinsic reads more than the first bytes of it.
constexpr TileLayout wholeRegisters;

/// Sets the tile registers up for this thread, and restores the configuration that it had; what the registers held is
/// lost. Released registers are not saved and restored when the thread is switched.
class TileRegisters {
 public:
  SLIPSTREAM_TILES TileRegisters() {
    __asm__ volatile("sttilecfg %0" : "=m"(before_));
    _tile_loadconfig(&wholeRegisters);
  }
  TileRegisters(const TileRegisters&) = delete;
  TileRegisters& operator=(const TileRegisters&) = delete;
  SLIPSTREAM_TILES ~TileRegisters() {
    const bool hadNone = std::to_integer<int>(before_.bytes[0]) == 0;
    if (hadNone) {
      _tile_release();
    } else {
      __asm__ volatile("ldtilecfg %0" : : "m"(before_));
    }
  }

 private:
  CacheLine before_;  ///< the whole of it is written and read: g++ 12's intrinsics name its first bytes only
};

struct Parts {
  __m512i of[parts];
};

SLIPSTREAM_TILES inline __m512 widened(__m256i values) {
  return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_maskz_cvtepu16_epi32(0xFFFF, values), 16));
}

/// Splits 16 values and the 16 behind them: each part is the rounded rest that those before leave.
SLIPSTREAM_TILES inline Parts split(__m512 first, __m512 second) {
  Parts made;
  for (auto& part : made.of) {
    part = reinterpret_cast<__m512i>(_mm512_cvtne2ps_pbh(second, first));
    first = _mm512_sub_ps(first, widened(_mm512_castsi512_si256(part)));
    second = _mm512_sub_ps(second, widened(_mm512_maskz_extracti64x4_epi64(0xFF, part, 1)));
  }
  return made;
}

/// How an operand is read and what its tiles hold: those of A have a line of 32 inner values in a row, those of B a
/// pair of inner values of every line.
struct Packing {
  bool linesContiguous;
  bool linesAreRows;
};

/// Packs one tile of every part, from 16 lines of 32 inner values that are all there.
SLIPSTREAM_TILES void packTile(const float* from, std::int64_t stride, Packing packing, std::byte* to) {
  __m512i rows[parts][tileLines];
  for (std::int64_t i = 0; i < tileLines; ++i) {
    const float* first = from + (packing.linesContiguous ? 2 * i * stride : i * stride);
    const float* second = first + (packing.linesContiguous ? stride : registerValues);
    const Parts made = split(_mm512_loadu_ps(first), _mm512_loadu_ps(second));
    for (std::int64_t part = 0; part < parts; ++part) {
      rows[part][i] = packing.linesContiguous ? interleaveHalves(made.of[part]) : made.of[part];
    }
  }
  for (std::int64_t part = 0; part < parts; ++part) {
    __m512i turned[tileLines];
    const bool turns = packing.linesContiguous == packing.linesAreRows;
    if (turns) transposePairs(rows[part], turned);
    const __m512i* ready = turns ? turned : rows[part];
    for (std::int64_t i = 0; i < tileLines; ++i) _mm512_store_si512(to + part * partBytes + 64 * i, ready[i]);
  }
}

/// Packs a tile of fewer lines or inner values; the others become zero.
void packPartOfTile(const float* from, std::int64_t stride, Packing packing, std::int64_t lines, std::int64_t inner,
                    std::byte* to) {
  alignas(64) float whole[tileLines * tileDepth] = {};
  const std::int64_t storedRows = packing.linesContiguous ? inner : lines;
  const std::int64_t width = packing.linesContiguous ? lines : inner;
  const std::int64_t wholeWidth = packing.linesContiguous ? tileLines : tileDepth;
  for (std::int64_t i = 0; i < storedRows; ++i) {
    std::copy_n(from + i * stride, width, whole + i * wholeWidth);
  }
  packTile(whole, wholeWidth, packing, to);
}

/// A rectangle of an operand.
struct Part {
  std::int64_t firstLine;
  std::int64_t lines;
  std::int64_t firstInner;
  std::int64_t inner;
};

void packStep(const ProductOperand& operand, bool linesAreRows, const Part& part, std::byte* to) {
  const Packing packing{operand.linesContiguous, linesAreRows};
  for (int tile = 0; tile < 2; ++tile, to += tileBytes) {
    const std::int64_t lines = std::clamp<std::int64_t>(part.lines - tile * tileLines, 0, tileLines);
    if (lines == 0) {
      for (std::int64_t i = 0; i < parts; ++i) std::memset(to + i * partBytes, 0, tileBytes);
      continue;
    }
    const std::int64_t line = part.firstLine + tile * tileLines;
    const float* from = operand.values + (operand.linesContiguous ? part.firstInner * operand.stride + line
                                                                  : line * operand.stride + part.firstInner);
    if (lines == tileLines && part.inner == tileDepth) {
      packTile(from, operand.stride, packing, to);
    } else {
      packPartOfTile(from, operand.stride, packing, lines, part.inner, to);
    }
  }
}

void packPanels(const ProductOperand& operand, bool linesAreRows, const Part& part, std::byte* to) {
  for (std::int64_t line = 0; line < part.lines; line += panelLines) {
    for (std::int64_t inner = 0; inner < part.inner; inner += tileDepth, to += stepBytes) {
      packStep(operand, linesAreRows,
               {part.firstLine + line, std::min(panelLines, part.lines - line), part.firstInner + inner,
                std::min(tileDepth, part.inner - inner)},
               to);
    }
  }
}

// Tile registers are named by numbers in the code: 0 to 3 hold the sums, 4 and 5 rows of A, 6 and 7 columns of B.
SLIPSTREAM_TILES inline void loadRows(const std::byte* a) {
  _tile_loadd(4, a, 64);
  _tile_loadd(5, a + tileBytes, 64);
}
SLIPSTREAM_TILES inline void loadColumns(const std::byte* b) {
  _tile_loadd(6, b, 64);
  _tile_loadd(7, b + tileBytes, 64);
}
SLIPSTREAM_TILES inline void addProducts() {
  _tile_dpbf16ps(0, 4, 6);
  _tile_dpbf16ps(1, 4, 7);
  _tile_dpbf16ps(2, 5, 6);
  _tile_dpbf16ps(3, 5, 7);
}

/// Part i of A times part j of B where i + j is 1 or 2, in an order that loads one operand a time.
SLIPSTREAM_TILES inline void addSmallProducts(const std::byte* a, const std::byte* b) {
  loadRows(a + 2 * partBytes);
  loadColumns(b);
  addProducts();
  loadRows(a + partBytes);
  addProducts();
  loadColumns(b + partBytes);
  addProducts();
  loadRows(a);
  addProducts();
  loadColumns(b + 2 * partBytes);
  addProducts();
}

/// Writes a square of 32 by 32 sums. The small products come first, while the sums are small too: so nearly all
/// roundings are those of the products of the first parts, as many as in a sum of fp32.
SLIPSTREAM_TILES void sumSquare(const std::byte* a, const std::byte* b, std::int64_t steps, float* sums,
                                std::int64_t stride) {
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  for (std::int64_t step = 0; step < steps; ++step) addSmallProducts(a + step * stepBytes, b + step * stepBytes);
  for (std::int64_t step = 0; step < steps; ++step) {
    loadRows(a + step * stepBytes);
    loadColumns(b + step * stepBytes);
    addProducts();
  }
  const std::int64_t bytes = stride * static_cast<std::int64_t>(sizeof(float));
  float* lower = sums + tileLines * stride;
  _tile_stored(0, sums, bytes);
  _tile_stored(1, sums + tileLines, bytes);
  _tile_stored(2, lower, bytes);
  _tile_stored(3, lower + tileLines, bytes);
}

/// Writes the part of a square of sums that C has room for, or adds it to C.
SLIPSTREAM_TILES void deliver(const float* square, bool accumulate, float* c, std::int64_t stride, std::int64_t rows,
                              std::int64_t columns) {
  for (std::int64_t i = 0; i < rows; ++i, c += stride, square += panelLines) {
    for (std::int64_t j = 0; j < columns; ++j) c[j] = accumulate ? c[j] + square[j] : square[j];
  }
}

/// A rectangle of C, and the part of the inner dimension that is summed.
struct ProductBlock {
  std::int64_t firstRow;
  std::int64_t rows;
  std::int64_t firstColumn;
  std::int64_t columns;
  std::int64_t firstInner;
  std::int64_t inner;
};

/// Computes a block of C, which begins at `c`, from packed operands.
void sumBlock(const std::byte* a, const std::byte* b, const ProductBlock& block, bool accumulate, float* c,
              std::int64_t stride) {
  const std::int64_t steps = quotientUp(block.inner, tileDepth);
  const std::int64_t panelBytes = steps * stepBytes;
  for (std::int64_t column = 0; column < block.columns; column += panelLines) {
    const std::byte* panelB = b + column / panelLines * panelBytes;
    for (std::int64_t row = 0; row < block.rows; row += panelLines) {
      const std::byte* panelA = a + row / panelLines * panelBytes;
      const std::int64_t rows = std::min(panelLines, block.rows - row);
      const std::int64_t columns = std::min(panelLines, block.columns - column);
      float* to = c + row * stride + column;
      if (rows == panelLines && columns == panelLines && !accumulate) {
        sumSquare(panelA, panelB, steps, to, stride);
        continue;
      }
      alignas(64) float square[panelLines * panelLines];
      sumSquare(panelA, panelB, steps, square, panelLines);
      deliver(square, accumulate, to, stride, rows, columns);
    }
  }
}

/// Computes a rectangle of C in the calling thread. The inner dimension is cut into about equal chunks, which depend on
/// nothing but its length: so no sum depends on what else is summed.
void sumRectangle(const ProductOperand& a, const ProductOperand& b, const ProductShape& shape,
                  const ProductBlock& rectangle, bool accumulate, float* c) {
  const std::int64_t steps = quotientUp(shape.inner, tileDepth);
  const std::int64_t chunk = quotientUp(steps, quotientUp(steps, mostSteps)) * tileDepth;
  std::byte* packedA = packedRoom((mostRows + mostColumns) / panelLines * mostSteps * stepBytes);
  std::byte* packedB = packedA + mostRows / panelLines * mostSteps * stepBytes;
  const TileRegisters registers;
  for (std::int64_t column = 0; column < rectangle.columns; column += mostColumns) {
    for (std::int64_t inner = 0; inner < shape.inner; inner += chunk) {
      ProductBlock block{0,
                         0,
                         rectangle.firstColumn + column,
                         std::min(mostColumns, rectangle.columns - column),
                         inner,
                         std::min(chunk, shape.inner - inner)};
      packPanels(b, false, {block.firstColumn, block.columns, block.firstInner, block.inner}, packedB);
      for (std::int64_t row = 0; row < rectangle.rows; row += mostRows) {
        block.firstRow = rectangle.firstRow + row;
        block.rows = std::min(mostRows, rectangle.rows - row);
        packPanels(a, true, {block.firstRow, block.rows, block.firstInner, block.inner}, packedA);
        sumBlock(packedA, packedB, block, accumulate || inner > 0,
                 c + block.firstRow * shape.columns + block.firstColumn, shape.columns);
      }
    }
  }
}

/// Returns among how many of the threads the rows are shared; the columns are shared among the threads of each such
/// group. Every thread packs its own operands, so the division is the one that packs least.
int threadsOfRows(const ProductShape& shape, int threads) {
  const auto lines = [&](int ofRows) { return shape.rows / ofRows + shape.columns / (threads / ofRows); };
  int best = 1;
  for (int ofRows = 2; ofRows <= threads; ++ofRows) {
    if (threads % ofRows == 0 && lines(ofRows) < lines(best)) best = ofRows;
  }
  return best;
}

/// Returns the first line and the number of lines of share `index` of `count`; shares are whole panels.
std::pair<std::int64_t, std::int64_t> shareOf(std::int64_t lines, int index, int count) {
  const std::int64_t panels = quotientUp(lines, panelLines);
  const auto border = [&](int i) { return std::min(lines, panels * i / count * panelLines); };
  return {border(index), border(index + 1) - border(index)};
}

}  // namespace
}  // namespace tile_products

bool gainsFromTiles(std::int64_t rows, std::int64_t columns, std::int64_t inner) {
  constexpr std::int64_t leastReuse = 64, leastInner = 64;
  return inner >= leastInner && rows * columns >= leastReuse * (rows + columns);
}

void multiplyTiles(const ProductOperand& a, const ProductOperand& b, const ProductShape& shape, bool accumulate,
                   float* c) {
  using namespace tile_products;
#pragma omp parallel
  {
    const int threads = omp_get_num_threads();
    const int ofRows = threadsOfRows(shape, threads);
    const int ofColumns = threads / ofRows;
    const auto [firstRow, rows] = shareOf(shape.rows, omp_get_thread_num() / ofColumns, ofRows);
    const auto [firstColumn, columns] = shareOf(shape.columns, omp_get_thread_num() % ofColumns, ofColumns);
    if (rows > 0 && columns > 0) {
      sumRectangle(a, b, shape, {firstRow, rows, firstColumn, columns, 0, shape.inner}, accumulate, c);
    }
  }
}

}  // namespace slipstream
