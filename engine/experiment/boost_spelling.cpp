// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiment/boost_spelling.h"

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include "engine/base/text.h"
#include "engine/boost/algorithms.h"
#include "engine/config/document_text.h"
#include "engine/config/python_literals.h"

namespace slipstream {
namespace {

bool namesFile(const std::string& word) {
  return endsWith(word, ".json") || endsWith(word, ".py") || word.find('/') != std::string::npos;
}

Failure twice(const BoostSpelling& spelling) {
  return {spelling.written, "", "is another spelling of " + spelling.meant + ", which is written too", "keep one"};
}

/// Sections of a dictionary that are directly inside `boost`, and their names.
std::vector<std::string> directSections(const Json& boost) {
  std::vector<std::string> direct;
  for (const std::string& section : boostSections()) {
    if (boost.contains(section) && boost[section].is_object()) direct.push_back(section);
  }
  return direct;
}

void moveIntoDictionary(Json& boost, std::vector<BoostSpelling>& found, Failures& failures) {
  const bool written = boost.contains("dictionary");
  for (const std::string& section : directSections(boost)) {
    const BoostSpelling spelling{"boost." + section, "boost.dictionary." + section};
    if (written) {
      failures.push_back(
          {spelling.written, "", "belongs into boost.dictionary, which is written too", "move it there"});
    } else {
      boost["dictionary"][section] = boost[section];
      found.push_back(spelling);
    }
    boost.erase(section);
  }
}

void makeAbsoluteIn(Json& dictionary, const std::filesystem::path& folder) {
  for (const BoostOption& option : boostOptions()) {
    if (!option.isPath || !dictionary.contains(option.section) || !dictionary[option.section].is_object()) continue;
    Json& section = dictionary[option.section];
    if (!section.contains(option.key) || !section[option.key].is_string() || section[option.key] == "") continue;
    section[option.key] = (folder / section[option.key].get<std::string>()).lexically_normal().string();
  }
}

}  // namespace

const std::vector<BoostSpelling>& boostAliases() {
  static const std::vector<BoostSpelling> aliases{{"boost_level", "boost.level"},
                                                  {"boost_config_dict", "boost.dictionary"}};
  return aliases;
}

Json boostSectionOf(const std::string& word) {
  return namesFile(word) ? Json{{"dictionary", word}} : Json{{"level", word}};
}

bool hasOtherBoostSpelling(const Json& object) {
  if (!object.is_object()) return false;
  const bool alias = std::ranges::any_of(
      boostAliases(), [&](const BoostSpelling& spelling) { return object.contains(spelling.written); });
  const auto boost = object.find("boost");
  return alias || (boost != object.end() && boost->is_object() && !directSections(*boost).empty());
}

std::vector<BoostSpelling> spellBoost(Json& object, Failures& failures) {
  std::vector<BoostSpelling> found;
  if (!object.is_object()) return found;
  if (object.contains("boost") && object["boost"].is_string()) {
    object["boost"] = boostSectionOf(object["boost"].get<std::string>());
  }
  if (object.contains("boost") && object["boost"].is_object()) moveIntoDictionary(object["boost"], found, failures);
  for (const BoostSpelling& spelling : boostAliases()) {
    if (!object.contains(spelling.written)) continue;
    Json value = object[spelling.written];
    object.erase(spelling.written);
    Json& boost = object["boost"];
    const std::string key = spelling.meant.substr(spelling.meant.find('.') + 1);
    if (!boost.is_null() && (!boost.is_object() || boost.contains(key))) {
      failures.push_back(twice(spelling));
      continue;
    }
    boost[key] = std::move(value);
    found.push_back(spelling);
  }
  return found;
}

Result<Json> boostDictionary(const Json& written) {
  if (!written.is_string()) return written;
  const std::filesystem::path file = written.get<std::string>();
  SLIPSTREAM_TRY(text, readDocumentText(file));
  SLIPSTREAM_TRY(dictionary, parseJson(pythonAsJson(text), file.string()));
  if (dictionary.is_object()) makeAbsoluteIn(dictionary, std::filesystem::absolute(file).parent_path());
  return dictionary;
}

}  // namespace slipstream
