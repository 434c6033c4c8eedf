// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace slipstream::twin {

/// Addresses, as ranges that do not touch.
class AddressRanges {
 public:
  void add(std::uintptr_t begin, std::uintptr_t end);
  bool meets(std::uintptr_t begin, std::uintptr_t end) const;

 private:
  std::map<std::uintptr_t, std::uintptr_t> endOf_;  ///< by begin
};

/// Which global memory the blocks of one launch read and wrote. Nothing orders blocks among each other, nor the units
/// that copy in and out: none may touch what another one writes, nor read what it wrote itself.
class GlobalAccesses {
 public:
  explicit GlobalAccesses(unsigned blocks) : read_(blocks), written_(blocks) {}
  /// Returns whether no block has written there.
  bool read(unsigned block, const void* begin, std::size_t bytes);
  /// Returns whether no other block has read or written there.
  bool write(unsigned block, const void* begin, std::size_t bytes);

 private:
  static bool meetsOther(const std::vector<AddressRanges>& ofBlocks, unsigned block, std::uintptr_t begin,
                         std::uintptr_t end);

  std::vector<AddressRanges> read_;
  std::vector<AddressRanges> written_;
};

}  // namespace slipstream::twin
