// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <regex>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/reading.h"
#include "engine/base/characters.h"
#include "engine/base/text.h"
#include "engine/record/run_record.h"

namespace slipstream::cli {
namespace {

constexpr std::size_t longestTag = 200;
constexpr std::size_t longestTitle = 200;

/// U+200E, U+200F, U+202A to U+202E and U+2066 to U+2069 turn the direction of the text around them.
bool turnsText(const std::string& text) {
  static const std::regex marks("\xE2\x80[\x8E\x8F\xAA-\xAE]|\xE2\x81[\xA6-\xA9]");
  return std::regex_search(text, marks);
}

/// What lists show in one line, and people type again.
Status checkShown(const char* where, const std::string& text, std::size_t most) {
  if (!isUtf8(text)) return fail(where, "", "holds bytes that are not UTF-8", "write it in UTF-8");
  if (characterCount(text) > most) {
    return fail(where, "", fmt::format("has more than {} characters", most), "write a shorter one");
  }
  if (printable(text) != text || turnsText(text))
    return fail(where, printable(text), "holds control characters", "leave them out");
  if (trim(text) != text) return fail(where, text, "begins or ends with a blank", "leave it out");
  return {};
}

Status checkNewTag(const std::string& tag) {
  if (trim(tag).empty()) return fail("TAG", tag, "is empty", "write one, for example paper");
  SLIPSTREAM_CHECK(checkShown("TAG", tag, longestTag));
  if (tag.find(',') != std::string::npos)
    return fail("TAG", tag, "holds a comma, which separates tags", "leave it out");
  if (isRunId(tag)) {
    return fail("TAG", tag, "reads as the id of a run: eight digits or letters from a to f",
                "choose a longer or a shorter word, for example n" + tag);
  }
  if (readsAsSelection(tag)) {
    return fail("TAG", tag, "reads as last or as a filter", "choose another word, without : = < >, for example paper");
  }
  return {};
}

/// Signs of filters may be in a name, which is looked up before a filter is.
Status checkNewName(const std::string& name) {
  SLIPSTREAM_CHECK(checkShown("NAME", name, longestTitle));
  if (!isRunId(name) && name != "last" && !startsWith(name, "last:")) return {};
  return fail("NAME", name, "reads as the id of a run, or as last", "choose another name, for example n" + name);
}

bool has(const RunLabel& label, const std::string& tag) {
  return std::find(label.tags.begin(), label.tags.end(), tag) != label.tags.end();
}

}  // namespace

int tag(const TagArguments& arguments, const CommandLine& line) {
  if (!arguments.removes) {
    if (const Status valid = checkNewTag(arguments.tag); !valid) return report(valid.error());
  }
  const auto changed = changeLabels(line, arguments.runs, RunScope::listed, [&](RunLabel& label) {
    if (has(label, arguments.tag) != arguments.removes) return false;
    if (arguments.removes) {
      std::erase(label.tags, arguments.tag);
    } else {
      label.tags.push_back(arguments.tag);
    }
    return true;
  });
  if (!changed) return report(changed.error());
  if (arguments.json) {
    print({{"tag", arguments.tag},
           {"set", !arguments.removes},
           {"runs", changed->selected},
           {"changed", changed->changed}});
    return ExitCode::done;
  }
  const char* what = arguments.removes ? "was taken off" : "was put on";
  fmt::print("{} {} {}\n", printable(arguments.tag), what, counted(std::ssize(changed->changed), "run"));
  return ExitCode::done;
}

int rename(const RenameArguments& arguments, const CommandLine& line) {
  if (const Status valid = checkNewName(arguments.name); !valid) return report(valid.error());
  // Refused before anything changes: a name is of one run.
  const auto opened = openRun(line, arguments.run);
  if (!opened) return report(opened.error());
  const RunRecord& run = opened->run;
  const auto changed = changeLabels(line, {run.id}, RunScope::all, [&](RunLabel& label) {
    return std::exchange(label.title, arguments.name) != arguments.name;
  });
  if (!changed) return report(changed.error());
  const std::string name = arguments.name.empty() ? titleOf(run) : arguments.name;
  if (arguments.json) {
    print({{"run", run.id}, {"name", name}, {"changed", !changed->changed.empty()}});
  } else {
    fmt::print("run {} is called {}\n", run.id, printable(name));
  }
  return ExitCode::done;
}

int archive(const ArchiveArguments& arguments, const CommandLine& line) {
  const RunScope scope = arguments.restores ? RunScope::archived : RunScope::listed;
  const auto changed = changeLabels(line, arguments.runs, scope, [&](RunLabel& label) {
    return std::exchange(label.archived, !arguments.restores) == arguments.restores;
  });
  if (!changed) return report(changed.error());
  if (arguments.json) {
    print({{"archived", !arguments.restores}, {"runs", changed->selected}, {"changed", changed->changed}});
    return ExitCode::done;
  }
  fmt::print("{} {}\n", counted(std::ssize(changed->changed), "run"),
             arguments.restores ? "listed again" : "archived; slipstream runs --archived lists archived runs too");
  return ExitCode::done;
}

}  // namespace slipstream::cli
