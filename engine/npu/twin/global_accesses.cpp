// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/npu/twin/global_accesses.h"

#include <algorithm>
#include <iterator>

namespace slipstream::twin {

void AddressRanges::add(std::uintptr_t begin, std::uintptr_t end) {
  auto next = endOf_.upper_bound(begin);
  if (next != endOf_.begin() && std::prev(next)->second >= begin) {
    --next;
    begin = next->first;
  }
  while (next != endOf_.end() && next->first <= end) {
    end = std::max(end, next->second);
    next = endOf_.erase(next);
  }
  endOf_.emplace_hint(next, begin, end);
}

bool AddressRanges::meets(std::uintptr_t begin, std::uintptr_t end) const {
  const auto next = endOf_.lower_bound(end);
  return next != endOf_.begin() && std::prev(next)->second > begin;
}

bool GlobalAccesses::meetsOther(const std::vector<AddressRanges>& ofBlocks, unsigned block, std::uintptr_t begin,
                                std::uintptr_t end) {
  for (std::size_t other = 0; other < ofBlocks.size(); ++other) {
    if (other != block && ofBlocks[other].meets(begin, end)) return true;
  }
  return false;
}

bool GlobalAccesses::read(unsigned block, const void* begin, std::size_t bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  read_[block].add(address, address + bytes);
  return !written_[block].meets(address, address + bytes) && !meetsOther(written_, block, address, address + bytes);
}

bool GlobalAccesses::write(unsigned block, const void* begin, std::size_t bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  written_[block].add(address, address + bytes);
  return !meetsOther(written_, block, address, address + bytes) && !meetsOther(read_, block, address, address + bytes);
}

}  // namespace slipstream::twin
