// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/experiment/experiment_choices.h"
#include "engine/experiment/experiment_form.h"

namespace slipstream {
namespace {

Result<Json> numberOf(const FormKey& key, const std::string& word) {
  const auto number = parseNumber(word);
  const auto whole = parseInteger(word);
  if (!number || (key.kind == KeyKind::integer && !whole)) {
    return fail(key.path, word, key.kind == KeyKind::integer ? "is no whole number" : "is no number",
                "write numbers with commas between them");
  }
  if (!key.limits.allow(*number)) {
    return fail(key.path, word, "must be " + key.limits.text(), "write a number that is allowed");
  }
  return whole ? Json(*whole) : Json(*number);
}

Result<Json> valueOfWord(const FormKey& key, const std::string& word) {
  switch (key.kind) {
    case KeyKind::flag:
      if (word == "true" || word == "false") return Json(word == "true");
      return fail(key.path, word, "is neither true nor false", "write true, false");
    case KeyKind::integer:
    case KeyKind::number:
      return numberOf(key, word);
    default:
      break;
  }
  const bool known = key.words.empty() || std::ranges::count(key.words, word) > 0;
  if (!known) return fail(key.path, word, "is not one of " + join(key.words, ", "), suggestion(word, key.words));
  return Json(word);
}

}  // namespace

Result<std::vector<Json>> variedValues(const FormKey& key, const std::string& line) {
  std::vector<Json> values;
  Failures failures;
  for (const std::string& part : split(line, ',')) {
    const std::string word = trim(part);
    if (word.empty()) continue;
    auto value = valueOfWord(key, word);
    if (!collect(value, failures) || std::ranges::count(values, *value) > 0) continue;
    values.push_back(std::move(*value));
  }
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return values;
}

}  // namespace slipstream
