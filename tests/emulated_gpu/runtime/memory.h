// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace emulated_gpu {

inline constexpr int deviceCount = 2;

/// Where a range of addresses lies.
enum class Place { pageable, pinned, device, astray };

/// Memory of the GPUs: of this process, in a file without a name, parts of which other processes can map. No address is
/// given twice, and one that was given back ends the process that touches it, as do the pages around each piece. New
/// memory is full of NaN. Not for several threads at once.
namespace memory {

/// At a multiple of 256 bytes, its end at the end of a page; null where the GPU has no such room left.
std::byte* take(std::size_t bytes, int device);
/// False where `taken` is not the beginning of a piece that was taken.
bool giveBack(const void* taken);
/// Of the piece that begins there; -1 where none does.
int deviceOf(const void* taken);
std::size_t freeBytes(int device);
std::size_t totalBytes();

std::byte* pin(std::size_t bytes);
bool unpin(const void* pinned);

/// `astray`: part of it only is in a piece of a GPU's memory or pinned.
Place placeOf(const void* begin, std::size_t bytes);

/// A piece, or part of one, as other processes find it.
struct SharedPiece {
  std::int64_t process;
  std::int64_t file;
  std::uint64_t offset;
  std::uint64_t bytes;  ///< 0: there is none
};
SharedPiece share(const void* begin);
/// Memory of another process; null where it cannot be mapped.
std::shared_ptr<std::byte> mapShared(const SharedPiece& piece);

}  // namespace memory
}  // namespace emulated_gpu
