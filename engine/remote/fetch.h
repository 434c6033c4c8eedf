// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "engine/remote/connection.h"

namespace slipstream {

/// Which weights of a run: a checkpoint, or a snapshot.
struct WeightsPlace {
  std::string run;  ///< id
  std::int64_t step = 0;
  bool snapshot = false;
};

/// Whether the store has these weights; of a copy it may know them and not have them.
bool hasWeights(const std::filesystem::path& store, const WeightsPlace& place);

/// Fetches the weights of a copy from its remote, as far as the store lacks them; nothing is kept unless every
/// hash holds. Bytes that came.
Result<std::int64_t> fetchWeights(const RemoteConnection& connection, const std::filesystem::path& store,
                                  const WeightsPlace& place);
/// The two sides of it, over streams: the far one sends.
Result<std::int64_t> receiveWeights(const std::filesystem::path& store, const WeightsPlace& place, int input,
                                    int output);
Status sendWeights(const std::filesystem::path& store, const WeightsPlace& place, int input, int output);

/// Fetches what the ranks of a copy's run have printed so far, to where logs of runs are.
Status fetchLogs(const RemoteConnection& connection, const std::filesystem::path& store, const std::string& run);

}  // namespace slipstream
