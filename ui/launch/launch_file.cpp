// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/launch/launch_file.h"

#include <algorithm>
#include <atomic>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "engine/base/clock.h"
#include "engine/base/files.h"
#include "engine/base/hash.h"

namespace slipstream::ui {
namespace {

using nlohmann::json;

std::string textOf(const Launch& launch) {
  json flags = json::array();
  for (const QString& flag : launch.flags) flags.push_back(flag.toStdString());
  const json written{{"title", launch.title.toStdString()},
                     {"experiment", launch.experiment.string()},
                     {"store", launch.store.string()},
                     {"flags", flags},
                     {"text", launch.text}};
  return written.dump(2, ' ', false, json::error_handler_t::replace);
}

/// Throws where the text is none of ours.
QueuedLaunch launchIn(const std::string& text) {
  const json read = json::parse(text);
  QueuedLaunch launch;
  launch.title = QString::fromStdString(read.at("title").get<std::string>());
  launch.experiment = read.at("experiment").get<std::string>();
  launch.store = read.at("store").get<std::string>();
  launch.text = read.at("text").get<std::string>();
  for (const json& flag : read.at("flags")) launch.flags << QString::fromStdString(flag.get<std::string>());
  return launch;
}

}  // namespace

std::filesystem::path queueFolder() {
  return userDataFolder() / "queue";
}

std::filesystem::path queueFileOf(const std::string& name) {
  return queueFolder() / (name + ".json");
}

std::filesystem::path queueLockOf(const std::filesystem::path& store) {
  return queueFolder() / (sha256(store.string()).substr(0, 16) + ".lock");
}

Result<std::string> writeLaunch(const Launch& launch) {
  static std::atomic<int> count = 0;
  const std::string name = fmt::format("{:020}-{}-{:06}", wallNanoseconds(), ::getpid(), ++count);
  SLIPSTREAM_CHECK(makeFolder(queueFolder()));
  SLIPSTREAM_CHECK(writeFile(queueFileOf(name), textOf(launch)));
  return name;
}

std::vector<QueuedLaunch> readLaunches() {
  std::vector<QueuedLaunch> launches;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(queueFolder(), error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().extension() != ".json") continue;
    const auto text = readFile(entry->path());
    if (!text) continue;  // gone meanwhile
    try {
      launches.push_back(launchIn(*text));
      launches.back().name = entry->path().stem().string();
    } catch (const json::exception&) {
      continue;
    }
  }
  std::sort(launches.begin(), launches.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return launches;
}

}  // namespace slipstream::ui
