// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <csignal>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "engine/base/files.h"
#include "engine/remote/replica_messages.h"
#include "tests/remote/two_stores.h"
#include "tests/support/environment_variable.h"

namespace slipstream {
namespace {

using namespace test;
using testing::HasSubstr;

class Replica : public testing::Test {
 protected:
  Replica() : origin_(openStore(folder_.path() / "origin")) {}

  std::string addRun(const std::string& name, int ranks = 2) {
    NewRun run = sampleRun(name);
    run.ranks = ranks;
    const std::string id = origin_->createRun(run);
    origin_->setState(id, RunState::running, "");
    origin_->startAttempt(id, 0);
    return id;
  }
  void train(const std::string& run, std::int64_t first, std::int64_t count, int ranks = 2) {
    for (int rank = 0; rank < ranks; ++rank) {
      const auto steps = block(first, count, {"loss", "cosine/conv1"}, [&](std::int64_t step, std::size_t column) {
        return 1.0 / static_cast<double>(step + 1 + rank) + static_cast<double>(column);
      });
      origin_->appendMetrics(run, 1, rank, ++sequence_[{run, rank}], steps);
    }
  }
  std::filesystem::path origin() const { return folder_.path() / "origin"; }
  std::filesystem::path copy() const { return folder_.path() / "copy"; }
  void expectSame() {
    const std::string there = contentOf(origin());
    const std::string here = contentOf(copy());
    const auto first = std::ranges::mismatch(there, here).in1 - there.begin();
    const auto begin = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, first - 60));
    if (there != here) {
      ADD_FAILURE() << "there: " << there.substr(begin, 160)
                    << "\nhere:  " << here.substr(std::min(begin, here.size()), 160);
    }
  }

  TemporaryFolder folder_;
  std::unique_ptr<RunStore> origin_;
  std::map<std::pair<std::string, int>, std::int64_t> sequence_;
};

TEST_F(Replica, HoldsWhatTheStoreHolds) {
  const std::string run = addRun("first");
  train(run, 0, 10);
  origin_->addEvent(run, {.wallNanoseconds = 5, .attempt = 1, .rank = 1, .code = "checkpoint.saved", .text = "a\nb"});
  origin_->setMemory(run, 1, {{"weights", 100}, {"gradients", 50}});
  origin_->addCheckpoint(run, {.step = 5, .attempt = 1, .bytes = 7, .newBytes = 7, .wallNanoseconds = 8});
  origin_->setLabel(run, {"T", "two\nlines", {"a", "b"}, false, true});
  addRun("second");
  ASSERT_TRUE(bringUpToDate(origin(), copy()));
  expectSame();
  const auto store = openStore(copy(), StoreAccess::read);
  for (const RunRecord& one : store->runs()) EXPECT_EQ(one.remote, "lab");
  ASSERT_EQ(store->remotes().size(), 1U);
  EXPECT_GT(store->remotes().front().heardAt, 0);
}

TEST_F(Replica, FollowsWhatHappensLater) {
  const std::string run = addRun("first");
  const std::string other = addRun("other");
  ASSERT_TRUE(bringUpToDate(origin(), copy()));
  for (int part = 0; part < 6; ++part) {  // beyond what fits the tail
    train(run, part * 400, 400);
    if (part % 2 != 0) continue;
    ASSERT_TRUE(bringUpToDate(origin(), copy()));
  }
  ASSERT_TRUE(bringUpToDate(origin(), copy()));
  expectSame();
  origin_->addCheckpoint(run, {.step = 5, .attempt = 1});
  ASSERT_TRUE(bringUpToDate(origin(), copy()));
  origin_->removeCheckpoint(run, 5);
  origin_->setLabel(run, {"later", "", {}, false, false});
  origin_->setState(run, RunState::done, "");
  origin_->compact(run);
  origin_->removeRun(other);
  ASSERT_TRUE(bringUpToDate(origin(), copy()));
  expectSame();
  origin_->setLabel(run, {});
  ASSERT_TRUE(bringUpToDate(origin(), copy()));
  expectSame();
}

TEST_F(Replica, AResumedRunForgetsTheSameSteps) {
  const std::string run = addRun("first");
  train(run, 0, 100);
  ASSERT_TRUE(bringUpToDate(origin(), copy()));
  origin_->setState(run, RunState::failed, "rank 1 ended");
  const int attempt = origin_->startAttempt(run, 50);
  origin_->setState(run, RunState::running, "");
  ASSERT_TRUE(bringUpToDate(origin(), copy()));
  expectSame();
  for (int rank = 0; rank < 2; ++rank) {
    origin_->appendMetrics(run, attempt, rank, 1, block(50, 20, {"loss"}, [](std::int64_t step, std::size_t) {
                             return -1.0 * static_cast<double>(step);
                           }));
  }
  ASSERT_TRUE(bringUpToDate(origin(), copy()));
  expectSame();
}

TEST_F(Replica, ACopyThatIsUpToDateGetsNothing) {
  const std::string run = addRun("first");
  train(run, 0, 3000);
  ASSERT_TRUE(bringUpToDate(origin(), copy()));
  const auto target = ReplicaTarget::open(copy(), "lab");
  ASSERT_TRUE(target);
  const auto source = ReplicaSource::open(origin(), (*target)->positions());
  ASSERT_TRUE(source);
  (*source)->look(true);
  EXPECT_FALSE((*source)->next());
  EXPECT_FALSE((*source)->nextGone());
}

TEST_F(Replica, ALongRunComesInPiecesThatAreEachAPosition) {
  const std::string run = addRun("first");
  for (int part = 0; part < 40; ++part) {
    for (int rank = 0; rank < 2; ++rank) {
      std::vector<std::string> names{"loss"};
      for (int i = 0; i < 40; ++i) names.push_back("cosine/layer" + std::to_string(i));
      const auto steps = block(part * 300, 300, names, [&](std::int64_t step, std::size_t column) {
        return std::sin(static_cast<double>(step * 31 + rank) + static_cast<double>(column));
      });
      origin_->appendMetrics(run, 1, rank, part + 1, steps);
    }
  }
  const auto source = ReplicaSource::open(origin(), {});
  ASSERT_TRUE(source);
  const auto target = ReplicaTarget::open(copy(), "lab");
  ASSERT_TRUE(target);
  ASSERT_TRUE((*target)->follow((*source)->storeId()));
  (*source)->look(true);
  int changes = 0;
  while (const auto change = (*source)->next()) {
    ASSERT_EQ((*target)->apply(*change), ReplicaTarget::Applied::done);
    ++changes;
    if (changes == 2) break;  // the connection ends here
  }
  ASSERT_EQ(changes, 2);
  ASSERT_TRUE(bringUpToDate(origin(), copy()));
  expectSame();
}

TEST_F(Replica, RunsOfTheStoreItselfAreLeftAlone) {
  const std::string run = addRun("first");
  train(run, 0, 10);
  const std::string before = contentOf(origin());
  FollowState state;
  ASSERT_TRUE(bringUpToDate(origin(), origin(), &state));
  EXPECT_EQ(state.taken, 1);
  EXPECT_EQ(contentOf(origin()), before);
  EXPECT_EQ(openStore(origin())->runs().front().remote, "");
}

TEST_F(Replica, AnotherStoreInThePlaceOfTheFirstTakesNothingAway) {
  addRun("first");
  ASSERT_TRUE(bringUpToDate(origin(), copy()));
  const std::string before = contentOf(copy());
  openStore(folder_.path() / "other");
  const Status followed = bringUpToDate(folder_.path() / "other", copy());
  ASSERT_FALSE(followed);
  EXPECT_THAT(toText(followed.error()), HasSubstr("another one"));
  EXPECT_EQ(contentOf(copy()), before);
}

TEST_F(Replica, CopiesAreNotCopiedOn) {
  addRun("first");
  ASSERT_TRUE(bringUpToDate(origin(), copy()));
  ASSERT_TRUE(bringUpToDate(copy(), folder_.path() / "third"));
  EXPECT_TRUE(openStore(folder_.path() / "third")->runs().empty());
}

TEST_F(Replica, NobodyHereTakesACopyForLost) {
  const std::string run = addRun("first");
  ProcessIdentity gone = thisProcess();
  gone.pid = 1 << 22;
  origin_->setSupervisor(run, gone);
  ASSERT_TRUE(bringUpToDate(origin(), copy()));
  EXPECT_TRUE(openStore(copy())->markLost().empty());
  EXPECT_EQ(openStore(copy())->find(run)->state, RunState::running);
}

TEST_F(Replica, CopiesAreForgottenTogether) {
  addRun("first");
  ASSERT_TRUE(bringUpToDate(origin(), copy()));
  const std::string own = openStore(copy())->createRun(sampleRun("own"));
  const auto forgotten = forgetCopies("lab", copy());
  ASSERT_TRUE(forgotten);
  EXPECT_EQ(*forgotten, 1);
  const auto left = openStore(copy())->runs();
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left.front().id, own);
  EXPECT_TRUE(openStore(copy())->remotes().empty());
}

TEST_F(Replica, WhatNoStoreHoldsIsNotTaken) {
  const auto target = ReplicaTarget::open(copy(), "lab");
  ASSERT_TRUE(target);
  RunChange change;
  change.run = "0123abcd";
  change.to = "1 - - - - - 0 0 -";
  change.record.emplace();
  change.record->id = change.run;
  change.record->ranks = 2;
  const auto refuses = [&](const auto& spoil) {
    RunChange spoilt = change;
    spoil(spoilt);
    EXPECT_THROW((*target)->apply(spoilt), Error);
  };
  refuses([](RunChange& one) { one.run = "../../etc"; });
  refuses([](RunChange& one) { one.record->id = "ffffffff"; });
  refuses([](RunChange& one) { one.record->ranks = -1; });
  refuses([](RunChange& one) { one.record.reset(); });
  refuses([](RunChange& one) { one.to = std::string(1000, 'x'); });
  refuses([](RunChange& one) { one.chunks.push_back({"loss", 1, 0, 0, 5, "no chunk"}); });
  refuses([](RunChange& one) { one.waiting.push_back({1, 0, 0, 5, "no block"}); });
  refuses([](RunChange& one) { one.waiting.push_back({1, -4, 0, 0, encode(MetricBlock{})}); });
  refuses([](RunChange& one) { one.folded = {{1, 0, 9, 3}}; });
  EXPECT_TRUE(openStore(copy())->runs().empty());
  EXPECT_EQ((*target)->apply(change), ReplicaTarget::Applied::done);
  EXPECT_EQ((*target)->apply(change), ReplicaTarget::Applied::behind) << "a change counts once";
}

/// Whatever is written there meanwhile, and wherever the follower is killed, the copy ends as the store.
TEST_F(Replica, AKilledFollowerLosesNothingAndDoublesNothing) {
  std::mt19937 random(7);
  std::vector<std::string> runs{addRun("run 0")};
  std::map<std::string, std::int64_t> steps;
  for (int round = 0; round < 30; ++round) {
    Pair pair;
    const pid_t follower = ::fork();
    if (follower == 0) {
      ::close(pair[0]);
      try {
        if (!followStreams(
                lab(), copy(), pair[1], pair[1], [](const FollowState&) {}, {}, false))
          ::_exit(2);
      } catch (const std::exception&) {
        ::_exit(1);
      }
      ::_exit(0);
    }
    pair.close(1);
    std::jthread far([&] {
      if (const Status served = serveReplica({origin(), pair[0], pair[0]}); !served) return;
    });
    for (int action = 0; action < 12; ++action) {
      const std::string& run = runs[random() % runs.size()];
      const std::int64_t count = 1 + static_cast<std::int64_t>(random() % 300);
      train(run, steps[run], count);
      steps[run] += count;
      if (random() % 4 == 0)
        origin_->addEvent(run, {.wallNanoseconds = steps[run], .attempt = 1, .code = "x", .text = "y"});
      if (random() % 9 == 0) runs.push_back(addRun("run " + std::to_string(runs.size())));
      std::this_thread::sleep_for(std::chrono::milliseconds(random() % 10));
    }
    ::kill(follower, SIGKILL);
    ::waitpid(follower, nullptr, 0);
  }
  ASSERT_TRUE(bringUpToDate(origin(), copy()));
  expectSame();
}

TEST_F(Replica, WhatDoesNotAnswerAsSlipstreamIsNamed) {
  Pair pair;
  std::jthread far([&] {
    const std::string chatter(100'000, 'x');
    if (::write(pair[0], chatter.data(), chatter.size()) < 0) return;
  });
  EXPECT_THROW((void)followStreams(
                   lab(), copy(), pair[1], pair[1], [](const FollowState&) {}, {}, true),
               Error);
}

TEST_F(Replica, ALoginScriptMayTalkBeforeTheFirstFrame) {
  addRun("first");
  Pair pair;
  std::jthread far([&] {
    const std::string chatter = "Welcome to lab!\nLast login: yesterday\n";
    if (::write(pair[0], chatter.data(), chatter.size()) < 0) return;
    if (const Status served = serveReplica({origin(), pair[0], pair[0]}); !served) return;
  });
  EXPECT_TRUE(followStreams(
      lab(), copy(), pair[1], pair[1], [](const FollowState&) {}, {}, true));
  ::shutdown(pair[1], SHUT_RDWR);
  expectSame();
}

TEST_F(Replica, AnotherVersionIsRefusedByName) {
  Pair pair;
  std::jthread far([&] {
    FrameChannel channel(pair[0], pair[0]);
    channel.send(replica::encode(replica::Answer{99, "x", "", ""}));
  });
  const Status followed = followStreams(
      lab(), copy(), pair[1], pair[1], [](const FollowState&) {}, {}, true);
  ASSERT_FALSE(followed);
  EXPECT_THAT(toText(followed.error()), HasSubstr("another version"));
}

/// A program in place of ssh, whose every call is a log-in.
class FollowedRemote : public testing::Test {
 protected:
  void speak(const std::string& script) {
    ASSERT_TRUE(writeFile(ssh(), "#!/bin/sh\n" + script));
    std::filesystem::permissions(ssh(), std::filesystem::perms::owner_all);
  }
  std::filesystem::path ssh() const { return folder_.path() / "ssh"; }
  std::filesystem::path store() const { return folder_.path() / "store"; }

  TemporaryFolder folder_;
  EnvironmentVariable program_{"SLIPSTREAM_SSH", ssh().string()};
  EnvironmentVariable runtime_{"XDG_RUNTIME_DIR", folder_.path().string()};
};

TEST_F(FollowedRemote, IsGivenUpWhereThereIsNoProgram) {
  speak("echo 'sh: slipstream: not found' >&2\nexit 127\n");
  Remote remote = lab();
  remote.store = "/far";
  remote.slurm = true;
  const Status followed = followRemote(remote, store(), [](const FollowState&) {}, {});
  ASSERT_FALSE(followed);
  EXPECT_THAT(followed.error().front().problem, HasSubstr("not found"));
  EXPECT_THAT(followed.error().front().remedy, HasSubstr("remote add lab"));
  EXPECT_THAT(followed.error().front().remedy, HasSubstr("--slurm"));
}

TEST_F(FollowedRemote, IsTriedAgainWhereItCannotBeReached) {
  speak("echo 'ssh: no route to host' >&2\nexit 255\n");
  std::stop_source stop;
  FollowState last;
  const Status followed = followRemote(
      lab(), store(),
      [&](const FollowState& state) {
        last = state;
        stop.request_stop();
      },
      stop.get_token());
  EXPECT_TRUE(followed);
  EXPECT_EQ(last.link, FollowState::Link::offline);
  EXPECT_EQ(last.problem, "ssh: no route to host");
}

}  // namespace
}  // namespace slipstream
