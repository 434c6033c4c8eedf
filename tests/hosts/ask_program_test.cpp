// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/hosts/ask_program.h"

#include <csignal>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/base/files.h"
#include "tests/support/text_files.h"

namespace slipstream {
namespace {

using testing::StartsWith;

AskedProgram shell(const std::string& script) {
  return {.words = {"sh", "-c", script}};
}

TEST(AskedPrograms, SayWhatTheySay) {
  AskedProgram asked = shell("cat; echo no >&2; exit 3");
  asked.input = "yes";
  const ProgramAnswer answer = askProgram(asked);
  EXPECT_EQ(answer.exitCode, 3);
  EXPECT_EQ(answer.output, "yes");
  EXPECT_EQ(answer.errors, "no\n");
  EXPECT_TRUE(answer.inTime);
  EXPECT_THROW(askProgram({.words = {"no-such-program"}}), Error);
}

TEST(AskedPrograms, AreKilledAtTheirLimit) {
  AskedProgram asked = shell("echo begun; exec sleep 1000");
  asked.limit = std::chrono::seconds{1};
  const ProgramAnswer answer = askProgram(asked);
  EXPECT_FALSE(answer.inTime);
  EXPECT_EQ(answer.exitCode, 128 + SIGKILL);
  EXPECT_EQ(answer.output, "begun\n") << "what it said before counts";
  EXPECT_EQ(lateText(asked), "does not answer within 1 s");
}

TEST(AskedPrograms, AreKilledWhereTheyFallSilent) {
  AskedProgram asked = shell("echo begun; exec sleep 1000");
  asked.silence = std::chrono::seconds{1};
  EXPECT_FALSE(askProgram(asked).inTime);
  EXPECT_EQ(lateText(asked), "has been silent for 1 s");
}

/// Longer than the silence that is allowed, in pieces that are shorter.
TEST(AskedPrograms, GoOnWhileTheySpeakOrRead) {
  AskedProgram speaks = shell("for i in 1 2 3 4 5 6; do sleep 0.5; echo $i; done");
  speaks.silence = std::chrono::seconds{2};
  EXPECT_TRUE(askProgram(speaks).inTime);
  const test::TextFiles files;
  AskedProgram reads = shell("for i in 1 2 3 4 5 6; do sleep 0.5; dd bs=1 count=1 >/dev/null 2>/dev/null; done");
  reads.inputFile = files.write("input", "123456");
  reads.silence = std::chrono::seconds{2};
  EXPECT_TRUE(askProgram(reads).inTime);
}

TEST(AskedPrograms, AreEndedByAPipeThatNobodyReads) {
  std::signal(SIGPIPE, SIG_IGN);
  EXPECT_EQ(askProgram(shell("sh -c 'kill -PIPE $$; echo ignored'; echo $?")).output, "141\n")
      << "we ignore the signal ourselves";
  std::signal(SIGPIPE, SIG_DFL);
}

TEST(AskedPrograms, MayWriteToOurOwnStreams) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  AskedProgram asked = shell("cat; echo no >&2; exit 4");
  asked.input = "yes";
  EXPECT_EQ(passProgram(asked), 4);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "yes");
  EXPECT_THAT(testing::internal::GetCapturedStderr(), StartsWith("no"));
}

}  // namespace
}  // namespace slipstream
