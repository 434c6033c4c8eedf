#include "engine/device/memory.h"

#include <algorithm>
#include <mutex>

namespace slipstream {
namespace {

class Meter final : public MemoryMeter {
 public:
  void add(MemoryCategory category, std::int64_t bytes) override {
    const auto index = static_cast<std::size_t>(category);
    const std::scoped_lock lock(mutex_);
    held_[index] += bytes;
    peak_[index] = std::max(peak_[index], held_[index]);
  }

  std::array<std::int64_t, memoryCategoryNames.size()> peak() const override {
    const std::scoped_lock lock(mutex_);
    return peak_;
  }

 private:
  mutable std::mutex mutex_;
  std::array<std::int64_t, memoryCategoryNames.size()> held_{};
  std::array<std::int64_t, memoryCategoryNames.size()> peak_{};
};

}  // namespace

std::unique_ptr<MemoryMeter> makeMemoryMeter() {
  return std::make_unique<Meter>();
}

}  // namespace slipstream
