// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/hosts/route.h"

#include <array>
#include <bit>
#include <cerrno>
#include <memory>
#include <set>
#include <system_error>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <ifaddrs.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/probe/this_host.h"

namespace slipstream {
namespace {

constexpr std::uint16_t anyPort = 9;  ///< nothing is sent to it

std::string textOf(in_addr address) {
  std::array<char, INET_ADDRSTRLEN> text{};
  ::inet_ntop(AF_INET, &address, text.data(), text.size());
  return text.data();
}

Result<in_addr> resolve(const std::string& host) {
  addrinfo wanted{};
  wanted.ai_family = AF_INET;
  wanted.ai_socktype = SOCK_DGRAM;
  addrinfo* found = nullptr;
  const int problem = ::getaddrinfo(host.c_str(), nullptr, &wanted, &found);
  if (problem != 0) {
    return fail("host", host, fmt::format("the name does not resolve: {}", ::gai_strerror(problem)),
                "correct it in the rank table, or add it to /etc/hosts or to the name server");
  }
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> list(found, ::freeaddrinfo);
  return reinterpret_cast<const sockaddr_in*>(list->ai_addr)->sin_addr;
}

/// A connected datagram socket has the address that its packets would carry.
Result<in_addr> ownAddressTowards(in_addr other, const std::string& host) {
  const int socket = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(anyPort);
  address.sin_addr = other;
  socklen_t length = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  const bool reached = ::connect(socket, generic, length) == 0 && ::getsockname(socket, generic, &length) == 0;
  const int problem = errno;
  ::close(socket);
  if (reached) return address.sin_addr;
  return fail("host", host, "no route leads there: " + std::generic_category().message(problem),
              "check the cable, the interface (ip route get) and the address in the rank table");
}

/// Empty where no interface of this address has `other` in its network.
std::string networkOf(in_addr own, in_addr other) {
  ifaddrs* found = nullptr;
  if (::getifaddrs(&found) != 0) return "";
  const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> list(found, ::freeifaddrs);
  for (const ifaddrs* each = list.get(); each != nullptr; each = each->ifa_next) {
    if (each->ifa_addr == nullptr || each->ifa_netmask == nullptr || each->ifa_addr->sa_family != AF_INET) continue;
    if (reinterpret_cast<const sockaddr_in*>(each->ifa_addr)->sin_addr.s_addr != own.s_addr) continue;
    const in_addr_t mask = reinterpret_cast<const sockaddr_in*>(each->ifa_netmask)->sin_addr.s_addr;
    if ((own.s_addr & mask) != (other.s_addr & mask)) continue;
    return fmt::format("{}/{}", textOf({own.s_addr & mask}), std::popcount(mask));
  }
  return "";
}

}  // namespace

Result<Route> routeTo(const std::string& host) {
  SLIPSTREAM_TRY(other, resolve(host));
  SLIPSTREAM_TRY(own, ownAddressTowards(other, host));
  return Route{textOf(own), networkOf(own, other)};
}

Result<std::string> addressOf(const std::string& host) {
  SLIPSTREAM_TRY(address, resolve(host));
  return textOf(address);
}

Result<std::string> addressFor(const std::vector<std::string>& hosts) {
  if (const auto chosen = environment("SLIPSTREAM_ADDRESS")) {
    in_addr address{};
    if (::inet_pton(AF_INET, chosen->c_str(), &address) == 1) return *chosen;
    return fail("SLIPSTREAM_ADDRESS", *chosen, "is not an address", "write for example 10.0.0.1, or unset it");
  }
  std::set<std::string> addresses;
  for (const std::string& host : hosts) {
    if (isThisHost(host)) continue;  // it reaches itself by any of them
    SLIPSTREAM_TRY(route, routeTo(host));
    addresses.insert(route.address);
  }
  if (addresses.empty()) return "127.0.0.1";
  if (addresses.size() == 1) return *addresses.begin();
  return fail("SLIPSTREAM_ADDRESS", "",
              fmt::format("the hosts reach this machine by different addresses: {}", fmt::join(addresses, ", ")),
              "name the one that all of them reach in SLIPSTREAM_ADDRESS");
}

}  // namespace slipstream
