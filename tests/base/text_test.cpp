// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/text.h"

#include <cmath>
#include <csignal>
#include <limits>
#include <span>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/failure.h"
#include "engine/base/hash.h"
#include "engine/base/process_identity.h"
#include "engine/base/process_state.h"

namespace slipstream {
namespace {

TEST(Text, NumbersAreReadWholeOrNotAtAll) {
  EXPECT_EQ(parseInteger("42"), 42);
  EXPECT_EQ(parseInteger("42x"), std::nullopt);
  EXPECT_EQ(parseInteger(""), std::nullopt);
  EXPECT_EQ(parseNumber("1e-3"), 1e-3);
  EXPECT_EQ(parseNumber("nan"), std::nullopt);
}

TEST(Text, SizesDurationsAndCounts) {
  EXPECT_EQ(sizeText(std::int64_t{999}), "999 B");
  EXPECT_EQ(sizeText(std::size_t{8'040'000}), "8.04 MB");
  EXPECT_EQ(durationText(7), "00:07");
  EXPECT_EQ(durationText(4320), "1 h 12 min");
  EXPECT_EQ(countText(1234567), "1,234,567");
  EXPECT_EQ(countText(-123), "-123");
  EXPECT_EQ(counted(1, "rank"), "1 rank");
  EXPECT_EQ(counted(0, "rank"), "0 ranks");
  EXPECT_EQ(counted(60000, "sample"), "60,000 samples");
  EXPECT_EQ(numberText(std::nan("")), "nan");
  EXPECT_EQ(numberText(-std::numeric_limits<double>::infinity()), "-inf");
}

TEST(Text, PatternsCoverTheWholeText) {
  EXPECT_TRUE(matchesPattern("conv1.bias", "*.bias"));
  EXPECT_TRUE(matchesPattern("conv1.bias", "conv?.*"));
  EXPECT_FALSE(matchesPattern("conv1.bias2", "*.bias"));
}

TEST(Text, NearestWordHelpsWithASlipOnly) {
  EXPECT_EQ(nearestWord("epohcs", {"epochs", "steps"}), "epochs");
  EXPECT_EQ(nearestWord("zebra", {"epochs", "steps"}), std::nullopt);
}

TEST(Failure, SaysPlaceProblemValueAndRemedy) {
  EXPECT_EQ(toText(Failure{"train.epochs", "-1", "must be positive", "give a number above 0"}),
            "train.epochs: must be positive (found -1); give a number above 0");
}

TEST(Hash, KnownAnswers) {
  // FIPS 180-4 example "abc" and the CRC-32C check value of RFC 3720.
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  Sha256 pieces;
  for (const std::string_view piece : {"a", "", "bc"}) pieces.add(std::as_bytes(std::span(piece)));
  EXPECT_EQ(pieces.text(), sha256("abc"));
  const std::string digits = "123456789";
  EXPECT_EQ(crc32c(std::as_bytes(std::span(digits.data(), digits.size()))), 0xE3069283U);
}

/// Bit by bit, as RFC 3720 defines it.
std::uint32_t slowCrc32c(std::span<const std::byte> bytes) {
  std::uint32_t crc = ~0U;
  for (const std::byte byte : bytes) {
    crc ^= std::to_integer<std::uint32_t>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1U) != 0 ? 0x82F63B78U : 0U);
  }
  return ~crc;
}

TEST(Hash, Crc32cOfAnyLengthIsThatOfItsDefinition) {
  std::vector<std::byte> bytes(20'000);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>((i * i + 7 * i) >> 3);
  const std::span<const std::byte> all(bytes);
  const std::vector<std::size_t> lengths{0, 1, 7, 8, 9, 63, 6143, 6144, 6145, 6152, 12'287, 12'288, 12'289, 20'000};
  for (const std::size_t length : lengths) {
    EXPECT_EQ(crc32c(all.first(length)), slowCrc32c(all.first(length))) << length;
  }
  EXPECT_EQ(crc32c(all.subspan(3, 13'000)), slowCrc32c(all.subspan(3, 13'000))) << "at no word's beginning";
}

TEST(ProcessState, IsRunningStoppedOrGone) {
  EXPECT_EQ(processState(::getpid()), ProcessState::running);
  EXPECT_EQ(processState(0), ProcessState::gone);
  const pid_t child = ::fork();
  if (child == 0) {
    ::raise(SIGSTOP);
    ::_exit(0);
  }
  ::waitpid(child, nullptr, WUNTRACED);
  EXPECT_EQ(processState(child), ProcessState::stopped);
  ::kill(child, SIGKILL);
  siginfo_t ended{};
  ::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT);
  EXPECT_EQ(processState(child), ProcessState::gone) << "a zombie";
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(processState(child), ProcessState::gone);
}

TEST(ProcessIdentity, ThisProcessIsAliveAndItsNumberAloneIsNotEnough) {
  ProcessIdentity self = thisProcess();
  EXPECT_EQ(livenessOf(self), Liveness::alive);
  self.startTicks += 1;
  EXPECT_EQ(livenessOf(self), Liveness::gone);
  const std::string place = self.bootId;
  self.bootId += "1";
  EXPECT_EQ(livenessOf(self), Liveness::unknown) << "its number says nothing in another PID namespace";
  self.bootId = place.substr(0, place.find(' '));
  EXPECT_EQ(livenessOf(self), Liveness::unknown) << "noted by a version that knew no namespaces";
  self.bootId = "an earlier one 1";
  EXPECT_EQ(livenessOf(self), Liveness::gone) << "no namespace outlives its machine";
  self.host = "elsewhere";
  EXPECT_EQ(livenessOf(self), Liveness::unknown);
}

}  // namespace
}  // namespace slipstream
