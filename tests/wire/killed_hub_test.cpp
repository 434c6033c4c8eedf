// SPDX-License-Identifier: GPL-3.0-or-later
#include <csignal>
#include <latch>

#include <spawn.h>
#include <sys/wait.h>

#include "engine/base/random.h"
#include "tests/wire/link_fixture.h"

extern char** environ;

namespace slipstream {
namespace {

using namespace slipstream::test;

pid_t startHub(const StoreWithRun& run, int ranks) {
  std::vector<std::string> words{SLIPSTREAM_BUILD "/bin/hub_process", run.storeFolder().string(), run.runId(),
                                 std::to_string(ranks), run.endpoint()};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t process = 0;
  if (::posix_spawn(&process, words[0].c_str(), nullptr, nullptr, arguments.data(), environ) != 0) return -1;
  return process;
}

int wait(pid_t process) {
  int status = 0;
  ::waitpid(process, &status, 0);
  return status;
}

// What a link calls acknowledged is in the store, and what it does not is sent again to the next hub: nothing is lost
// and nothing counts twice, wherever the hub is killed. A rank keeps its link until the last hub has ended, because a
// hub that begins after a rank has finished hears of that from its link.
TEST(KilledHub, LosesNothingThatWasAcknowledged) {
  constexpr int ranks = 3;
  constexpr int steps = 1500;
  StoreWithRun run;
  run.close();
  std::atomic<int> running = ranks;
  std::latch hubEnded(1);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&, rank] {
      const auto link = Link::connect({run.endpoint(), run.runId(), 1}, rank, [] {});
      std::vector<float> weights(400'000, static_cast<float>(rank));
      for (int step = 0; step < steps; ++step) {
        link->record(step, {"loss"}, {1.0 * step});
        if (step % 500 == 499) link->sendCheckpoint(step + 1, true, "", {{"w", {400'000}, rank, weights}});
        std::this_thread::sleep_for(std::chrono::milliseconds{2});
      }
      link->finish(false, steps);
      --running;
      hubEnded.wait();
    });
  }
  Random random(7, RandomStream::test);
  int kills = 0;
  pid_t hub = startHub(run, ranks);
  while (running > 0 && kills < 8) {
    std::this_thread::sleep_for(std::chrono::milliseconds{100 + random.below(400)});
    ::kill(hub, SIGKILL);
    wait(hub);
    ++kills;
    hub = startHub(run, ranks);
  }
  EXPECT_EQ(wait(hub), 0);
  hubEnded.count_down();
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(kills, 8);
  for (int rank = 0; rank < ranks; ++rank) {
    const Series series = run.store().rankSeries(run.runId(), "loss", rank);
    ASSERT_EQ(series.steps.size(), static_cast<std::size_t>(steps)) << "rank " << rank;
    for (int step = 0; step < steps; ++step) ASSERT_EQ(series.steps[static_cast<std::size_t>(step)], step);
  }
  const auto checkpoints = run.store().checkpoints(run.runId());
  ASSERT_FALSE(checkpoints.empty());
  EXPECT_EQ(checkpoints.back().step, steps);
}

}  // namespace
}  // namespace slipstream
