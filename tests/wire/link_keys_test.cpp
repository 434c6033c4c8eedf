// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/wire/link_keys.h"

#include <chrono>
#include <cstdlib>

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "engine/base/random.h"
#include "engine/base/text.h"
#include "engine/wire/link.h"
#include "engine/wire/socket.h"
#include "tests/support/environment_variable.h"

namespace slipstream {
namespace {

using namespace std::chrono_literals;

constexpr const char* anyPort = "tcp://127.0.0.1:*";

WorkerKeys workerKeysOf(const HubKeys& keys) {
  return {keys.hub.publicKey, keys.worker};
}

/// What arrives at `hub` within a second of `worker` having sent "hello".
std::vector<WireSocket::Received> heardFrom(WireSocket& worker, WireSocket& hub, std::chrono::milliseconds longest) {
  worker.send("", "hello");
  const auto until = std::chrono::steady_clock::now() + longest;
  while (std::chrono::steady_clock::now() < until) {
    auto received = hub.receive(20ms);
    if (!received.empty()) return received;
  }
  return {};
}

TEST(LinkKeys, WhoHasTheRunsKeysIsHeardAndAnswered) {
  const HubKeys keys = makeHubKeys();
  WireSocket hub = WireSocket::bind(anyPort, keys);
  WireSocket worker = WireSocket::connect(hub.endpoint(), workerKeysOf(keys));
  const auto heard = heardFrom(worker, hub, 20s);
  ASSERT_EQ(heard.size(), 1U);
  EXPECT_EQ(heard.front().bytes, "hello");
  hub.send(heard.front().peer, "welcome");
  std::vector<WireSocket::Received> answer;
  for (int round = 0; round < 1000 && answer.empty(); ++round) answer = worker.receive(20ms);
  ASSERT_EQ(answer.size(), 1U);
  EXPECT_EQ(answer.front().bytes, "welcome");
}

TEST(LinkKeys, NobodyElseIsHeard) {
  const HubKeys keys = makeHubKeys();
  const HubKeys others = makeHubKeys();
  WireSocket hub = WireSocket::bind(anyPort, keys);
  WireSocket withoutKeys = WireSocket::connect(hub.endpoint());
  WireSocket ofAnotherRun = WireSocket::connect(hub.endpoint(), workerKeysOf(others));
  WireSocket knowsTheHub = WireSocket::connect(hub.endpoint(), WorkerKeys{keys.hub.publicKey, others.worker});
  for (WireSocket* stranger : {&withoutKeys, &ofAnotherRun, &knowsTheHub}) {
    EXPECT_TRUE(heardFrom(*stranger, hub, 400ms).empty());
  }
  WireSocket worker = WireSocket::connect(hub.endpoint(), workerKeysOf(keys));
  EXPECT_EQ(heardFrom(worker, hub, 20s).size(), 1U) << "strangers keep nobody out";
}

TEST(LinkKeys, BytesThatAreNoMessagesAreNotHeardAndBreakNothing) {
  const HubKeys keys = makeHubKeys();
  WireSocket hub = WireSocket::bind(anyPort, keys);
  const std::string endpoint = hub.endpoint();
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(*parseInteger(endpoint.substr(endpoint.rfind(':') + 1))));
  ::inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
  Random random{5, RandomStream::test};
  for (int connection = 0; connection < 200; ++connection) {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ASSERT_EQ(::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    std::string bytes(random.below(300), '\0');
    for (char& byte : bytes) byte = static_cast<char>(random.below(256));
    if (connection % 2 == 0) bytes.insert(0, std::string("\xff\0\0\0\0\0\0\0\x01\x7f\x03", 11));
    [[maybe_unused]] const auto sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    ::close(socket);
  }
  EXPECT_TRUE(hub.receive(200ms).empty());
  WireSocket worker = WireSocket::connect(endpoint, workerKeysOf(keys));
  EXPECT_EQ(heardFrom(worker, hub, 20s).size(), 1U);
}

TEST(LinkKeys, AreReadAsTheyWereWrittenAndNeverRepeatedInFailures) {
  const HubKeys keys = makeHubKeys();
  const auto read = parseWorkerKeys(workerKeysText(keys));
  ASSERT_TRUE(read && *read);
  EXPECT_EQ((*read)->hubPublicKey, keys.hub.publicKey);
  EXPECT_EQ((*read)->worker.secretKey, keys.worker.secretKey);
  EXPECT_FALSE(*parseWorkerKeys("")) << "a line that needs none";
  const std::string broken = workerKeysText(keys).substr(1);
  const auto refused = parseWorkerKeys(broken);
  ASSERT_FALSE(refused);
  EXPECT_THAT(toText(refused.error()), ::testing::Not(::testing::HasSubstr(broken.substr(0, 20))));
}

TEST(LinkKeys, LeaveTheEnvironmentOfAWorker) {
  const HubKeys keys = makeHubKeys();
  const test::EnvironmentVariable hub("SLIPSTREAM_HUB", "tcp://127.0.0.1:1");
  const test::EnvironmentVariable run("SLIPSTREAM_RUN", "r1");
  const test::EnvironmentVariable attempt("SLIPSTREAM_ATTEMPT", "1");
  const test::EnvironmentVariable text(workerKeysVariable, workerKeysText(keys));
  const auto address = linkAddressFromEnvironment();
  ASSERT_TRUE(address);
  EXPECT_TRUE(address->keys.has_value());
  EXPECT_EQ(std::getenv(workerKeysVariable), nullptr);
}

}  // namespace
}  // namespace slipstream
