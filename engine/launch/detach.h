#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace slipstream {

using Announce = std::function<void(const std::string&)>;

/// Runs `body` in a child with a session of its own, which outlives the terminal and this process; what it writes goes
/// to `outputFile`, its exit code is what `body` returns. Returns the first text that `body` announces; throws Error
/// with the end of its output where it ends without. Fork: call it before there are threads or open databases.
std::string runDetached(const std::filesystem::path& outputFile, const std::function<int(const Announce&)>& body);

}  // namespace slipstream
