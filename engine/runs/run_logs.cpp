// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runs/run_logs.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <tuple>

#include "engine/base/text.h"

namespace slipstream {
namespace {

/// K of "PREFIXK", with leading zeros or without.
std::optional<int> numberAfter(const std::string& name, std::string_view prefix) {
  if (!startsWith(name, prefix)) return std::nullopt;
  const auto number = parseInteger(std::string_view(name).substr(prefix.size()));
  return number ? std::optional<int>(static_cast<int>(*number)) : std::nullopt;
}

/// The log that PATH names: .../attempt-K/JOB/rank.N/stdout.
std::optional<RankLog> rankLog(const std::filesystem::path& path) {
  const auto rank = numberAfter(path.parent_path().filename().string(), "rank.");
  const auto attempt = numberAfter(path.parent_path().parent_path().parent_path().filename().string(), "attempt-");
  const std::string stream = path.filename().string();
  if (!rank || !attempt || (stream != "stdout" && stream != "stderr")) return std::nullopt;
  return RankLog{*attempt, *rank, stream, path};
}

/// mpirun's own words: .../attempt-K/mpirun.log.
std::optional<RankLog> launcherLog(const std::filesystem::path& path) {
  const auto attempt = numberAfter(path.parent_path().filename().string(), "attempt-");
  if (!attempt || path.filename() != "mpirun.log") return std::nullopt;
  return RankLog{*attempt, -1, "mpirun", path};
}

template <class Read>
std::vector<RankLog> logsUnder(const std::filesystem::path& folder, const Read& read) {
  std::vector<RankLog> logs;
  std::error_code error;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, error)) {
    if (!entry.is_regular_file()) continue;
    if (auto log = read(entry.path())) logs.push_back(std::move(*log));
  }
  std::sort(logs.begin(), logs.end(), [](const RankLog& a, const RankLog& b) {
    return std::tie(a.attempt, a.rank, a.stream) < std::tie(b.attempt, b.rank, b.stream);
  });
  return logs;
}

}  // namespace

std::vector<RankLog> rankLogs(const std::filesystem::path& storeFolder, const std::string& runId) {
  return logsUnder(storeFolder / "logs" / runId, rankLog);
}

std::vector<RankLog> attemptLogs(const std::filesystem::path& storeFolder, const std::string& runId) {
  return logsUnder(storeFolder / "logs" / runId, [](const std::filesystem::path& path) {
    auto log = rankLog(path);
    return log ? log : launcherLog(path);
  });
}

std::string lastLines(const RankLog& log, std::size_t count) {
  constexpr std::streamoff window = 64 * 1024;
  std::ifstream file(log.file, std::ios::binary | std::ios::ate);
  if (!file) return {};
  const std::streamoff size = file.tellg();
  const std::streamoff read = std::min(size, window);
  std::string text(static_cast<std::size_t>(read), '\0');
  file.seekg(size - read);
  file.read(text.data(), read);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::size_t first = text.size();
  for (std::size_t line = 0; line < count && first != std::string::npos && first > 0; ++line) {
    first = text.rfind('\n', first - 1);
  }
  return first == std::string::npos || text.empty() ? text : text.substr(first == 0 ? 0 : first + 1);
}

}  // namespace slipstream
