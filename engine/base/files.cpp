// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/files.h"

#include <cstdlib>
#include <span>
#include <system_error>

#include <pwd.h>
#include <unistd.h>

#include "engine/base/file_bytes.h"
#include "engine/base/replacing_file.h"
#include "engine/base/text.h"

namespace slipstream {

Result<std::string> readFile(const std::filesystem::path& path, std::int64_t mostBytes) {
  SLIPSTREAM_TRY(file, FileBytes::open(path));
  if (file.size() > mostBytes) {
    return fail(path.string(), sizeText(file.size()), "is larger than such a file can be",
                "name one of at most " + sizeText(mostBytes));
  }
  std::string text(static_cast<std::size_t>(file.size()), '\0');
  SLIPSTREAM_CHECK(file.read(0, std::as_writable_bytes(std::span(text.data(), text.size()))));
  return text;
}

Status writeFile(const std::filesystem::path& path, std::string_view text) {
  SLIPSTREAM_TRY(file, ReplacingFile::create(path));
  SLIPSTREAM_CHECK(file->write(std::as_bytes(std::span(text.data(), text.size()))));
  return file->commit();
}

Status makeFolder(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error || !std::filesystem::is_directory(path, error)) {
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
