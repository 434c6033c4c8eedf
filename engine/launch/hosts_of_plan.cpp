// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/launch/hosts_of_plan.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <set>

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
#include "engine/launch/staged_worker.h"
#include "engine/launch/worker_query.h"
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

/// The devices that a host's ranks are to compute on, as its own worker program sees them.
Result<std::vector<HostDevice>> devicesOf(const RunPlan& plan, const CheckedHost& host) {
  auto devices = devicesListed(host.facts.devices, deviceKindOf(plan.experiment), plan.experiment.device);
  if (devices) return devices;
  for (Failure& failure : devices.error()) failure.where = "host " + host.host + ": " + failure.where;
  return devices;
}

Failures findDeviceProblems(const RunPlan& plan, const std::vector<CheckedHost>& hosts) {
  Failures failures;
  if (!wantsNumberedDevices(plan)) return failures;
  for (const CheckedHost& host : hosts) {
    const auto devices = devicesOf(plan, host);
    if (collect(devices, failures)) addOnce(failures, checkDevices(plan, *devices, host.host));
  }
  return failures;
}

/// Ranks exchange by the library of their kind of device where every host has it.
void placeOnDevicesOf(RunPlan& plan, const std::vector<CheckedHost>& hosts) {
  if (!wantsNumberedDevices(plan)) return;
  placeOnDevices(plan, 0);
  describeDeviceExchange(plan, std::ranges::all_of(hosts, [&](const CheckedHost& host) {
                           const auto devices = devicesOf(plan, host);
                           return devices && devices->front().collectives;
                         }));
}

/// What is staged is the worker, not the library and the package that programs of a user's own load.
Status checkStaged(const NetworkSpec& network) {
  if (!network.isProgram()) return {};
  return fail("--stage", join(network.program, " "),
              "sends hosts the worker alone, and network.program needs libslipstream.so and the program itself",
              "install Slipstream and the program on the hosts, and leave --stage out");
}

}  // namespace

std::vector<std::string> hostsOf(const RunPlan& plan) {
  std::vector<std::string> hosts;
  for (const RankPlacement& place : plan.places) {
    if (std::ranges::find(hosts, place.host) == hosts.end()) hosts.push_back(place.host);
  }
  return hosts;
}

Result<std::filesystem::path> workerOnHosts(const std::vector<RunPlan>& plans, bool stage) {
  std::set<std::string> hosts;
  for (const RunPlan& plan : plans) {
    if (!plan.local) std::ranges::copy(hostsOf(plan), std::inserter(hosts, hosts.end()));
  }
  if (!stage || hosts.empty()) return workerProgram();
  for (const RunPlan& plan : plans) SLIPSTREAM_CHECK(checkStaged(plan.experiment.network));
  SLIPSTREAM_TRY(staged, stageHere(workerProgram()));
  SLIPSTREAM_CHECK(stageOnHosts(staged, {hosts.begin(), hosts.end()}));
  return staged.program;
}

HostsAnswer askHosts(const RunPlan& plan, const std::filesystem::path& worker, bool measures) {
  HostsAnswer answer;
  const auto hosts = hostsOf(plan);
  const auto address = addressFor(hosts);
  if (!collect(address, answer.problems)) return answer;
  const Listening listening(*address);
  HostRequest request;
  request.data = dataOf(plan);
  request.supervisor = listening.place();
  request.devices = wantsNumberedDevices(plan);
  const auto scratch = makeScratchFolder();
  request.measures = measures;
  auto sessions = openSessions(hosts, worker, request, scratch->path());
  request.measures = false;
  request.devices = false;
  auto own = openSessions({""}, worker, request, scratch->path());
  if (!collect(sessions, answer.problems) || !collect(own, answer.problems)) return answer;
  answer.here = *own->front()->facts();
  for (const auto& session : *sessions) {
    answer.hosts.push_back({session->host(), *session->facts(), session->clockAhead(), ranksOn(plan, session->host())});
  }
  answer.problems = findHostProblems(answer.hosts, answer.here, {memoryPerRank(plan), plan.instructionSet});
  addOnce(answer.problems, findDeviceProblems(plan, answer.hosts));
  answer.remarks = findHostRemarks(answer.hosts);
  if (measures) {
    answer.links = measureLinks(*sessions);
    addOnce(answer.problems, findLinkProblems(answer.links));
    endSessions(*sessions);
  }
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
    if (!hosts) {
      addOnce(failures, hosts.error());
      continue;
    }
    fitThreads(plan, *hosts, remarks);
    placeOnDevicesOf(plan, *hosts);
  }
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return {};
}

}  // namespace slipstream
