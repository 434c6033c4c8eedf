// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cmath>

#include "engine/boost/adasum/tree.h"
#include "engine/cuda/host_device.h"
#include "engine/device/tensor_segments.h"

// How one block of a GPU's threads makes the dot products of a chunk. The leaves come stage by stage to memory that the
// block shares, where all of its warps find them: a value crosses the GPU's memory once for all pairs that the block
// adds up, and in aligned quads wherever its tensor begins. What a thread adds, and in which order, does not depend on
// addresses.

namespace slipstream {

constexpr unsigned gramThreads = 128;
constexpr unsigned gramWarps = gramThreads / warpThreads;
/// Of one stage, and how many of these are on their way or in use: what keeps a GPU's memory busy with four blocks a
/// multiprocessor, and still fits without asking for more shared memory than every GPU gives.
constexpr std::size_t gramStageBytes = 8192;
constexpr unsigned gramStages = 4;

/// All pairs of `Leaves` leaves.
template <unsigned Leaves>
struct TriangleOfPairs {
  static constexpr unsigned rows = Leaves;
  static constexpr unsigned columns = Leaves;
  static constexpr unsigned count = gramSize(Leaves);
  static constexpr bool isTriangle = true;
  static constexpr unsigned at(unsigned row, unsigned column) {
    return static_cast<unsigned>(gramIndex(row, column, Leaves));
  }
};

/// The pairs of `Rows` leaves with `Columns` others.
template <unsigned Rows, unsigned Columns>
struct RectangleOfPairs {
  static constexpr unsigned rows = Rows;
  static constexpr unsigned columns = Columns;
  static constexpr unsigned count = Rows * Columns;
  static constexpr bool isTriangle = false;
  static constexpr unsigned at(unsigned row, unsigned column) { return row * Columns + column; }
};

/// The leaves of a block are `side` from `first` on and, where it has two sides, as many from `second` on.
struct LeafSides {
  unsigned first = 0;
  unsigned second = 0;
};

// What a block's warps share out among themselves: as many of them as `warpsOfTile` add up the same pairs (a tile),
// each of its share of the elements. `sums`: the most pairs of a tile; at most 36, which leaves four blocks a
// multiprocessor their registers.

/// All pairs of `Side` leaves. There is a block for every such stretch of the leaves.
template <unsigned Side>
struct PairsWithin {
  static constexpr unsigned side = Side;
  static constexpr unsigned leaves = Side;
  static constexpr unsigned warpsOfTile = gramWarps;
  static constexpr unsigned sums = TriangleOfPairs<Side>::count;

  static std::size_t blocksOf(std::size_t count) { return (count + Side - 1) / Side; }
  SLIPSTREAM_HOST_DEVICE static LeafSides sidesOf(unsigned block, unsigned) { return {block * Side, 0}; }
  template <class Work>
  SLIPSTREAM_HOST_DEVICE static void withTile(unsigned, const Work& work) {
    work(TriangleOfPairs<Side>{}, 0, 0);
  }
};

/// All pairs of up to 2 * `Side` leaves, by one block: those of either side, and those between them in two halves.
template <unsigned Side>
struct PairsOfTwoSides {
  static constexpr unsigned side = Side;
  static constexpr unsigned leaves = 2 * Side;
  static constexpr unsigned warpsOfTile = 1;
  static constexpr unsigned sums = TriangleOfPairs<Side>::count;

  static std::size_t blocksOf(std::size_t) { return 1; }
  SLIPSTREAM_HOST_DEVICE static LeafSides sidesOf(unsigned, unsigned) { return {0, Side}; }
  template <class Work>
  SLIPSTREAM_HOST_DEVICE static void withTile(unsigned tile, const Work& work) {
    const unsigned half = tile % 2;
    if (tile < 2) return work(TriangleOfPairs<Side>{}, half * Side, half * Side);
    work(RectangleOfPairs<Side / 2, Side>{}, half * Side / 2, Side);
  }
};

/// The pairs of `Side` leaves with `Side` others. There is a block for every pair of stretches of the leaves.
template <unsigned Side>
struct PairsBetween {
  static constexpr unsigned side = Side;
  static constexpr unsigned leaves = 2 * Side;
  static constexpr unsigned warpsOfTile = gramWarps / 2;
  static constexpr unsigned sums = RectangleOfPairs<Side / 2, Side>::count;

  static std::size_t blocksOf(std::size_t count) {
    const std::size_t stretches = PairsWithin<Side>::blocksOf(count);
    return stretches * (stretches - 1) / 2;
  }
  /// The pairs of stretches row by row: (0, 1), (0, 2) ..., (1, 2) ...
  SLIPSTREAM_HOST_DEVICE static LeafSides sidesOf(unsigned block, unsigned count) {
    unsigned row = 0;
    unsigned across = block;
    for (unsigned ofRow = (count - 1) / Side; across >= ofRow; --ofRow, ++row) across -= ofRow;
    return {row * Side, (row + 1 + across) * Side};
  }
  template <class Work>
  SLIPSTREAM_HOST_DEVICE static void withTile(unsigned tile, const Work& work) {
    work(RectangleOfPairs<Side / 2, Side>{}, tile * Side / 2, Side);
  }
};

/// Calls work(form) for every form that it takes to have each pair of `count` leaves once: one up to 16 leaves.
template <class Work>
void withForms(std::size_t count, const Work& work) {
  if (count <= 2) return work(PairsWithin<2>{});
  if (count <= 4) return work(PairsWithin<4>{});
  if (count <= 8) return work(PairsWithin<8>{});
  if (count <= 12) return work(PairsOfTwoSides<6>{});
  if (count <= 16) return work(PairsOfTwoSides<8>{});
  work(PairsWithin<8>{});
  work(PairsBetween<8>{});
}

/// Adds the products of one element: `rows` and `columns` are at that element of the first leaves, and `apart` values
/// from leaf to leaf. A product of two floats is exact in double, so that the fused multiply-add rounds as often as the
/// CPU does.
template <class Pairs, unsigned Sums, class T>
SLIPSTREAM_HOST_DEVICE void addProducts(Pairs pairs, double (&sums)[Sums], const T* rows, const T* columns,
                                        unsigned apart) {
  static_assert(Pairs::count <= Sums);
  double right[Pairs::columns];
  SLIPSTREAM_UNROLL
  for (unsigned c = 0; c < Pairs::columns; ++c) right[c] = static_cast<double>(columns[c * apart]);
  SLIPSTREAM_UNROLL
  for (unsigned r = 0; r < Pairs::rows; ++r) {
    const double left = pairs.isTriangle ? right[r] : static_cast<double>(rows[r * apart]);
    SLIPSTREAM_UNROLL
    for (unsigned c = pairs.isTriangle ? r : 0; c < Pairs::columns; ++c) {
      sums[pairs.at(r, c)] = fma(left, right[c], sums[pairs.at(r, c)]);
    }
  }
}

/// One block's work; `thread` is below gramThreads.
template <class T, class Form>
struct GramBlock {
  const T* const* leaves;
  unsigned count;  ///< of all leaves; a block's own may end behind the last
  bool together;   ///< whether quads of all leaves begin at the same elements
  LeafSides sides;
  Chunk chunk;

  static constexpr unsigned stageElements = std::bit_floor(gramStageBytes / (Form::leaves * sizeof(T)));
  /// Of a stage, from leaf to leaf: the first value is as far behind a multiple of 16 bytes as in its leaf.
  static constexpr unsigned apart = stageElements + mostAtOnce / sizeof(T);
  static constexpr std::size_t stageValues = Form::leaves * apart;
  static_assert(stageElements % (warpThreads * Form::warpsOfTile) == 0, "a warp has the same elements in every stage");

  SLIPSTREAM_HOST_DEVICE unsigned stages() const { return (chunk.elements + stageElements - 1) / stageElements; }

  /// The thread's share of bringing a stage. copy(to, from, bytes) copies 16 bytes or one value, whose addresses are
  /// multiples of that. Where there is no leaf or no element, a stage stays as it is, and nobody looks at the result.
  template <class Copy>
  SLIPSTREAM_HOST_DEVICE void copyStage(unsigned thread, unsigned stage, T* staged, const Copy& copy) const {
    constexpr unsigned rowsAtOnce = Form::leaves < gramWarps ? Form::leaves : gramWarps;
    constexpr unsigned threadsOfRow = gramThreads / rowsAtOnce;
    const unsigned elements = elementsOf(stage);
    const AlignedQuads quads = together ? alignedQuads(elements, begin(sides.first, stage)) : AlignedQuads{};
    for (unsigned row = thread / threadsOfRow; row < Form::leaves; row += rowsAtOnce) {
      const unsigned leaf = leafOf(row);
      if (leaf >= count) return;
      copyElements(staged + row * apart + shift(), begin(leaf, stage), elements, quads, thread % threadsOfRow,
                   threadsOfRow, copy);
    }
  }

  /// Adds the thread's share of a stage, all of which is there, to its sums.
  SLIPSTREAM_HOST_DEVICE void addStage(unsigned thread, unsigned stage, const T* staged,
                                       double (&sums)[Form::sums]) const {
    const unsigned share = thread % (warpThreads * Form::warpsOfTile);
    const unsigned elements = elementsOf(stage);
    const T* values = staged + shift();
    Form::withTile(tileOf(thread), [&](auto pairs, unsigned row, unsigned column) {
      for (unsigned i = share; i < elements; i += warpThreads * Form::warpsOfTile) {
        addProducts(pairs, sums, values + row * apart + i, values + column * apart + i, apart);
      }
    });
  }

  /// Calls each(which of a thread's sums, its place in the packed Gram matrix) for the pairs of the thread's tile,
  /// every 32nd of them from its lane on; none that has a leaf behind the last.
  template <class Each>
  SLIPSTREAM_HOST_DEVICE void forPairs(unsigned thread, const Each& each) const {
    Form::withTile(tileOf(thread), [&](auto pairs, unsigned row, unsigned column) {
      for (unsigned k = thread % warpThreads; k < pairs.rows * pairs.columns; k += warpThreads) {
        const unsigned r = k / pairs.columns;
        const unsigned c = k % pairs.columns;
        const unsigned left = leafOf(row + r);
        const unsigned right = leafOf(column + c);
        if (left > right || left >= count || right >= count) continue;
        each(pairs.at(r, c), gramIndex(left, right, count));
      }
    });
  }

 private:
  SLIPSTREAM_HOST_DEVICE static unsigned tileOf(unsigned thread) { return thread / (warpThreads * Form::warpsOfTile); }
  SLIPSTREAM_HOST_DEVICE unsigned leafOf(unsigned row) const {
    return row < Form::side ? sides.first + row : sides.second + row - Form::side;
  }
  SLIPSTREAM_HOST_DEVICE unsigned elementsOf(unsigned stage) const {
    const unsigned left = chunk.elements - stage * stageElements;
    return left < stageElements ? left : stageElements;
  }
  SLIPSTREAM_HOST_DEVICE const T* begin(unsigned leaf, unsigned stage) const {
    return leaves[leaf] + chunk.start + stage * stageElements;
  }
  /// The same at every stage, whose elements are a multiple of four.
  SLIPSTREAM_HOST_DEVICE unsigned shift() const { return behindAlignment(begin(sides.first, 0)); }

  template <class Copy>
  SLIPSTREAM_HOST_DEVICE static void copyElements(T* to, const T* from, unsigned elements, const AlignedQuads& quads,
                                                  unsigned index, unsigned step, const Copy& copy) {
    for (unsigned i = index; i < quads.count; i += step) {
      const auto quad = static_cast<unsigned>(quads.quad(i));
      for (unsigned k = 0; k < 4; k += mostAtOnce / sizeof(T)) copy(to + quad + k, from + quad + k, mostAtOnce);
    }
    for (unsigned i = index; i < quads.singles(elements); i += step) {
      const auto single = static_cast<unsigned>(quads.single(i));
      copy(to + single, from + single, sizeof(T));
    }
  }
};

}  // namespace slipstream
