#include "engine/base/files.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

namespace slipstream {
namespace {

std::string lastProblem() {
  return std::generic_category().message(errno);
}

/// Writes everything and syncs; false leaves errno set.
bool writeAll(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  // Devices and pipes have nothing to sync.
  return ::fsync(file) == 0 || errno == EINVAL || errno == EROFS;
}

Status unwritable(const std::filesystem::path& path, const std::string& why) {
  return fail(path.string(), "", "cannot be written: " + why,
              "choose a folder that you may write to and that has room");
}

/// The whole text or the old file, whenever it ends.
Status replaceFile(const std::filesystem::path& path, std::string_view text) {
  const std::string temporary = fmt::format("{}.{}.tmp", path.string(), ::getpid());
  const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) return unwritable(path, lastProblem());
  const bool written = writeAll(file, text);
  const std::string problem = lastProblem();
  ::close(file);
  if (!written || ::rename(temporary.c_str(), path.c_str()) != 0) {
    const std::string why = written ? lastProblem() : problem;
    ::unlink(temporary.c_str());
    return unwritable(path, why);
  }
  return {};
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
  std::error_code error;
  const auto kind = std::filesystem::status(path, error).type();
  if (kind == std::filesystem::file_type::directory) {
    return fail(path.string(), "", "is a folder, not a file", "name the file itself");
  }
  // Behind a link it is the file that is replaced, not the link.
  if (kind == std::filesystem::file_type::regular) return replaceFile(std::filesystem::canonical(path, error), text);
  if (kind == std::filesystem::file_type::not_found || kind == std::filesystem::file_type::none) {
    return replaceFile(path, text);
  }
  // A device or a pipe is written to; a file in its place would be the end of it.
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return unwritable(path, lastProblem());
  const bool written = writeAll(file, text);
  const std::string problem = lastProblem();
  ::close(file);
  return written ? Status() : unwritable(path, problem);
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

}  // namespace slipstream
