// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/hosts/host_links.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include <nlohmann/json.hpp>

#include "engine/base/clock.h"
#include "engine/hosts/route.h"
#include "engine/probe/this_host.h"

namespace slipstream {
namespace {

using Json = nlohmann::json;

constexpr std::size_t mostHostsInPairs = 8;
constexpr double answerSeconds = 20;

/// Round-robin by the circle method: the first stays, the others turn; with an odd number each round leaves one out.
std::vector<HostPairs> everyPair(std::size_t hosts) {
  const std::size_t places = hosts + hosts % 2;
  std::vector<HostPairs> rounds;
  for (std::size_t round = 0; round + 1 < places; ++round) {
    HostPairs pairs;
    for (std::size_t i = 0; i < places / 2; ++i) {
      const auto at = [&](std::size_t place) { return place == 0 ? 0 : 1 + (place - 1 + round) % (places - 1); };
      const auto [one, other] = std::minmax({at(i), at(places - 1 - i)});
      if (other < hosts) pairs.emplace_back(one, other);
    }
    rounds.push_back(std::move(pairs));
  }
  return rounds;
}

std::vector<HostPairs> neighbours(std::size_t hosts) {
  std::vector<HostPairs> rounds(2 + hosts % 2);
  for (std::size_t i = 0; i < hosts; ++i) {
    const bool closing = hosts % 2 == 1 && i + 1 == hosts;
    rounds[closing ? 2 : i % 2].emplace_back(i, (i + 1) % hosts);
  }
  return rounds;
}

/// The next line of the host that is an object; null where it says nothing in time.
Json nextAnswer(HostSession& session) {
  for (const Stopwatch watch; watch.seconds() < answerSeconds;) {
    session.poll();
    if (const auto line = session.takeAnswer()) return Json::parse(*line, nullptr, false);
    if (!session.problem().empty()) return Json{{"link_problem", session.problem()}};
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
  }
  return Json{{"link_problem", "it does not answer"}};
}

std::string problemIn(const Json& answer) {
  if (!answer.is_object()) return "it does not answer";
  const auto problem = answer.find("link_problem");
  return problem != answer.end() && problem->is_string() ? problem->get<std::string>() : "";
}

double numberIn(const Json& answer, const char* key) {
  const auto found = answer.find(key);
  return found != answer.end() && found->is_number() ? found->get<double>() : 0;
}

/// One pair of a round, on its way.
struct Measurement {
  HostSession& sender;
  HostSession& receiver;
  HostLink link;
};

void begin(Measurement& pair) {
  // This machine's own name may stand for its loopback alone.
  const std::string& host = pair.receiver.host();
  const auto address = isThisHost(host) ? addressFor({pair.sender.host()}) : addressOf(host);
  if (!address) {
    pair.link.problem = address.error().front().problem;
    return;
  }
  pair.receiver.ask(Json{{"listen", *address}}.dump());
  const Json listening = nextAnswer(pair.receiver);
  pair.link.problem = problemIn(listening);
  if (!listening.contains("listening") || !listening.contains("token")) pair.link.problem = "it answers something else";
  if (!pair.link.problem.empty()) return;
  pair.receiver.ask(Json{{"receive", true}}.dump());
  pair.sender.ask(
      Json{{"send_to", pair.receiver.host()}, {"port", listening.at("listening")}, {"token", listening.at("token")}}
          .dump());
}

void finish(Measurement& pair) {
  if (!pair.link.problem.empty()) return;
  const Json sent = nextAnswer(pair.sender);
  const Json received = nextAnswer(pair.receiver);
  pair.link.problem = problemIn(sent);
  if (pair.link.problem.empty()) pair.link.problem = problemIn(received);
  if (!pair.link.problem.empty()) return;
  pair.link.latency = numberIn(sent, "latency");
  pair.link.bandwidth = numberIn(sent, "bandwidth");
}

}  // namespace

std::vector<HostPairs> roundsOfPairs(std::size_t hosts) {
  if (hosts < 2) return {};
  return hosts <= mostHostsInPairs ? everyPair(hosts) : neighbours(hosts);
}

std::vector<HostLink> measureLinks(std::vector<std::unique_ptr<HostSession>>& sessions) {
  std::vector<HostLink> links;
  for (const HostPairs& round : roundsOfPairs(sessions.size())) {
    std::vector<Measurement> pairs;
    for (const auto& [from, to] : round) {
      pairs.push_back({*sessions[from], *sessions[to], {sessions[from]->host(), sessions[to]->host(), 0, 0, ""}});
    }
    std::ranges::for_each(pairs, begin);
    std::ranges::for_each(pairs, finish);
    for (Measurement& pair : pairs) links.push_back(std::move(pair.link));
  }
  return links;
}

}  // namespace slipstream
