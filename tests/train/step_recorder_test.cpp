// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of a step's time: each second counts once, and what stands between steps is no step's.
#include "engine/train/step_recorder.h"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "tests/train/support/memory_link.h"

namespace slipstream {
namespace {

constexpr std::chrono::milliseconds pause{20};
constexpr double pauseSeconds = 0.02;

/// A link that takes a while for a row.
class SlowLink final : public Link {
 public:
  const WorkerTask& task() const override { return task_; }
  void record(std::int64_t step, const std::vector<std::string>& names, const std::vector<double>& values) override {
    std::this_thread::sleep_for(pause);
    for (std::size_t i = 0; i < names.size(); ++i) kept[names[i]][step] = values[i];
  }
  void event(EventLevel, const std::string&, const std::string&) override {}
  void memory(const std::map<std::string, std::int64_t>&) override {}
  void progress(std::int64_t, const char*, std::uint64_t) override {}
  StopKind stopRequested() const override { return StopKind::none; }
  void sendCheckpoint(std::int64_t, bool, const std::string&, const std::vector<OutgoingTensor>&) override {}
  void sendSnapshot(std::int64_t, const std::vector<OutgoingTensor>&) override {}
  std::optional<CheckpointManifest> checkpointAt(std::int64_t) override { return std::nullopt; }
  std::optional<CheckpointManifest> snapshotAt(std::int64_t) override { return std::nullopt; }
  std::vector<float> fetch(const std::string&) override { return {}; }
  void flush() override {}
  void finish(bool, std::int64_t) override {}
  void fail(const std::string&) override {}

  std::map<std::string, std::map<std::int64_t, double>> kept;

 private:
  WorkerTask task_;
};

class StepRecorderTest : public testing::Test {
 protected:
  /// A step without data or computing that is recorded.
  void step(std::int64_t number, const StepResult& result = {}) {
    recorder_.dataReady();
    recorder_.record(number, result, 0.1, 1);
  }
  double of(const char* metric, std::int64_t step) { return link_.kept.at(metric).at(step); }

  SlowLink link_;
  StepRecorder recorder_{link_, 1};
};

TEST_F(StepRecorderTest, RecordingIsNotWaitingForDataToo) {
  const Stopwatch whole;
  recorder_.start();
  step(0);
  step(1);
  EXPECT_GE(of("record_seconds", 1), pauseSeconds) << "of the step before";
  const double parts = of("data_seconds", 1) + of("compute_seconds", 1) + of("record_seconds", 1);
  EXPECT_LE(parts, whole.seconds() - pauseSeconds) << "the last recording is nobody's yet";
  EXPECT_NEAR(of("step_seconds", 1), parts, 1e-9);
}

TEST_F(StepRecorderTest, WhatStandsBetweenStepsIsNoSteps) {
  const Stopwatch whole;
  recorder_.start();
  step(0);
  recorder_.between(1, "checkpoint_seconds", [] { std::this_thread::sleep_for(pause); });
  step(1);
  EXPECT_GE(of("checkpoint_seconds", 0), pauseSeconds) << "kept with the step before it";
  EXPECT_LE(of("step_seconds", 0) + of("step_seconds", 1) + of("checkpoint_seconds", 0), whole.seconds() - pauseSeconds)
      << "recording the last step is nobody's yet";
  EXPECT_LE(of("data_seconds", 1) + of("record_seconds", 1), of("step_seconds", 1) + 1e-9);
}

TEST_F(StepRecorderTest, HiddenCommunicationIsAPartOfComputing) {
  recorder_.start();
  StepResult result;
  result.outcome.communication = {0.001, 1000};
  std::this_thread::sleep_for(pause);
  step(0, result);
  EXPECT_DOUBLE_EQ(of("communication_seconds", 0), 0.001);
  EXPECT_LE(of("hidden_communication_seconds", 0), of("compute_seconds", 0));
}

}  // namespace
}  // namespace slipstream
