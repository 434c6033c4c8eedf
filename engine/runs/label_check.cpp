// SPDX-License-Identifier: GPL-3.0-or-later
#include <regex>

#include <fmt/format.h>

#include "engine/base/characters.h"
#include "engine/base/text.h"
#include "engine/record/run_record.h"
#include "engine/runs/run_selection.h"

// What tags and names may be, on the command line and in the window.
namespace slipstream {
namespace {

constexpr std::size_t longestTag = 200;
constexpr std::size_t longestTitle = 200;

/// U+200E, U+200F, U+202A to U+202E and U+2066 to U+2069 turn the direction of the text around them.
bool turnsText(const std::string& text) {
  static const std::regex marks("\xE2\x80[\x8E\x8F\xAA-\xAE]|\xE2\x81[\xA6-\xA9]");
  return std::regex_search(text, marks);
}

/// What lists show in one line, and people type again.
Status checkShown(const std::string& where, const std::string& text, std::size_t most) {
  if (!isUtf8(text)) return fail(where, "", "holds bytes that are not UTF-8", "write it in UTF-8");
  if (characterCount(text) > most) {
    return fail(where, "", fmt::format("has more than {} characters", most), "write a shorter one");
  }
  if (printable(text) != text || turnsText(text))
    return fail(where, printable(text), "holds control characters", "leave them out");
  if (trim(text) != text) return fail(where, text, "begins or ends with a blank", "leave it out");
  return {};
}

}  // namespace

Status checkNewTag(const std::string& tag, const std::string& where) {
  if (trim(tag).empty()) return fail(where, tag, "is empty", "write one, for example paper");
  SLIPSTREAM_CHECK(checkShown(where, tag, longestTag));
  if (tag.find(',') != std::string::npos)
    return fail(where, tag, "holds a comma, which separates tags", "leave it out");
  if (isRunId(tag)) {
    return fail(where, tag, "reads as the id of a run: eight digits or letters from a to f",
                "choose a longer or a shorter word, for example n" + tag);
  }
  if (readsAsSelection(tag)) {
    return fail(where, tag, "reads as last or as a filter", "choose another word, without : = < >, for example paper");
  }
  return {};
}

/// Signs of filters may be in a name, which is looked up before a filter is.
Status checkNewName(const std::string& name, const std::string& where) {
  SLIPSTREAM_CHECK(checkShown(where, name, longestTitle));
  if (!isRunId(name) && name != "last" && !startsWith(name, "last:")) return {};
  return fail(where, name, "reads as the id of a run, or as last", "choose another name, for example n" + name);
}

}  // namespace slipstream
