#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/plan/processor.h"
#include "engine/plan/settle.h"

namespace slipstream {
namespace {

using testing::HasSubstr;

RunPlan settled(const std::string& level, const std::string& network, bool keepsBatchNorm = true) {
  RunPlan plan;
  plan.experiment.network = builtInNetwork(network).value();
  plan.experiment.ampLevel = level;
  plan.experiment.keepBatchNormFp32 = keepsBatchNorm;
  settlePrecision(plan, networkShape(plan.experiment.network, {28, 28, 1}).value());
  return plan;
}

std::string linesOf(const RunPlan& plan) {
  std::string lines;
  for (const Decision& decision : plan.decisions) {
    lines += decision.subject + " " + decision.state + ": " + decision.why + "\n";
  }
  return lines;
}

TEST(Precision, FullPrecisionSaysNothing) {
  EXPECT_EQ(linesOf(settled("O0", "small_resnet")), "");
  EXPECT_EQ(pictureType(settled("O0", "small_resnet").experiment), NumberType::float32);
}

TEST(Precision, LowPrecisionSaysWhatItIs) {
  for (const char* level : {"O2", "O3"}) {
    const RunPlan plan = settled(level, "small_resnet");
    EXPECT_EQ(pictureType(plan.experiment), NumberType::bfloat16);
    EXPECT_THAT(linesOf(plan), HasSubstr("bf16 between layers"));
  }
  EXPECT_THAT(linesOf(settled("O2", "mlp")), HasSubstr("no effect: no layer passes pictures on"));
}

TEST(Precision, BatchNormsStayInFp32AndThePlanSaysSo) {
  EXPECT_THAT(linesOf(settled("O3", "small_resnet")), HasSubstr("keep_batchnorm_fp32 no effect"));
  EXPECT_THAT(linesOf(settled("O2", "small_resnet", false)), HasSubstr("keep_batchnorm_fp32 no effect"));
  EXPECT_THAT(linesOf(settled("O2", "small_resnet")), testing::Not(HasSubstr("keep_batchnorm_fp32")));
}

TEST(Precision, OnAGpuALossScaleAllowsFp16) {
  RunPlan plan;
  plan.experiment.network = builtInNetwork("small_resnet").value();
  plan.experiment.device = "cuda:1";
  plan.experiment.ampLevel = "auto";
  RunPlan scaled = plan;
  scaled.experiment.lossScale.kind = LossScaleKind::dynamic;
  for (RunPlan* each : {&plan, &scaled}) {
    settlePrecision(*each, networkShape(each->experiment.network, {28, 28, 1}).value());
    EXPECT_EQ(each->experiment.ampLevel, "O2");
    EXPECT_THAT(linesOf(*each), HasSubstr("auto: on a GPU"));
  }
  EXPECT_EQ(pictureType(plan.experiment), NumberType::bfloat16);
  EXPECT_THAT(linesOf(plan), HasSubstr("bf16 between layers"));
  EXPECT_THAT(linesOf(plan), HasSubstr("not fp16: that needs a loss scale"));
  EXPECT_EQ(pictureType(scaled.experiment), NumberType::float16);
  EXPECT_THAT(linesOf(scaled), HasSubstr("fp16 between layers"));
  EXPECT_THAT(linesOf(scaled), testing::Not(HasSubstr("bf16")));
  scaled.experiment.lossScale = {LossScaleKind::fixed, 1024};
  EXPECT_EQ(pictureType(scaled.experiment), NumberType::float16);
  scaled.experiment.lossScale.dropOverflowUpdate = false;
  EXPECT_EQ(pictureType(scaled.experiment), NumberType::bfloat16) << "an overflow would reach the weights";
}

TEST(Precision, ALossScaleChangesNothingOnTheCpu) {
  RunPlan plan = settled("O2", "small_resnet");
  plan.experiment.lossScale.kind = LossScaleKind::fixed;
  EXPECT_EQ(pictureType(plan.experiment), NumberType::bfloat16);
}

TEST(Precision, AutoIsDecidedOnceAndRecorded) {
  const RunPlan plan = settled("auto", "small_resnet");
  EXPECT_EQ(plan.experiment.ampLevel, multipliesBfloat16() ? "O2" : "O0");
  EXPECT_THAT(linesOf(plan), HasSubstr("auto: this processor has"));
}

}  // namespace
}  // namespace slipstream
