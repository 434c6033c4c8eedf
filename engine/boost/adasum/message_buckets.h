#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/boost/adasum/exchange.h"

namespace slipstream {

/// A reduction whose messages cannot be sent piecemeal between layers: all buckets are exchanged in finish().
class MessageBuckets : public AdasumReduction {
 public:
  explicit MessageBuckets(std::size_t buckets) : done_(buckets) {}

  void begin(int) override {}
  void progress() override {}
  bool completed(int bucket) const override { return done_[static_cast<std::size_t>(bucket)]; }
  void finish() override {
    for (std::size_t b = 0; b < done_.size(); ++b) {
      exchange(static_cast<int>(b));
      done_[b] = true;
    }
    done_.assign(done_.size(), false);
  }

 protected:
  virtual void exchange(int bucket) = 0;

 private:
  std::vector<bool> done_;
};

}  // namespace slipstream
