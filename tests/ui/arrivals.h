// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "ui/charts/metric_chart.h"

namespace slipstream::test {

using Moment = std::chrono::steady_clock::time_point;

/// Watches a store from a thread and a connection of its own: when each step of a run's loss was there to be read.
class WrittenSteps {
 public:
  WrittenSteps(const std::filesystem::path& store, std::string run);
  ~WrittenSteps();
  WrittenSteps(const WrittenSteps&) = delete;
  WrittenSteps& operator=(const WrittenSteps&) = delete;

  /// The newest step after each commit that brought one -> when it was first seen.
  std::map<std::int64_t, Moment> seen() const;

 private:
  void watch(const std::filesystem::path& store);

  std::string run_;
  std::atomic<bool> over_ = false;
  mutable std::mutex lock_;
  std::map<std::int64_t, Moment> seen_;
  std::thread thread_;
};

/// Watches a chart of one run over its steps: when each was painted, which is after it stood in the chart's series.
class PaintedSteps : public QObject {
 public:
  explicit PaintedSteps(ui::MetricChart& chart);

  /// The newest step after each painting that brought one -> when that painting was done.
  const std::map<std::int64_t, Moment>& seen() const { return seen_; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void note();

  ui::MetricChart& chart_;
  bool painting_ = false;
  std::map<std::int64_t, Moment> seen_;
};

/// Milliseconds from each commit to the painting that shows its newest step; only of commits that are painted.
std::vector<double> delays(const std::map<std::int64_t, Moment>& written,
                           const std::map<std::int64_t, Moment>& painted);

}  // namespace slipstream::test
