// SPDX-License-Identifier: GPL-3.0-or-later
// cuDNN sets up plans for a GPU that is known by its properties only: which of them it has is checked here, without a
// GPU, for every convolution of ResNet-50.
#include <array>
#include <filesystem>
#include <limits>

#include <dlfcn.h>
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/nn/cuda/cuda_backend.h"
#include "engine/nn/cuda/cudnn/library.h"
#include "engine/nn/cuda/cudnn/plan_cache.h"
#include "engine/nn/cuda/matrix_products.h"
#include "engine/plan/fused_convolutions.h"
#include "tests/nn/cuda/planned_convolutions.h"

namespace slipstream::test {
namespace {

struct ExpectedPlan {
  ConvolutionPattern pattern;
  NumberType type;
};

/// Networks are planned by this rule: where it says yes, plans must be there.
bool hasFusedPlans(const ConvolutionShape& shape) {
  return fusesConvolution(shape.input, shape.output, shape.rows, shape.columns);
}

constexpr std::array fusedPatterns{ConvolutionPattern::activatedForward, ConvolutionPattern::activatedWeightGradient};

std::vector<ExpectedPlan> wantedOf(const ConvolutionShape& shape) {
  using enum ConvolutionPattern;
  std::vector<ExpectedPlan> wanted;
  for (const auto type : {NumberType::float16, NumberType::bfloat16, NumberType::float32}) {
    for (const auto pattern : {forward, inputGradient, weightGradient}) wanted.push_back({pattern, type});
  }
  if (!hasFusedPlans(shape)) return wanted;
  for (const auto pattern : fusedPatterns) wanted.push_back({pattern, NumberType::float16});
  return wanted;
}

void expectPlans(const std::string& device, const ConvolutionShape& shape, const std::vector<ExpectedPlan>& wanted) {
  const CudnnDevice gpu(deviceProperties(device));
  for (const auto& [pattern, type] : wanted) {
    const PlanRequest request{pattern, shape, type};
    const auto plan = CudnnPlan::build(request, gpu).plan;
    EXPECT_TRUE(plan) << toText(request) << " on " << gpu.name();
    if (!plan) continue;
    EXPECT_GE(plan->workspaceBytes(), 0);
    EXPECT_FALSE(plan->serialised().empty()) << toText(request);
  }
}

/// What `slipstream devices` says of a machine: the libraries that its loader does not find, each with a way to get it.
TEST(CudaLibraries, ThoseThatAreMissingAreNamed) {
  const Failures missing = missingCudaLibraries();
  const std::size_t expected = (findCudnn() ? 0U : 1U) + (cublasLtIsThere() ? 0U : 1U);
  EXPECT_EQ(missing.size(), expected);
  for (const Failure& failure : missing) {
    EXPECT_NE(failure.problem.find("cannot be loaded: libcu"), std::string::npos) << toText(failure);
    EXPECT_NE(failure.remedy.find("NVIDIA's package libcu"), std::string::npos) << toText(failure);
  }
}

/// False, with the test skipped, where this machine lacks cuDNN.
#define SLIPSTREAM_NEEDS_CUDNN() \
  if (!findCudnn()) GTEST_SKIP() << toText(findCudnn().error())

class PlansOfResNet50 : public testing::TestWithParam<ConvolutionShape> {};

TEST_P(PlansOfResNet50, ExistForTheH200) {
  SLIPSTREAM_NEEDS_CUDNN();
  expectPlans("h200", GetParam(), wantedOf(GetParam()));
}

TEST_P(PlansOfResNet50, ExistForTheA100) {
  SLIPSTREAM_NEEDS_CUDNN();
  expectPlans("a100", GetParam(), wantedOf(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Convolutions, PlansOfResNet50, testing::ValuesIn(convolutionsOfResNet50()),
                         [](const auto& instance) { return nameOf(instance.param); });

TEST(ResNet50, HasTwentyTwoConvolutionsBehindItsStem) {
  ASSERT_EQ(convolutionsOfResNet50().size(), 23U);
  EXPECT_EQ(nameOf(convolutionsOfResNet50().front()), "224x224x3_to_112x112x64_kernel_7_stride_2");
}

/// MindSpore pads a 3x3 convolution of stride 2 on one side only. Where a new cuDNN fuses that, a network may use it.
TEST(FusedPlans, DoNotExistForPaddingOnOneSide) {
  SLIPSTREAM_NEEDS_CUDNN();
  const CudnnDevice gpu(deviceProperties("h200"));
  int lacking = 0;
  for (const auto& shape : convolutionsOfResNet50()) {
    if (shape.rows.before == shape.rows.after || shape.kernel != 3) continue;
    ++lacking;
    for (const auto pattern : fusedPatterns) {
      EXPECT_FALSE(CudnnPlan::build({pattern, shape, NumberType::float16}, gpu).plan) << nameOf(shape);
    }
  }
  EXPECT_EQ(lacking, 3);
}

/// The way around: images that hold their padding.
TEST(FusedPlans, ExistForPicturesThatHoldTheirPadding) {
  SLIPSTREAM_NEEDS_CUDNN();
  for (ConvolutionShape shape : convolutionsOfResNet50()) {
    if (shape.rows.before == shape.rows.after || shape.kernel != 3) continue;
    shape.input.height += shape.rows.after;
    shape.input.width += shape.columns.after;
    shape.rows = shape.columns = {};
    expectPlans("h200", shape, {{ConvolutionPattern::activatedForward, NumberType::float16}});
    expectPlans("a100", shape, {{ConvolutionPattern::activatedForward, NumberType::float16}});
  }
}

/// Both small residual networks on digits, with the last batch of an epoch too.
TEST(FusedPlans, ExistForSmallNetworksAndAnyBatch) {
  SLIPSTREAM_NEEDS_CUDNN();
  int fused = 0;
  for (const char* network : {"small_resnet", "small_resnet_bottleneck"}) {
    for (const std::int64_t batch : {32, 7}) {
      for (const ConvolutionShape& shape : convolutionsOf(network, {28, 28, 1}, batch)) {
        if (!hasFusedPlans(shape)) continue;
        ++fused;
        for (const auto pattern : fusedPatterns) expectPlans("h200", shape, {{pattern, NumberType::float16}});
      }
    }
  }
  EXPECT_GT(fused, 10);
}

/// One convolution of the second stage: quick to plan.
PlanRequest quickRequest(NumberType type = NumberType::float16) {
  return {ConvolutionPattern::forward, convolutionsOfResNet50().at(3), type};
}

class CudnnPlans : public testing::TestWithParam<NumberType> {};

/// LeNet's first: one channel in, six out.
TEST_P(CudnnPlans, ExistForOddChannels) {
  SLIPSTREAM_NEEDS_CUDNN();
  const LayerSpec layer{.kind = LayerKind::conv2d, .outputs = 6, .kernel = 5, .padding = 2};
  const auto shape = convolutionShape(layer, {28, 28, 1}, {28, 28, 6}, 32);
  expectPlans("h200", shape,
              {{ConvolutionPattern::forward, GetParam()}, {ConvolutionPattern::weightGradient, GetParam()}});
}

/// All that the tutorials on digits run: of the first layer no input gradient.
TEST_P(CudnnPlans, ExistForLenet) {
  SLIPSTREAM_NEEDS_CUDNN();
  bool first = true;
  for (const ConvolutionShape& shape : convolutionsOf("lenet5", {28, 28, 1}, 32)) {
    std::vector<ExpectedPlan> wanted{{ConvolutionPattern::forward, GetParam()},
                                     {ConvolutionPattern::weightGradient, GetParam()}};
    if (!first) wanted.push_back({ConvolutionPattern::inputGradient, GetParam()});
    expectPlans("h200", shape, wanted);
    first = false;
  }
}

TEST(CudnnPlansInFp32, ExistForTheSmallResidualNetwork) {
  SLIPSTREAM_NEEDS_CUDNN();
  for (const ConvolutionShape& shape : convolutionsOf("small_resnet", {28, 28, 1}, 32)) {
    expectPlans("h200", shape,
                {{ConvolutionPattern::forward, NumberType::float32},
                 {ConvolutionPattern::weightGradient, NumberType::float32}});
    if (shape.input.channels > 1)
      expectPlans("h200", shape, {{ConvolutionPattern::inputGradient, NumberType::float32}});
  }
}

INSTANTIATE_TEST_SUITE_P(Types, CudnnPlans,
                         testing::Values(NumberType::float32, NumberType::bfloat16, NumberType::float16),
                         [](const auto& instance) { return std::string(nameOf(instance.param)); });

TEST(CudnnLibrary, KeepsItsCompilerLoaded) {
  SLIPSTREAM_NEEDS_CUDNN();
  EXPECT_NE(dlopen("libnvrtc.so.13", RTLD_NOW | RTLD_NOLOAD), nullptr) << "it would be loaded again for every plan";
}

TEST(CudnnPlan, ComesBackFromItsText) {
  SLIPSTREAM_NEEDS_CUDNN();
  const CudnnDevice gpu(deviceProperties("h200"));
  const auto plan = CudnnPlan::build(quickRequest(), gpu).plan;
  ASSERT_TRUE(plan);
  const auto again = CudnnPlan::load(plan->serialised(), plan->name(), gpu);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->serialised(), plan->serialised());
  EXPECT_EQ(again->workspaceBytes(), plan->workspaceBytes());
  EXPECT_EQ(again->name(), plan->name());
}

/// As if the last of them were the fastest, and one did not run.
struct PretendedTrials {
  std::size_t asked = 0;
  std::vector<std::string> plans;
  std::int64_t bytes = 0;

  TryPlans tryPlans() {
    return [this](const PlanRequest&, std::span<const CudnnPlan> tried, std::span<const TensorBytes> tensors) {
      ++asked;
      plans.clear();
      std::vector<PlanTrial> trials;
      for (const CudnnPlan& plan : tried) {
        plans.push_back(plan.serialised());
        trials.push_back({1.0 / static_cast<double>(plans.size()), true, 1e-4});
      }
      trials.front().seconds = std::numeric_limits<double>::infinity();
      bytes = 0;
      for (const TensorBytes& tensor : tensors) bytes += tensor.bytes;
      return trials;
    };
  }
};

TEST(CudnnPlan, IsTheFastestOfSeveralWhereTheyAreTried) {
  SLIPSTREAM_NEEDS_CUDNN();
  const CudnnDevice gpu(deviceProperties("h200"));
  PretendedTrials trials;
  const auto plan = CudnnPlan::build(quickRequest(), gpu, trials.tryPlans()).plan;
  ASSERT_TRUE(plan);
  ASSERT_GT(trials.plans.size(), 1U);
  EXPECT_LE(trials.plans.size(), CudnnPlan::mostTried);
  EXPECT_EQ(plan->serialised(), trials.plans.back());
  EXPECT_EQ(trials.plans.front(), CudnnPlan::build(quickRequest(), gpu).plan->serialised())
      << "the first without trials";
  const ConvolutionShape& shape = quickRequest().shape;
  const std::int64_t weights = shape.output.channels * shape.kernel * shape.kernel * shape.input.channels;
  EXPECT_EQ(trials.bytes, 2 * (shape.batch * (shape.input.elements() + shape.output.elements()) + weights));
}

TEST(CudnnPlan, IsNeverOneThatGivesOtherBitsTheNextTime) {
  SLIPSTREAM_NEEDS_CUDNN();
  const CudnnDevice gpu(deviceProperties("h200"));
  std::string second;
  const TryPlans secondRepeats = [&](const PlanRequest&, std::span<const CudnnPlan> plans, auto) {
    std::vector<PlanTrial> trials(plans.size(), {0.001, false, 1e-4});
    trials.at(1) = {1.0, true, 1e-4};
    second = plans[1].serialised();
    return trials;
  };
  EXPECT_EQ(CudnnPlan::build(quickRequest(), gpu, secondRepeats).plan->serialised(), second);
  const auto none = CudnnPlan::build(quickRequest(), gpu, [](const PlanRequest&, auto plans, auto) {
    return std::vector<PlanTrial>(plans.size(), {0.001, false, 1e-4});
  });
  EXPECT_FALSE(none.plan);
  EXPECT_TRUE(none.isFinal);
}

/// What TF32 makes of fp32 is as far away as what fp16 makes of itself.
TEST(CudnnPlan, IsNeverOneThatRoundsMoreThanItsType) {
  SLIPSTREAM_NEEDS_CUDNN();
  const CudnnDevice gpu(deviceProperties("h200"));
  const auto withDistance = [&](NumberType type, double distance) {
    return CudnnPlan::build(quickRequest(type), gpu, [&](const PlanRequest&, auto plans, auto) {
      return std::vector<PlanTrial>(plans.size(), {0.001, true, distance});
    });
  };
  EXPECT_TRUE(withDistance(NumberType::float32, 1.3e-6).plan);
  EXPECT_FALSE(withDistance(NumberType::float32, 5e-4).plan);
  EXPECT_TRUE(withDistance(NumberType::float16, 5e-4).plan);
  EXPECT_TRUE(withDistance(NumberType::bfloat16, 4e-3).plan);
  for (const auto type : {NumberType::float32, NumberType::float16, NumberType::bfloat16}) {
    EXPECT_FALSE(withDistance(type, 1.4).plan);
    EXPECT_FALSE(withDistance(type, std::numeric_limits<double>::quiet_NaN()).plan);
  }
}

/// A plan of one operation carries cuDNN's word for its bits; others are taken after a trial only.
TEST(CudnnPlan, IsNotFinalWhereNothingCanBeTried) {
  SLIPSTREAM_NEEDS_CUDNN();
  const CudnnDevice gpu(deviceProperties("h200"));
  const TryPlans nothing = [](const PlanRequest&, auto, auto) { return std::vector<PlanTrial>{}; };
  const auto untried = CudnnPlan::build(quickRequest(), gpu, nothing);
  EXPECT_EQ(untried.plan->serialised(), CudnnPlan::build(quickRequest(), gpu).plan->serialised());
  EXPECT_FALSE(untried.isFinal);
  PlanRequest several = quickRequest();
  several.pattern = ConvolutionPattern::activatedForward;
  EXPECT_TRUE(CudnnPlan::build(several, gpu).plan);
  const auto unproven = CudnnPlan::build(several, gpu, nothing);
  EXPECT_FALSE(unproven.plan);
  EXPECT_FALSE(unproven.isFinal);
}

TEST(CudnnPlan, IsNotReadFromNonsense) {
  SLIPSTREAM_NEEDS_CUDNN();
  const CudnnDevice gpu(deviceProperties("h200"));
  EXPECT_FALSE(CudnnPlan::load("no plan", "", gpu));
  EXPECT_FALSE(CudnnPlan::load("{}", "", gpu));
}

TEST(CudnnDevice, IsNamedAfterWhatPlansDependOn) {
  SLIPSTREAM_NEEDS_CUDNN();
  const CudnnDevice gpu(deviceProperties("a100"));
  EXPECT_EQ(gpu.name().find("NVIDIA A100-SXM4-80GB sm_80 with 108 processors, cuDNN 9"), 0U) << gpu.name();
  EXPECT_THROW(CudnnDevice("no properties"), Error);
  EXPECT_THROW(CudnnDevice("{}"), Error);
}

TEST(CudnnErrors, NameTheCallAndTheTensor) {
  SLIPSTREAM_NEEDS_CUDNN();
  PlanRequest request = quickRequest();
  request.shape.input.channels = -1;
  try {
    CudnnPlan::build(request, CudnnDevice(deviceProperties("h200")));
    FAIL() << "a convolution of a negative number of channels was planned";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("the tensor 'input'"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("CUDNN_STATUS_BAD_PARAM"), std::string::npos) << error.what();
  }
}

class PlanCaches : public testing::Test {
 protected:
  void SetUp() override {
    SLIPSTREAM_NEEDS_CUDNN();
    std::filesystem::remove_all(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  PlanCache cache(const std::string& device = "h200") const { return {CudnnDevice(deviceProperties(device)), folder_}; }

  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) /
      ("plans_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
};

TEST_F(PlanCaches, KeepPlansForTheNextProgram) {
  const std::string made = cache().plan(quickRequest()).serialised();
  const auto file = cache().fileOf(quickRequest());
  ASSERT_TRUE(std::filesystem::exists(file));
  const auto written = std::filesystem::last_write_time(file);
  EXPECT_EQ(cache().plan(quickRequest()).serialised(), made);
  EXPECT_EQ(std::filesystem::last_write_time(file), written) << "it was searched for again";
}

/// Times differ from rank to rank: what one has kept is what the others run.
TEST_F(PlanCaches, KeepWhatWasFastestWhoeverWasFirst) {
  PretendedTrials trials;
  PlanCache first(CudnnDevice(deviceProperties("h200")), folder_, trials.tryPlans());
  const std::string made = first.plan(quickRequest()).serialised();
  EXPECT_EQ(made, trials.plans.back());
  // A rank that times at the same time, and sees the others' file only when it keeps its own.
  PlanCache late(CudnnDevice(deviceProperties("h200")), folder_, [&](const PlanRequest&, auto plans, auto) {
    PlanCache quicker(CudnnDevice(deviceProperties("h200")), folder_, trials.tryPlans());
    quicker.plan(quickRequest());
    return std::vector<PlanTrial>(plans.size(), {1.0, true, 1e-4});
  });
  std::filesystem::remove_all(folder_);
  EXPECT_EQ(late.plan(quickRequest()).serialised(), made);
  EXPECT_EQ(trials.asked, 2U);
  EXPECT_NE(first.fileOf(quickRequest()), cache().fileOf(quickRequest())) << "chosen without trials";
}

/// Trials of a network's plans take seconds: that none repeats its bits is kept as well, unless nothing could be tried.
TEST_F(PlanCaches, KeepThatThereIsNone) {
  int asked = 0;
  bool canTry = false;
  const TryPlans noneRepeats = [&](const PlanRequest&, auto plans, auto) {
    ++asked;
    return std::vector<PlanTrial>(canTry ? plans.size() : 0, {0.001, false, 1e-4});
  };
  PlanRequest several = quickRequest();
  several.pattern = ConvolutionPattern::activatedForward;
  const auto finds = [&] {
    PlanCache plans(CudnnDevice(deviceProperties("h200")), folder_, noneRepeats);
    return plans.find(several) != nullptr;
  };
  EXPECT_FALSE(finds());
  canTry = true;
  EXPECT_FALSE(finds());
  EXPECT_EQ(asked, 2);
  EXPECT_FALSE(finds());
  EXPECT_EQ(asked, 2) << "it was tried again";
}

TEST_F(PlanCaches, SearchAgainWhereAFileIsDamaged) {
  const std::string made = cache().plan(quickRequest()).serialised();
  const auto file = cache().fileOf(quickRequest());
  for (const char* damaged : {"", "{\"key\": 3}", "[]", "half a pl"}) {
    ASSERT_TRUE(writeFile(file, damaged));
    EXPECT_EQ(cache().plan(quickRequest()).serialised(), made) << damaged;
    EXPECT_NE(readFile(file).value(), damaged) << "the damage was left";
  }
}

TEST_F(PlanCaches, KeepDevicesAndRequestsApart) {
  EXPECT_NE(cache("h200").fileOf(quickRequest()), cache("a100").fileOf(quickRequest()));
  EXPECT_NE(cache().fileOf(quickRequest()), cache().fileOf(quickRequest(NumberType::bfloat16)));
  PlanRequest smaller = quickRequest();
  smaller.shape.batch = 255;
  EXPECT_NE(cache().fileOf(quickRequest()), cache().fileOf(smaller));
}

TEST_F(PlanCaches, SayWhatHasNoPlan) {
  PlanCache plans = cache();
  const PlanRequest request{ConvolutionPattern::activatedForward, quickRequest().shape, NumberType::bfloat16};
  EXPECT_EQ(plans.find(request), nullptr);
  EXPECT_EQ(plans.find(quickRequest()), &plans.plan(quickRequest()));
  try {
    plans.plan(request);
    FAIL() << "cuDNN fuses for bf16 now, too: wantedOf() may ask for it";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("activated forward, bf16, 256 x"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace slipstream::test
