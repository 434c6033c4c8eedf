// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <string>

#include "engine/base/failure.h"

namespace slipstream {

/// One pair of CURVE keys, as ZeroMQ writes them (Z85, 40 characters each).
struct KeyPair {
  std::string publicKey;
  std::string secretKey;
};

/// What a worker needs to be let in by the hub of its run, and to know that it is that hub.
struct WorkerKeys {
  std::string hubPublicKey;
  KeyPair worker;
};

/// Keys of one attempt, for a line that other machines could reach: the hub lets nobody in but who has the workers'
/// pair. They live in the memory of the supervisor and its workers, and in their environment: never in an argument
/// list, a log or the store.
struct HubKeys {
  KeyPair hub;
  KeyPair worker;
};

HubKeys makeHubKeys();

/// The variable that hands them to a worker, and its value.
inline constexpr const char* workerKeysVariable = "SLIPSTREAM_LINK_KEYS";
std::string workerKeysText(const HubKeys& keys);
/// Nothing where `text` is empty; fails where it is not what workerKeysText() wrote, without repeating it.
Result<std::optional<WorkerKeys>> parseWorkerKeys(const std::string& text);

}  // namespace slipstream
