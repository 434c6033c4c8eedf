// SPDX-License-Identifier: GPL-3.0-or-later
// Loaded into the mpirun of a local run: what it would bind to every address of the machine is bound to the loopback.
// Open MPI 4.1 opens its control ports to all networks, whatever interfaces it is told to use, and asks nobody who
// connects for a secret.
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include <arpa/inet.h>
#include <dlfcn.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace {

using Bind = int (*)(int, const sockaddr*, socklen_t);

Bind systemBind() {
  static const Bind found = reinterpret_cast<Bind>(::dlsym(RTLD_NEXT, "bind"));
  return found;
}

int bindFour(int socket, const sockaddr* address) {
  sockaddr_in four{};
  std::memcpy(&four, address, sizeof four);
  if (four.sin_addr.s_addr == htonl(INADDR_ANY)) four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return systemBind()(socket, reinterpret_cast<const sockaddr*>(&four), sizeof four);
}

/// Where the machine has no ::1 the address is that of the older protocol.
int bindSix(int socket, const sockaddr* address) {
  sockaddr_in6 six{};
  std::memcpy(&six, address, sizeof six);
  const bool any = std::memcmp(&six.sin6_addr, &in6addr_any, sizeof in6addr_any) == 0;
  if (any) six.sin6_addr = in6addr_loopback;
  const auto* changed = reinterpret_cast<const sockaddr*>(&six);
  const int bound = systemBind()(socket, changed, sizeof six);
  if (bound == 0 || !any || errno != EADDRNOTAVAIL) return bound;
  ::inet_pton(AF_INET6, "::ffff:127.0.0.1", &six.sin6_addr);
  return systemBind()(socket, changed, sizeof six);
}

/// The ranks that mpirun starts are none of this file's business.
__attribute__((constructor)) void loadOnce() {
  const char* loaded = std::getenv("LD_PRELOAD");
  const std::string list = loaded == nullptr ? "" : loaded;
  const auto others = list.find(':');
  if (others == std::string::npos) {
    ::unsetenv("LD_PRELOAD");
  } else {
    ::setenv("LD_PRELOAD", list.c_str() + others + 1, 1);
  }
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int bind(int socket, const sockaddr* address,
                                                           socklen_t length) noexcept {
  if (address != nullptr && address->sa_family == AF_INET && length >= sizeof(sockaddr_in)) {
    return bindFour(socket, address);
  }
  if (address != nullptr && address->sa_family == AF_INET6 && length >= sizeof(sockaddr_in6)) {
    return bindSix(socket, address);
  }
  return systemBind()(socket, address, length);
}
