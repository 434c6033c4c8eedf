// SPDX-License-Identifier: GPL-3.0-or-later
// The micro-batch cell through the real step: softmax regression is a dense layer without bias.
#include <cmath>

#include <gtest/gtest.h>

#include "engine/boost/averaged/averaged.h"
#include "engine/boost/grad_accumulation/grad_accumulation.h"
#include "engine/devices/open_device.h"
#include "engine/train/train_step.h"
#include "tests/support/golden.h"
#include "tests/support/spawn_ranks.h"

namespace slipstream {
namespace {

using nlohmann::json;

void expectNear(std::span<const float> actual, const json& tensor, double relative) {
  const auto expected = tensor.at("data").get<std::vector<double>>();
  ASSERT_EQ(actual.size(), expected.size());
  double largest = 0;
  for (const double value : expected) largest = std::max(largest, std::abs(value));
  for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_NEAR(actual[i], expected[i], relative * largest) << i;
}

void expectCase(const json& one, MicroReduction reduction, double tolerance) {
  Experiment experiment;
  experiment.optimizer.kind = OptimizerKind::sgd;
  experiment.optimizer.momentum = 0;
  experiment.optimizer.schedule.maximum = one["lr"];
  experiment.train.microSize = one["micro_size"];
  experiment.train.microReduction = reduction;
  const std::int64_t classes = one["W0"]["shape"][0];
  const std::int64_t inputs = one["W0"]["shape"][1];
  Batch batch;
  batch.inputs = one["X"]["data"].get<CacheLineFloats>();
  batch.labels = one["labels"].get<std::vector<std::int32_t>>();
  batch.count = one["batch"];
  test::spawnRanks(1, [&](Communicator& communicator) {
    MemoryMeter meter;
    const auto device = std::move(openDevice(cpuKind(), 0, meter).value());
    LayerSpec dense{.kind = LayerKind::dense, .name = "only", .outputs = classes, .bias = false};
    const auto network = makeNetwork({"layers", {dense}}, {0, 0, inputs}, batch.count, NumberType::float32, *device);
    const ParameterLayout& layout = network->layout();
    StepSlots slots;
    slots.update = makeAveraged(
        {layout, bucketsBySize(layout, 1024), experiment, {0}, 10, 100, communicator, *device, cpuKernelTables()});
    slots.policies.push_back(makeMicroBatching(experiment.train));
    const Range all{0, layout.size()};
    std::ranges::copy(one["W0"]["data"].get<std::vector<float>>(), slots.update->weights().acquire(all).begin());
    NetworkPasses passes(*network, experiment.loss, *device, makeDeviceLoss(*device), nullptr);
    TrainStep step(passes, slots, communicator);
    const StepResult result = step.run(batch, 0);
    const bool sum = reduction == MicroReduction::sum;
    EXPECT_NEAR(result.loss, (sum ? one["reported_loss_sum"] : one["mean_loss"]).get<double>(), tolerance * 10);
    expectNear(slots.update->gradients().acquire(all), sum ? one["grad_sum"] : one["grad_mean"], tolerance);
    expectNear(slots.update->weights().acquire(all), sum ? one["W_after_mindspore_sum"] : one["W_after_mean"],
               tolerance);
  });
}

/// MindSpore refuses a batch that does not divide; here its parts are uneven, and every sample counts the same.
void expectUnevenParts(std::int64_t samples, int parts) {
  Batch batch;
  batch.count = samples;
  batch.inputs.resize(static_cast<std::size_t>(samples));
  batch.labels.resize(static_cast<std::size_t>(samples));
  const auto microBatches = microBatchesOf(batch, {.microBatches = parts});
  ASSERT_EQ(std::ssize(microBatches), parts);
  std::int64_t count = 0;
  for (const MicroBatch& part : microBatches) {
    count += part.count;
    EXPECT_DOUBLE_EQ(part.share, static_cast<double>(part.count) / static_cast<double>(samples));
  }
  EXPECT_EQ(count, samples);
}

TEST(MicroBatchGolden, SumIsMindSporesCellAndMeanIsTheBatch) {
  SLIPSTREAM_GOLDEN_FOLDER(folder);
  const json file = test::readGolden(folder, "grad_accumulation.json");
  test::CaseCounter counter("grad_accumulation.json cell", file["cell"].size());
  for (const json& one : file["cell"]) {
    SCOPED_TRACE(one.value("micro_size", 0));
    counter.used();
    if (one.contains("expect")) {
      expectUnevenParts(one["batch"], one["micro_size"]);
      continue;
    }
    expectCase(one, MicroReduction::sum, file["tol"]["f32_rtol"]);
    expectCase(one, MicroReduction::mean, file["tol"]["f32_rtol"]);
  }
  counter.finish();
}

}  // namespace
}  // namespace slipstream
