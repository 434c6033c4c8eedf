// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/paper/replace_folder.h"

#include <cerrno>
#include <cstdio>
#include <random>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

namespace slipstream {
namespace {

namespace fs = std::filesystem;

bool renamed(const fs::path& from, const fs::path& to) {
  return ::rename(from.c_str(), to.c_str()) == 0;
}

tl::unexpected<Failures> notReplaced(const fs::path& place) {
  return tl::unexpected(Failures{folderFailure(place, "cannot be replaced")});
}

}  // namespace

BesideFolder::BesideFolder(const fs::path& place) {
  constexpr int tries = 100;
  std::random_device random;
  for (int count = 0; count < tries && path_.empty(); ++count) {
    const std::string name = fmt::format(".{}.{:08x}.tmp", place.filename().string(), random());
    const fs::path path = place.parent_path() / name;
    if (::mkdir(path.c_str(), 0777) == 0)
      path_ = path;
    else if (errno != EEXIST)
      return;
  }
}

BesideFolder::~BesideFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

Failure folderFailure(const fs::path& place, const std::string& what) {
  return {place.string(), "", what + ": " + std::generic_category().message(errno),
          "choose a folder beside which you may write and that has room"};
}

Status takePlace(BesideFolder& made, const fs::path& place) {
  std::error_code error;
  if (!fs::exists(place, error) || fs::is_empty(place, error)) {
    if (!renamed(made.path(), place)) return notReplaced(place);
    made.leave();
    return {};
  }
  // Afterwards `made` is the old folder, and is deleted.
  if (::renameat2(AT_FDCWD, made.path().c_str(), AT_FDCWD, place.c_str(), RENAME_EXCHANGE) == 0) return {};
  if (errno != ENOSYS && errno != EINVAL) return notReplaced(place);
  return takePlaceInSteps(made, place, renamed);
}

Status takePlaceInSteps(BesideFolder& made, const fs::path& place, const RenameFolder& rename) {
  BesideFolder aside(place);
  if (aside.path().empty() || !rename(place, aside.path())) return notReplaced(place);
  if (rename(made.path(), place)) {
    made.leave();
    return {};
  }
  const auto failure = notReplaced(place);
  if (rename(aside.path(), place)) {
    aside.leave();
    return failure;
  }
  const std::string kept = aside.path().string();
  aside.leave();
  return fail(place.string(), "", "cannot be replaced, nor put back: what it held is now in " + kept,
              "rename that folder to " + place.string());
}

}  // namespace slipstream
