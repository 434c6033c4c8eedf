// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/text.h"
#include "engine/config/fields.h"
#include "engine/rank_table/rank_table.h"

namespace slipstream {
namespace {

/// Text of a scalar: files write numbers as strings, some write them bare. Nothing for anything else.
std::optional<std::string> scalarText(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number()) return value.dump();
  return std::nullopt;
}

/// Names a format that is not version 1.0; empty where it is, or where nothing is recognised.
Text foreignFormat(const Json& root) {
  const std::string version = root.contains("version") ? scalarText(root["version"]).value_or("") : "";
  if (root.contains("group_list")) return phrase("the legacy form with group_list, from before version 1.0");
  if (root.contains("rank_list") || version == "2.0") return phrase("version {}", {"2.0 (rank_list)"});
  if (root.contains("super_pod_list") || version == "1.2") return phrase("version {}", {"1.2 (super_pod_list)"});
  return "";
}

Text remedyOfUnknown(const std::string& key, const std::vector<std::string>& known) {
  if (const auto nearest = nearestWord(key, known)) return phrase("did you mean {}?", {*nearest});
  return phrase("known here: {}", {join(known, ", ")});
}

/// Where something that must be unique was first, and how often it was seen.
struct Seen {
  std::string path;
  int times = 1;
};

/// "rank 3 is used twice"
Text usedAgain(Text named, int times) {
  return times == 2 ? phrase("{} is used twice", {std::move(named)})
                    : phrase("{} is used {} times", {std::move(named), std::to_string(times)});
}

class Check {
 public:
  explicit Check(const Json& root) : root_(root) {}

  RankTableReading run() {
    if (!root_.is_object()) {
      reject("", shortText(root_), phrase("is not a rank table"), phrase("write one object in curly brackets"));
      return std::move(reading_);
    }
    if (looksLikeExperiment(root_)) {
      reject("", "", phrase("is an experiment, not a rank table"),
             phrase("check experiments with `slipstream check FILE`"));
      return std::move(reading_);
    }
    const Text foreign = foreignFormat(root_);
    if (!foreign.empty()) {
      const char* key = root_.contains("group_list") ? "group_list" : "version";
      reject(key, root_.contains("version") ? shortText(root_["version"]) : "",
             phrase("is {}, not version 1.0", {foreign}),
             phrase("convert it with `slipstream rank-table convert FILE --to 1.0`"), RankTableFault::foreignFormat);
      return std::move(reading_);
    }
    header();
    servers();
    ranks();
    return std::move(reading_);
  }

 private:
  void header() {
    warnUnknown(root_, "", {"version", "server_count", "server_list", "status"});
    const auto version = scalar(root_, "version", "", "1.0", RankTableFault::version);
    if (version && *version != "1.0") {
      reject("version", *version, phrase("is not a known version"), phrase("write \"1.0\", or convert the file"),
             RankTableFault::version);
    }
    const auto status = scalar(root_, "status", "", "completed", RankTableFault::status);
    if (status && *status != "completed") {
      reject("status", *status, phrase("is not completed: the table was not finished by its generator"),
             phrase("generate it again, or write \"completed\" where it is complete"), RankTableFault::status);
    }
  }

  void servers() {
    const auto list = root_.find("server_list");
    if (list == root_.end() || !list->is_array() || list->empty()) {
      reject("server_list", list == root_.end() ? "" : shortText(*list), phrase("is not a list of at least one server"),
             phrase("list the servers with their devices"), RankTableFault::noServers);
      return;
    }
    serverCount_ = list->size();
    const auto count = scalar(root_, "server_count", "", std::to_string(serverCount_), RankTableFault::serverCount);
    if (count && parseInteger(*count) != static_cast<std::int64_t>(serverCount_)) {
      reject("server_count", *count, phrase("is not the length of server_list, {}", {std::to_string(serverCount_)}),
             phrase("write \"{}\"", {std::to_string(serverCount_)}), RankTableFault::serverCount);
    }
    for (std::size_t i = 0; i < list->size(); ++i) server((*list)[i], fmt::format("server_list[{}]", i));
  }

  void server(const Json& value, const std::string& path) {
    if (!value.is_object())
      return reject(path, shortText(value), phrase("is not a server"), phrase("write an object in curly brackets"),
                    RankTableFault::notAnObject);
    warnUnknown(value, path, {"server_id", "device", "host_nic_ip"});
    RankServer server;
    server.id = scalar(value, "server_id", path, phrase("an address"), RankTableFault::serverId).value_or("");
    checkServerId(server.id, path + ".server_id", value.contains("server_id"));
    if (value.contains("host_nic_ip")) server.hostNicIp = scalarText(value["host_nic_ip"]).value_or("reserve");
    const auto devices = value.find("device");
    if (devices == value.end() || !devices->is_array() || devices->empty()) {
      reject(path + ".device", devices == value.end() ? "" : shortText(*devices),
             phrase("is not a list of at least one device"), phrase("list the server's devices, or remove the server"),
             RankTableFault::noDevices);
    } else {
      std::map<int, Seen> ids;
      for (std::size_t i = 0; i < devices->size(); ++i) {
        device((*devices)[i], fmt::format("{}.device[{}]", path, i), ids, server);
      }
    }
    reading_.table.servers.push_back(std::move(server));
  }

  void checkServerId(const std::string& id, const std::string& path, bool written) {
    if (id.empty()) {
      if (written)
        reject(path, "", phrase("is empty"), phrase("write the server's address or name"), RankTableFault::serverId);
      return;
    }
    rejectAgain(serverIds_, id, id, path, phrase("server id {}", {id}),
                phrase("give every server its own address or name; where addresses were masked, write the real ones"),
                RankTableFault::serverIdTwice);
    if (isAddress(id) || isHostName(id)) return;
    warn(path, id, phrase("is neither an address nor a host name"),
         phrase("write the server's address; as it is only --local can run"));
  }

  void device(const Json& value, const std::string& path, std::map<int, Seen>& ids, RankServer& server) {
    if (!value.is_object())
      return reject(path, shortText(value), phrase("is not a device"), phrase("write an object in curly brackets"),
                    RankTableFault::notAnObject);
    warnUnknown(value, path, {"device_id", "device_ip", "rank_id"});
    RankDevice device;
    device.deviceId = number(value, "device_id", path, RankTableFault::deviceId);
    if (device.deviceId >= 0) {
      const std::string id = std::to_string(device.deviceId);
      rejectAgain(ids, device.deviceId, id, path + ".device_id", phrase("device id {} of one server", {id}),
                  phrase("number the devices of a server differently"), RankTableFault::deviceIdTwice);
    }
    device.ip = value.contains("device_ip") ? scalarText(value["device_ip"]).value_or("") : "";
    checkDeviceIp(device.ip, path + ".device_ip");
    device.rank = number(value, "rank_id", path, RankTableFault::rank);
    if (device.rank >= 0) {
      const std::string rank = std::to_string(device.rank);
      rejectAgain(rankIds_, device.rank, rank, path + ".rank_id", phrase("rank {}", {rank}),
                  phrase("give every device a rank of its own"), RankTableFault::rank);
    } else {
      allRanksRead_ = false;
    }
    server.devices.push_back(std::move(device));
  }

  void checkDeviceIp(const std::string& ip, const std::string& path) {
    if (ip.empty()) {
      const bool several = serverCount_ > 1;
      const Text problem =
          several ? phrase("is missing, but devices of several servers find each other by it") : phrase("is missing");
      reading_.findings.push_back({path, "", problem, phrase("write the address of the card's network port"),
                                   several ? Verdict::reject : Verdict::warn, RankTableFault::addressMissing});
      return;
    }
    if (!isAddress(ip)) {
      return reject(path, ip, phrase("is not an address"),
                    phrase("write the card's real address; masked ones reach nobody"), RankTableFault::addressWrong);
    }
    rejectAgain(deviceIps_, ip, ip, path, phrase("address {}", {ip}), phrase("give every device its own address"),
                RankTableFault::addressTwice);
  }

  /// Ranks are 0 to n-1, in any order. For each that is missing another is used again, out of range or unreadable:
  /// where it is one, both are one mistake.
  void ranks() {
    const int count = reading_.table.ranks();
    const std::string last = std::to_string(count - 1);
    for (const auto& [rank, seen] : rankIds_) {
      if (rank < count) continue;
      reject(seen.path, std::to_string(rank), phrase("rank {} is out of range", {std::to_string(rank)}),
             phrase("number the devices from 0 to {}", {last}), RankTableFault::rank);
      reading_.findings.back().namesSubject = true;
    }
    std::vector<std::string> missing;
    for (int rank = 0; rank < count; ++rank) {
      if (!rankIds_.contains(rank)) missing.push_back(std::to_string(rank));
    }
    if (missing.empty() || !allRanksRead_) return;
    if (missing.size() == 1) {
      Finding& cause = *std::ranges::find_if(reading_.findings, [](const Finding& finding) {
        return finding.fault == RankTableFault::rank && finding.namesSubject;
      });
      cause.problem = phrase("{} and rank {} is missing", {cause.problem, missing.front()});
      return;
    }
    if (missing.size() > 8) missing = {missing.front(), "...", missing.back()};
    reject("server_list", "", phrase("ranks {} of 0 to {} are missing", {join(missing, ", "), last}),
           phrase("number the devices from 0 without gaps"), RankTableFault::rank);
    reading_.findings.back().namesSubject = true;
  }

  /// A required scalar; a missing or structured one is a finding.
  std::optional<std::string> scalar(const Json& object, const std::string& key, const std::string& path,
                                    const Text& expected, RankTableFault fault) {
    const std::string where = path.empty() ? key : path + "." + key;
    const auto found = object.find(key);
    if (found == object.end()) {
      reject(where, "", phrase("is missing"), phrase("write \"{}\": \"{}\"", {key, expected}), fault);
      return std::nullopt;
    }
    const auto text = scalarText(*found);
    if (!text)
      reject(where, shortText(*found), phrase("must be a text or a number"), phrase("write \"{}\"", {expected}), fault);
    return text;
  }

  /// A required whole number from 0; -1 where there is none.
  int number(const Json& object, const std::string& key, const std::string& path, RankTableFault fault) {
    const auto text = scalar(object, key, path, "0", fault);
    if (!text) return -1;
    const auto value = parseInteger(*text);
    if (value && *value >= 0 && *value <= 1'000'000) return static_cast<int>(*value);
    reject(path + "." + key, *text, phrase("is not a whole number from 0"), phrase("write a number like \"0\""), fault);
    return -1;
  }

  void warnUnknown(const Json& object, const std::string& path, const std::vector<std::string>& known) {
    for (const auto& [key, value] : object.items()) {
      if (std::find(known.begin(), known.end(), key) != known.end()) continue;
      warn(path.empty() ? key : path + "." + key, shortText(value),
           phrase("is not a key of version 1.0 and has no effect"), remedyOfUnknown(key, known),
           RankTableFault::unknownKey);
      const auto nearest = nearestWord(key, known);
      if (nearest && !object.contains(*nearest)) reading_.findings.back().renamed = *nearest;
    }
  }

  void reject(std::string path, std::string value, Text problem, Text remedy,
              RankTableFault fault = RankTableFault::other, std::string related = {}) {
    reading_.findings.push_back({std::move(path), std::move(value), std::move(problem), std::move(remedy),
                                 Verdict::reject, fault, std::move(related)});
  }

  /// Where the key was seen before: it must be there once.
  template <class Key>
  void rejectAgain(std::map<Key, Seen>& all, const Key& key, const std::string& value, const std::string& path,
                   Text named, Text remedy, RankTableFault fault) {
    const auto [seen, isNew] = all.emplace(key, Seen{path});
    if (isNew) return;
    reject(path, value, usedAgain(std::move(named), ++seen->second.times), std::move(remedy), fault, seen->second.path);
    reading_.findings.back().namesSubject = true;
  }

  void warn(std::string path, std::string value, Text problem, Text remedy,
            RankTableFault fault = RankTableFault::other) {
    reading_.findings.push_back(
        {std::move(path), std::move(value), std::move(problem), std::move(remedy), Verdict::warn, fault});
  }

  const Json& root_;
  RankTableReading reading_;
  std::size_t serverCount_ = 0;
  std::map<std::string, Seen> serverIds_;
  std::map<std::string, Seen> deviceIps_;
  std::map<int, Seen> rankIds_;
  bool allRanksRead_ = true;  ///< every device has a number as its rank
};

}  // namespace

RankTableReading readRankTable(const Json& root) {
  return Check(root).run();
}

}  // namespace slipstream
