// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <deque>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/interchange/event_file.h"
#include "engine/trackers/tagged_run.h"

namespace slipstream {
namespace {

namespace fs = std::filesystem;

/// By folder, in the order of their names, in which they were written.
using EventFiles = std::map<fs::path, std::vector<fs::path>>;

Failures unreadable(const fs::path& folder, const std::error_code& error) {
  return {{folder.string(), "", "cannot be read: " + error.message(), "check its permissions"}};
}

/// The folder and all below it, each once: symbolic links are followed, behind the folders that lie there themselves.
Result<std::vector<fs::path>> foldersUnder(const fs::path& source) {
  std::vector<fs::path> found;
  std::set<fs::path> seen;
  std::deque<fs::path> folders{source}, links;
  while (!folders.empty() || !links.empty()) {
    std::deque<fs::path>& next = folders.empty() ? links : folders;
    const fs::path folder = next.front();
    next.pop_front();
    std::error_code error;
    if (!seen.insert(fs::canonical(folder, error)).second) continue;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
      std::error_code unknown;
      if (entry->is_directory(unknown)) (entry->is_symlink(unknown) ? links : folders).push_back(entry->path());
    }
    if (error) return tl::unexpected(unreadable(folder, error));
    found.push_back(folder);
  }
  return found;
}

Result<EventFiles> eventFilesUnder(const fs::path& source) {
  EventFiles files;
  std::error_code error;
  if (!fs::is_directory(source, error)) {
    files[source.parent_path()] = {source};
    return files;
  }
  SLIPSTREAM_TRY(folders, foldersUnder(source));
  for (const fs::path& folder : folders) {
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
      std::error_code unknown;
      const bool isFile = entry->is_regular_file(unknown);
      if (isFile && isEventFile(entry->path().filename().string())) files[folder].push_back(entry->path());
    }
    if (error) return tl::unexpected(unreadable(folder, error));
  }
  for (auto& [folder, names] : files) std::sort(names.begin(), names.end());
  return files;
}

/// Nanoseconds since 1970; 0 for what is no time.
std::int64_t nanosecondsOf(double seconds) {
  constexpr double most = 9e9;  // in the year 2255
  return std::isfinite(seconds) && seconds > 0 && seconds < most ? std::llround(seconds * 1e9) : 0;
}

Series seriesOf(const std::vector<ScalarPoint>& points) {
  Series series;
  for (const ScalarPoint& point : points) {
    series.steps.push_back(point.step);
    series.wallNanoseconds.push_back(nanosecondsOf(point.wallSeconds));
    series.values.push_back(point.value);
  }
  return series;
}

/// "logs" of "logs/" and of "../logs".
std::string lastNameOf(const fs::path& path) {
  const fs::path whole = fs::absolute(path).lexically_normal();
  return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

std::string passedOverText(const std::map<std::string, std::int64_t>& passedOver) {
  std::vector<std::string> parts;
  for (const auto& [kind, count] : passedOver) parts.push_back(fmt::format("{} ({})", kind, countText(count)));
  return join(parts, ", ");
}

/// Numbers under its tags; without any where the files hold none.
Result<TaggedRun> readRun(const std::string& name, const fs::path& folder, const std::vector<fs::path>& files,
                          bool partial, std::vector<std::string>& notes) {
  ScalarEvents events;
  Failures failures;
  for (const fs::path& file : files) {
    const DamagedRecord damaged = partial ? DamagedRecord::endsTheFile : DamagedRecord::isFailure;
    collect(addEventFile(file, damaged, events), failures);
  }
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  for (const std::string& cut : events.cut) notes.push_back(cut + "; what is before this place was taken");
  if (!events.passedOver.empty()) {
    notes.push_back(fmt::format("{}: passed over what is no number: {}", name, passedOverText(events.passedOver)));
  }
  TaggedRun run{name, (files.size() == 1 ? files.front() : folder).string(), "", std::move(events.settings), {}};
  for (const auto& [tag, points] : events.points) {
    if (!points.empty()) run.tags[tag] = seriesOf(points);
  }
  if (run.tags.empty()) notes.push_back(fmt::format("{}: holds no numbers, and is left out", run.source));
  return run;
}

}  // namespace

bool isEventFile(const std::string& name) {
  return name.find("tfevents") != std::string::npos;
}

Result<TaggedRuns> readTensorBoard(const std::string& source, bool partial) {
  SLIPSTREAM_TRY(files, eventFilesUnder(source));
  TaggedRuns found{"TensorBoard", {}, {}};
  Failures failures;
  std::error_code error;
  const bool isFolder = fs::is_directory(source, error);
  const std::string project = lastNameOf(isFolder ? fs::path(source) : fs::absolute(source).parent_path());
  for (const auto& [folder, names] : files) {
    const std::string relative = isFolder ? folder.lexically_relative(source).lexically_normal().string() : ".";
    const std::string name = relative.empty() || relative == "." ? project : relative;
    auto run = readRun(name, folder, names, partial, found.notes);
    if (!collect(run, failures) || run->tags.empty()) continue;
    run->project = project;
    found.runs.push_back(std::move(*run));
  }
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return found;
}

}  // namespace slipstream
