// SPDX-License-Identifier: GPL-3.0-or-later
// What the fake CANN promises its tests: every rule that is broken ends the process with a message that names the call.
#include <cstdlib>
#include <cstring>

#include <gtest/gtest.h>

#include "engine/npu/acl_api.h"
#include "tests/npu/fake_cann/fake_runtime.h"

namespace slipstream {
namespace {

constexpr std::size_t some = 256;

/// A runtime that was started, a device, a stream and memory.
class FakeRuntime : public testing::Test {
 protected:
  FakeRuntime() {
    aclInit(nullptr);
    aclrtSetDevice(0);
    aclrtCreateStream(&stream_);
    aclrtMalloc(&memory_, some, acl::hugePagesFirst);
    aclrtMallocHost(&host_, some);
  }
  ~FakeRuntime() override {
    aclrtSynchronizeStream(stream_);
    aclrtDestroyStream(stream_);
    aclrtFree(memory_);
    aclrtFreeHost(host_);
  }

  std::byte* at(std::size_t offset) { return static_cast<std::byte*>(memory_) + offset; }
  void clear() { aclrtMemsetAsync(memory_, some, 0, some, stream_); }

  aclrtStream stream_ = nullptr;
  void* memory_ = nullptr;
  void* host_ = nullptr;
};
using FakeRuntimeDeath = FakeRuntime;

/// In a process of its own, where nothing was called before.
TEST(FakeRuntimeOrderDeath, InitComesFirst) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(aclrtSetDevice(0), "aclrtSetDevice: aclInit was not called before");
  EXPECT_DEATH(
      {
        aclInit(nullptr);
        void* memory = nullptr;
        aclrtMalloc(&memory, some, 0);
      },
      "aclrtMalloc: aclrtSetDevice was not called on this thread before");
}

TEST_F(FakeRuntimeDeath, MemoryIsFreedOnceAndByItsAddress) {
  void* other = nullptr;
  aclrtMalloc(&other, some, 0);
  aclrtFree(other);
  EXPECT_DEATH(aclrtFree(other), "aclrtFree: the memory was freed before");
  EXPECT_DEATH(aclrtFree(at(1)), "aclrtFree: this is no address that aclrtMalloc gave");
  EXPECT_DEATH(aclrtFree(&other), "aclrtFree: this is no address");
  EXPECT_DEATH(aclrtFreeHost(&other), "aclrtFreeHost: this is no address that aclrtMallocHost gave");
}

TEST_F(FakeRuntimeDeath, MemoryIsNotUsedAfterItWasFreed) {
  void* other = nullptr;
  aclrtMalloc(&other, some, 0);
  aclrtFree(other);
  EXPECT_DEATH(aclrtMemsetAsync(other, some, 0, some, stream_), "aclrtMemsetAsync: uses memory after it was freed");
}

TEST_F(FakeRuntimeDeath, MemoryIsNotFreedBeforeWhatUsesItHasRun) {
  clear();
  EXPECT_DEATH(aclrtFree(memory_), "aclrtFree: work of aclrtMemsetAsync that has not run is going to use the memory");
  aclrtMemcpyAsync(host_, some, memory_, some, acl::deviceToHost, stream_);
  EXPECT_DEATH(aclrtFreeHost(host_), "aclrtFreeHost: a copy that has not run");
}

TEST_F(FakeRuntimeDeath, CopiesStayInsideOfTheirMemory) {
  EXPECT_DEATH(aclrtMemcpyAsync(memory_, 8, host_, 9, acl::hostToDevice, stream_),
               "aclrtMemcpyAsync: copies more bytes than there is room for");
  EXPECT_DEATH(aclrtMemcpyAsync(at(64), some, host_, some, acl::hostToDevice, stream_),
               "reaches 64 bytes beyond the end");
  EXPECT_DEATH(aclrtMemsetAsync(memory_, 8, 0, 9, stream_), "aclrtMemsetAsync: sets more bytes");
  EXPECT_DEATH(aclrtMemcpyAsync(memory_, some, at(64), some, acl::deviceToDevice, stream_), "beyond the end");
}

TEST_F(FakeRuntimeDeath, CopiesBesideTheCallerNeedPinnedMemory) {
  alignas(64) char pageable[some] = {};
  EXPECT_DEATH(aclrtMemcpyAsync(memory_, some, pageable, some, acl::hostToDevice, stream_), "did not give");
  EXPECT_DEATH(aclrtMemcpyAsync(host_, some, pageable, some, acl::deviceToHost, stream_),
               "an address is not of a device");
  EXPECT_DEATH(aclrtMemcpyAsync(host_, some, host_, some, 7, stream_), "an unknown direction");
}

TEST_F(FakeRuntimeDeath, EventsAreRecordedOnceAndGoWhenTheyWerePassed) {
  aclrtEvent event = nullptr;
  aclrtCreateEvent(&event);
  EXPECT_DEATH(aclrtStreamWaitEvent(stream_, event), "aclrtStreamWaitEvent: the event was not recorded before");
  EXPECT_DEATH(aclrtSynchronizeEvent(event), "aclrtSynchronizeEvent: the event was not recorded before");
  aclrtRecordEvent(event, stream_);
  EXPECT_DEATH(aclrtRecordEvent(event, stream_), "aclrtRecordEvent: the event was recorded before");
  EXPECT_DEATH(aclrtDestroyEvent(event), "aclrtDestroyEvent: a stream has not passed the event");
  aclrtSynchronizeEvent(event);
  aclrtDestroyEvent(event);
  EXPECT_DEATH(aclrtDestroyEvent(event), "aclrtDestroyEvent: there is no such event");
}

TEST_F(FakeRuntimeDeath, StreamsAreOfTheirDeviceAndGoEmpty) {
  clear();
  EXPECT_DEATH(aclrtDestroyStream(stream_), "aclrtDestroyStream: the stream has work that has not run");
  EXPECT_DEATH(
      {
        aclrtSetDevice(1);
        clear();
      },
      "aclrtMemsetAsync: the stream is of another device");
  EXPECT_DEATH(aclrtSynchronizeStream(&stream_), "aclrtSynchronizeStream: there is no such stream");
}

TEST_F(FakeRuntime, RunsWorkAsLateAsItMay) {
  std::memset(host_, 1, some);
  clear();
  aclrtMemcpyAsync(host_, some, memory_, some, acl::deviceToHost, stream_);
  EXPECT_EQ(static_cast<char*>(host_)[7], 1) << "nobody has waited";
  aclrtSynchronizeStream(stream_);
  EXPECT_EQ(static_cast<char*>(host_)[7], 0);
}

TEST_F(FakeRuntime, ReadsTheHostsMemoryWhenTheCopyRuns) {
  std::memset(host_, 1, some);
  aclrtMemcpyAsync(memory_, some, host_, some, acl::hostToDevice, stream_);
  std::memset(host_, 2, some);
  aclrtMemcpyAsync(host_, some, memory_, some, acl::deviceToHost, stream_);
  aclrtSynchronizeStream(stream_);
  EXPECT_EQ(static_cast<char*>(host_)[0], 2) << "what was changed too early is what arrives";
}

/// Two streams: without the event, the second copies what the first has not written yet.
TEST_F(FakeRuntime, AnEventThatNobodyWaitsForIsSeen) {
  for (const bool waits : {false, true}) {
    aclrtMemsetAsync(memory_, some, 5, some, stream_);
    aclrtSynchronizeStream(stream_);
    aclrtStream other = nullptr;
    aclrtCreateStream(&other);
    clear();
    aclrtEvent cleared = nullptr;
    aclrtCreateEvent(&cleared);
    aclrtRecordEvent(cleared, stream_);
    if (waits) aclrtStreamWaitEvent(other, cleared);
    aclrtMemcpyAsync(host_, some, memory_, some, acl::deviceToHost, other);
    aclrtSynchronizeStream(other);
    EXPECT_EQ(static_cast<char*>(host_)[0], waits ? 0 : 5);
    aclrtSynchronizeStream(stream_);
    aclrtDestroyEvent(cleared);
    aclrtDestroyStream(other);
  }
}

TEST_F(FakeRuntimeDeath, KernelsAreLaunchedWithWholeListsOfArguments) {
  aclrtBinHandle binary = nullptr;
  ASSERT_EQ(aclrtBinaryLoadFromFile(SLIPSTREAM_SMALL_KERNELS, nullptr, &binary), 0);
  aclrtFuncHandle function = nullptr;
  EXPECT_NE(aclrtBinaryGetFunction(binary, "none", &function), 0);
  ASSERT_EQ(aclrtBinaryGetFunction(binary, "twice", &function), 0);
  aclrtArgsHandle list = nullptr;
  aclrtKernelArgsInit(function, &list);
  aclrtParamHandle place = nullptr;
  aclrtKernelArgsAppend(list, &memory_, sizeof(memory_), &place);
  const auto launch = [&](std::uint32_t blocks) {
    aclrtLaunchKernelWithConfig(function, blocks, stream_, nullptr, list, nullptr);
  };
  EXPECT_DEATH(launch(1), "of twice: the list of arguments was not finalized");
  aclrtKernelArgsFinalize(list);
  EXPECT_DEATH(aclrtKernelArgsFinalize(list), "the list was finalized before");
  EXPECT_DEATH(aclrtKernelArgsAppend(list, &memory_, sizeof(memory_), &place), "the list was finalized before");
  EXPECT_DEATH(launch(0), "no blocks");
  launch(1);
  EXPECT_DEATH(launch(1), "there is no such list of arguments, or it was used up");
  EXPECT_DEATH(aclrtFree(memory_), "work of aclrtLaunchKernelWithConfig of twice that has not run");
  EXPECT_DEATH(aclrtBinaryUnLoad(binary), "aclrtBinaryUnLoad: a kernel of the binary has not run");
}

TEST_F(FakeRuntimeDeath, CopiesBeginAtMultiplesOf64) {
  const auto copy = [&](std::size_t to, std::size_t from) {
    aclrtMemcpyAsync(at(to), 4, at(from), 4, acl::deviceToDevice, stream_);
  };
  copy(64, 128);
  EXPECT_DEATH(copy(32, 128), "aclrtMemcpyAsync: the address is no multiple of 64");
  EXPECT_DEATH(copy(64, 132), "aclrtMemcpyAsync: the address is no multiple of 64");
}

}  // namespace
}  // namespace slipstream
