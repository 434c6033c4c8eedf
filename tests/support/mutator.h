// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace slipstream::test {

/// Inputs of a test with mutated files: SLIPSTREAM_FUZZ_INPUTS, else `usual`.
inline std::int64_t fuzzInputs(std::int64_t usual) {
  const char* text = std::getenv("SLIPSTREAM_FUZZ_INPUTS");
  return text == nullptr ? usual : std::strtoll(text, nullptr, 10);
}

/// SLIPSTREAM_FUZZ_SEED, else 1.
inline std::uint64_t fuzzSeed() {
  const char* text = std::getenv("SLIPSTREAM_FUZZ_SEED");
  return text == nullptr ? 1 : std::strtoull(text, nullptr, 10);
}

/// Makes broken files of sound ones: bits turned, bytes put in, taken out, repeated, cut off or replaced by numbers
/// that programs stumble over, parts of two files joined. The same seed makes the same files.
class Mutator {
 public:
  Mutator(std::vector<std::string> sound, std::uint64_t seed) : sound_(std::move(sound)), random_(seed) {}

  std::string next() {
    std::string bytes = sound_[below(sound_.size())];
    for (std::size_t change = 1 + below(4); change > 0; --change) mutate(bytes);
    return bytes;
  }

 private:
  std::size_t below(std::size_t end) { return end == 0 ? 0 : random_() % end; }
  char anyByte() { return static_cast<char>(random_()); }

  void mutate(std::string& bytes) {
    const std::size_t at = below(bytes.size());
    const std::size_t length = below(std::min<std::size_t>(bytes.size() - at, 32) + 1);
    switch (below(8)) {
      case 0:
        if (!bytes.empty()) bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
        break;
      case 1:
        if (!bytes.empty()) bytes[at] = anyByte();
        break;
      case 2:
        bytes.insert(at, std::string(1 + below(16), anyByte()));
        break;
      case 3:
        bytes.erase(at, length);
        break;
      case 4:
        bytes.insert(below(bytes.size()), std::string(bytes, at, length));
        break;
      case 5:
        bytes.resize(at);
        break;
      case 6:
        putNumber(bytes, at);
        break;
      default:
        join(bytes, at);
    }
  }

  void putNumber(std::string& bytes, std::size_t at) {
    static constexpr std::uint64_t numbers[]{0,
                                             1,
                                             0x7F,
                                             0x80,
                                             0xFF,
                                             0x7FFF,
                                             0xFFFF,
                                             0x7FFFFFFF,
                                             0xFFFFFFFF,
                                             1ULL << 40,
                                             0x7FFFFFFFFFFFFFFF,
                                             0xFFFFFFFFFFFFFFFF};
    const std::uint64_t number = numbers[below(std::size(numbers))];
    const std::size_t width = std::size_t{1} << below(4);
    for (std::size_t i = 0; i < width && at + i < bytes.size(); ++i)
      bytes[at + i] = static_cast<char>(number >> (8 * i));
  }

  void join(std::string& bytes, std::size_t at) {
    const std::string& other = sound_[below(sound_.size())];
    bytes.resize(at);
    bytes += std::string_view(other).substr(below(other.size()));
  }

  std::vector<std::string> sound_;
  std::mt19937_64 random_;
};

}  // namespace slipstream::test
