// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <string>

namespace slipstream {

/// Values by key, the least lately used of which go first once they hold more than `mostBytes`. For one thread.
class LruCache {
 public:
  explicit LruCache(std::size_t mostBytes) : mostBytes_(mostBytes) {}

  /// Null where there is none (any more).
  template <class Value>
  std::shared_ptr<const Value> find(const std::string& key) {
    return std::static_pointer_cast<const Value>(touch(key));
  }
  /// A key that is not kept yet.
  void keep(const std::string& key, std::shared_ptr<const void> value, std::size_t bytes);

 private:
  struct Entry {
    std::string key;
    std::shared_ptr<const void> value;
    std::size_t bytes = 0;
  };
  std::shared_ptr<const void> touch(const std::string& key);

  std::size_t mostBytes_;
  std::list<Entry> entries_;  ///< the last used one first
  std::map<std::string, std::list<Entry>::iterator> byKey_;
  std::size_t bytes_ = 0;
};

}  // namespace slipstream
