// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiment/key_hints.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/boost/algorithms.h"
#include "engine/config/fields.h"
#include "engine/experiment/experiment_fields.h"

namespace slipstream {
namespace {

std::string keyAtEnd(const std::string& path) {
  return path.substr(path.rfind('.') + 1);
}

std::string sectionOf(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos ? "" : path.substr(0, dot);
}

/// Of an experiment and its dictionary; entries of lists have no path of their own.
std::vector<std::string> allPaths() {
  ExperimentSections sections;
  std::vector<std::string> paths = keyPaths([&](Fields& fields) { describeExperimentFile(fields, sections); });
  for (const BoostOption& option : boostOptions()) paths.push_back("boost.dictionary." + option.path());
  // Read before the sections, so that no description lists them.
  paths.insert(paths.end(), {"variants", "seeds", "stages"});
  std::erase_if(paths, [](const std::string& path) { return path.find("[]") != std::string::npos; });
  return paths;
}

const std::vector<std::string>& knownPaths() {
  static const std::vector<std::string> paths = allPaths();
  return paths;
}

std::vector<std::string> pathsEndingIn(const std::string& key) {
  std::vector<std::string> found;
  for (const std::string& path : knownPaths()) {
    if (keyAtEnd(path) == key) found.push_back(path);
  }
  return found;
}

/// What is in the same section as the path.
std::vector<std::string> siblingsOf(const std::string& path) {
  std::vector<std::string> keys;
  for (const std::string& known : knownPaths()) {
    if (sectionOf(known) == sectionOf(path)) keys.push_back(keyAtEnd(known));
  }
  return keys;
}

std::vector<std::string> allKeys() {
  std::vector<std::string> keys;
  for (const std::string& path : knownPaths()) keys.push_back(keyAtEnd(path));
  return keys;
}

void hintAtKey(Failure& failure) {
  constexpr std::ptrdiff_t most = 3;
  const std::string key = keyAtEnd(failure.where);
  std::vector<std::string> elsewhere = pathsEndingIn(key);
  const bool known = !elsewhere.empty();
  if (!known && nearestWord(key, siblingsOf(failure.where))) return;
  if (!known) {
    const auto near = nearestWord(key, allKeys());
    if (!near) return;
    elsewhere = pathsEndingIn(*near);
  }
  if (known && std::ranges::count(elsewhere, failure.where) > 0) {
    const std::string section = failure.where.substr(0, failure.where.rfind('.'));
    failure.remedy = fmt::format("remove it: it is a key of another kind of {}", section);
    return;
  }
  if (std::ssize(elsewhere) > most) return;
  const std::string paths = join(elsewhere, " or ");
  failure.remedy = known ? "write it as " + paths : "did you mean " + paths + "?";
}

void hintAtPrecision(Failure& failure) {
  if (failure.where != "precision.amp_level" || failure.value != "\"O1\"") return;
  failure.problem += ": MindSpore's O1 chooses the numbers of each operator by itself, which is not built";
  failure.remedy = "write O2 (images between layers in bf16 or fp16, weights in fp32), auto, or O0";
}

}  // namespace

void hintAtMeaning(Failures& failures) {
  for (Failure& failure : failures) {
    if (failure.problem == unknownKeyProblem) hintAtKey(failure);
    hintAtPrecision(failure);
  }
}

}  // namespace slipstream
