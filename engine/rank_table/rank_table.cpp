// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rank_table/rank_table.h"

#include <algorithm>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/text.h"
#include "engine/config/document_text.h"
#include "engine/config/json_reading.h"

namespace slipstream {

int RankTable::ranks() const {
  std::size_t count = 0;
  for (const RankServer& server : servers) count += server.devices.size();
  return static_cast<int>(count);
}

std::string_view nameOf(Verdict verdict) {
  if (verdict == Verdict::accept) return "accept";
  return verdict == Verdict::warn ? "warn" : "reject";
}

std::string codeOf(RankTableFault fault) {
  constexpr int first = 100;
  return fault == RankTableFault::other ? "" : "RT-" + std::to_string(first + static_cast<int>(fault));
}

Verdict RankTableReading::verdict() const {
  Verdict worst = Verdict::accept;
  for (const Finding& finding : findings) worst = std::max(worst, finding.severity);
  return worst;
}

RankTableReading readRankTable(const std::string& text, const std::string& source) {
  const JsonReading json = readJson(text, source);
  RankTableReading reading;
  const auto reject = [&](const Failures& failures, RankTableFault fault) {
    for (const Failure& failure : failures) {
      reading.findings.push_back(
          {failure.where, failure.value, failure.problem, failure.remedy, Verdict::reject, fault});
    }
  };
  reject(json.syntax, RankTableFault::syntax);
  reject(json.repeatedKeys, RankTableFault::keyTwice);
  return reading.findings.empty() ? readRankTable(json.value) : reading;
}

Text problemOf(const Finding& finding) {
  return finding.related.empty() ? finding.problem : phrase("{} (also at {})", {finding.problem, finding.related});
}

Failure failureOf(const Finding& finding, const std::string& where) {
  return {where, finding.namesSubject ? "" : finding.value, problemOf(finding).in(), finding.remedy.in()};
}

Failures rejectionsOf(const RankTableReading& reading, const std::string& source) {
  Failures failures;
  for (const Finding& finding : reading.findings) {
    if (finding.severity != Verdict::reject) continue;
    std::string where = finding.path;
    if (where.empty()) where = source;
    if (!startsWith(where, source)) where = fmt::format("{}: {}", source, where);
    failures.push_back(failureOf(finding, where));
  }
  return failures;
}

Result<RankTable> loadRankTable(const std::filesystem::path& file) {
  SLIPSTREAM_TRY(text, readDocumentText(file));
  RankTableReading reading = readRankTable(text, file.string());
  if (reading.verdict() != Verdict::reject) return std::move(reading.table);
  return tl::unexpected(rejectionsOf(reading, file.string()));
}

bool looksLikeRankTable(const Json& root) {
  if (!root.is_object()) return false;
  return root.contains("server_list") || root.contains("group_list") || root.contains("rank_list") ||
         root.contains("super_pod_list") || root.contains("server_count");
}

bool looksLikeExperiment(const Json& root) {
  if (!root.is_object() || looksLikeRankTable(root)) return false;
  return root.contains("network") || root.contains("variants") || root.contains("train") || root.contains("optimizer");
}

std::string toJsonText(const RankTable& table) {
  const auto quoted = [](const std::string& text) { return Json(text).dump(); };
  std::vector<std::string> servers;
  for (const RankServer& server : table.servers) {
    std::vector<std::string> devices;
    for (const RankDevice& device : server.devices) {
      devices.push_back(fmt::format(R"(        {{"device_id": "{}", "device_ip": {}, "rank_id": "{}"}})",
                                    device.deviceId, quoted(device.ip), device.rank));
    }
    servers.push_back(fmt::format(
        "    {{\n      \"server_id\": {},\n      \"device\": [\n{}\n      ],\n      \"host_nic_ip\": {}\n    }}",
        quoted(server.id), fmt::join(devices, ",\n"), quoted(server.hostNicIp)));
  }
  return fmt::format(
      "{{\n  \"version\": \"1.0\",\n  \"server_count\": \"{}\",\n  \"server_list\": [\n{}\n  ],\n"
      "  \"status\": \"completed\"\n}}\n",
      table.servers.size(), fmt::join(servers, ",\n"));
}

bool isAddress(const std::string& text) {
  // inet_pton reads up to the first NUL; a text that goes on behind it is no address.
  if (text.find_first_not_of("0123456789abcdefABCDEF.:") != std::string::npos) return false;
  in6_addr buffer{};
  return ::inet_pton(AF_INET, text.c_str(), &buffer) == 1 || ::inet_pton(AF_INET6, text.c_str(), &buffer) == 1;
}

bool isHostName(const std::string& text) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  return !text.empty() && text.size() <= 253 && letters.find(text.front()) != std::string_view::npos &&
         text.find_first_not_of(std::string(letters) + ".-_") == std::string::npos;
}

}  // namespace slipstream
