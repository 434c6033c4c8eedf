// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/launch/hosts_of_plan.h"

#include <algorithm>
#include <array>
#include <memory>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/hosts/host_session.h"
#include "engine/hosts/route.h"
#include "engine/hosts/run_folder.h"
#include "engine/plan/placement.h"

namespace slipstream {
namespace {

/// A port that only has to be reached; nobody is let in.
class Listening {
 public:
  explicit Listening(const std::string& address) {
    sockaddr_in name{};
    name.sin_family = AF_INET;
    ::inet_pton(AF_INET, address.c_str(), &name.sin_addr);
    socklen_t length = sizeof name;
    auto* generic = reinterpret_cast<sockaddr*>(&name);
    constexpr int backlog = 128;
    if (::bind(socket_, generic, length) != 0 || ::listen(socket_, backlog) != 0 ||
        ::getsockname(socket_, generic, &length) != 0)
      return;
    place_ = fmt::format("{}:{}", address, ntohs(name.sin_port));
  }
  ~Listening() { ::close(socket_); }
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;
  /// "ADDRESS:PORT"; empty where the address is none of this machine's.
  const std::string& place() const { return place_; }

 private:
  int socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  std::string place_;
};

std::vector<std::string> dataOf(const RunPlan& plan) {
  std::vector<std::string> paths;
  for (const StagePlan& stage : stagesOf(plan)) {
    const std::string& path = stage.experiment.dataset.path;
    if (path.empty()) continue;
    paths.push_back(std::filesystem::absolute(path).string());
  }
  return paths;
}

int ranksOn(const RunPlan& plan, const std::string& host) {
  return static_cast<int>(std::ranges::count(plan.places, host, &RankPlacement::host));
}

std::int64_t memoryPerRank(const RunPlan& plan) {
  std::int64_t bytes = 0;
  for (const auto& [category, size] : plan.memoryPerRank) bytes += size;
  return bytes;
}

}  // namespace

std::vector<std::string> hostsOf(const RunPlan& plan) {
  std::vector<std::string> hosts;
  for (const RankPlacement& place : plan.places) {
    if (std::ranges::find(hosts, place.host) == hosts.end()) hosts.push_back(place.host);
  }
  return hosts;
}

HostsAnswer askHosts(const RunPlan& plan, const std::filesystem::path& worker) {
  HostsAnswer answer;
  const auto hosts = hostsOf(plan);
  const auto address = addressFor(hosts);
  if (!collect(address, answer.problems)) return answer;
  const Listening listening(*address);
  HostRequest request;
  request.data = dataOf(plan);
  request.supervisor = listening.place();
  const auto scratch = makeScratchFolder();
  auto sessions = openSessions(hosts, worker, request, scratch->path());
  auto own = openSessions({""}, worker, request, scratch->path());
  if (!collect(sessions, answer.problems) || !collect(own, answer.problems)) return answer;
  answer.here = *own->front()->facts();
  for (const auto& session : *sessions) {
    answer.hosts.push_back({session->host(), *session->facts(), session->clockAhead(), ranksOn(plan, session->host())});
  }
  answer.problems = findHostProblems(answer.hosts, answer.here, {memoryPerRank(plan), plan.instructionSet});
  answer.remarks = findHostRemarks(answer.hosts);
  return answer;
}

namespace {

void addRemarks(std::vector<std::string>& remarks, const std::vector<std::string>& more) {
  for (const std::string& remark : more) {
    if (std::ranges::find(remarks, remark) == remarks.end()) remarks.push_back(remark);
  }
}

/// What askHosts() says, to be heard where nothing keeps the plan from running.
Result<std::vector<CheckedHost>> ableHosts(const RunPlan& plan, const std::filesystem::path& worker,
                                           std::vector<std::string>& remarks) {
  HostsAnswer answer = askHosts(plan, worker);
  if (!answer.problems.empty()) return tl::unexpected(std::move(answer.problems));
  addRemarks(remarks, answer.remarks);
  return std::move(answer.hosts);
}

void fitThreads(RunPlan& plan, const std::vector<CheckedHost>& hosts, std::vector<std::string>& remarks) {
  for (const CheckedHost& host : hosts) {
    const int fitting = std::max(1, host.facts.cores / host.ranks);
    if (fitting >= plan.threadsPerRank) continue;
    plan.threadsPerRank = fitting;
    addRemarks(remarks, {fmt::format("threads of a rank: {}, since host {} has {} for {}", fitting, host.host,
                                     counted(host.facts.cores, "core"), counted(host.ranks, "rank"))});
  }
}

}  // namespace

Status checkHosts(const RunPlan& plan, const std::filesystem::path& worker, std::vector<std::string>& remarks) {
  if (!plan.local) SLIPSTREAM_CHECK(ableHosts(plan, worker, remarks));
  return {};
}

Status resolveHosts(std::vector<RunPlan>& plans, const std::filesystem::path& worker,
                    std::vector<std::string>& remarks) {
  Failures failures;
  for (RunPlan& plan : plans) {
    if (plan.local) continue;
    const auto hosts = ableHosts(plan, worker, remarks);
    hosts ? fitThreads(plan, *hosts, remarks) : addOnce(failures, hosts.error());
  }
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return {};
}

}  // namespace slipstream
