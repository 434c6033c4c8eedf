// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace slipstream {

/// "PREFIX-EPOCH_STEP.ckpt", both counted from 1. Where files of the prefix exist already (of an earlier training), the
/// prefix becomes PREFIX_N, N one above the largest there is. Files that end in _breakpoint.ckpt do not count.
std::string checkpointPrefix(const std::string& prefix, const std::vector<std::string>& existingFiles);
std::string checkpointFileName(const std::string& prefix, std::int64_t epoch, std::int64_t stepInEpoch);

/// Which of the kept checkpoints (oldest first, the new one included) go so that at most `keep` stay; 0 keeps all.
std::vector<std::int64_t> checkpointsToRemove(const std::vector<std::int64_t>& steps, std::int64_t keep);

}  // namespace slipstream
