#include "engine/base/files.h"

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <span>
#include <sstream>
#include <system_error>

#include <pwd.h>
#include <unistd.h>

#include "engine/base/replacing_file.h"

namespace slipstream {
namespace {

std::string lastProblem() {
  return std::generic_category().message(errno);
}

}  // namespace

Result<std::string> readFile(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    return fail(path.string(), "", "is a folder, not a file", "name the file itself");
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(path.string(), "", "cannot be read: " + lastProblem(), "check the path and its permissions");
  std::ostringstream text;
  text << file.rdbuf();
  if (file.bad()) return fail(path.string(), "", "cannot be read to its end", "check the disk");
  return std::move(text).str();
}

Status writeFile(const std::filesystem::path& path, std::string_view text) {
  SLIPSTREAM_TRY(file, ReplacingFile::create(path));
  SLIPSTREAM_CHECK(file->write(std::as_bytes(std::span(text.data(), text.size()))));
  return file->commit();
}

Status makeFolder(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error || !std::filesystem::is_directory(path)) {
    const std::string why = error ? error.message() : "something else has that name";
    return fail(path.string(), "", "cannot be created as a folder: " + why, "choose a folder that you may write to");
  }
  return {};
}

std::optional<std::string> environment(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return std::string(value);
}

std::filesystem::path userDataFolder() {
  if (const auto folder = environment("XDG_DATA_HOME")) return std::filesystem::path(*folder) / "slipstream";
  const passwd* user = environment("HOME") ? nullptr : ::getpwuid(::geteuid());
  const std::string home = environment("HOME").value_or(user == nullptr ? "/" : user->pw_dir);
  return std::filesystem::path(home) / ".local/share/slipstream";
}

std::filesystem::path programFolder() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path();
}

std::int64_t bytesUnder(const std::filesystem::path& folder) {
  std::int64_t bytes = 0;
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code vanished;
    if (!entry->is_regular_file(vanished)) continue;
    const auto size = entry->file_size(vanished);
    if (!vanished) bytes += static_cast<std::int64_t>(size);
  }
  return bytes;
}

}  // namespace slipstream
