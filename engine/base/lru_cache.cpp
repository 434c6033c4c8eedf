// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/lru_cache.h"

namespace slipstream {

std::shared_ptr<const void> LruCache::touch(const std::string& key) {
  const auto found = byKey_.find(key);
  if (found == byKey_.end()) return nullptr;
  kept_.splice(kept_.begin(), kept_, found->second);
  return kept_.front().value;
}

void LruCache::keep(const std::string& key, std::shared_ptr<const void> value, std::size_t bytes) {
  kept_.push_front({key, std::move(value), bytes});
  byKey_[key] = kept_.begin();
  bytes_ += bytes;
  while (bytes_ > mostBytes_ && kept_.size() > 1) {
    bytes_ -= kept_.back().bytes;
    byKey_.erase(kept_.back().key);
    kept_.pop_back();
  }
}

}  // namespace slipstream
