// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/launch/failure_cause.h"

#include <algorithm>
#include <fstream>
#include <regex>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "engine/base/characters.h"
#include "engine/base/text.h"

namespace slipstream {
namespace {

constexpr std::uintmax_t longestTail = 64 * 1024;
/// Programs may print anything, and a cause is read by people and by JSON parsers.
constexpr std::size_t longestLine = 500;

/// mpirun pads the rank's number with zeros once there are more than ten ranks.
bool isFolderOf(int rank, const std::string& name) {
  return startsWith(name, "rank.") && parseInteger(std::string_view(name).substr(5)) == rank;
}

/// What a worker says last is "rank N: CAUSE".
std::string causeOf(const std::string& line) {
  const auto colon = line.find(": ");
  return startsWith(line, "rank ") && colon != std::string::npos ? line.substr(colon + 2) : line;
}

}  // namespace

std::optional<RankDeath> readRankDeath(const std::string& mpirunOutput) {
  // Wording of Open MPI 4.1 (orterun's help texts); lines are broken where it likes.
  static const std::string process = R"(process rank (\d+) with\s+PID\s+\d+\s+on\s+node\s+\S+\s+)";
  static const std::regex bySignal(process + R"(exited\s+on\s+signal\s+(\d+))");
  static const std::regex byExit(R"(Process name:\s+\[\[\d+,\d+\],(\d+)\]\s+Exit code:\s+(\d+))");
  static const std::regex byLeaving(process + R"(exiting\s+improperly)");
  std::smatch match;
  if (std::regex_search(mpirunOutput, match, bySignal)) return RankDeath{std::stoi(match[1]), 0, std::stoi(match[2])};
  if (std::regex_search(mpirunOutput, match, byExit)) return RankDeath{std::stoi(match[1]), std::stoi(match[2]), 0};
  if (std::regex_search(mpirunOutput, match, byLeaving)) return RankDeath{std::stoi(match[1]), 0, 0};
  return std::nullopt;
}

std::optional<std::string> readLostHost(const std::string& mpirunOutput) {
  static const std::regex lost(
      R"(lost communication with a remote daemon[\s\S]*?Remote daemon:\s+\S+\s+on\s+node\s+(\S+))");
  static const std::regex unreachable(
      R"((?:route a message to|connection to) the\s+specified daemon[\s\S]*?target node:\s+(\S+))");
  std::smatch match;
  if (std::regex_search(mpirunOutput, match, lost)) return match[1].str();
  // A daemon that never started leaves mpirun without a way to any of them: the first one of those is named, whichever
  // it was.
  if (mpirunOutput.find("unable to reliably start one or more daemons") != std::string::npos) return std::nullopt;
  if (std::regex_search(mpirunOutput, match, unreachable)) return match[1].str();
  return std::nullopt;
}

std::string lastLines(const std::string& text, std::size_t lines) {
  std::vector<std::string> kept;
  for (const std::string& line : split(text, '\n')) {
    const std::string trimmed = trim(line);
    const bool ruler = trimmed.find_first_not_of("-=*") == std::string::npos;
    if (!ruler) kept.push_back(printable(trimmed.substr(0, longestLine)));
  }
  if (kept.size() > lines) kept.erase(kept.begin(), kept.end() - static_cast<std::ptrdiff_t>(lines));
  return join(kept, "\n");
}

std::string endOfFile(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary | std::ios::ate);
  const auto size = static_cast<std::uintmax_t>(std::max<std::streamoff>(0, stream.tellg()));
  const bool whole = size <= longestTail;
  std::string text(whole ? size : longestTail, '\0');
  stream.seekg(static_cast<std::streamoff>(size - text.size()));
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  const auto lineEnd = text.find('\n');
  return whole || lineEnd == std::string::npos ? text : text.substr(lineEnd + 1);
}

std::string withLog(const std::string& problem, const std::string& logLines) {
  const std::vector<std::string> said = split(problem, '\n');
  const auto repeats = [&](const std::string& line) {
    return std::any_of(said.begin(), said.end(), [&](const std::string& part) {
      const std::string told = trim(part);
      return told == line || told.ends_with(": " + causeOf(line));
    });
  };
  std::vector<std::string> news = split(logLines, '\n');
  std::erase_if(news, [&](const std::string& line) { return trim(line).empty() || repeats(trim(line)); });
  // What a rank says of a user's mistake ends its line.
  const std::string told = trim(problem);
  return news.empty() ? told : told + "; last lines of the log:\n" + join(news, "\n");
}

std::string lastLogLines(const std::filesystem::path& attemptLogs, int rank, std::size_t lines) {
  std::error_code error;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(attemptLogs, error)) {
    if (!isFolderOf(rank, entry.path().filename().string())) continue;
    const std::string errors = lastLines(endOfFile(entry.path() / "stderr"), lines);
    return errors.empty() ? lastLines(endOfFile(entry.path() / "stdout"), lines) : errors;
  }
  return "";
}

}  // namespace slipstream
