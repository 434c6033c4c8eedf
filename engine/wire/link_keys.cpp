// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/wire/link_keys.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <zmq.h>

#include "engine/base/error.h"
#include "engine/base/text.h"

namespace slipstream {
namespace {

constexpr std::size_t keyLength = 40;

KeyPair makeKeyPair() {
  std::array<char, keyLength + 1> publicKey{};
  std::array<char, keyLength + 1> secretKey{};
  if (::zmq_curve_keypair(publicKey.data(), secretKey.data()) != 0) {
    throw Error("libzmq was built without CURVE, so no line to other hosts can be protected");
  }
  return {publicKey.data(), secretKey.data()};
}

}  // namespace

HubKeys makeHubKeys() {
  return {makeKeyPair(), makeKeyPair()};
}

std::string workerKeysText(const HubKeys& keys) {
  return fmt::format("{} {} {}", keys.hub.publicKey, keys.worker.publicKey, keys.worker.secretKey);
}

Result<std::optional<WorkerKeys>> parseWorkerKeys(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const auto parts = split(text, ' ');
  const bool whole = parts.size() == 3 && std::ranges::all_of(parts, [](const std::string& part) {
                       std::array<std::uint8_t, 32> key{};
                       return part.size() == keyLength && ::zmq_z85_decode(key.data(), part.c_str()) != nullptr;
                     });
  if (!whole) {
    return fail(workerKeysVariable, "", "is not three keys of a run's line", "start workers by `slipstream run`");
  }
  return WorkerKeys{parts[0], {parts[1], parts[2]}};
}

}  // namespace slipstream
