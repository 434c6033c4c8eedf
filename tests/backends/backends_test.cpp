// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/backends.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/backends/check_training.h"
#include "engine/base/error.h"
#include "engine/boost/adasum/kernels.h"
#include "engine/boost/algorithms.h"
#include "engine/boost/dim_reduce/kernels.h"
#include "engine/boost/loss_scale/kernels.h"
#include "engine/device/cpu_device.h"
#include "engine/devices/open_device.h"

namespace slipstream {
namespace {

using Names = std::set<std::string>;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;

/// What devices are compared by, at least: an algorithm that is added brings more.
Names adasumNames(const std::string& type) {
  Names names;
  for (const char* kernel : {"dots", "exact dots", "combine", "exact combine", "dots of parts", "combine parts"}) {
    names.insert("adasum " + std::string(kernel) + ", " + type);
  }
  return names;
}
const Names namesOfFloats{"sum",
                          "scale",
                          "subtract",
                          "difference",
                          "copy",
                          "clear",
                          "plain step",
                          "momentum step",
                          "nesterov step",
                          "adam step",
                          "second moment",
                          "sign step",
                          "direction",
                          "weights in float16",
                          "weights in bfloat16",
                          "weights of shifted parts",
                          "velocity of shifted parts",
                          "project",
                          "move along",
                          "residual step",
                          "back-project",
                          "centred gram",
                          "centred gram beyond floats",
                          "unscale",
                          "unscale, no overflow",
                          "unscale by 2^200",
                          "unscale by 2^200, no overflow",
                          "overflows",
                          "subtract row means"};

TEST(KernelTables, NameWhatTheyLack) {
  KernelTables some;
  some.add(cpuAdasumKernels<float>());
  KernelTables more = some;
  more.add(cpuLossScaleKernels());
  more.addBesideTraining(cpuDimReduceKernels());
  EXPECT_THAT(some.lacks(more), ElementsAre("LossScaleKernels")) << "training does without the other";
  EXPECT_THAT(more.lacks(some), IsEmpty());
}

TEST(Backends, TheCpuHasEveryTable) {
  MemoryMeter meter;
  const auto device = openCpuDevice(meter);
  const KernelTables tables = kernelTables(*device);
  EXPECT_NE(tables.find<AdasumKernels<float>>(), nullptr);
  EXPECT_NE(tables.find<AdasumKernels<double>>(), nullptr);
  EXPECT_NO_THROW(trainingKernels(*device));
}

TEST(Backends, ADeviceAgreesWithItself) {
  MemoryMeter meter;
  const auto one = openCpuDevice(meter);
  const auto other = openCpuDevice(meter);
  Names compared;
  for (const auto& kernel : compareDevices(*one, *other)) {
    EXPECT_EQ(kernel.largest, 0.0) << kernel.kernel;
    compared.insert(kernel.kernel);
  }
  for (const char* type : {"float", "double"}) {
    EXPECT_THAT(compared, IsSupersetOf(adasumNames(type)));
  }
  EXPECT_THAT(compared, IsSupersetOf(namesOfFloats));
}

TEST(Backends, DevicesAreComparedAtManySizesAndWithAwkwardValues) {
  std::set<std::size_t> sizes;
  std::set<std::size_t> offsetsOfAwkward;
  for (const CheckInput& input : checkInputs()) {
    sizes.insert(input.elements);
    if (input.awkward) offsetsOfAwkward.insert(input.offset % 4);
    const auto values = checkValues(input, 1);
    const bool allAreNumbers = std::ranges::all_of(values, [](float value) { return std::isfinite(value); });
    EXPECT_EQ(allAreNumbers, !input.awkward || values.size() < 7) << values.size();
  }
  EXPECT_EQ(*sizes.begin(), 1U);
  EXPECT_EQ(*sizes.rbegin(), 100'003U);
  EXPECT_GE(sizes.size(), 6U);
  EXPECT_FALSE(offsetsOfAwkward.empty() || offsetsOfAwkward.contains(0));
}

/// Kernels that add up in an order of their own; a step is one of them for the means of its rows.
bool addsUp(const std::string& kernel) {
  constexpr std::array<const char*, 5> words{"dots", "project", "row means", "step", "gram"};
  if (kernel == "back-project" || kernel == "residual step") return false;
  return std::ranges::any_of(words, [&](const char* word) { return kernel.find(word) != std::string::npos; });
}

/// The results that change where the CPU's kernels of one table are replaced.
template <class Kernels>
Names changedBy(const Kernels& wrong) {
  MemoryMeter meter;
  const auto device = openCpuDevice(meter);
  KernelTables tables = cpuKernelTables();
  const auto right = trainingResults(*device, tables);
  tables.add(wrong);
  Names changed;
  for (const auto& [kernel, results] : trainingResults(*device, tables)) {
    if (results != right.at(kernel)) changed.insert(kernel);
  }
  return changed;
}

TEST(Backends, ALossScaleThatIsWrongIsSeen) {
  static constexpr LossScaleKernels neverOverflows{
      [](DeviceQueue& queue, float* gradient, std::size_t count, double scale, float limit, float*) {
        float unread = 0;
        cpuLossScaleKernels().unscale(queue, gradient, count, scale, limit, &unread);
      }};
  EXPECT_EQ(changedBy(neverOverflows), Names{"overflows"});
  static constexpr LossScaleKernels alwaysOverflows{
      [](DeviceQueue& queue, float* gradient, std::size_t count, double scale, float limit, float* overflowed) {
        cpuLossScaleKernels().unscale(queue, gradient, count, scale, limit, overflowed);
        *overflowed = 1;
      }};
  EXPECT_EQ(changedBy(alwaysOverflows), Names{"overflows"});
  static constexpr LossScaleKernels dividesByFloats{
      [](DeviceQueue& queue, float* gradient, std::size_t count, double scale, float limit, float* overflowed) {
        cpuLossScaleKernels().unscale(queue, gradient, count, std::min(scale, 0x1p127), limit, overflowed);
      }};
  EXPECT_TRUE(changedBy(dividesByFloats).contains("unscale by 2^200"));
}

/// The results that change where the CPU's steps are not quite those that were asked for.
template <auto Change>
Names changedByStep() {
  static const OptimizerKernels wrong{cpuOptimizerKernels().plan,
                                      [](DeviceQueue& queue, const SegmentPlan& plan, const FlatStep& asked) {
                                        FlatStep step = asked;
                                        Change(step);
                                        cpuOptimizerKernels().step(queue, plan, step);
                                      }};
  return changedBy(wrong);
}

TEST(Backends, AStepThatIsWrongIsSeen) {
  constexpr auto withoutShifts = [](FlatStep& step) { step.shifts = {}; };
  EXPECT_EQ(changedByStep<withoutShifts>(), (Names{"velocity of shifted parts", "weights of shifted parts"}));
  constexpr auto onlyFloat16 = [](FlatStep& step) {
    if (step.copyType == WeightCopy::bfloat16) step.copyType = WeightCopy::float16;
  };
  EXPECT_EQ(changedByStep<onlyFloat16>(), Names{"weights in bfloat16"});
  constexpr auto withoutCopies = [](FlatStep& step) { step.copyType = WeightCopy::none; };
  EXPECT_EQ(changedByStep<withoutCopies>(), (Names{"weights in bfloat16", "weights in float16"}));
}

TEST(Backends, AGramMatrixThatIsWrongIsSeen) {
  static const DimReduceKernels addsNothing = [] {
    DimReduceKernels wrong = cpuDimReduceKernels();
    wrong.addCentredGram = [](DeviceQueue&, DeviceRows, std::size_t, double*) {};
    return wrong;
  }();
  EXPECT_EQ(changedBy(addsNothing), (Names{"centred gram", "centred gram beyond floats"}));
}

TEST(Backends, TheGpuAgreesWithTheCpu) {
  MemoryMeter meter;
  const auto gpu = openDevice(cudaKind(), 0, meter);
  if (!gpu) GTEST_SKIP() << toText(gpu.error());
  const auto cpu = openCpuDevice(meter);
  for (const auto& kernel : compareDevices(*cpu, **gpu)) {
    EXPECT_LE(kernel.largest, addsUp(kernel.kernel) ? 1e-6 : 0.0) << kernel.kernel;
  }
}

/// All but doubles, which an NPU does not compute with. Combinations are next to the CPU's.
TEST(Backends, AnEmulatedNpuAgreesWithTheCpu) {
  MemoryMeter meter;
  const auto npu = openDevice(npuTwinKind(), 0, meter);
  ASSERT_TRUE(npu) << toText(npu.error());
  const auto cpu = openCpuDevice(meter);
  Names compared;
  for (const auto& kernel : compareDevices(*cpu, **npu)) {
    compared.insert(kernel.kernel);
    const bool nextTo = kernel.kernel.find("combine") != std::string::npos || kernel.kernel == "back-project";
    EXPECT_LE(kernel.largest, addsUp(kernel.kernel) || nextTo ? 1e-6 : 0.0) << kernel.kernel;
  }
  EXPECT_THAT(compared, IsSupersetOf(adasumNames("float")));
  EXPECT_THAT(compared, IsSupersetOf(namesOfFloats));
}

/// The smallest algorithm that has kernels: what it does is added to the list, and nothing else is told of it.
struct TripleKernels {
  void (*triple)(DeviceQueue&, std::span<float> values) = nullptr;
};
struct TripleAlgorithm {
  static void addCpuKernels(KernelTables& tables) {
    static constexpr TripleKernels kernels{[](DeviceQueue&, std::span<float> values) {
      for (float& value : values) value *= 3;
    }};
    tables.add(kernels);
  }
  static void checkKernels(KernelCheck& check) {
    const auto values = check.drawn(1);
    check.tables.of<TripleKernels>().triple(check.queue, values);
    check.results["triple"] = check.read(values);
  }
};

TEST(Backends, AnAlgorithmThatIsListedIsCompared) {
  MemoryMeter meter;
  const auto device = openCpuDevice(meter);
  KernelTables tables = cpuKernelTables();
  TripleAlgorithm::addCpuKernels(tables);
  KernelCheck check(*device, tables, {.elements = 50, .offset = 3});
  checkAlgorithms<AlgorithmList<LessBnAlgorithm, LossScaleAlgorithm, TripleAlgorithm>>(check);
  std::vector<double> tripled = check.read(check.drawn(1));
  for (double& value : tripled) value = static_cast<float>(value) * 3.0F;
  EXPECT_EQ(check.results.at("triple"), tripled);
  EXPECT_TRUE(check.results.contains("unscale"));
  EXPECT_EQ(check.results.size(), 6U);
}

/// A device that has a name and does nothing.
class Named final : public Device {
 public:
  explicit Named(const DeviceKind& kind) : kind_(kind) {}
  const DeviceKind& kind() const override { return kind_; }
  std::unique_ptr<Buffer> allocate(std::size_t, MemoryCategory) override { return nullptr; }
  void copyIn(std::span<std::byte>, std::span<const std::byte>) override {}
  void copyOut(std::span<std::byte>, std::span<const std::byte>) override {}
  void copyWithin(std::span<std::byte>, std::span<const std::byte>) override {}
  void synchronize() override {}
  MemoryMeter& memory() override { return meter_; }

 private:
  const DeviceKind& kind_;
  MemoryMeter meter_;
};

/// Kernels are only asked for what they are, so that this needs no GPU.
TEST(Backends, AGpuHasEveryTableThatTrainingNeeds) {
  MemoryMeter meter;
  const auto gpu = openDevice(cudaKind(), 0, meter);
  if (!gpu && toText(gpu.error()).find("this build has no CUDA") != std::string::npos) {
    EXPECT_THROW(trainingKernels(Named(cudaKind())), Error);
    return;
  }
  const KernelTables tables = trainingKernels(Named(cudaKind()));
  EXPECT_NE(tables.find<AdasumKernels<double>>(), nullptr);
  EXPECT_NE(tables.of<DimReduceKernels>().addCentredGram, nullptr);
}

TEST(Backends, AnNpuHasEveryTableThatTrainingNeeds) {
  for (const DeviceKind* kind : {&npuKind(), &npuTwinKind()}) {
    const KernelTables tables = trainingKernels(Named(*kind));
    EXPECT_NE(tables.find<AdasumKernels<float>>(), nullptr);
    EXPECT_EQ(tables.find<AdasumKernels<double>>(), nullptr);
    EXPECT_NE(tables.of<DimReduceKernels>().addCentredGram, nullptr);
  }
}

TEST(Backends, AnUnknownDeviceIsAnError) {
  const DeviceKind abacus{.name = "abacus", .noun = "abacus"};
  EXPECT_THROW(kernelTables(Named(abacus)), Error);
  EXPECT_THROW(trainingKernels(Named(abacus)), Error);
}

}  // namespace
}  // namespace slipstream
