// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/paper/paper_folder.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <map>
#include <optional>
#include <random>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/clock.h"
#include "engine/base/files.h"
#include "engine/base/hash.h"
#include "engine/base/text.h"
#include "engine/probe/version.h"

namespace slipstream {
namespace {

namespace fs = std::filesystem;

constexpr const char* paperKind = "slipstream paper";
constexpr std::int64_t mostContentsBytes = 4'000'000;

/// Without the slash at its end; behind links it is the folder that is replaced, not the link.
fs::path placeOf(const fs::path& folder) {
  fs::path place = folder.lexically_normal();
  if (!place.has_filename()) place = place.parent_path();
  std::error_code error;
  return fs::exists(place, error) ? fs::canonical(place, error) : fs::absolute(place, error);
}

/// The files that an earlier call wrote, with their SHA-256; nothing where contents.json is none of ours.
std::optional<std::map<std::string, std::string>> contentsOf(const fs::path& place) {
  const auto text = readFile(place / contentsFile, mostContentsBytes);
  if (!text) return std::nullopt;
  const auto contents = nlohmann::json::parse(*text, nullptr, false);
  if (!contents.is_object() || contents.value("kind", nlohmann::json()) != paperKind) return std::nullopt;
  std::map<std::string, std::string> files;
  if (!contents.contains("files") || !contents["files"].is_object()) return std::nullopt;
  for (const auto& [name, hash] : contents["files"].items()) {
    if (hash.is_string()) files[name] = hash.get<std::string>();
  }
  return files;
}

/// What LaTeX leaves beside paper.tex, which it makes again.
bool isMadeByLatex(const std::string& name) {
  constexpr std::array endings{"aux", "log", "pdf", "out", "fls", "fdb_latexmk", "synctex.gz", "toc", "xdv"};
  return std::ranges::any_of(endings, [&](const char* ending) { return name == std::string("paper.") + ending; });
}

struct FoundFiles {
  std::vector<std::string> foreign, changed;
};

FoundFiles filesIn(const fs::path& place, const std::map<std::string, std::string>& written) {
  FoundFiles found;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(place, error), end; !error && entry != end; entry.increment(error)) {
    const bool isLink = entry->is_symlink(error);
    if (entry->is_directory(error) && !isLink) continue;
    const std::string name = entry->path().lexically_relative(place).string();
    if (isMadeByLatex(name) || (name == contentsFile && !written.empty())) continue;
    const auto known = written.find(name);
    if (isLink || known == written.end()) {
      found.foreign.push_back(name);
      continue;
    }
    const auto text = readFile(entry->path());
    if (!text || sha256(*text) != known->second) found.changed.push_back(name);
  }
  std::ranges::sort(found.foreign);
  std::ranges::sort(found.changed);
  return found;
}

/// "a.txt, b.txt and 3 more"
std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t most = 4;
  std::vector<std::string> shown(names.begin(),
                                 names.begin() + static_cast<std::ptrdiff_t>(std::min(most, names.size())));
  const std::string list = join(shown, ", ");
  return names.size() > most ? list + " and " + std::to_string(names.size() - most) + " more" : list;
}

Failure problem(const fs::path& place, const std::string& what) {
  return {place.string(), "", what + ": " + std::generic_category().message(errno),
          "choose a folder beside which you may write and that has room"};
}

std::string contentsText(const std::vector<NamedFile>& files) {
  nlohmann::ordered_json contents{{"kind", paperKind},
                                  {"version", 1},
                                  {"slipstream", programVersion()},
                                  {"written", wallText(wallNanoseconds())},
                                  {"files", nlohmann::ordered_json::object()}};
  for (const NamedFile& file : files) contents["files"][file.name] = sha256(file.content);
  return contents.dump(2) + "\n";
}

/// A new folder, which goes with this object unless it is taken.
class BesideFolder {
 public:
  explicit BesideFolder(const fs::path& place) {
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
  ~BesideFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  BesideFolder(const BesideFolder&) = delete;
  BesideFolder& operator=(const BesideFolder&) = delete;

  const fs::path& path() const { return path_; }
  void leave() { path_.clear(); }

 private:
  fs::path path_;
};

/// What its owner closed to others stays closed.
void keepPermissions(const fs::path& folder, const fs::path& place) {
  struct stat old {};
  if (::stat(place.c_str(), &old) == 0) ::chmod(folder.c_str(), old.st_mode & 07777);
}

void syncFolder(const fs::path& folder) {
  const int opened = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (opened < 0) return;
  ::fsync(opened);
  ::close(opened);
}

/// Where the file system cannot change two names at once, there is a moment without the folder; it is put back where
/// the second step fails.
bool swapInSteps(const fs::path& made, const fs::path& place) {
  const BesideFolder aside(place);
  if (aside.path().empty() || ::rename(place.c_str(), aside.path().c_str()) != 0) return false;
  if (::rename(made.c_str(), place.c_str()) == 0) return true;
  const int why = errno;
  ::rename(aside.path().c_str(), place.c_str());
  errno = why;
  return false;
}

bool takePlace(BesideFolder& made, const fs::path& place) {
  std::error_code error;
  if (!fs::exists(place, error) || fs::is_empty(place, error)) {
    if (::rename(made.path().c_str(), place.c_str()) != 0) return false;
    made.leave();
    return true;
  }
  // Afterwards `made` is the old folder, and goes.
  if (::renameat2(AT_FDCWD, made.path().c_str(), AT_FDCWD, place.c_str(), RENAME_EXCHANGE) == 0) return true;
  if (errno != ENOSYS && errno != EINVAL) return false;
  if (!swapInSteps(made.path(), place)) return false;
  made.leave();
  return true;
}

}  // namespace

bool namesFolder(const fs::path& output) {
  std::error_code error;
  return output.string().ends_with('/') || fs::is_directory(output, error);
}

Status checkPaperFolder(const fs::path& folder) {
  std::error_code error;
  const fs::path place = placeOf(folder);
  if (!fs::exists(place, error)) {
    if (fs::is_directory(place.parent_path(), error)) return {};
    return fail(folder.string(), place.parent_path().string(), "cannot be made: the folder around it is not there",
                "make that first");
  }
  if (!fs::is_directory(place, error)) {
    return fail(folder.string(), "", "is a file, not a folder", "name a folder, or the file without the slash");
  }
  const fs::path here = fs::current_path(error);
  if (std::mismatch(place.begin(), place.end(), here.begin(), here.end()).first == place.end()) {
    return fail(folder.string(), "", "is the folder that this is called in, or around it",
                "name a folder in it, such as paper/");
  }
  if (fs::is_empty(place, error)) return {};
  const auto written = contentsOf(place);
  const FoundFiles found = filesIn(place, written.value_or(std::map<std::string, std::string>{}));
  Failures failures;
  if (!found.foreign.empty()) {
    failures.push_back({folder.string(), listed(found.foreign), "holds what slipstream did not write",
                        "name a folder that is new or empty, or move that elsewhere"});
  }
  if (!found.changed.empty()) {
    failures.push_back({folder.string(), listed(found.changed),
                        "holds files that were changed since slipstream wrote them",
                        "copy your changes elsewhere and delete these files, or name another folder"});
  }
  return failures.empty() ? Status() : tl::unexpected(std::move(failures));
}

Status replacePaperFolder(const fs::path& folder, std::vector<NamedFile> files) {
  SLIPSTREAM_CHECK(checkPaperFolder(folder));
  const fs::path place = placeOf(folder);
  BesideFolder made(place);
  if (made.path().empty()) return tl::unexpected(Failures{problem(place, "cannot be made")});
  std::ranges::sort(files, {}, &NamedFile::name);
  files.push_back({contentsFile, contentsText(files)});
  for (const NamedFile& file : files) {
    const fs::path path = made.path() / file.name;
    SLIPSTREAM_CHECK(makeFolder(path.parent_path()));
    SLIPSTREAM_CHECK(writeFile(path, file.content));
  }
  keepPermissions(made.path(), place);
  syncFolder(made.path());
  if (!takePlace(made, place)) return tl::unexpected(Failures{problem(place, "cannot be replaced")});
  syncFolder(place.parent_path());
  return {};
}

}  // namespace slipstream
