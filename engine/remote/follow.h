// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>

#include "engine/remote/remotes.h"

namespace slipstream {

/// How a remote is followed at a moment.
struct FollowState {
  enum class Link { connecting, catchingUp, upToDate, offline };
  Link link = Link::connecting;
  std::string problem;       ///< of a link that is offline
  std::int64_t heardAt = 0;  ///< wall nanoseconds when it was last heard of; 0: never
  int taken = 0;             ///< runs of the remote's store that are no copies, since one of the same id is here

  bool operator==(const FollowState&) const = default;
};

using ReportFollowState = std::function<void(const FollowState&)>;

/// Brings the copies of the remote's runs in `store` up to date once. `store` is made where there is none.
Status catchUp(const Remote& remote, const std::filesystem::path& store, const ReportFollowState& tell);

/// Keeps them so until `stop`, with a new connection after each that ends: 2 s later, and up to 60 s where nothing
/// comes through. `tell` is called in this thread, whenever something has changed and once a second. Fails where a new
/// connection would not help: the other side is another version or another store, or has no slipstream.
Status followRemote(const Remote& remote, const std::filesystem::path& store, const ReportFollowState& tell,
                    const std::stop_token& stop);

/// The same over streams of somebody else's, until `stop`, all is told (where `once`) or the connection ends, which
/// throws ChannelEnded.
Status followStreams(const Remote& remote, const std::filesystem::path& store, int input, int output,
                     const ReportFollowState& tell, const std::stop_token& stop, bool once);

/// Forgets the copies of a remote's runs, with their files; how many there were.
Result<int> forgetCopies(const std::string& remote, const std::filesystem::path& store);

}  // namespace slipstream
