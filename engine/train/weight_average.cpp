// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/weight_average.h"

#include <algorithm>
#include <array>

#include "engine/boost/vectors/kernels.h"
#include "engine/plan/forecast.h"

namespace slipstream {

WeightAverage::WeightAverage(double decay, ParameterStore& store, Communicator& communicator, Device& device,
                             const KernelTables& kernels)
    : store_(store),
      communicator_(communicator),
      queue_(device.queue()),
      vectors_(kernels.of<VectorKernels>()),
      kernels_(kernels.of<OptimizerKernels>()),
      step_(static_cast<float>(1 - decay)),
      kept_(store.kept()) {
  std::size_t elements = 0;
  for (const PinnedRange& kept : kept_) {
    elements += kept.values.size();
    const TensorSegment whole{0, kept.values.size(), 0};
    plans_.push_back(kernels_.plan(queue_, std::span(&whole, 1)));
  }
  average_ = device.allocate(elements * sizeof(float), MemoryCategory::boost);
  staging_ = device.allocate(averageStagingElements * sizeof(float), MemoryCategory::boost);
  std::size_t start = 0;
  for (const PinnedRange& kept : kept_) {
    averages_.push_back(average_->as<float>().subspan(start, kept.values.size()));
    start += kept.values.size();
  }
}

void WeightAverage::begin() {
  for (std::size_t k = 0; k < kept_.size(); ++k) vectors_.copy(queue_, kept_[k].values, averages_[k]);
}

/// A plain step of the average along the weights: a -= (1 - decay) * (a - w).
void WeightAverage::add() {
  const std::array<StepNumbers, 1> numbers{StepNumbers{step_, -1, 1, 0, 1}};
  for (std::size_t k = 0; k < kept_.size(); ++k) {
    kernels_.step(queue_, *plans_[k],
                  {StepForm::plain, averages_[k].data(), kept_[k].values.data(), nullptr, std::span(numbers)});
  }
}

/// Ranks that share memory copy weights straight from the rank that keeps them, so none may write while another reads.
/// An error of `use` reaches every rank behind a collective, so that nobody reads then either.
void WeightAverage::withAverage(const std::function<void()>& use) {
  communicator_.barrier();
  exchange();
  try {
    use();
  } catch (...) {
    exchange();
    throw;
  }
  communicator_.barrier();
  exchange();
}

void WeightAverage::exchange() {
  store_.kept();  // tells the store that what it keeps is written
  for (std::size_t k = 0; k < kept_.size(); ++k) {
    const std::size_t all = kept_[k].values.size();
    for (std::size_t done = 0; done < all; done += averageStagingElements) {
      const std::size_t count = std::min<std::size_t>(averageStagingElements, all - done);
      const auto weights = kept_[k].values.subspan(done, count);
      const auto average = averages_[k].subspan(done, count);
      const auto staging = staging_->as<float>().first(count);
      vectors_.copy(queue_, weights, staging);
      vectors_.copy(queue_, average, weights);
      vectors_.copy(queue_, staging, average);
    }
  }
}

}  // namespace slipstream
