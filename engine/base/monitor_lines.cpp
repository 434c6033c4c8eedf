// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/monitor_lines.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "engine/base/text.h"

namespace slipstream {
namespace {

std::optional<double> parseLoss(const std::string& text) {
  if (text == "nan" || text == "-nan") return std::numeric_limits<double>::quiet_NaN();
  if (text == "inf") return std::numeric_limits<double>::infinity();
  if (text == "-inf") return -std::numeric_limits<double>::infinity();
  return parseNumber(text);
}

/// Takes "LABELN " or "LABELN, " off the front of `rest`.
std::optional<std::int64_t> take(std::string_view& rest, std::string_view label) {
  const auto end = rest.find(' ', label.size());
  if (!startsWith(rest, label) || end == std::string_view::npos) return std::nullopt;
  std::string_view number = rest.substr(label.size(), end - label.size());
  if (endsWith(number, ",")) number.remove_suffix(1);
  rest.remove_prefix(end + 1);
  return parseInteger(number);
}

}  // namespace

std::string lossLine(std::int64_t epoch, std::int64_t stepInEpoch, double loss) {
  return fmt::format("epoch: {} step: {}, loss is {}", epoch, stepInEpoch, numberText(loss));
}

std::string timeLine(double epochMilliseconds, std::int64_t steps) {
  return fmt::format("epoch time: {:5.3f} ms, per step time: {:5.3f} ms", epochMilliseconds,
                     epochMilliseconds / static_cast<double>(steps));
}

std::string invalidLossText(std::int64_t epoch, std::int64_t stepInEpoch) {
  return fmt::format("epoch: {} step: {}. Invalid loss, terminating training.", epoch, stepInEpoch);
}

std::optional<LossReport> parseLossLine(std::string_view line) {
  const std::string text = trim(line);
  std::string_view rest = text;
  const auto epoch = take(rest, "epoch: ");
  const auto step = take(rest, "step: ");
  if (!epoch || !step || !startsWith(rest, "loss is ")) return std::nullopt;
  const auto loss = parseLoss(std::string(rest.substr(std::string_view("loss is ").size())));
  if (!loss) return std::nullopt;
  return LossReport{*epoch, *step, *loss};
}

}  // namespace slipstream
