// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rank_table/rank_table_edit.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include <nlohmann/json.hpp>

#include "engine/base/text.h"
#include "engine/rank_table/rank_table_tools.h"

namespace slipstream {
namespace {

Json& serverList(Json& root) {
  if (!root.is_object()) root = emptyRankTable();
  Json& list = root["server_list"];
  if (!list.is_array()) list = Json::array();
  return list;
}

Json& deviceList(Json& root, int server) {
  Json& object = serverList(root).at(static_cast<std::size_t>(server));
  if (!object.is_object()) object = Json::object({{"server_id", ""}});
  Json& devices = object["device"];
  if (!devices.is_array()) devices = Json::array();
  return devices;
}

Json& deviceAt(Json& root, RankTablePosition place) {
  Json& device = deviceList(root, place.server).at(static_cast<std::size_t>(place.device));
  if (!device.is_object()) device = Json{{"device_id", ""}, {"device_ip", ""}, {"rank_id", ""}};
  return device;
}

void put(Json& object, const char* key, const std::string& text) {
  const bool wasNumber = object.contains(key) && object[key].is_number();
  const auto number = parseInteger(text);
  object[key] = wasNumber && number ? Json(*number) : Json(text);
}

void countServers(Json& root) {
  put(root, "server_count", std::to_string(serverList(root).size()));
}

std::string scalarOf(const Json& object, const char* key) {
  if (!object.is_object() || !object.contains(key)) return "";
  const Json& value = object[key];
  return value.is_string() ? value.get<std::string>() : value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::int64_t largest(const Json& list, const char* key) {
  std::int64_t most = -1;
  for (const Json& object : list) most = std::max(most, parseInteger(scalarOf(object, key)).value_or(-1));
  return most;
}

std::int64_t nextRank(const Json& root) {
  std::int64_t most = -1;
  for (int server = 0; server < serverCount(root); ++server) {
    if (deviceCount(root, server) > 0) {
      most = std::max(most, largest(root["server_list"][static_cast<std::size_t>(server)]["device"], "rank_id"));
    }
  }
  return most + 1;
}

/// Behind the address of the device before it; a placeholder where several servers need one; else none.
std::string addressForNext(const Json& root, int server) {
  const std::set<std::string> taken = deviceAddresses(root);
  for (int from = server; from >= 0; --from) {
    const int count = deviceCount(root, from);
    if (count == 0) continue;
    const Json& devices = root["server_list"][static_cast<std::size_t>(from)]["device"];
    const std::string next = freeAddressAfter(scalarOf(devices.back(), "device_ip"), taken);
    if (!next.empty()) return next;
  }
  if (serverCount(root) < 2) return "";
  const std::string placeholder = placeholderAddress(static_cast<std::size_t>(server), deviceCount(root, server));
  return taken.contains(placeholder) ? freeAddressAfter(placeholder, taken) : placeholder;
}

void appendDevice(Json& root, int server, std::int64_t id) {
  const std::string address = addressForNext(root, server);
  const std::string rank = std::to_string(nextRank(root));
  deviceList(root, server).push_back({{"device_id", std::to_string(id)}, {"device_ip", address}, {"rank_id", rank}});
}

std::vector<RankTablePosition> devicePositions(const Json& root) {
  std::vector<RankTablePosition> places;
  for (int server = 0; server < serverCount(root); ++server) {
    for (int device = 0; device < deviceCount(root, server); ++device) places.push_back({server, device});
  }
  return places;
}

/// Takes the entries at `indexes` out, in order; `before` becomes what it is without them.
std::vector<Json> takeOut(Json& list, const std::set<int>& indexes, int& before) {
  std::vector<Json> taken;
  for (const int index : indexes) taken.push_back(list.at(static_cast<std::size_t>(index)));
  const int limit = before;
  for (auto index = indexes.rbegin(); index != indexes.rend(); ++index) {
    list.erase(static_cast<std::size_t>(*index));
    if (*index < limit) --before;
  }
  return taken;
}

void putIn(Json& list, const std::vector<Json>& entries, int before) {
  for (const Json& entry : entries) list.insert(list.begin() + before++, entry);
}

}  // namespace

Json emptyRankTable() {
  return {{"version", "1.0"}, {"server_count", "0"}, {"server_list", Json::array()}, {"status", "completed"}};
}

void setCell(Json& root, RankTablePosition place, RankTableCell cell, const std::string& text) {
  if (place.device < 0) {
    deviceList(root, place.server);
    return put(serverList(root)[static_cast<std::size_t>(place.server)], "server_id", text);
  }
  constexpr const char* keys[] = {"device_id", "rank_id", "device_ip"};
  put(deviceAt(root, place), keys[static_cast<int>(cell)], text);
}

RankTablePosition addServer(Json& root) {
  Json& list = serverList(root);
  const int server = static_cast<int>(list.size());
  std::string name;
  std::vector<std::int64_t> ids;
  const std::set<std::string> names = serverNames(root);
  if (!list.empty()) {
    name = freeAddressAfter(scalarOf(list.back(), "server_id"), names);
    if (deviceCount(root, server - 1) > 0) {
      for (const Json& device : list.back()["device"]) {
        ids.push_back(parseInteger(scalarOf(device, "device_id")).value_or(static_cast<std::int64_t>(ids.size())));
      }
    }
  }
  if (name.empty()) name = freeServerName(names);
  if (ids.empty()) ids = {0};
  list.push_back({{"server_id", name}, {"device", Json::array()}, {"host_nic_ip", "reserve"}});
  for (const std::int64_t id : ids) appendDevice(root, server, id);
  countServers(root);
  return {server, -1};
}

RankTablePosition addDevice(Json& root, int server) {
  const std::int64_t id = largest(deviceList(root, server), "device_id") + 1;
  appendDevice(root, server, id);
  return {server, deviceCount(root, server) - 1};
}

void removeLines(Json& root, std::vector<RankTablePosition> places) {
  // From the end, and devices before the server that they are in.
  std::sort(places.begin(), places.end(), std::greater<>());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  for (const RankTablePosition& place : places) {
    if (place.device < 0) {
      serverList(root).erase(static_cast<std::size_t>(place.server));
    } else {
      deviceList(root, place.server).erase(static_cast<std::size_t>(place.device));
    }
  }
  countServers(root);
}

void moveServers(Json& root, std::set<int> servers, int before) {
  Json& list = serverList(root);
  putIn(list, takeOut(list, servers, before), before);
}

void moveDevices(Json& root, const std::set<RankTablePosition>& devices, RankTablePosition before) {
  std::map<int, std::set<int>> byServer;
  for (const RankTablePosition& place : devices) byServer[place.server].insert(place.device);
  std::vector<Json> moved;
  for (const auto& [server, indexes] : byServer) {
    int unmoved = 0;
    int& limit = server == before.server ? before.device : unmoved;
    for (Json& device : takeOut(deviceList(root, server), indexes, limit)) moved.push_back(std::move(device));
  }
  putIn(deviceList(root, before.server), moved, before.device);
}

void renumberRanks(Json& root) {
  int rank = 0;
  for (const RankTablePosition& place : devicePositions(root))
    put(deviceAt(root, place), "rank_id", std::to_string(rank++));
}

void closeRankGaps(Json& root) {
  struct Line {
    RankTablePosition place;
    std::optional<std::int64_t> written;
    std::int64_t order;  ///< what was written, or what was before it
  };
  const std::vector<RankTablePosition> places = devicePositions(root);
  std::vector<Line> lines;
  std::int64_t before = -1, highest = -1;
  for (const RankTablePosition& place : places) {
    auto written = parseInteger(scalarOf(deviceAt(root, place), "rank_id"));
    if (written && *written < 0) written.reset();
    before = written.value_or(before);
    highest = std::max(highest, before);
    lines.push_back({place, written, before});
  }
  // A rank beyond the last one shows that all of them have to move.
  std::map<std::int64_t, std::size_t> keepers;
  for (std::size_t i = 0; i < lines.size() && highest < std::ssize(lines); ++i) {
    if (!lines[i].written) continue;
    const auto keeper = keepers.try_emplace(*lines[i].written, i).first;
    if (*lines[i].written == static_cast<std::int64_t>(i)) keeper->second = i;
  }
  std::vector<Line> others;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto keeper = lines[i].written ? keepers.find(*lines[i].written) : keepers.end();
    if (keeper == keepers.end() || keeper->second != i) others.push_back(lines[i]);
  }
  std::ranges::stable_sort(others, {}, &Line::order);
  std::int64_t rank = 0;
  for (const Line& line : others) {
    while (keepers.contains(rank)) ++rank;
    put(deviceAt(root, line.place), "rank_id", std::to_string(rank++));
  }
}

void renumberDevices(Json& root, int server) {
  for (int device = 0; device < deviceCount(root, server); ++device) {
    put(deviceAt(root, {server, device}), "device_id", std::to_string(device));
  }
}

}  // namespace slipstream
