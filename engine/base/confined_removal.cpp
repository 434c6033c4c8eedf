// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/confined_removal.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace slipstream {
namespace {

/// A folder that stays the same folder whatever becomes of its name.
class HeldFolder {
 public:
  explicit HeldFolder(int descriptor) : descriptor_(descriptor) {}
  ~HeldFolder() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  HeldFolder(HeldFolder&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  HeldFolder& operator=(HeldFolder&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }

  bool isOpen() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }
  HeldFolder folder(const std::string& name) const {
    return HeldFolder(::openat(descriptor_, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  }
  std::vector<std::string> names() const;

 private:
  int descriptor_;
};

std::vector<std::string> HeldFolder::names() const {
  std::vector<std::string> names;
  const int copy = ::openat(descriptor_, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* listing = copy < 0 ? nullptr : ::fdopendir(copy);
  if (listing == nullptr) {
    if (copy >= 0) ::close(copy);
    return names;
  }
  while (const dirent* entry = ::readdir(listing)) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  ::closedir(listing);
  return names;
}

/// 0, or what errno was where something could not be removed.
int removeEntry(const HeldFolder& parent, const std::string& name) {
  if (::unlinkat(parent.descriptor(), name.c_str(), 0) == 0 || errno == ENOENT) return 0;
  const int asFile = errno;
  const HeldFolder inner = parent.folder(name);
  if (!inner.isOpen()) return asFile;
  int problem = 0;
  for (const std::string& child : inner.names()) {
    if (const int failed = removeEntry(inner, child); failed != 0) problem = failed;
  }
  if (::unlinkat(parent.descriptor(), name.c_str(), AT_REMOVEDIR) == 0) return 0;
  return problem != 0 ? problem : errno;
}

bool isPlain(const std::filesystem::path& name) {
  return !name.empty() && name != "." && name != ".." && !name.has_root_path();
}

tl::unexpected<Failures> kept(const std::filesystem::path& path, const std::string& why) {
  return fail(path.string(), "", "cannot be removed: " + why, "look at it, and remove it by hand");
}

}  // namespace

Status removeInside(const std::filesystem::path& folder, const std::filesystem::path& place) {
  std::vector<std::string> names;
  for (const auto& part : place) names.push_back(part.string());
  const bool inside = !names.empty() && std::all_of(names.begin(), names.end(), isPlain);
  if (!inside) return kept(folder / place, "it is no place inside of " + folder.string());
  HeldFolder at(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  std::filesystem::path path = folder;
  for (std::size_t i = 0; at.isOpen() && i + 1 < names.size(); ++i) {
    at = at.folder(names[i]);
    path /= names[i];
  }
  if (!at.isOpen() && errno == ENOENT) return {};
  if (!at.isOpen() && (errno == ELOOP || errno == ENOTDIR)) return kept(path, "a link or a file is there");
  const int problem = at.isOpen() ? removeEntry(at, names.back()) : errno;
  if (problem != 0) return kept(folder / place, std::generic_category().message(problem));
  return {};
}

}  // namespace slipstream
