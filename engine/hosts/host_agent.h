// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace slipstream {

/// The other end of a HostSession, on standard input and output: reads the request, answers with the host's facts and,
/// where a run is to be kept, holds its folders until the session ends; then ends what is left of the run on this host
/// and sends its logs. What an earlier attempt has left there is ended first. A session that is silent for ten seconds
/// has ended too. Returns the exit code.
int serveHost(const std::string& openMpi);

}  // namespace slipstream
