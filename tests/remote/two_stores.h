// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include "engine/remote/follow.h"
#include "engine/remote/frame_channel.h"
#include "engine/remote/serve.h"
#include "engine/store/checkpoint_store.h"
#include "tests/support/sample_run.h"
#include "tests/support/temporary_folder.h"

namespace slipstream::test {

/// Two ends of a connection.
class Pair {
 public:
  Pair() {
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends_.data()) != 0) throw std::runtime_error("no sockets");
  }
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;
  ~Pair() {
    close(0);
    close(1);
  }
  int operator[](std::size_t index) const { return ends_.at(index); }
  void close(std::size_t index) {
    if (ends_.at(index) >= 0) ::close(ends_.at(index));
    ends_.at(index) = -1;
  }

 private:
  std::array<int, 2> ends_{};
};

inline Remote lab() {
  return {.name = "lab", .host = "me@lab"};
}

/// All that a store says of a run.
inline std::string contentOf(RunStore& store, const RunRecord& run) {
  std::string text = fmt::format("{} {} {} {} {} {} seed {} ranks {} slot {} attempt {} {} {} {}\n", run.id, run.name,
                                 run.variant, run.planText, nameOf(run.state), run.why, run.seed, run.ranks,
                                 run.colourSlot, run.attempt, run.createdAt, run.startedAt, run.endedAt);
  const auto labels = store.labels();
  if (const auto label = labels.find(run.id); label != labels.end() && label->second != RunLabel{}) {
    text += fmt::format("label {} {} {} {}\n", label->second.title, label->second.note, label->second.tags.size(),
                        label->second.archived);
  }
  for (const Event& event : store.events(run.id)) {
    text +=
        fmt::format("event {} {} {} {} {}\n", event.wallNanoseconds, event.attempt, event.rank, event.code, event.text);
  }
  for (const CheckpointRow& row : store.checkpoints(run.id)) {
    text += fmt::format("checkpoint {} {} {} {} {}\n", row.step, row.attempt, row.full, row.bytes, row.wallNanoseconds);
  }
  for (const auto& [rank, categories] : store.memory(run.id)) {
    for (const auto& [category, bytes] : categories) text += fmt::format("memory {} {} {}\n", rank, category, bytes);
  }
  for (const std::string& name : store.metricNames(run.id)) {
    for (int rank = -1; rank < run.ranks; ++rank) {
      const Series series = rank < 0 ? store.series(run.id, name) : store.rankSeries(run.id, name, rank);
      text += fmt::format("{} of {}:", name, rank);
      for (std::size_t i = 0; i < series.steps.size(); ++i) {
        text += fmt::format(" {}/{}/{}", series.steps[i], series.wallNanoseconds[i], series.values[i]);
      }
      text += '\n';
    }
  }
  return text;
}

/// Of all runs, by id, whatever order they came in.
inline std::string contentOf(const std::filesystem::path& folder) {
  const auto store = openStore(folder, StoreAccess::read);
  std::map<std::string, std::string> runs;
  for (const RunRecord& run : store->runs()) runs[run.id] = contentOf(*store, run);
  std::string text;
  for (const auto& [id, content] : runs) text += content;
  return text;
}

/// One connection until all is told; what follows fails as the function does.
inline Status bringUpToDate(const std::filesystem::path& from, const std::filesystem::path& to,
                            FollowState* last = nullptr) {
  Pair pair;
  std::jthread far([&] {
    if (const Status served = serveReplica({from, pair[0], pair[0]}); !served) return;
  });
  const ReportFollowState tell = [&](const FollowState& state) {
    if (last != nullptr) *last = state;
  };
  Status followed;
  try {
    followed = followStreams(lab(), to, pair[1], pair[1], tell, {}, true);
  } catch (const Error& error) {
    followed = fail("remote", "", error.what(), "");
  }
  ::shutdown(pair[1], SHUT_RDWR);
  return followed;
}

}  // namespace slipstream::test
