// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rank_table/rank_table_names.h"

#include <limits>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/rank_table/rank_table_lines.h"

namespace slipstream {

std::string freeAddressAfter(const std::string& address, const std::set<std::string>& taken) {
  in_addr binary{};
  if (::inet_pton(AF_INET, address.c_str(), &binary) != 1) return "";
  for (std::uint32_t number = ntohl(binary.s_addr); number < std::numeric_limits<std::uint32_t>::max();) {
    ++number;
    const std::uint32_t last = number % 256;
    if (last == 0 || last == 255) continue;
    std::string next = fmt::format("{}.{}.{}.{}", number >> 24U, number >> 16U & 255U, number >> 8U & 255U, last);
    if (!taken.contains(next)) return next;
  }
  return "";
}

std::string freeServerName(const std::set<std::string>& taken) {
  for (int number = 1;; ++number) {
    std::string name = fmt::format("server-{}", number);
    if (!taken.contains(name)) return name;
  }
}

std::set<std::string> deviceAddresses(const Json& root) {
  std::set<std::string> addresses;
  for (const ServerLine& server : rankTableLines(root)) {
    for (const DeviceLine& device : server.devices) addresses.insert(device.address);
  }
  return addresses;
}

std::set<std::string> serverNames(const Json& root) {
  std::set<std::string> names;
  for (const ServerLine& server : rankTableLines(root)) names.insert(server.id);
  return names;
}

int serverCount(const Json& root) {
  if (!root.is_object() || !root.contains("server_list") || !root["server_list"].is_array()) return 0;
  return static_cast<int>(root["server_list"].size());
}

int deviceCount(const Json& root, int server) {
  if (server >= serverCount(root)) return 0;
  const Json& object = root["server_list"][static_cast<std::size_t>(server)];
  if (!object.is_object() || !object.contains("device") || !object["device"].is_array()) return 0;
  return static_cast<int>(object["device"].size());
}

}  // namespace slipstream
