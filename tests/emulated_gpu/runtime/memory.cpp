// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/emulated_gpu/runtime/memory.h"

#include <array>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <new>
#include <string>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace emulated_gpu::memory {
namespace {

constexpr std::size_t gibibyte = std::size_t{1} << 30U;
constexpr std::size_t bytesOfDevice = 8 * gibibyte;
constexpr std::size_t addressBytes = 256 * gibibyte;
constexpr std::size_t alignment = 256;
constexpr std::size_t page = 4096;

std::size_t roundedUp(std::size_t bytes, std::size_t to) {
  return (bytes + to - 1) / to * to;
}

struct Piece {
  std::size_t bytes = 0;
  int device = 0;
  std::size_t taken = 0;  ///< of the device's bytes
};
using Pieces = std::map<const std::byte*, Piece, std::less<>>;

/// Addresses without memory, until parts of them are opened.
class Arena {
 public:
  Arena() : file_(::memfd_create("emulated GPUs", MFD_CLOEXEC)) {
    void* begin = MAP_FAILED;
    if (file_ >= 0 && ::ftruncate(file_, addressBytes) == 0) {
      begin = ::mmap(nullptr, addressBytes, PROT_NONE, MAP_SHARED | MAP_NORESERVE, file_, 0);
    }
    if (begin == MAP_FAILED) throw std::bad_alloc();
    begin_ = static_cast<std::byte*>(begin);
  }

  int file() const { return file_; }
  std::uint64_t offsetOf(const void* address) const {
    return static_cast<std::uint64_t>(static_cast<const std::byte*>(address) - begin_);
  }
  /// Whole pages behind a page that stays closed.
  std::byte* open(std::size_t bytes) {
    if (bytes + page > addressBytes - used_) return nullptr;
    std::byte* opened = begin_ + used_ + page;
    if (::mprotect(opened, bytes, PROT_READ | PROT_WRITE) != 0) return nullptr;
    used_ += bytes + page;
    return opened;
  }
  static void close(std::byte* opened, std::size_t bytes) {
    ::madvise(opened, bytes, MADV_REMOVE);
    ::mprotect(opened, bytes, PROT_NONE);
  }

 private:
  int file_;
  std::byte* begin_ = nullptr;
  std::size_t used_ = 0;
};

/// All of the process.
struct Memory {
  Arena arena;
  Pieces pieces;  ///< of the GPUs, and of other processes' ones
  Pieces pinned;
  std::array<std::size_t, deviceCount> used{};
};

Memory& ofProcess() {
  static auto* all = new Memory;  // streams of threads that end last still refer to it
  return *all;
}

/// The piece in which the address is, or the end.
Pieces::iterator around(Pieces& pieces, const std::byte* address) {
  auto after = pieces.upper_bound(address);
  if (after == pieces.begin()) return pieces.end();
  --after;
  return address < after->first + after->second.bytes ? after : pieces.end();
}

std::byte* pagesOf(const std::byte* piece) {
  const auto address = reinterpret_cast<std::uintptr_t>(piece);
  return const_cast<std::byte*>(piece) - address % page;
}

}  // namespace

std::byte* take(std::size_t bytes, int device) {
  Memory& all = ofProcess();
  auto& used = all.used[static_cast<std::size_t>(device)];
  if (bytes > bytesOfDevice - used) return nullptr;
  const std::size_t aligned = roundedUp(bytes == 0 ? 1 : bytes, alignment);
  const std::size_t whole = roundedUp(aligned, page);
  std::byte* pages = whole > bytesOfDevice - used ? nullptr : all.arena.open(whole);
  if (pages == nullptr) return nullptr;
  std::memset(pages, 0xFF, whole);
  used += whole;
  std::byte* begin = pages + whole - aligned;
  all.pieces[begin] = {aligned, device, whole};
  return begin;
}

bool giveBack(const void* taken) {
  Memory& all = ofProcess();
  const auto found = all.pieces.find(static_cast<const std::byte*>(taken));
  if (found == all.pieces.end() || found->second.taken == 0) return false;
  Arena::close(pagesOf(found->first), found->second.taken);
  all.used[static_cast<std::size_t>(found->second.device)] -= found->second.taken;
  all.pieces.erase(found);
  return true;
}

int deviceOf(const void* taken) {
  Memory& all = ofProcess();
  const auto found = all.pieces.find(static_cast<const std::byte*>(taken));
  return found == all.pieces.end() ? -1 : found->second.device;
}

std::size_t freeBytes(int device) {
  return bytesOfDevice - ofProcess().used[static_cast<std::size_t>(device)];
}
std::size_t totalBytes() {
  return bytesOfDevice;
}

std::byte* pin(std::size_t bytes) {
  auto* begin = static_cast<std::byte*>(std::aligned_alloc(alignment, roundedUp(bytes, alignment)));
  if (begin == nullptr) return nullptr;
  std::memset(begin, 0xFF, bytes);
  ofProcess().pinned[begin] = {bytes, 0, 0};
  return begin;
}

bool unpin(const void* pinned) {
  if (ofProcess().pinned.erase(static_cast<const std::byte*>(pinned)) == 0) return false;
  std::free(const_cast<void*>(pinned));
  return true;
}

Place placeOf(const void* begin, std::size_t bytes) {
  Memory& all = ofProcess();
  const auto* first = static_cast<const std::byte*>(begin);
  const auto holds = [&](Pieces& pieces, Place place) {
    const auto found = around(pieces, first);
    if (found == pieces.end()) return Place::pageable;
    return first + bytes <= found->first + found->second.bytes ? place : Place::astray;
  };
  const Place place = holds(all.pieces, Place::device);
  return place == Place::pageable ? holds(all.pinned, Place::pinned) : place;
}

SharedPiece share(const void* begin) {
  Memory& all = ofProcess();
  const auto found = all.pieces.find(static_cast<const std::byte*>(begin));
  if (found == all.pieces.end()) return {};
  return {::getpid(), all.arena.file(), all.arena.offsetOf(begin), found->second.bytes};
}

std::shared_ptr<std::byte> mapShared(const SharedPiece& piece) {
  if (piece.process == ::getpid() || piece.bytes == 0) return nullptr;
  const std::string path = "/proc/" + std::to_string(piece.process) + "/fd/" + std::to_string(piece.file);
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) return nullptr;
  const std::size_t before = piece.offset % page;
  const std::size_t whole = roundedUp(before + piece.bytes, page);
  void* pages =
      ::mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_SHARED, file, static_cast<off_t>(piece.offset - before));
  ::close(file);
  if (pages == MAP_FAILED) return nullptr;
  auto* begin = static_cast<std::byte*>(pages) + before;
  ofProcess().pieces[begin] = {piece.bytes, 0, 0};
  return {begin, [pages, whole](std::byte* mapped) {
            ofProcess().pieces.erase(mapped);
            ::munmap(pages, whole);
          }};
}

}  // namespace emulated_gpu::memory
