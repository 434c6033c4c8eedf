#include "engine/record/monitor_lines.h"

#include <cmath>
#include <limits>
#include <regex>

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
  static const std::regex form(R"(\s*epoch: (\d+),? step: (\d+),? loss is (\S+)\s*)");
  std::cmatch match;
  if (!std::regex_match(line.data(), line.data() + line.size(), match, form)) return std::nullopt;
  const auto epoch = parseInteger(match[1].str());
  const auto step = parseInteger(match[2].str());
  const auto loss = parseLoss(match[3].str());
  if (!epoch || !step || !loss) return std::nullopt;
  return LossReport{*epoch, *step, *loss};
}

}  // namespace slipstream
