#include "engine/plan/this_host.h"

#include <algorithm>
#include <memory>
#include <set>

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <netdb.h>
#include <sched.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "engine/base/files.h"
#include "engine/base/process_identity.h"
#include "engine/plan/plan_file.h"

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

#if defined(__x86_64__)
/// Intel's manual, volume 2, CPUID leaf 7: AMX-BF16, and in its part 1 AVX512_BF16.
bool processorMultipliesBfloat16() {
  unsigned int eax = 0, ebx = 0, ecx = 0, edx = 0;
  constexpr unsigned int leaf = 7, amxBf16 = 1U << 22U, avx512Bf16 = 1U << 5U;
  if (__get_cpuid_count(leaf, 0, &eax, &ebx, &ecx, &edx) != 0 && (edx & amxBf16) != 0) return true;
  return __get_cpuid_count(leaf, 1, &eax, &ebx, &ecx, &edx) != 0 && (eax & avx512Bf16) != 0;
}

const char* widestOf() {
  if (__builtin_cpu_supports("x86-64-v4")) return "avx512";
  return __builtin_cpu_supports("x86-64-v3") ? "avx2" : "baseline";
}
#else
bool processorMultipliesBfloat16() {
  return false;
}

const char* widestOf() {
  return "baseline";
}
#endif

}  // namespace

bool isThisHost(const std::string& serverId) {
  if (serverId == "localhost" || serverId == "::1" || serverId == hostName()) return true;
  if (serverId == hostName().substr(0, hostName().find('.'))) return true;
  in_addr address{};
  const bool isIpv4 = ::inet_pton(AF_INET, serverId.c_str(), &address) == 1;
  if (isIpv4 && serverId.starts_with("127.")) return true;
  return ownAddresses().contains(serverId);
}

std::string instructionSet() {
  return widestOf();
}

bool multipliesBfloat16() {
  return processorMultipliesBfloat16();
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

bool callerChoosesWaiting() {
  return environment("OMP_WAIT_POLICY") || environment("GOMP_SPINCOUNT");
}

}  // namespace slipstream
