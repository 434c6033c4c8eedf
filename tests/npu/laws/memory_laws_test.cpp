// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/npu/laws/laws_fixture.h"

namespace slipstream {
namespace {

using namespace test;

TEST(TwinLaws, TheUnifiedBufferHas192Kilobytes) {
  const auto take = [](std::uint32_t bytes) {
    return [bytes] {
      AscendC::TPipe pipe;
      Calc memory;
      Calc more;
      pipe.InitBuffer(memory, 191 << 10);
      pipe.InitBuffer(more, bytes);
    };
  };
  execute(take(1024));
  expectBroken(take(1025), "more than the 192 KB");
}

TEST(TwinLaws, AKernelHas64Buffers) {
  const auto take = [](std::uint8_t count) {
    return [count] {
      AscendC::TPipe pipe;
      In queue;
      Calc memory;
      pipe.InitBuffer(queue, count, 32);
      pipe.InitBuffer(memory, 32);
    };
  };
  execute(take(63));
  expectBroken(take(64), "more than 64 buffers");
}

/// The queue and the buffer that were given memory are not taken for those that were not.
TEST(TwinLaws, QueuesAndBuffersAreGivenMemory) {
  const std::string queueWithout = "a TQue was not given memory by InitBuffer";
  expectBroken(
      [] {
        Parts parts;
        In queue;
        queue.AllocTensor<float>();
      },
      queueWithout);
  expectBroken(
      [] {
        Parts parts;
        In queue;
        queue.EnQue(parts.in.AllocTensor<float>());
      },
      queueWithout);
  expectBroken(
      [] {
        Parts parts;
        parts.in.EnQue(parts.in.AllocTensor<float>());
        In queue;
        queue.DeQue<float>();
      },
      queueWithout);
  expectBroken(
      [] {
        Parts parts;
        Floats tensor = parts.computed(1);
        Out queue;
        queue.FreeTensor(tensor);
      },
      queueWithout);
  expectBroken(
      [] {
        Parts parts;
        Calc buffer;
        buffer.Get<float>();
      },
      "a TBuf was not given memory by InitBuffer");
}

TEST(TwinLaws, AKernelHasOnePipe) {
  expectBroken(
      [] {
        AscendC::TPipe pipe;
        AscendC::TPipe other;
      },
      "a kernel has one TPipe");
}

TEST(TwinLaws, APlainCopyIsOfWholeBlocks) {
  DeviceFloats memory;
  const auto copy = [&](std::size_t from, std::uint32_t to, std::uint32_t count) {
    return [&, from, to, count] {
      Parts parts;
      Floats tensor = parts.in.AllocTensor<float>();
      AscendC::DataCopy(tensor[to], memory.from(from, 1024 - from), count);
      parts.in.EnQue(tensor);
      tensor = parts.in.DeQue<float>();
      parts.in.FreeTensor(tensor);
    };
  };
  execute(copy(8, 16, 32));
  expectBroken(copy(1, 0, 32), "DataCopy: the global address is not aligned");
  expectBroken(copy(0, 4, 32), "DataCopy: the local address is not aligned");
  expectBroken(copy(0, 0, 33), "DataCopy: the bytes are no multiple of 32");
  expectBroken(copy(1016, 0, 16), "a copy reads outside the declared global memory");
  expectBroken(copy(0, 0, 512), "an operand reaches beyond its tensor");
}

TEST(TwinLaws, APaddedCopyHasLimits) {
  DeviceFloats memory;
  const auto copy = [&](AscendC::DataCopyExtParams params, std::uint8_t padding, std::uint32_t to = 0) {
    return [&, params, padding, to] {
      Parts parts;
      Floats tensor = parts.in.AllocTensor<float>();
      AscendC::DataCopyPad(tensor[to], memory.from(1, 100), params,
                           AscendC::DataCopyPadExtParams<float>{true, 0, padding, 0.0F});
      parts.in.EnQue(tensor);
      tensor = parts.in.DeQue<float>();
      parts.in.FreeTensor(tensor);
    };
  };
  execute(copy({1, 12, 0, 0, 0}, 5));
  expectBroken(copy({1, 12, 0, 0, 0}, 9), "padding of more than 32 bytes");
  expectBroken(copy({0, 12, 0, 0, 0}, 0), "DataCopyPad: blockCount is not 1 to 4095");
  expectBroken(copy({4096, 12, 0, 0, 0}, 0), "DataCopyPad: blockCount is not 1 to 4095");
  expectBroken(copy({1, 0, 0, 0, 0}, 0), "DataCopyPad: blockLen is not 1 to 2097151");
  expectBroken(copy({1, 2'097'152, 0, 0, 0}, 0), "DataCopyPad: blockLen is not 1 to 2097151");
  expectBroken(copy({1, 12, 0, 0, 0}, 0, 1), "DataCopyPad: the local address is not aligned");
  expectBroken(copy({1, 404, 0, 0, 0}, 0), "a copy reads outside the declared global memory");
}

/// What is written to global memory, by blocks of one launch.
void write(DeviceFloats& memory, std::size_t first, std::size_t declared, std::uint32_t count) {
  Parts parts;
  Floats tensor = parts.computed(1);
  AscendC::DataCopyPad(memory.from(first, declared), tensor, AscendC::DataCopyExtParams{1, count * 4, 0, 0, 0});
  parts.out.FreeTensor(tensor);
}

TEST(TwinLaws, NothingIsWrittenOutsideTheDeclaredMemory) {
  DeviceFloats memory;
  execute([&] { write(memory, 3, 5, 5); });
  EXPECT_EQ(memory.values[2], 0);
  EXPECT_EQ(memory.values[7], 1);
  EXPECT_EQ(memory.values[8], 0);
  expectBroken([&] { write(memory, 3, 5, 6); }, "a copy writes outside the declared global memory");
}

TEST(TwinLaws, NoTwoBlocksOfALaunchWriteTheSame) {
  DeviceFloats memory;
  const auto blocksOf = [&](std::size_t step) {
    return [&, step] { write(memory, static_cast<std::size_t>(AscendC::GetBlockIdx()) * step, 5, 5); };
  };
  execute(blocksOf(5), 3);
  expectBroken(blocksOf(4), "global memory is written that another block of the launch reads or writes", 3);
}

TEST(TwinLaws, NoBlockReadsWhatAnotherOneWrites) {
  DeviceFloats memory;
  const auto readThenWrite = [&](bool readerFirst) {
    return [&, readerFirst] {
      if ((AscendC::GetBlockIdx() == 0) == readerFirst) {
        static_cast<void>(memory.from(4).GetValue(0));
      } else {
        write(memory, 0, 5, 5);
      }
    };
  };
  expectBroken(readThenWrite(true), "global memory is written that another block of the launch reads or writes", 2);
  expectBroken(readThenWrite(false), "global memory is read that a block of the launch writes", 2);
}

/// What copies in does not wait for what copies out.
TEST(TwinLaws, NoBlockReadsWhatItWrote) {
  DeviceFloats memory;
  const auto readAt = [&](std::uint64_t place) {
    return [&, place] {
      write(memory, 0, 5, 5);
      static_cast<void>(memory.from(0).GetValue(place));
    };
  };
  execute(readAt(5));
  expectBroken(readAt(4), "global memory is read that a block of the launch writes");
}

TEST(TwinLaws, AScalarIsReadInsideTheDeclaredMemory) {
  DeviceFloats memory;
  expectBroken([&] { static_cast<void>(memory.from(0, 4).GetValue(4)); },
               "GetValue outside the declared global memory");
}

TEST(Twin, MemoryHoldsNanUntilItIsWritten) {
  execute([] {
    Parts parts;
    const Floats values = parts.first.Get<float>();
    AscendC::Muls(values, values, 1.0F, 8);
    letScalarSeeVectors();
    EXPECT_TRUE(std::isnan(values.GetValue(0)));
  });
}

/// A copy may happen at the latest when the queue must have it: what changes before is copied changed, at random.
TEST(Twin, CopiesHappenLateByLot) {
  DeviceFloats from;
  int late = 0;
  for (std::uint64_t seed = 0; seed < 32; ++seed) {
    from.values[0] = 1;
    execute(
        [&] {
          Parts parts;
          Floats tensor = parts.in.AllocTensor<float>();
          AscendC::DataCopy(tensor, from.from(0), 256);
          parts.in.EnQue(tensor);
          from.values[0] = 2;
          tensor = parts.in.DeQue<float>();
          if (tensor.data()[0] == 2.0F) ++late;
          parts.in.FreeTensor(tensor);
        },
        1, seed);
  }
  EXPECT_GT(late, 4);
  EXPECT_LT(late, 28);
}

}  // namespace
}  // namespace slipstream
