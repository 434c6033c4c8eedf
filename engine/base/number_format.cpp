// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/number_format.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/base/text.h"

namespace slipstream {
namespace {

std::string withTrueMinus(std::string text) {
  return startsWith(text, "-") ? "−" + text.substr(1) : text;
}

std::string fixed(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", std::abs(value), decimals);
  const std::string whole = text.substr(0, text.find('.'));
  text = countText(parseInteger(whole).value_or(0)) + text.substr(whole.size());
  const bool zero = text.find_first_of("123456789") == std::string::npos;
  return value < 0 && !zero ? "−" + text : text;
}

}  // namespace

std::string threeDigits(double value) {
  if (!std::isfinite(value)) return withTrueMinus(numberText(value));
  if (value == 0) return "0";
  const int exponent = static_cast<int>(std::floor(std::log10(std::abs(value))));
  if (exponent < -4 || exponent > 14) return withTrueMinus(fmt::format("{:.2e}", value));
  return fixed(value, std::clamp(2 - exponent, 0, 6));
}

std::string metricText(double value) {
  constexpr double largestWhole = 1e15;
  if (std::isfinite(value) && value == std::trunc(value) && std::abs(value) < largestWhole) return fixed(value, 0);
  return withTrueMinus(std::isfinite(value) ? fmt::format("{:.6g}", value) : numberText(value));
}

std::string quantityText(double value, Quantity quantity) {
  if (!std::isfinite(value)) return withTrueMinus(numberText(value));
  switch (quantity) {
    case Quantity::percent:
      return fixed(value, 2);
    case Quantity::count:
      return fixed(value, 0);
    case Quantity::meanCount:
      return fixed(value, value == std::floor(value) || std::abs(value) >= 999.95 ? 0 : 1);
    case Quantity::milliseconds:
    case Quantity::seconds:
      return fixed(value, value != 0 && std::abs(value) < 0.9995 ? 3 : std::abs(value) < 10 ? 2 : 1);
    case Quantity::loss:
      break;
  }
  return threeDigits(value);
}

std::string differenceText(double value, Quantity quantity) {
  const std::string text = quantityText(value, quantity);
  const bool isZero = text.find_first_of("123456789") == std::string::npos;  // as it is written
  return value > 0 && !isZero ? "+" + text : text;
}

}  // namespace slipstream
