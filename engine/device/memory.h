#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace slipstream {

/// What memory is for; the names are the store's and the forecast's. `gather` is what shards pass through while their
/// whole is needed.
enum class MemoryCategory { weights, gradients, optimizerState, gather, boost, activations, data };
inline constexpr std::array<std::string_view, 7> memoryCategoryNames{
    "weights", "gradients", "optimizer_state", "gather", "boost", "activations", "data"};

/// Counts the bytes a rank holds, by category. One a rank; thread-safe.
class MemoryMeter {
 public:
  virtual ~MemoryMeter() = default;
  virtual void add(MemoryCategory category, std::int64_t bytes) = 0;
  virtual std::array<std::int64_t, memoryCategoryNames.size()> peak() const = 0;
};
std::unique_ptr<MemoryMeter> makeMemoryMeter();

/// Counts memory that no device gave, for as long as it lives.
class CountedMemory {
 public:
  CountedMemory(MemoryMeter& meter, MemoryCategory category, std::int64_t bytes)
      : meter_(meter), category_(category), bytes_(bytes) {
    meter_.add(category_, bytes_);
  }
  ~CountedMemory() { meter_.add(category_, -bytes_); }
  CountedMemory(const CountedMemory&) = delete;
  CountedMemory& operator=(const CountedMemory&) = delete;

 private:
  MemoryMeter& meter_;
  MemoryCategory category_;
  std::int64_t bytes_;
};

/// 64-byte aligned, zeroed memory of one device, counted by the meter until it is destroyed.
class Buffer {
 public:
  virtual ~Buffer() = default;
  virtual std::span<std::byte> bytes() = 0;
  template <class T>
  std::span<T> as() {
    const auto raw = bytes();
    return {reinterpret_cast<T*>(raw.data()), raw.size() / sizeof(T)};
  }
};

/// A device that a rank computes on. cpu/ and cuda/ each have one; which are built: backends/.
class Device {
 public:
  virtual ~Device() = default;
  virtual std::string_view name() const = 0;
  virtual std::unique_ptr<Buffer> allocate(std::size_t bytes, MemoryCategory category) = 0;
  virtual void copyIn(std::span<std::byte> deviceBytes, std::span<const std::byte> hostBytes) = 0;
  virtual void copyOut(std::span<std::byte> hostBytes, std::span<const std::byte> deviceBytes) = 0;
  virtual void synchronize() = 0;
  virtual MemoryMeter& memory() = 0;
};

}  // namespace slipstream
