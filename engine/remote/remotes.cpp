// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/remote/remotes.h"

#include <algorithm>
#include <cctype>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/characters.h"
#include "engine/base/files.h"
#include "engine/base/private_files.h"
#include "engine/base/shell_line.h"
#include "engine/base/text.h"

namespace slipstream {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t mostBytes = 1 << 20;
constexpr std::size_t longestName = 32;
constexpr std::size_t longestHost = 255;
constexpr std::size_t longestPath = 450;

bool isLetterOrDigit(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 && static_cast<unsigned char>(letter) < 0x80;
}

/// ssh reads no option and no second word into it.
bool isHost(const std::string& host) {
  if (host.empty() || host.size() > longestHost || host.front() == '-' || host.find("@-") != std::string::npos)
    return false;
  return std::ranges::all_of(host, [](char letter) {
    return isLetterOrDigit(letter) || std::string_view("._@:%-").find(letter) != std::string_view::npos;
  });
}

bool isRemoteName(const std::string& name) {
  if (name.empty() || name.size() > longestName || !isLetterOrDigit(name.front())) return false;
  return std::ranges::all_of(
      name, [](char letter) { return isLetterOrDigit(letter) || letter == '-' || letter == '_' || letter == '.'; });
}

bool isPath(const std::string& path) {
  return path.size() <= longestPath && printable(path) == path && !startsWith(path, "~") && !startsWith(path, "-");
}

/// USER@[ADDRESS]:STORE, or USER@HOST:STORE.
std::pair<std::string, std::string> splitPlace(const std::string& place) {
  const auto open = place.find('[');
  const auto close = place.find(']');
  if (open != std::string::npos && close != std::string::npos && open < close) {
    const std::string rest = place.substr(close + 1);
    return {place.substr(0, open) + place.substr(open + 1, close - open - 1),
            startsWith(rest, ":") ? rest.substr(1) : rest};
  }
  const auto colon = place.find(':');
  if (colon == std::string::npos) return {place, ""};
  return {place.substr(0, colon), place.substr(colon + 1)};
}

bool isAddress(const std::string& text) {
  in6_addr address{};
  return ::inet_pton(AF_INET6, text.substr(0, text.find('%')).c_str(), &address) == 1;
}

/// Colons are of the address as well as before the folder: where one ends only brackets tell.
Status bracketed(const std::string& place) {
  const std::string head = place.substr(0, place.find('/'));
  const auto at = head.find('@');
  const std::string host = at == std::string::npos ? head : head.substr(at + 1);
  if (!isAddress(host) && !isAddress(host.substr(0, host.rfind(':')))) return {};
  return fail("HOST", place, "does not say where the address ends", "write it in brackets: [fe80::1]:/folder");
}

std::string placeOf(const Remote& remote) {
  std::string host = remote.host;
  if (host.find(':') != std::string::npos) {
    const auto at = host.find('@');
    host.insert(at == std::string::npos ? 0 : at + 1, "[");
    host += ']';
  }
  return remote.store.empty() ? host : host + ":" + remote.store;
}

Failures problemsOf(const Remote& remote) {
  Failures failures;
  if (!isRemoteName(remote.name)) {
    failures.push_back({"NAME", remote.name, "is no name of a remote",
                        "use at most 32 letters, digits, '-', '_' and '.', and begin with a letter or a digit"});
  }
  if (!isHost(remote.host)) {
    failures.push_back(
        {"HOST", remote.host, "is no host for ssh", "name it as for ssh: USER@HOST, or a name of ~/.ssh/config"});
  }
  if (!isPath(remote.store)) {
    failures.push_back({"STORE", remote.store, "is no folder that can be named there",
                        "give its whole path, or one relative to the home there, without '~'"});
  }
  if (remote.program.empty() || !isPath(remote.program)) {
    failures.push_back({"--program", remote.program, "is no program that can be named there",
                        "give its whole path there, for instance /opt/slipstream/bin/slipstream"});
  }
  return failures;
}

Result<Remote> fromJson(const Json& json, const std::string& file) {
  Remote remote;
  const auto text = [&](const char* key, std::string& value) {
    if (json.is_object() && json.contains(key) && json[key].is_string()) value = json[key].get<std::string>();
  };
  text("name", remote.name);
  text("host", remote.host);
  text("store", remote.store);
  text("program", remote.program);
  remote.slurm = json.is_object() && json.contains("slurm") && json["slurm"] == true;
  Failures failures = problemsOf(remote);
  for (Failure& failure : failures) failure.where = file + ": " + failure.where;
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return remote;
}

}  // namespace

Result<Remote> makeRemote(const std::string& name, const std::string& place) {
  SLIPSTREAM_CHECK(bracketed(place));
  Remote remote;
  remote.name = name;
  std::tie(remote.host, remote.store) = splitPlace(place);
  if (Failures failures = problemsOf(remote); !failures.empty()) return tl::unexpected(std::move(failures));
  return remote;
}

std::filesystem::path remotesFile() {
  const auto own = environment("XDG_CONFIG_HOME");
  const std::filesystem::path folder =
      own ? std::filesystem::path(*own) : std::filesystem::path(environment("HOME").value_or(".")) / ".config";
  return folder / "slipstream" / "remotes.json";
}

Result<std::vector<Remote>> loadRemotes(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return std::vector<Remote>{};
  SLIPSTREAM_TRY(text, readFile(file, mostBytes));
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("remotes") || !json["remotes"].is_array()) {
    return fail(file.string(), "", "is no list of remotes", "delete it, and add them anew: 'slipstream remote add'");
  }
  std::vector<Remote> remotes;
  Failures failures;
  for (const Json& one : json["remotes"]) {
    auto remote = fromJson(one, file.string());
    if (collect(remote, failures)) remotes.push_back(std::move(*remote));
  }
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  std::ranges::sort(remotes, {}, &Remote::name);
  return remotes;
}

Status saveRemotes(const std::vector<Remote>& remotes, const std::filesystem::path& file) {
  Json list = Json::array();
  for (const Remote& remote : remotes) {
    list.push_back({{"name", remote.name},
                    {"host", remote.host},
                    {"store", remote.store},
                    {"program", remote.program},
                    {"slurm", remote.slurm}});
  }
  SLIPSTREAM_CHECK(makePrivateFolder(file.parent_path()));
  SLIPSTREAM_CHECK(makePrivateFile(file));  // a replaced file keeps its mode
  return writeFile(file, Json{{"remotes", list}}.dump(2) + "\n");
}

std::string addingLine(const Remote& remote) {
  std::vector<std::string> words{"slipstream", "remote", "add", remote.name, placeOf(remote)};
  if (remote.slurm) words.emplace_back("--slurm");
  if (remote.program != Remote().program) words.insert(words.end(), {"--program", remote.program});
  return shellLine(words);
}

Status addRemote(const Remote& remote) {
  SLIPSTREAM_TRY(remotes, loadRemotes());
  const auto known = std::ranges::find(remotes, remote.name, &Remote::name);
  if (known == remotes.end()) {
    remotes.push_back(remote);
  } else if (known->host == remote.host && known->store == remote.store && known->slurm == remote.slurm) {
    *known = remote;
  } else {
    return fail("NAME", remote.name,
                fmt::format("names {}{} already", placeOf(*known), known->slurm ? " with Slurm" : ""),
                fmt::format("choose another name, or forget that one and its copies first: slipstream remote remove {}",
                            remote.name));
  }
  return saveRemotes(remotes);
}

Result<Remote> findRemote(const std::string& name) {
  SLIPSTREAM_TRY(remotes, loadRemotes());
  const auto found = std::ranges::find(remotes, name, &Remote::name);
  if (found != remotes.end()) return *found;
  std::vector<std::string> names;
  for (const Remote& remote : remotes) names.push_back(remote.name);
  const std::string add = "add it: slipstream remote add " + (isRemoteName(name) ? name : "NAME") + " USER@HOST";
  return fail("remote", name, "there is no remote of this name",
              names.empty() ? add : "name one of " + join(names, ", ") + ", or " + add);
}

}  // namespace slipstream
