// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/plan/resolve.h"
#include "engine/probe/processor.h"

namespace slipstream {
namespace {

using testing::HasSubstr;

Status resolve(RunPlan& plan, bool multiplies = multipliesBfloat16()) {
  return resolvePrecision(plan, networkShape(plan.experiment.network, {28, 28, 1}).value(), multiplies);
}

RunPlan planOf(const std::string& level, const std::string& network) {
  RunPlan plan;
  plan.experiment.network = builtInNetwork(network).value();
  plan.experiment.ampLevel = level;
  return plan;
}

RunPlan resolved(const std::string& level, const std::string& network, bool multiplies = multipliesBfloat16()) {
  RunPlan plan = planOf(level, network);
  EXPECT_TRUE(resolve(plan, multiplies));
  return plan;
}

std::string linesOf(const RunPlan& plan) {
  std::string lines;
  for (const Decision& decision : plan.decisions) {
    lines += decision.subject + " " + decision.state + ": " + decision.why.in() + "\n";
  }
  return lines;
}

TEST(Precision, FullPrecisionSaysNothing) {
  EXPECT_EQ(linesOf(resolved("O0", "small_resnet")), "");
  EXPECT_EQ(imageType(resolved("O0", "small_resnet").experiment), NumberType::float32);
}

TEST(Precision, LowPrecisionSaysWhatItIs) {
  for (const char* level : {"O2", "O3"}) {
    const RunPlan plan = resolved(level, "small_resnet");
    EXPECT_EQ(imageType(plan.experiment), NumberType::bfloat16);
    EXPECT_THAT(linesOf(plan), HasSubstr("bf16 between layers"));
  }
}

TEST(Precision, ALevelThatCouldChangeNothingIsRefused) {
  for (const char* level : {"O2", "O3"}) {
    RunPlan plan = planOf(level, "mlp");
    const Status status = resolve(plan);
    ASSERT_FALSE(status);
    EXPECT_THAT(toText(status.error()),
                testing::AllOf(HasSubstr("precision.amp_level"), HasSubstr("network mlp"), HasSubstr("write O0")));
  }
  const RunPlan chosen = resolved("auto", "mlp", true);
  EXPECT_EQ(chosen.experiment.ampLevel, "O0");
  EXPECT_THAT(linesOf(chosen), HasSubstr("auto: no layer passes images on"));
}

/// Its dense layers have tensor cores to multiply on.
TEST(Precision, ANetworkWithoutImagesMultipliesInHalfTypesOnAGpu) {
  RunPlan plan = planOf("O2", "mlp");
  plan.experiment.device = "cuda";
  ASSERT_TRUE(resolve(plan));
  EXPECT_THAT(linesOf(plan), HasSubstr("everything is stored as fp32; dense layers multiply in bf16"));
  RunPlan chosen = planOf("auto", "mlp");
  chosen.experiment.device = "cuda";
  ASSERT_TRUE(resolve(chosen));
  EXPECT_EQ(chosen.experiment.ampLevel, "O0") << "auto leaves such networks as they were";
}

TEST(Precision, BatchNormsStayInFp32AndThePlanSaysSo) {
  EXPECT_THAT(linesOf(resolved("O3", "small_resnet")), HasSubstr("keep_batchnorm_fp32 no effect"));
  EXPECT_THAT(linesOf(resolved("O2", "small_resnet")), testing::Not(HasSubstr("keep_batchnorm_fp32")));
}

TEST(Precision, AProcessorWithoutBf16IsWarnedOfWhereTheLevelWasWritten) {
  const auto remedies = [](const RunPlan& plan) {
    return std::ranges::count_if(plan.decisions, [](const Decision& decision) { return !decision.remedy.empty(); });
  };
  EXPECT_EQ(remedies(resolved("O2", "small_resnet", true)), 0);
  EXPECT_EQ(remedies(resolved("auto", "small_resnet", false)), 0);
  const RunPlan slow = resolved("O2", "small_resnet", false);
  EXPECT_EQ(remedies(slow), 1);
  EXPECT_EQ(slow.decisions.back().remedy, "write auto or O0");
  EXPECT_THAT(slow.decisions.back().why.in(), HasSubstr("no instructions for bf16"));
  RunPlan gpu = planOf("O2", "small_resnet");
  gpu.experiment.device = "cuda:0";
  EXPECT_TRUE(resolve(gpu, false));
  EXPECT_EQ(remedies(gpu), 0);
}

TEST(Precision, OnAGpuALossScaleAllowsFp16) {
  RunPlan plan;
  plan.experiment.network = builtInNetwork("small_resnet").value();
  plan.experiment.device = "cuda:1";
  plan.experiment.ampLevel = "auto";
  RunPlan scaled = plan;
  scaled.experiment.lossScale.kind = LossScaleKind::dynamic;
  for (RunPlan* each : {&plan, &scaled}) {
    EXPECT_TRUE(resolve(*each));
    EXPECT_EQ(each->experiment.ampLevel, "O2");
    EXPECT_THAT(linesOf(*each), HasSubstr("auto: on a GPU"));
  }
  EXPECT_EQ(imageType(plan.experiment), NumberType::bfloat16);
  EXPECT_THAT(linesOf(plan), HasSubstr("bf16 between layers"));
  EXPECT_THAT(linesOf(plan), HasSubstr("not fp16: that needs a loss scale"));
  EXPECT_EQ(imageType(scaled.experiment), NumberType::float16);
  EXPECT_THAT(linesOf(scaled), HasSubstr("fp16 between layers"));
  EXPECT_THAT(linesOf(scaled), testing::Not(HasSubstr("bf16")));
  scaled.experiment.lossScale = {LossScaleKind::fixed, 1024};
  EXPECT_EQ(imageType(scaled.experiment), NumberType::float16);
  scaled.experiment.lossScale.dropOverflowUpdate = false;
  EXPECT_EQ(imageType(scaled.experiment), NumberType::bfloat16) << "an overflow would reach the weights";
}

TEST(Precision, ALossScaleChangesNothingOnTheCpu) {
  RunPlan plan = resolved("O2", "small_resnet");
  plan.experiment.lossScale.kind = LossScaleKind::fixed;
  EXPECT_EQ(imageType(plan.experiment), NumberType::bfloat16);
}

TEST(Precision, AutoIsDecidedOnceAndRecorded) {
  const RunPlan plan = resolved("auto", "small_resnet");
  EXPECT_EQ(plan.experiment.ampLevel, multipliesBfloat16() ? "O2" : "O0");
  EXPECT_THAT(linesOf(plan), HasSubstr("auto: this processor has"));
}

}  // namespace
}  // namespace slipstream
