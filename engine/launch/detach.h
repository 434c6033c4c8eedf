// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace slipstream {

using Announce = std::function<void(const std::string&)>;

/// What became of a detached body: it announced itself and goes on, or it ended without.
struct DetachedStart {
  std::string announced;
  int exitCode = 0;    ///< of one that ended; 128 + signal where it was killed
  std::string output;  ///< the end of what such a one wrote
};

/// Runs `body` in a child with a session of its own, which outlives the terminal and this process; what it writes goes
/// to `outputFile`, its exit code is what `body` returns. Waits for the first text that `body` announces, or for its
/// end. Throws Error where there is no child. Fork: call it before there are threads or open databases.
DetachedStart runDetached(const std::filesystem::path& outputFile, const std::function<int(const Announce&)>& body);

}  // namespace slipstream
