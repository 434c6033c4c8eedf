// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/failure.h"

#include <algorithm>

#include <fmt/format.h>

namespace slipstream {

tl::unexpected<Failures> fail(std::string where, std::string value, std::string problem, std::string remedy) {
  return tl::unexpected<Failures>(
      Failures{Failure{std::move(where), std::move(value), std::move(problem), std::move(remedy)}});
}

std::string toText(const Failure& failure) {
  std::string text = failure.where.empty() ? failure.problem : fmt::format("{}: {}", failure.where, failure.problem);
  if (!failure.value.empty()) text += fmt::format(" (found {})", failure.value);
  if (!failure.remedy.empty()) text += fmt::format("; {}", failure.remedy);
  return text;
}

std::string toText(const Failures& failures) {
  std::string text;
  for (const Failure& failure : failures) text += toText(failure) + "\n";
  return text;
}

void addOnce(Failures& failures, const Failures& more) {
  for (const Failure& failure : more) {
    if (std::ranges::find(failures, failure) == failures.end()) failures.push_back(failure);
  }
}

}  // namespace slipstream
