// SPDX-License-Identifier: GPL-3.0-or-later
#include <numeric>
#include <optional>

#include <gtest/gtest.h>

#include "engine/data/loader.h"
#include "engine/nn/image_input.h"
#include "engine/nn/loss.h"
#include "engine/nn/network.h"
#include "engine/nn/optimizer.h"
#include "tests/nn/host.h"
#include "tests/nn/layers.h"

namespace slipstream {
namespace {

/// One rank, from the pieces of the rooms nn and data alone.
class SmallTraining {
 public:
  explicit SmallTraining(std::uint64_t seed) {
    spec_.name = "digits";
    spec_.trainSamples = 2000;
    spec_.evaluationSamples = 1000;
    training_ = loadPart(spec_, DataPart::training, seed).value();
    evaluation_ = loadPart(spec_, DataPart::evaluation, seed).value();
    trainingSource_ = makeSource(training_, spec_, DataPart::training, seed);
    evaluationSource_ = makeSource(evaluation_, spec_, DataPart::evaluation, seed);
    initializeWeights(network_->layout(), weights_, seed);
    sampler_.emplace(spec_, trainingSource_->count(), seed, 0, 1);
  }

  void run(int epochs) {
    const auto steps = epochs * sampler_->stepsPerEpoch();
    OptimizerSpec spec;
    spec.schedule = {.mode = ScheduleMode::linear, .maximum = 0.02, .warmupEpochs = 0.1 * epochs};
    Optimizer optimizer(spec, network_->layout(), all_, static_cast<double>(sampler_->stepsPerEpoch()), steps,
                        *host_.device, cpuOptimizerKernels());
    std::vector<float> gradient(32 * 10);
    Loader loader(
        *trainingSource_, [this](std::int64_t step) { return sampler_->selectionOf(step); },
        loaderOptions(spec_, 32, steps));
    for (std::int64_t step = 0; step < steps; ++step) {
      const Batch& batch = loader.batchOf(step);
      const auto logits = network_->forward(inputsOf(batch), batch.count, NetworkMode::training, weights_, nullptr);
      crossEntropy({}, logits, batch.labels, 10, gradient, 1.0);
      network_->backward(gradient, batch.count, weights_, gradients_, false, 0, nullptr);
      optimizer.update(all_, weights_.acquire(all_), gradients_.acquire(all_), step);
    }
  }

  double accuracy() {
    std::int64_t correct = 0;
    const auto select = [](std::int64_t pass) {
      Selection selection{std::vector<std::uint32_t>(25), {}};
      std::iota(selection.samples.begin(), selection.samples.end(), static_cast<std::uint32_t>(25 * pass));
      return selection;
    };
    Loader loader(*evaluationSource_, select, loaderOptions(spec_, 25, 40));
    for (std::int64_t pass = 0; pass < 40; ++pass) {
      const Batch& batch = loader.batchOf(pass);
      const auto logits = network_->forward(inputsOf(batch), batch.count, NetworkMode::evaluation, weights_, nullptr);
      correct += crossEntropy({}, logits, batch.labels, 10, {}, 1.0).correct;
    }
    return static_cast<double>(correct) / 1000.0;
  }

  std::vector<float> weights() {
    const auto values = weights_.acquire(all_);
    return {values.begin(), values.end()};
  }

 private:
  std::span<const float> inputsOf(const Batch& batch) {
    inputs_.resize(batch.pictures.size());
    input_->normalize(batch.pictures,
                      {NumberType::float32, reinterpret_cast<std::byte*>(inputs_.data()), inputs_.size()});
    return inputs_;
  }

  test::Host host_;
  DatasetSpec spec_;
  PartContent training_;
  PartContent evaluation_;
  std::unique_ptr<SampleSource> trainingSource_;
  std::unique_ptr<SampleSource> evaluationSource_;
  std::optional<Sampler> sampler_;
  std::unique_ptr<ImageInput> input_ = makeImageInput(*host_.device, normalizationOf(DatasetSpec{}, 1));
  CacheLineFloats inputs_;
  std::unique_ptr<Network> network_ = makeNetwork(test::leNet5(), {28, 28, 1}, 32, NumberType::float32, *host_.device);
  Range all_{0, network_->layout().size()};
  WholeParameterStore weights_{*host_.device, all_.size(), MemoryCategory::weights};
  WholeParameterStore gradients_{*host_.device, all_.size(), MemoryCategory::gradients};
};

TEST(Training, LeNet5LearnsTwoThousandDigits) {
  SmallTraining training(1);
  EXPECT_LT(training.accuracy(), 0.3);
  training.run(8);
  EXPECT_GT(training.accuracy(), 0.9);
}

TEST(Training, SameSeedSameBitsOtherSeedOtherBits) {
  const auto trained = [](std::uint64_t seed) {
    SmallTraining training(seed);
    training.run(1);
    return training.weights();
  };
  const auto once = trained(1);
  EXPECT_EQ(once, trained(1));
  EXPECT_NE(once, trained(2));
}

}  // namespace
}  // namespace slipstream
