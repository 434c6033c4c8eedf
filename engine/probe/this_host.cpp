// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/probe/this_host.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <thread>

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <netdb.h>
#include <sched.h>
#include <unistd.h>

#include "engine/base/files.h"
#include "engine/base/process_identity.h"

namespace slipstream {
namespace {

std::set<std::string> ownAddresses() {
  ifaddrs* list = nullptr;
  if (::getifaddrs(&list) != 0) return {};
  const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> owner(list, &::freeifaddrs);
  std::set<std::string> addresses;
  for (const ifaddrs* entry = list; entry != nullptr; entry = entry->ifa_next) {
    if (entry->ifa_addr == nullptr) continue;
    const int family = entry->ifa_addr->sa_family;
    if (family != AF_INET && family != AF_INET6) continue;
    const socklen_t size = family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
    char text[NI_MAXHOST];
    if (::getnameinfo(entry->ifa_addr, size, text, sizeof(text), nullptr, 0, NI_NUMERICHOST) == 0) {
      addresses.insert(text);
    }
  }
  return addresses;
}

}  // namespace

bool isThisHost(const std::string& serverId) {
  if (serverId == "localhost" || serverId == "::1" || serverId == hostName()) return true;
  if (serverId == hostName().substr(0, hostName().find('.'))) return true;
  in_addr address{};
  const bool isIpv4 = ::inet_pton(AF_INET, serverId.c_str(), &address) == 1;
  if (isIpv4 && serverId.starts_with("127.")) return true;
  return ownAddresses().contains(serverId);
}

std::int64_t memoryOfThisMachine() {
  return static_cast<std::int64_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::int64_t>(::sysconf(_SC_PAGESIZE));
}

int coresOnHost() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (::sched_getaffinity(0, sizeof(allowed), &allowed) != 0) return 1;
  return std::max(1, CPU_COUNT(&allowed));
}

namespace {

/// Of /proc/stat, whose size the kernel does not say; 1, for the one that asks, where it does not tell.
double runningNow() {
  std::ifstream stat("/proc/stat");
  std::string word;
  while (stat >> word && word != "procs_running") {
  }
  double running = 1;
  return stat >> running ? running : 1.0;
}

}  // namespace

double runningOnHost() {
  constexpr int looks = 10;
  double sum = 0;
  for (int look = 0; look < looks; ++look) {
    sum += runningNow() - 1.0;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return std::max(0.0, sum / looks);
}

bool callerChoosesWaiting() {
  return environment("OMP_WAIT_POLICY") || environment("GOMP_SPINCOUNT");
}

}  // namespace slipstream
