// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/faults/host_events.h"

#include <algorithm>
#include <csignal>
#include <fstream>
#include <iterator>
#include <random>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "tests/faults/observed_run.h"
#include "tests/faults/trials.h"

namespace slipstream::test {
namespace {

std::string readProcess(pid_t process, const char* file) {
  std::ifstream stream(fmt::format("/proc/{}/{}", process, file), std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// A zombie has none.
bool hasVariable(pid_t process, const std::string& name) {
  const std::string text = std::string(1, '\0') + readProcess(process, "environ");
  return text.find(std::string(1, '\0') + name + "=") != std::string::npos;
}

pid_t parentOf(pid_t process) {
  const std::string status = readProcess(process, "status");
  const auto place = status.find("PPid:\t");
  return place == std::string::npos ? 0 : static_cast<pid_t>(std::atoi(status.c_str() + place + 6));
}

bool isSession(pid_t process) {
  return nameOfProcess(process).starts_with("slipstream-work") && hasVariable(process, "SLIPSTREAM_SESSION");
}

/// The sshd that carries a session.
pid_t carrierOf(pid_t session) {
  pid_t process = parentOf(session);
  while (process > 1 && nameOfProcess(process) != "sshd") process = parentOf(process);
  return process;
}

bool plays(pid_t process, const std::string& part) {
  const std::string name = nameOfProcess(process);
  if (part == "worker") return name.starts_with("slipstream-work") && hasVariable(process, "SLIPSTREAM_HUB");
  if (part == "agent" || part == "sshd") return isSession(process);
  if (part == "supervisor") return name == "slipstream";
  return name == part;
}

}  // namespace

const std::vector<HostEventKind>& hostEventKinds() {
  static const std::string onHost = "on host {} ", lost = "host {} is lost", closed = "host {}(: | is lost)";
  static const std::vector<HostEventKind> kinds{
      {.name = "worker killed", .victim = "worker", .signal = SIGKILL, .named = onHost + "was killed by signal 9"},
      {.name = "orted killed", .victim = "orted", .signal = SIGKILL, .named = lost},
      {.name = "agent killed", .victim = "agent", .signal = SIGKILL, .named = closed},
      {.name = "sshd killed", .victim = "sshd", .signal = SIGKILL, .named = closed},
      {.name = "mpirun killed", .victim = "mpirun", .signal = SIGKILL, .named = "mpirun was killed by signal 9"},
      {.name = "supervisor killed", .victim = "supervisor", .signal = SIGKILL, .named = "."},
      {.name = "worker stopped", .victim = "worker", .signal = SIGSTOP, .named = onHost + "has been silent"},
      {.name = "orted stopped", .victim = "orted", .signal = SIGSTOP, .mayPass = true, .named = lost},
      {.name = "agent stopped", .victim = "agent", .signal = SIGSTOP, .named = lost},
      {.name = "link down 3 s", .cutSeconds = 3, .mayPass = true, .named = "host {}"},
      {.name = "link down 10 s", .cutSeconds = 10, .named = "host {}"},
      {.name = "link down 60 s", .cutSeconds = 60, .named = "host {}"},
      {.name = "host gone", .isGone = true, .named = "host {}"},
      {.name = "host slow", .isSlow = true, .mayPass = false, .named = "host {} is slow"},
  };
  return kinds;
}

std::string HostEvent::text() const {
  const char* since = early ? "its start" : "its first steps";
  return fmt::format("{}, {}, h{}, {}, {:.2f} s after {}", kind.name, form, host, then, moment, since);
}

HostEvent hostEventOf(std::uint64_t seed) {
  static const std::vector<std::string> forms{"plain", "sharded"};
  std::mt19937_64 random(seed);
  const HostEventKind& kind = hostEventKinds()[random() % hostEventKinds().size()];
  const std::string& form = forms[random() % forms.size()];
  const int host = 1 + below(random, HostLab::hosts);
  std::vector<std::string> ways{"resume"};
  if (kind.victim != "supervisor" && !kind.isSlow) ways.emplace_back("restart");
  if (kind.isGone) ways.emplace_back("shrink");
  const std::string& then = ways[random() % ways.size()];
  constexpr double longest = 2;
  constexpr int parts = 1000;
  // A rank that was never heard of may have much to read: it has two minutes.
  const bool early = below(random, 5) == 0 && kind.signal != SIGSTOP && !kind.isSlow;
  return {kind, form, host, then, early, longest * below(random, parts) / parts};
}

std::vector<pid_t> playing(const HostLab& lab, int host, const std::string& part) {
  const bool onHead = part == "mpirun" || part == "supervisor";
  std::vector<pid_t> found = lab.processesOf(onHead ? 0 : host);
  std::erase_if(found, [&](pid_t process) { return !plays(process, part); });
  if (part == "sshd") std::ranges::transform(found, found.begin(), carrierOf);
  // Of a daemon that forks, the process that is about to leave is missed by nothing.
  const std::vector<pid_t> all = found;
  if (part == "orted") {
    std::erase_if(found, [&](pid_t process) { return std::ranges::count(all, process, parentOf) > 0; });
  }
  return found;
}

std::vector<pid_t> processesOfRuns(const HostLab& lab) {
  std::vector<pid_t> all;
  for (int host = 0; host <= HostLab::hosts; ++host) {
    for (const pid_t process : lab.processesOf(host)) {
      const bool ours = hasVariable(process, "SLIPSTREAM_RUN") || hasVariable(process, "SLIPSTREAM_SESSION");
      if (ours) all.push_back(process);
    }
  }
  return all;
}

}  // namespace slipstream::test
