// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/lru_cache.h"

namespace slipstream {

std::shared_ptr<const void> LruCache::touch(const std::string& key) {
  const auto found = byKey_.find(key);
  if (found == byKey_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return entries_.front().value;
}

void LruCache::keep(const std::string& key, std::shared_ptr<const void> value, std::size_t bytes) {
  entries_.push_front({key, std::move(value), bytes});
  byKey_[key] = entries_.begin();
  bytes_ += bytes;
  while (bytes_ > mostBytes_ && entries_.size() > 1) {
    bytes_ -= entries_.back().bytes;
    byKey_.erase(entries_.back().key);
    entries_.pop_back();
  }
}

}  // namespace slipstream
