// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/paper/paper_folder.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <system_error>

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/clock.h"
#include "engine/base/files.h"
#include "engine/base/hash.h"
#include "engine/base/text.h"
#include "engine/paper/replace_folder.h"
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

/// Fails where a folder cannot be read through: what lies in it may be anybody's.
Result<FoundFiles> filesIn(const fs::path& place, const std::map<std::string, std::string>& written) {
  FoundFiles found;
  std::error_code walk, ignored;
  fs::path last = place;
  for (fs::recursive_directory_iterator entry(place, walk), end; !walk && entry != end; entry.increment(walk)) {
    last = entry->path();
    const bool isLink = entry->is_symlink(ignored);
    if (entry->is_directory(ignored) && !isLink) continue;
    const std::string name = last.lexically_relative(place).string();
    if (isMadeByLatex(name) || (name == contentsFile && !written.empty())) continue;
    const auto known = written.find(name);
    if (isLink || known == written.end()) {
      found.foreign.push_back(name);
      continue;
    }
    const auto text = readFile(last);
    if (!text || sha256(*text) != known->second) found.changed.push_back(name);
  }
  if (walk) {
    return fail(last.string(), "", "cannot be read through: " + walk.message(),
                "make it readable for you, or name a folder that is new or empty");
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

std::string contentsText(const std::vector<NamedFile>& files) {
  nlohmann::ordered_json contents{{"kind", paperKind},
                                  {"version", 1},
                                  {"slipstream", programVersion()},
                                  {"written", wallText(wallNanoseconds())},
                                  {"files", nlohmann::ordered_json::object()}};
  for (const NamedFile& file : files) contents["files"][file.name] = sha256(file.content);
  return contents.dump(2) + "\n";
}

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
  SLIPSTREAM_TRY(found, filesIn(place, written.value_or(std::map<std::string, std::string>{})));
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
  if (made.path().empty()) return tl::unexpected(Failures{folderFailure(place, "cannot be made")});
  std::ranges::sort(files, {}, &NamedFile::name);
  files.push_back({contentsFile, contentsText(files)});
  for (const NamedFile& file : files) {
    const fs::path path = made.path() / file.name;
    SLIPSTREAM_CHECK(makeFolder(path.parent_path()));
    SLIPSTREAM_CHECK(writeFile(path, file.content));
  }
  keepPermissions(made.path(), place);
  syncFolder(made.path());
  SLIPSTREAM_CHECK(takePlace(made, place));
  syncFolder(place.parent_path());
  return {};
}

}  // namespace slipstream
