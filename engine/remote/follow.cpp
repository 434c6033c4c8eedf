// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/remote/follow.h"

#include <algorithm>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "engine/base/clock.h"
#include "engine/base/text.h"
#include "engine/remote/connection.h"
#include "engine/remote/frame_channel.h"
#include "engine/remote/replica_messages.h"
#include "engine/runs/run_removal.h"

namespace slipstream {
namespace {

using namespace replica;

constexpr double silentSeconds = 10;
constexpr double aliveSeconds = 2;
/// How old the time may be that the store knows of the last contact.
constexpr double noteSeconds = 20;
constexpr std::chrono::milliseconds wakeEvery{100};
constexpr std::chrono::seconds answerWithin{20};
/// Each try is a log-in there: they become rare where none comes through.
constexpr std::chrono::seconds firstPause{2};
constexpr std::chrono::seconds longestPause{60};
constexpr double tellSeconds = 1;

/// One connection to whoever has the runs.
class Following {
 public:
  Following(const Remote& remote, const std::filesystem::path& store, FrameChannel channel,
            const ReportFollowState& tell)
      : remote_(remote), store_(store), channel_(std::move(channel)), tell_(tell) {}

  Status run(const std::stop_token& stop, bool once) {
    SLIPSTREAM_TRY(target, ReplicaTarget::open(store_, remote_.name));
    target_ = std::move(target);
    state_.link = FollowState::Link::catchingUp;
    channel_.send(encode(Ask{replica::version, target_->positions()}));
    SLIPSTREAM_CHECK(greet(stop));
    while (!stop.stop_requested() && !(once && state_.link == FollowState::Link::upToDate)) {
      SLIPSTREAM_CHECK(step());
    }
    note();
    return {};
  }

  /// Whether it failed so that a new connection would fail too.
  bool isRefused() const { return isRefused_; }

 private:
  Status greet(const std::stop_token& stop) {
    const Stopwatch waited;
    while (!stop.stop_requested()) {
      const auto frame = channel_.receive(wakeEvery);
      if (!frame && waited.seconds() > std::chrono::duration<double>(answerWithin).count()) {
        throw ChannelEnded("does not answer within 20 s");
      }
      if (!frame) continue;
      SLIPSTREAM_TRY(message, decode(*frame));
      if (const auto* problem = std::get_if<Problem>(&message)) return refused(problem->text);
      const auto* answer = std::get_if<Answer>(&message);
      if (answer == nullptr || answer->version != replica::version) {
        return refused("is another version of slipstream, which this one does not understand");
      }
      SLIPSTREAM_CHECK(recognise(answer->storeId));
      hear();
      return {};
    }
    return {};
  }

  /// The store knows no place that it could name in its remedy; the list of remotes does.
  Status recognise(const std::string& storeId) {
    Status followed = target_->follow(storeId);
    if (followed) return {};
    isRefused_ = true;
    Remote right = remote_;
    right.store = "STORE";
    for (Failure& failure : followed.error()) {
      failure.remedy = fmt::format("forget the copies and name the right folder: slipstream remote remove {} && {}",
                                   remote_.name, addingLine(right));
    }
    return followed;
  }

  tl::unexpected<Failures> refused(const std::string& problem) {
    isRefused_ = true;
    return fail("remote " + remote_.name, remote_.host, trim(problem), "install the same version on both sides");
  }

  Status step() {
    if (said_.seconds() > aliveSeconds) {
      channel_.send(encode(Alive{}));
      said_.restart();
    }
    if (const auto frame = channel_.receive(wakeEvery)) {
      SLIPSTREAM_TRY(message, decode(*frame));
      hear();
      return take(message);
    }
    if (heard_.seconds() > silentSeconds) throw ChannelEnded("has been silent for 10 s");
    return {};
  }

  void hear() {
    heard_.restart();
    state_.heardAt = wallNanoseconds();
    if (noted_.seconds() > noteSeconds || !hasNoted_) note();
    tell_(state_);
  }

  /// For whoever reads the store later.
  void note() {
    if (state_.heardAt == 0) return;
    try {
      target_->heard(state_.heardAt);
    } catch (const StoreBlocked&) {
      return;  // a minute more or less
    }
    hasNoted_ = true;
    noted_.restart();
  }

  Status take(const Message& message) {
    if (const auto* problem = std::get_if<Problem>(&message)) return refused(problem->text);
    if (const auto* change = std::get_if<RunChange>(&message)) apply(*change);
    if (const auto* gone = std::get_if<Gone>(&message)) remove(gone->run);
    if (const auto* alive = std::get_if<Alive>(&message); alive != nullptr && alive->allTold) {
      state_.link = FollowState::Link::upToDate;
      tell_(state_);
    }
    return {};
  }

  void apply(const RunChange& change) {
    const auto applied = target_->apply(change);
    if (applied == ReplicaTarget::Applied::notOurs && change.from.empty()) ++state_.taken;
    // Another program follows the same remote into this store, or somebody has removed a copy: positions are asked for
    // anew.
    if (applied == ReplicaTarget::Applied::behind) throw ChannelEnded("the copies were written by somebody else");
  }

  void remove(const std::string& run) {
    if (!target_->remove(run)) return;
    removeFilesOfRun(store_, run);
  }

  const Remote& remote_;
  const std::filesystem::path& store_;
  FrameChannel channel_;
  const ReportFollowState& tell_;
  std::unique_ptr<ReplicaTarget> target_;
  FollowState state_;
  Stopwatch heard_, said_, noted_;
  bool hasNoted_ = false;
  bool isRefused_ = false;
};

/// How a connection ended.
struct End {
  Status followed;
  bool isLasting = false;  ///< a new one would end as it did
};

/// One conversation over the connection, until `stop`, its end or, where `once`, all is told.
End followOnce(const RemoteConnection& connection, const std::filesystem::path& store, const ReportFollowState& tell,
               const std::stop_token& stop, bool once) {
  RemoteCommand command(connection, {"store", "serve"});
  try {
    Following following(connection.remote(), store, FrameChannel(command.socket(), command.socket()), tell);
    Status followed = following.run(stop, once);
    return {std::move(followed), following.isRefused()};
  } catch (const ChannelEnded& end) {
    const std::string words = command.lastWords();
    if (isProgramMissing(command.exitCode())) return {tl::unexpected(Failures{connection.withoutProgram(words)}), true};
    return {tl::unexpected(Failures{connection.unreachable(words.empty() ? end.what() : words)}), false};
  }
}

/// Whoever is told may ask for the end, also while nothing is connected.
void waitFor(std::chrono::seconds time, const std::function<void()>& tell, const std::stop_token& stop) {
  const Stopwatch watch;
  Stopwatch told;
  while (!stop.stop_requested() && watch.seconds() < std::chrono::duration<double>(time).count()) {
    std::this_thread::sleep_for(wakeEvery);
    if (told.seconds() < tellSeconds) continue;
    tell();
    told.restart();
  }
}

End tryToFollow(const Remote& remote, const std::filesystem::path& store, const ReportFollowState& tell,
                const std::stop_token& stop) {
  try {
    return followOnce(RemoteConnection(remote), store, tell, stop, false);
  } catch (const std::exception& error) {
    // What has come was no answer of ours, or the store took nothing for a while.
    return {fail("remote " + remote.name, "", error.what(), ""), false};
  }
}

}  // namespace

Status followStreams(const Remote& remote, const std::filesystem::path& store, int input, int output,
                     const ReportFollowState& tell, const std::stop_token& stop, bool once) {
  return Following(remote, store, FrameChannel(input, output), tell).run(stop, once);
}

Status catchUp(const Remote& remote, const std::filesystem::path& store, const ReportFollowState& tell) {
  return followOnce(RemoteConnection(remote), store, tell, {}, true).followed;
}

Status followRemote(const Remote& remote, const std::filesystem::path& store, const ReportFollowState& tell,
                    const std::stop_token& stop) {
  FollowState last;
  bool heard = false;
  const ReportFollowState remember = [&](const FollowState& state) {
    last = state;
    heard = true;
    tell(state);
  };
  std::chrono::seconds pause = firstPause;
  while (!stop.stop_requested()) {
    heard = false;
    const End end = tryToFollow(remote, store, remember, stop);
    if (stop.stop_requested()) break;
    if (end.isLasting) return end.followed;
    last.link = FollowState::Link::offline;
    last.problem = end.followed ? "the connection ended" : end.followed.error().front().problem;
    tell(last);
    if (heard) pause = firstPause;
    waitFor(
        pause, [&] { tell(last); }, stop);
    pause = std::min(2 * pause, longestPause);
  }
  return {};
}

Result<int> forgetCopies(const std::string& remote, const std::filesystem::path& store) {
  SLIPSTREAM_TRY(target, ReplicaTarget::open(store, remote));
  const std::vector<std::string> runs = target->removeAll();
  for (const std::string& run : runs) SLIPSTREAM_CHECK(removeFilesOfRun(store, run));
  return static_cast<int>(runs.size());
}

}  // namespace slipstream
