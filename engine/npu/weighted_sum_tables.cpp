// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/npu/weighted_sum_tables.h"

#include <array>
#include <bit>

#include "engine/npu/kernels/agreed_numbers.h"

namespace slipstream {
void appendNpuCoefficient(std::vector<float>& coefficients, double high, double low, std::size_t parts) {
  double rest = high;
  for (std::size_t part = 0; part < parts; ++part) {
    if (part == 2) rest += low;  // by now no larger than it
    const auto value = static_cast<float>(rest);
    const auto half = std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) & slipstream_npu::upperHalfBits);
    coefficients.insert(coefficients.end(), {value, half, value - half});
    rest -= static_cast<double>(value);
  }
}

void launchWeightedSum(NpuQueue& queue, const NpuWeightedSum& sum) {
  if (sum.tiles.empty()) return;
  std::vector<std::uint64_t> addresses = npuAddresses(sum.vectors);
  for (const float* output : sum.outputs) addresses.push_back(reinterpret_cast<std::uintptr_t>(output));
  NpuScratch scratch(queue);
  const std::size_t vectors = scratch.upload<std::uint64_t>(addresses);
  const std::size_t coefficients = scratch.upload<float>(sum.coefficients);
  const std::size_t tiles = sum.tilesOnDevice != nullptr ? 0 : scratch.upload(sum.tiles);
  scratch.take();
  const void* tilesAt = sum.tilesOnDevice != nullptr ? static_cast<const void*>(sum.tilesOnDevice) : scratch.at(tiles);
  const std::array<NpuArgument, 6> arguments{scratch.at(vectors),
                                             scratch.at(coefficients),
                                             tilesAt,
                                             static_cast<std::uint32_t>(sum.vectors.size()),
                                             static_cast<std::uint32_t>(sum.outputs.size()),
                                             static_cast<std::uint32_t>(sum.tiles.size())};
  queue.launch(sum.kernel, npuBlocksFor(queue, sum.tiles.size()), arguments);
}

}  // namespace slipstream
