// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/reading.h"
#include "engine/base/characters.h"
#include "engine/base/text.h"

namespace slipstream::cli {
namespace {

Status checkTag(const std::string& tag) {
  if (trim(tag).empty()) return fail("TAG", tag, "is empty", "write one, for example paper");
  if (!isUtf8(tag)) return fail("TAG", "", "holds bytes that are not UTF-8", "write it in UTF-8");
  if (tag.find_first_of("\n\r") != std::string::npos) return fail("TAG", tag, "holds a line break", "leave it out");
  return {};
}

bool has(const RunLabel& label, const std::string& tag) {
  return std::find(label.tags.begin(), label.tags.end(), tag) != label.tags.end();
}

}  // namespace

int tag(const TagArguments& arguments, const CommandLine& line) {
  if (const Status valid = checkTag(arguments.tag); !valid) return report(valid.error());
  const auto changed = changeLabels(line, arguments.runs, [&](RunLabel& label) {
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

int archive(const ArchiveArguments& arguments, const CommandLine& line) {
  const auto changed = changeLabels(line, arguments.runs, [&](RunLabel& label) {
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
