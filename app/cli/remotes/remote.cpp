// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "app/cli/remotes/commands.h"
#include "app/cli/remotes/copies.h"
#include "app/cli/streams/output.h"
#include "engine/base/clock.h"
#include "engine/base/text.h"
#include "engine/document/text_table.h"
#include "engine/launch/stop_signals.h"
#include "engine/probe/version.h"
#include "engine/remote/connection.h"
#include "engine/remote/follow.h"
#include "engine/store/store_folder.h"

namespace slipstream::cli {
namespace {

using Json = nlohmann::ordered_json;

Json toJson(const Remote& remote) {
  return {{"remote", remote.name},
          {"host", remote.host},
          {"store", remote.store},
          {"program", remote.program},
          {"slurm", remote.slurm}};
}

/// By name; none where there is no store to keep copies in yet.
std::map<std::string, std::int64_t> contactsOf(const std::string& storeFolder) {
  std::map<std::string, std::int64_t> contacts;
  const auto store = RunStore::open(storeFolder, StoreAccess::read);
  if (!store) return contacts;
  for (const RemoteContact& contact : (*store)->remotes()) contacts[contact.name] = contact.heardAt;
  return contacts;
}

int copiesOf(const std::string& remote, const std::string& storeFolder) {
  const auto store = RunStore::open(storeFolder, StoreAccess::read);
  if (!store) return 0;
  const auto heads = (*store)->heads();
  return static_cast<int>(std::ranges::count(heads, remote, &RunRecord::remote));
}

/// What `slipstream --version` says there.
Result<std::string> versionThere(const RemoteConnection& connection) {
  SLIPSTREAM_TRY(text, connection.ask({"--version"}));
  for (const std::string& line : split(text, '\n')) {
    constexpr std::string_view begin = "slipstream ";
    if (startsWith(line, begin)) return trim(line.substr(begin.size()));
  }
  return tl::unexpected(Failures{connection.withoutProgram("")});
}

const char* linkText(FollowState::Link link) {
  switch (link) {
    case FollowState::Link::connecting:
      return "connecting";
    case FollowState::Link::catchingUp:
      return "catching up";
    case FollowState::Link::upToDate:
      return "up to date";
    case FollowState::Link::offline:
      break;
  }
  return "offline";
}

void warnOfTaken(const std::string& remote, const FollowState& state) {
  if (state.taken == 0) return;
  remark("note", fmt::format("{} of {} are runs of this store already, and are no copies", counted(state.taken, "run"),
                             remote));
}

int followUntilStopped(const Remote& remote, const CommandLine& line, bool json) {
  const StopSignals signals;
  std::stop_source stop;
  FollowState shown;
  const auto tell = [&](const FollowState& state) {
    if (StopSignals::count() > 0) stop.request_stop();
    const bool same = state.link == shown.link && state.problem == shown.problem;
    shown = state;
    if (same) return;
    if (json) {
      print({{"remote", remote.name}, {"link", linkText(state.link)}, {"problem", state.problem}});
    } else {
      fmt::print("{} {}: {}{}{}\n", wallText(wallNanoseconds()), remote.name, linkText(state.link),
                 state.problem.empty() ? "" : ": ", state.problem);
    }
    std::fflush(stdout);
  };
  const Status followed = followRemote(remote, line.storeFolder, tell, stop.get_token());
  if (!followed) return report(followed.error());
  warnOfTaken(remote.name, shown);
  return ExitCode::done;
}

}  // namespace

int remoteAdd(const RemoteAddArguments& arguments, const CommandLine&) {
  auto remote = makeRemote(arguments.name, arguments.place);
  if (!remote) return report(remote.error());
  if (arguments.program) remote->program = *arguments.program;
  remote->slurm = arguments.slurm;
  if (const Status added = addRemote(*remote); !added) return report(added.error());
  if (const auto readable = loadRemotes(); !readable) return report(readable.error());
  if (arguments.json) {
    print(toJson(*remote));
  } else {
    fmt::print("{} is {}; 'slipstream remote check {}' logs in\n", remote->name, remote->host, remote->name);
  }
  return ExitCode::done;
}

int remoteList(const RemoteListArguments& arguments, const CommandLine& line) {
  const auto remotes = loadRemotes();
  if (!remotes) return report(remotes.error());
  auto contacts = contactsOf(line.storeFolder);
  Json list = Json::array();
  std::vector<TextRow> rows{{"remote", "host", "store there", "runs by", "last heard"}};
  for (const Remote& remote : *remotes) {
    const std::int64_t heard = contacts[remote.name];
    Json json = toJson(remote);
    json["heard"] = heard == 0 ? Json() : Json(wallText(heard));
    list.push_back(std::move(json));
    rows.push_back({remote.name, remote.host, remote.store.empty() ? "(its own)" : remote.store,
                    remote.slurm ? "Slurm" : "ssh", agoText(heard)});
  }
  if (arguments.json) {
    print(list);
  } else if (remotes->empty()) {
    fmt::print("no remotes yet; add one: slipstream remote add NAME USER@HOST\n");
  } else {
    fmt::print("{}", tableText(rows, 5));
  }
  return ExitCode::done;
}

int remoteRemove(const RemoteRemoveArguments& arguments, const CommandLine& line) {
  const auto remote = findRemote(arguments.name);
  if (!remote) return report(remote.error());
  std::error_code error;
  int copies = 0;
  if (std::filesystem::exists(storeFileIn(line.storeFolder), error)) {
    const auto forgotten = forgetCopies(remote->name, line.storeFolder);
    if (!forgotten) return report(forgotten.error());
    copies = *forgotten;
  }
  auto remotes = loadRemotes();
  if (!remotes) return report(remotes.error());
  std::erase_if(*remotes, [&](const Remote& other) { return other.name == remote->name; });
  if (const Status saved = saveRemotes(*remotes); !saved) return report(saved.error());
  if (arguments.json) {
    print({{"remote", remote->name}, {"copies_removed", copies}});
  } else {
    fmt::print("{} is forgotten, and {} of its runs here\n", remote->name,
               copies == 1 ? "the copy of one" : fmt::format("the copies of {}", copies));
  }
  return ExitCode::done;
}

int remoteCheck(const RemoteCheckArguments& arguments, const CommandLine&) {
  const auto remote = findRemote(arguments.name);
  if (!remote) return report(remote.error());
  RemoteConnection connection(*remote);
  if (const Status opened = connection.open(::isatty(STDIN_FILENO) == 1); !opened) return report(opened.error());
  const Stopwatch watch;
  const auto answer = versionThere(connection);
  if (!answer) return report(answer.error());
  const std::string& version = *answer;
  const double milliseconds = watch.seconds() * 1e3;
  const std::string here = trim(split(versionText(), '\n').front()).substr(std::string_view("slipstream ").size());
  if (version != here) remark("note", fmt::format("slipstream {} there, {} here", version, here));
  if (arguments.json) {
    print({{"remote", remote->name},
           {"version", version},
           {"same_version", version == here},
           {"milliseconds", milliseconds}});
  } else {
    fmt::print("{}: slipstream {} answers in {:.0f} ms\n", remote->name, version, milliseconds);
  }
  return ExitCode::done;
}

int remoteSync(const RemoteSyncArguments& arguments, const CommandLine& line) {
  const auto remote = findRemote(arguments.name);
  if (!remote) return report(remote.error());
  if (const Status fit = fitForAStore(line.storeFolder); !fit) return report(fit.error());
  if (arguments.follow) return followUntilStopped(*remote, line, arguments.json);
  FollowState last;
  const Status followed = catchUp(*remote, line.storeFolder, [&](const FollowState& state) { last = state; });
  if (!followed) return report(followed.error());
  warnOfTaken(remote->name, last);
  const int copies = copiesOf(remote->name, line.storeFolder);
  if (arguments.json) {
    print({{"remote", remote->name}, {"copies", copies}, {"store", line.storeFolder}});
  } else {
    fmt::print("{}: {} here\n", remote->name,
               copies == 1 ? "the copy of one run is" : fmt::format("copies of {} runs are", copies));
  }
  return ExitCode::done;
}

}  // namespace slipstream::cli
