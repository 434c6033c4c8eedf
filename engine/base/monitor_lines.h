// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace slipstream {

// The lines that the tutorials' LossMonitor and TimeMonitor print. Epochs and steps inside them count from 1.

/// "epoch: 1 step: 100, loss is 0.4213"; the loss with every digit that it needs.
std::string lossLine(std::int64_t epoch, std::int64_t stepInEpoch, double loss);

/// "epoch time: 12345.679 ms, per step time: 123.457 ms"
std::string timeLine(double epochMilliseconds, std::int64_t steps);

/// What ends a run whose loss is NaN or infinite.
std::string invalidLossText(std::int64_t epoch, std::int64_t stepInEpoch);

struct LossReport {
  std::int64_t epoch = 0;
  std::int64_t step = 0;
  double loss = 0;
};

/// Reads a loss line in any of the three forms that are about: LossMonitor's, its older one without the comma, and
/// that of hand-written loops ("epoch: 0, step: 10, loss is 2.29"). Nothing where the line is something else.
std::optional<LossReport> parseLossLine(std::string_view line);

}  // namespace slipstream
