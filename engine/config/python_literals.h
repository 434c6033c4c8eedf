// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace slipstream {

/// What Python writes otherwise than JSON at one place of a text.
struct PythonSpelling {
  std::string found;  ///< "True"
  std::string json;   ///< what to write in its place: "true"
};

/// The spelling at `offset`; nothing where it is no Python.
std::optional<PythonSpelling> pythonSpellingAt(std::string_view text, std::size_t offset);

/// A Python dictionary as JSON of the same length, so that every place in it keeps its line and column: True, False and
/// None, texts in single quotes, comments behind # and commas before a closing bracket. What else is no JSON stays.
std::string pythonAsJson(std::string_view text);

/// An experiment in which boost dictionaries alone may be written in Python: `dictionary` and `boost` inside `boost`,
/// `boost_config_dict` and `boost` itself become JSON. Everything else stays as it is.
std::string withJsonDictionaries(std::string text);

/// The text of an experiment as JSON: as it is where it is JSON, else with its dictionaries made JSON. What is still
/// none then is for parseJson to tell.
std::string experimentAsJson(const std::string& text);

}  // namespace slipstream
