// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

namespace slipstream {

/// One thing that a user can put right: a key, a flag, a file, an environment value.
struct Failure {
  std::string where;    ///< key path, flag, or file:line
  std::string value;    ///< the offending value as written; empty where there is none
  std::string problem;  ///< what is wrong, one sentence without full stop
  std::string remedy;   ///< what to do about it, one sentence without full stop
  bool operator==(const Failure&) const = default;
};

using Failures = std::vector<Failure>;

/// What a function returns that a user's input can make fail. Everything else throws Error.
template <class T>
using Result = tl::expected<T, Failures>;
using Status = Result<void>;

/// A failed result with one failure.
tl::unexpected<Failures> fail(std::string where, std::string value, std::string problem, std::string remedy);

/// "where: problem (found VALUE); remedy"
std::string toText(const Failure& failure);
/// One line a failure.
std::string toText(const Failures& failures);

/// Appends what failed in `result` to `failures`; true where the result holds a value.
template <class T>
bool collect(const Result<T>& result, Failures& failures) {
  if (result) return true;
  failures.insert(failures.end(), result.error().begin(), result.error().end());
  return false;
}

/// Appends those of `more` that are not in `failures` yet.
void addOnce(Failures& failures, const Failures& more);

}  // namespace slipstream

/// Declares `variable` from a Result, or returns its failures to the caller.
// NOLINTNEXTLINE(bugprone-macro-parentheses): a name that is declared cannot be in parentheses
#define SLIPSTREAM_TRY(variable, expression)                                         \
  auto variable##Result = (expression);                                              \
  if (!variable##Result) return tl::unexpected(std::move(variable##Result.error())); \
  auto variable = std::move(*variable##Result)

/// Returns the failures of a Status to the caller.
#define SLIPSTREAM_CHECK(expression)                                 \
  do {                                                               \
    auto checked = (expression);                                     \
    if (!checked) return tl::unexpected(std::move(checked.error())); \
  } while (false)
