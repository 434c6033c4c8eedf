// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/launch/awaited_hosts.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

#include <fmt/format.h>

#include "engine/base/clock.h"
#include "engine/base/text.h"
#include "engine/hosts/host_session.h"
#include "engine/hosts/run_folder.h"
#include "engine/plan/placement.h"

namespace slipstream {
namespace {

using Sessions = std::vector<std::unique_ptr<HostSession>>;

constexpr std::chrono::milliseconds pauseInRound{20};
constexpr std::chrono::milliseconds pauseBetweenRounds{1000};

Sessions startAsking(const AwaitedHosts& awaited, const std::filesystem::path& folder) {
  Sessions sessions;
  for (const std::string& host : awaited.hosts) {
    sessions.push_back(
        std::make_unique<HostSession>(host, awaited.worker, HostRequest{}, folder / fmt::format("host-{}.log", host)));
  }
  return sessions;
}

/// Until each has answered or failed: a silent one takes as long as ssh waits for it.
void hear(const Sessions& sessions, const std::function<bool()>& stopAsked) {
  const auto isOpen = [](const auto& session) {
    session->poll();
    return !session->facts() && session->problem().empty();
  };
  while (std::ranges::count_if(sessions, isOpen) > 0 && !stopAsked()) std::this_thread::sleep_for(pauseInRound);
}

std::vector<std::string> namesOf(const std::vector<SilentHost>& silent) {
  std::vector<std::string> names;
  for (const SilentHost& one : silent) names.push_back(one.host);
  return names;
}

}  // namespace

std::vector<std::string> awaitHosts(const AwaitedHosts& awaited,
                                    const std::function<void(const std::vector<SilentHost>&)>& tell,
                                    const std::function<bool()>& stopAsked) {
  const auto scratch = makeScratchFolder();
  std::vector<SilentHost> silent;
  for (const Stopwatch watch; !stopAsked(); std::this_thread::sleep_for(pauseBetweenRounds)) {
    const Sessions sessions = startAsking(awaited, scratch->path());
    hear(sessions, stopAsked);
    silent.clear();
    for (const auto& session : sessions) {
      if (!session->facts()) silent.push_back({session->host(), session->problem()});
    }
    if (silent.empty() || watch.seconds() >= awaited.seconds) break;
    tell(silent);
  }
  return namesOf(silent);
}

std::string waitingText(const std::vector<SilentHost>& silent) {
  return fmt::format("waiting for {} {}", silent.size() == 1 ? "host" : "hosts", join(namesOf(silent), ", "));
}

std::string causesText(const std::vector<SilentHost>& silent) {
  std::vector<std::string> causes;
  for (const SilentHost& one : silent) causes.push_back(fmt::format("{} ({})", one.host, one.why));
  return join(causes, ", ");
}

NextPlan planWithout(const RunPlan& plan, const std::vector<std::string>& silent) {
  if (silent.empty()) return {plan, ""};
  const TrainSpec& train = plan.experiment.train;
  const std::string hosts = join(silent, ", ");
  if (train.onLost != OnLost::shrink) {
    return {std::nullopt, fmt::format("not started again: {} did not answer for {:.0f} s", hosts, train.waitForHosts)};
  }
  auto shrunk = shrunkPlan(plan, silent);
  if (!shrunk) {
    return {std::nullopt,
            fmt::format("not started again: without {} fewer ranks are left than train.min_ranks ({}) allows", hosts,
                        train.minRanks)};
  }
  const Experiment& experiment = shrunk->experiment;
  std::string said = fmt::format(
      "{} of {} ranks go on, without {}: each takes {} a step, {} at a time, so that all take as many as before",
      shrunk->ranks(), plan.ranks(), hosts, counted(experiment.dataset.batchSize, "sample"),
      samplesPerPass(experiment));
  return {std::move(shrunk), std::move(said)};
}

}  // namespace slipstream
