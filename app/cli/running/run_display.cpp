// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/running/run_display.h"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

#include "app/cli/streams/output.h"
#include "app/cli/streams/print_line.h"
#include "app/cli/streams/safe_output.h"
#include "engine/base/characters.h"
#include "engine/base/clock.h"
#include "engine/base/monitor_lines.h"
#include "engine/base/text.h"

namespace slipstream::cli {
namespace {

constexpr double secondsBetweenBars = 0.1;
constexpr std::size_t barWidth = 24;

std::string labelOf(const RunPlan& plan) {
  return printable(plan.experiment.variant.empty() ? plan.experiment.name : plan.experiment.variant);
}

/// Errors end the run and are told then.
void tell(const Event& event) {
  if (event.level != EventLevel::warning) return;
  const std::string who = event.rank < 0 ? "" : fmt::format("rank {}: ", event.rank);
  remark("warning", who + event.text);
}

class Quiet final : public RunObserver {
  void attemptStarted(int, std::int64_t) override {}
  void step(const StepReport&) override {}
  void evaluated(std::int64_t, double) override {}
  void event(const Event& event) override { tell(event); }
};

/// What LossMonitor and TimeMonitor print.
class Lines final : public RunObserver {
 public:
  explicit Lines(const RunPlan& plan) : plan_(plan), stages_(stagesOf(plan)) {}

  void attemptStarted(int attempt, std::int64_t fromStep) override {
    const std::string start = fromStep > 0 || attempt > 1 ? fmt::format(", from step {}", fromStep) : "";
    printLine(stdout, "{}: {}, {}{}\n", labelOf(plan_), counted(plan_.ranks(), "rank"),
              counted(plan_.totalSteps, "step"), start);
    epochSeconds_ = 0;
    epochSteps_ = 0;
    std::fflush(stdout);
  }

  void step(const StepReport& report) override {
    const StagePlan& stage = stageOfStep(stages_, report.step);
    const std::int64_t own = report.step - stage.firstStep;
    const std::int64_t epoch = own / stage.stepsPerEpoch + 1;
    const std::int64_t inEpoch = own % stage.stepsPerEpoch + 1;
    const std::int64_t every = stage.experiment.train.logEverySteps;
    const bool last = own + 1 == stage.updates();
    if (every > 0 && ((own + 1) % every == 0 || last)) {
      printLine(stdout, "{}\n", lossLine(epoch, inEpoch, report.loss));
    }
    epochSeconds_ += report.stepSeconds;
    ++epochSteps_;
    if (inEpoch == stage.stepsPerEpoch || last) {
      printLine(stdout, "{}\n", timeLine(epochSeconds_ * 1000, epochSteps_));
      epochSeconds_ = 0;
      epochSteps_ = 0;
    }
    std::fflush(stdout);
  }

  void evaluated(std::int64_t step, double accuracy) override {
    const StagePlan& stage = stageOfStep(stages_, step - 1);
    const bool names = stages_.size() > 1 && step == stage.endStep;
    printLine(stdout, "accuracy: {:.4f}{}\n", accuracy, names ? " at the end of stage " + stage.name : "");
    std::fflush(stdout);
  }

  void event(const Event& event) override { tell(event); }

 private:
  const RunPlan& plan_;
  const std::vector<StagePlan> stages_;
  double epochSeconds_ = 0;
  std::int64_t epochSteps_ = 0;
};

class Bar final : public RunObserver {
 public:
  explicit Bar(const RunPlan& plan) : plan_(plan) {}
  ~Bar() override {
    if (drawn_) std::fputs("\n", terminal());
    std::fflush(terminal());
  }
  Bar(const Bar&) = delete;
  Bar& operator=(const Bar&) = delete;

  void attemptStarted(int, std::int64_t fromStep) override {
    firstStep_ = fromStep;
    sinceStart_.restart();
  }

  void step(const StepReport& report) override {
    const bool last = report.step + 1 == plan_.totalSteps;
    if (!last && drawn_ && sinceBar_.seconds() < secondsBetweenBars) return;
    sinceBar_.restart();
    draw(report);
  }

  void evaluated(std::int64_t, double accuracy) override { accuracy_ = fmt::format("  accuracy {:.4f}", accuracy); }

  void event(const Event& event) override {
    if (event.level != EventLevel::warning) return;
    if (drawn_) std::fputs("\n", terminal());
    std::fflush(terminal());
    tell(event);
  }

 private:
  void draw(const StepReport& report) {
    const std::int64_t done = report.step + 1;
    const double share = static_cast<double>(done) / static_cast<double>(plan_.totalSteps);
    const double perStep = sinceStart_.seconds() / static_cast<double>(std::max<std::int64_t>(1, done - firstStep_));
    const double left = perStep * static_cast<double>(plan_.totalSteps - done);
    const std::size_t filled = std::min(barWidth, static_cast<std::size_t>(share * static_cast<double>(barWidth)));
    const auto rate = static_cast<std::int64_t>(report.samplesPerSecond);
    // Back to the line's begin, and the rest of the old line erased.
    printLine(terminal(), "\r{} [{}{}] {:3.0f} %  step {}/{}  loss {:.4f}  {} samples/s  {} left{}\x1b[K",
              labelOf(plan_), std::string(filled, '#'), std::string(barWidth - filled, '-'), share * 100,
              countText(done), countText(plan_.totalSteps), report.loss, countText(rate), durationText(left),
              accuracy_);
    std::fflush(terminal());
    drawn_ = true;
  }

  const RunPlan& plan_;
  Stopwatch sinceStart_;
  Stopwatch sinceBar_;
  std::int64_t firstStep_ = 0;
  std::string accuracy_;
  bool drawn_ = false;
};

}  // namespace

DisplayKind chooseDisplay(bool quiet) {
  if (quiet) return DisplayKind::quiet;
  return ::isatty(STDOUT_FILENO) == 1 ? DisplayKind::bar : DisplayKind::lines;
}

std::unique_ptr<RunObserver> makeDisplay(DisplayKind kind, const RunPlan& plan) {
  if (kind == DisplayKind::quiet) return std::make_unique<Quiet>();
  if (kind == DisplayKind::bar) return std::make_unique<Bar>(plan);
  return std::make_unique<Lines>(plan);
}

}  // namespace slipstream::cli
