#include "engine/launch/failure_cause.h"

#include <regex>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "engine/base/files.h"
#include "engine/base/text.h"

namespace slipstream {
namespace {

constexpr std::uintmax_t longestTail = 64 * 1024;

std::string tailOf(const std::filesystem::path& file) {
  const auto text = readFile(file);
  if (!text) return "";
  return text->size() <= longestTail ? *text : text->substr(text->size() - longestTail);
}

/// mpirun pads the rank's number with zeros once there are more than ten ranks.
bool isFolderOf(int rank, const std::string& name) {
  return startsWith(name, "rank.") && parseInteger(std::string_view(name).substr(5)) == rank;
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

std::string lastLines(const std::string& text, std::size_t lines) {
  std::vector<std::string> kept;
  for (const std::string& line : split(text, '\n')) {
    const std::string trimmed = trim(line);
    const bool ruler = trimmed.find_first_not_of("-=*") == std::string::npos;
    if (!ruler) kept.push_back(trimmed);
  }
  if (kept.size() > lines) kept.erase(kept.begin(), kept.end() - static_cast<std::ptrdiff_t>(lines));
  return join(kept, "\n");
}

std::string lastLogLines(const std::filesystem::path& attemptLogs, int rank, std::size_t lines) {
  std::error_code error;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(attemptLogs, error)) {
    if (!isFolderOf(rank, entry.path().filename().string())) continue;
    const std::string errors = lastLines(tailOf(entry.path() / "stderr"), lines);
    return errors.empty() ? lastLines(tailOf(entry.path() / "stdout"), lines) : errors;
  }
  return "";
}

}  // namespace slipstream
