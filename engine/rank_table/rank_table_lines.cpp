// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rank_table/rank_table_lines.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "engine/base/text.h"

namespace slipstream {
namespace {

constexpr int deepest = 64;

std::string textOf(const Json& object, const char* key) {
  if (!object.is_object()) return key == std::string_view("rank_id") ? "" : shortText(object);
  const auto found = object.find(key);
  if (found == object.end()) return "";
  return found->is_string() ? found->get<std::string>() : shortText(*found);
}

/// Text of the innermost brackets' depth, outside of strings.
int nesting(const std::string& text) {
  int depth = 0, most = 0;
  bool inString = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (inString && text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      inString = !inString;
    } else if (!inString && (text[i] == '[' || text[i] == '{')) {
      most = std::max(most, ++depth);
    } else if (!inString && (text[i] == ']' || text[i] == '}')) {
      --depth;
    }
  }
  return most;
}

/// Where the string that begins at `start` ends: behind its closing quote.
std::size_t behindString(const std::string& text, std::size_t start) {
  for (std::size_t i = start + 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      return i + 1;
    }
  }
  return text.size();
}

/// Where the comment that begins at `start` ends; `start` where there is none.
std::size_t behindComment(const std::string& text, std::size_t start) {
  if (text.compare(start, 2, "//") == 0) return std::min(text.find('\n', start), text.size());
  if (text.compare(start, 2, "/*") != 0) return start;
  const std::size_t end = text.find("*/", start + 2);
  return end == std::string::npos ? text.size() : end + 2;
}

std::string withoutComments(const std::string& text) {
  std::string kept;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = text[i] == '"' ? behindString(text, i) : behindComment(text, i);
    if (text[i] == '"') {
      kept.append(text, i, end - i);
    } else if (end == i) {
      kept += text[i];
    } else {
      kept.append(static_cast<std::size_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(i),
                                                      text.begin() + static_cast<std::ptrdiff_t>(end), '\n')),
                  '\n');
    }
    i = std::max(end, i + 1);
  }
  return kept;
}

std::optional<int> indexAt(const std::string& path, std::size_t& at, std::string_view list) {
  if (path.compare(at, list.size(), list) != 0 || path.size() <= at + list.size()) return std::nullopt;
  const std::size_t start = at + list.size() + 1;
  const std::size_t end = path.find(']', start);
  if (path[start - 1] != '[' || end == std::string::npos) return std::nullopt;
  const auto index = parseInteger(path.substr(start, end - start));
  if (!index) return std::nullopt;
  at = std::min(end + 2, path.size());
  return static_cast<int>(*index);
}

}  // namespace

std::vector<ServerLine> rankTableLines(const Json& root) {
  std::vector<ServerLine> lines;
  if (!root.is_object() || !root.contains("server_list") || !root["server_list"].is_array()) return lines;
  for (const Json& server : root["server_list"]) {
    ServerLine line{textOf(server, "server_id"), {}};
    if (server.is_object() && server.contains("device") && server["device"].is_array()) {
      for (const Json& device : server["device"]) {
        line.devices.push_back({textOf(device, "device_id"), textOf(device, "rank_id"),
                                device.is_object() ? textOf(device, "device_ip") : ""});
      }
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

RankTablePath rankTablePath(const std::string& path) {
  RankTablePath found;
  std::size_t at = 0;
  if (const auto server = indexAt(path, at, "server_list")) {
    found.place.server = *server;
    if (const auto device = indexAt(path, at, "device")) found.place.device = *device;
  }
  found.key = path.substr(at);
  if (found.key == "rank_id") found.cell = RankTableCell::rank;
  if (found.key == "device_ip") found.cell = RankTableCell::address;
  return found;
}

std::string withoutExtras(const std::string& text) {
  const std::string plain = withoutComments(text);
  std::string kept;
  for (std::size_t i = 0; i < plain.size();) {
    if (plain[i] == '"') {
      const std::size_t end = behindString(plain, i);
      kept.append(plain, i, end - i);
      i = end;
      continue;
    }
    const std::size_t next = plain.find_first_not_of(" \t\r\n", i + 1);
    const bool surplus = plain[i] == ',' && next != std::string::npos && (plain[next] == ']' || plain[next] == '}');
    if (!surplus) kept += plain[i];
    ++i;
  }
  return kept;
}

std::optional<Json> readGenerously(const std::string& text) {
  const std::string plain = withoutExtras(text);
  if (nesting(plain) > deepest) return std::nullopt;
  Json value = Json::parse(plain, nullptr, false);
  if (value.is_discarded()) return std::nullopt;
  return value;
}

}  // namespace slipstream
