// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/remote/serve.h"

#include "engine/base/clock.h"
#include "engine/base/process_identity.h"
#include "engine/probe/version.h"
#include "engine/remote/frame_channel.h"
#include "engine/remote/replica_messages.h"

namespace slipstream {
namespace {

using namespace replica;

constexpr std::chrono::milliseconds lookEvery{50};
constexpr double aliveSeconds = 1;
constexpr double housekeepingSeconds = 5;
constexpr double everythingSeconds = 10;
constexpr double longestSilence = 30;
constexpr int changesAtOnce = 8;

/// One conversation with somebody who has copies.
class Conversation {
 public:
  explicit Conversation(const Serving& serving) : serving_(serving), channel_(serving.input, serving.output) {}

  Status run() {
    SLIPSTREAM_TRY(ask, hello());
    SLIPSTREAM_TRY(source, ReplicaSource::open(serving_.store, std::move(ask.positions)));
    source_ = std::move(source);
    channel_.send(encode(Answer{replica::version, source_->storeId(), hostName(), programVersion()}));
    source_->hasChanged();
    source_->look(true);
    while (heard_.seconds() < longestSilence) step();
    return {};
  }

 private:
  Result<Ask> hello() {
    constexpr std::chrono::seconds helloWithin{30};
    const auto frame = channel_.receive(helloWithin);
    if (!frame) throw ChannelEnded("nobody asks for anything");
    SLIPSTREAM_TRY(message, decode(*frame));
    auto* ask = std::get_if<Ask>(&message);
    if (ask != nullptr && ask->version == replica::version) return std::move(*ask);
    auto refusal =
        fail("remote", "", "the two sides are different versions of slipstream, which do not understand each other",
             "install the same version on both");
    channel_.send(encode(Problem{toText(refusal.value())}));
    return refusal;
  }

  void step() {
    listen(pending_ ? std::chrono::milliseconds{0} : lookEvery);
    if (housekept_.seconds() > housekeepingSeconds) {
      serving_.housekeeping();
      housekept_.restart();
    }
    look();
    tell();
    if (alive_.seconds() < aliveSeconds && (pending_ || toldAll_)) return;
    toldAll_ = !pending_;
    channel_.send(encode(Alive{toldAll_}));
    alive_.restart();
  }

  void listen(std::chrono::milliseconds wait) {
    while (channel_.receive(wait)) {
      heard_.restart();
      wait = std::chrono::milliseconds{0};
    }
  }

  void look() {
    const bool changed = source_->hasChanged();
    unseen_ = unseen_ || changed;
    const bool everything = unseen_ && everything_.seconds() > everythingSeconds;
    if (!changed && !everything) return;
    if (everything) {
      unseen_ = false;
      everything_.restart();
    }
    source_->look(everything);
    pending_ = true;
  }

  void tell() {
    while (const auto run = source_->nextGone()) say(Gone{*run});
    for (int count = 0; count < changesAtOnce; ++count) {
      auto change = source_->next();
      pending_ = change.has_value();
      if (!change) return;
      say(std::move(*change));
    }
  }

  void say(Message message) {
    toldAll_ = false;
    channel_.send(encode(message));
  }

  const Serving& serving_;
  FrameChannel channel_;
  std::unique_ptr<ReplicaSource> source_;
  Stopwatch heard_, alive_, housekept_, everything_;
  bool pending_ = true;   ///< something may be left to tell
  bool toldAll_ = false;  ///< and that was said
  bool unseen_ = false;   ///< written since everything was looked at
};

}  // namespace

Status serveReplica(const Serving& serving) {
  try {
    return Conversation(serving).run();
  } catch (const ChannelEnded&) {
    return {};  // whoever asked has gone
  }
}

}  // namespace slipstream
