// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiment/experiment_fix.h"

#include <algorithm>

#include "engine/base/text.h"
#include "engine/config/fields.h"
#include "engine/config/json_edit.h"
#include "engine/experiment/experiment_form.h"
#include "engine/experiment/key_hints.h"

namespace slipstream {
namespace {

using Kind = ExperimentFix::Kind;

std::string sectionAbove(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos ? "" : path.substr(0, dot);
}

/// The scope that the place belongs to: a variant or a stage, else everybody's.
ExperimentScope scopeOf(const Json& root, const std::string& path) {
  for (const ExperimentScope& scope : scopesOf(root)) {
    if (!scope.path().empty() && path.starts_with(scope.path() + ".")) return scope;
  }
  return {};
}

std::optional<ExperimentFix> keyFix(const Json& root, const std::string& path, const std::string& inScope,
                                    const ExperimentScope& scope) {
  const MeantKey meant = meantKey(inScope);
  const ExperimentFix removal{Kind::removeKey, path};
  if (meant.otherKind || meant.paths.empty()) return removal;
  if (meant.paths.size() > 1) return std::nullopt;
  const std::string& other = meant.paths.front();
  if (findValue(root, scope.path(other)) != nullptr) return removal;  // it is written already
  const bool beside = sectionAbove(other) == sectionAbove(inScope);
  if (beside) return ExperimentFix{Kind::renameKey, path, other.substr(other.rfind('.') + 1)};
  return ExperimentFix{Kind::moveKey, path, scope.path(other)};
}

/// The nearest number that is allowed; nothing where the limit that is passed is not allowed itself.
std::optional<Json> withinLimits(const FormKey& key, double value) {
  const double nearest = std::clamp(value, key.limits.least, key.limits.most);
  if (nearest == value || !key.limits.allow(nearest)) return std::nullopt;
  if (key.kind == KeyKind::integer) return Json(static_cast<std::int64_t>(nearest));
  return Json(nearest);
}

std::optional<Json> numberFor(const FormKey& key, const Json& value) {
  if (value.is_number()) return withinLimits(key, value.get<double>());
  if (!value.is_string()) return std::nullopt;
  const std::string word = trim(value.get<std::string>());
  const auto whole = parseInteger(word);
  if (whole && key.limits.allow(static_cast<double>(*whole))) return Json(*whole);
  const auto number = parseNumber(word);
  if (!number || key.kind == KeyKind::integer || !key.limits.allow(*number)) return std::nullopt;
  return Json(*number);
}

std::optional<Json> nearestAllowed(const FormKey& key, const Json& value) {
  if (key.words.empty() || !value.is_string()) return std::nullopt;
  const auto near = nearestWord(value.get<std::string>(), key.words);
  if (!near || *near == value) return std::nullopt;
  return Json(*near);
}

std::optional<Json> flagFor(const Json& value) {
  for (const bool flag : {true, false}) {
    if (value == (flag ? "true" : "false") || value == (flag ? 1 : 0)) return Json(flag);
  }
  return std::nullopt;
}

std::optional<Json> meantValue(const FormKey& key, const Json& value) {
  switch (key.kind) {
    case KeyKind::flag:
      return flagFor(value);
    case KeyKind::integer:
    case KeyKind::number:
      return numberFor(key, value);
    case KeyKind::text:
      return nearestAllowed(key, value);
    default:
      return std::nullopt;
  }
}

/// Where the value is written: a section may be its name alone.
std::string writtenPlace(const Json& root, const std::string& path) {
  const std::string name = ".name";
  if (findValue(root, path) != nullptr || !path.ends_with(name)) return path;
  const std::string section = path.substr(0, path.size() - name.size());
  const Json* written = findValue(root, section);
  return written != nullptr && written->is_string() ? section : path;
}

}  // namespace

std::optional<ExperimentFix> experimentFix(const Json& root, const Failure& failure) {
  const std::string path = writtenPlace(root, failure.where);
  const Json* value = findValue(root, path);
  if (value == nullptr || path.empty()) return std::nullopt;
  const ExperimentScope scope = scopeOf(root, path);
  const std::string inScope = scope.path().empty() ? path : path.substr(scope.path().size() + 1);
  if (failure.problem == unknownKeyProblem) return keyFix(root, path, inScope, scope);
  const std::vector<FormKey> form = formOf(root, scope);
  const auto key = std::ranges::find_if(form, [&](const FormKey& one) {
    if (one.kind == KeyKind::section) return false;
    // A section that is written as one word is its name.
    return placeOf(root, scope, one.path) == path || (one.path == inScope + ".name" && value->is_string());
  });
  if (key == form.end()) return std::nullopt;
  const auto meant = meantValue(*key, *value);
  if (!meant) return std::nullopt;
  return ExperimentFix{Kind::useValue, path, {}, *meant};
}

Result<std::string> fixedExperiment(const std::string& text, const ExperimentFix& fix) {
  switch (fix.kind) {
    case Kind::renameKey:
      return renameKey(text, fix.path, fix.name);
    case Kind::removeKey:
      return removeValue(text, fix.path);
    case Kind::useValue:
      return setValue(text, fix.path, fix.value);
    case Kind::moveKey:
      break;
  }
  SLIPSTREAM_TRY(root, parseJson(text, "the text"));
  const Json* value = findValue(root, fix.path);
  if (value == nullptr) return text;
  SLIPSTREAM_TRY(removed, removeValue(text, fix.path));
  return setValue(removed, fix.name, *value);
}

}  // namespace slipstream
