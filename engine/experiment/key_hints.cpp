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
  const MeantKey meant = meantKey(failure.where);
  if (meant.otherKind) {
    failure.remedy = fmt::format("remove it: it is a key of another kind of {}", sectionOf(failure.where));
    return;
  }
  // What is nearly a key of its own section is pointed to already.
  const bool beside =
      !meant.sameName && !meant.paths.empty() && sectionOf(meant.paths.front()) == sectionOf(failure.where);
  if (meant.paths.empty() || beside || std::ssize(meant.paths) > most) return;
  const std::string paths = join(meant.paths, " or ");
  failure.remedy = meant.sameName ? "write it as " + paths : "did you mean " + paths + "?";
}

void hintAtPrecision(Failure& failure) {
  if (failure.where != "precision.amp_level" || failure.value != "\"O1\"") return;
  failure.problem += ": MindSpore's O1 chooses the numbers of each operator by itself, which is not built";
  failure.remedy = "write O2 (images between layers in bf16 or fp16, weights in fp32), auto, or O0";
}

}  // namespace

MeantKey meantKey(const std::string& path) {
  const std::string key = keyAtEnd(path);
  std::vector<std::string> same = pathsEndingIn(key);
  const bool otherKind = std::ranges::count(same, path) > 0;
  if (!same.empty()) return {std::move(same), true, otherKind};
  const std::string section = sectionOf(path);
  if (const auto near = nearestWord(key, siblingsOf(path))) return {{section.empty() ? *near : section + "." + *near}};
  const auto near = nearestWord(key, allKeys());
  return near ? MeantKey{pathsEndingIn(*near)} : MeantKey{};
}

void hintAtMeaning(Failures& failures) {
  for (Failure& failure : failures) {
    if (failure.problem == unknownKeyProblem) hintAtKey(failure);
    hintAtPrecision(failure);
  }
}

}  // namespace slipstream
