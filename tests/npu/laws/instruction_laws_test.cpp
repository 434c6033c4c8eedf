// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/npu/laws/laws_fixture.h"

namespace slipstream {
namespace {

using namespace test;

TEST(TwinLaws, NothingIsComputedWithWhatWasNotDequeued) {
  DeviceFloats memory;
  expectBroken(
      [] {
        Parts parts;
        const Floats tensor = parts.in.AllocTensor<float>();
        AscendC::Muls(parts.first.Get<float>(), tensor, 1.0F, 8);
      },
      "a vector instruction on a VECIN tensor that was not dequeued");
  expectBroken(
      [] {
        Parts parts;
        const Floats tensor = parts.computed(1);
        AscendC::Muls(tensor, tensor, 2.0F, 8);
      },
      "a vector instruction on a VECOUT tensor that is not allocated, or was enqueued");
  expectBroken(
      [&] {
        Parts parts;
        Floats tensor = parts.loaded(memory);
        parts.in.FreeTensor(tensor);
        AscendC::Muls(parts.first.Get<float>(), tensor, 1.0F, 8);
      },
      "a vector instruction on a VECIN tensor that was not dequeued");
}

TEST(TwinLaws, CopiesKeepToTheirSideOfTheQueues) {
  DeviceFloats memory;
  expectBroken(
      [&] {
        Parts parts;
        AscendC::DataCopy(parts.first.Get<float>(), memory.from(0), 8);
      },
      "a copy into a tensor that is not of VECIN and allocated");
  expectBroken(
      [&] {
        Parts parts;
        const Floats tensor = parts.out.AllocTensor<float>();
        AscendC::Duplicate(tensor, 1.0F, 8);
        AscendC::DataCopy(memory.from(0), tensor, 8);
      },
      "a copy out of a tensor that is not of VECOUT and dequeued");
}

TEST(TwinLaws, AQueueHasItsDepth) {
  expectBroken(
      [] {
        Parts parts;
        for (int k = 0; k < 3; ++k) parts.in.AllocTensor<float>();
      },
      "AllocTensor beyond the buffers of the queue");
  expectBroken(
      [] {
        Parts parts;
        const Floats one = parts.in.AllocTensor<float>();
        const Floats other = parts.in.AllocTensor<float>();
        parts.in.EnQue(one);
        parts.in.EnQue(other);
      },
      "EnQue beyond the depth of the queue");
  expectBroken(
      [] {
        Parts parts;
        parts.in.DeQue<float>();
      },
      "DeQue of an empty queue");
}

TEST(TwinLaws, ATensorIsFreedOnce) {
  DeviceFloats memory;
  expectBroken(
      [&] {
        Parts parts;
        parts.loaded(memory);
      },
      "a queue's tensor was not freed before the kernel ended");
  expectBroken(
      [&] {
        Parts parts;
        Floats tensor = parts.loaded(memory);
        parts.in.FreeTensor(tensor);
        parts.in.FreeTensor(tensor);
      },
      "FreeTensor of a tensor that is free");
  expectBroken(
      [] {
        Parts parts;
        Floats tensor = parts.in.AllocTensor<float>();
        parts.in.FreeTensor(tensor);
      },
      "FreeTensor of a tensor that was not dequeued");
  expectBroken(
      [&] {
        Parts parts;
        Floats tensor = parts.loaded(memory);
        parts.out.FreeTensor(tensor);
      },
      "FreeTensor of another queue's tensor");
}

TEST(TwinLaws, AFreedTensorIsNotUsedAgain) {
  DeviceFloats memory;
  expectBroken(
      [&] {
        Parts parts;
        Floats old = parts.loaded(memory);
        parts.in.FreeTensor(old);
        Floats next = parts.loaded(memory);
        parts.in.FreeTensor(next);
        next = parts.loaded(memory);  // in the memory of the first
        AscendC::Muls(parts.first.Get<float>(), old, 1.0F, 8);
      },
      "use of a tensor that was freed");
}

TEST(TwinLaws, TheScalarUnitWaitsForTheVectorUnit) {
  const auto read = [](bool waits) {
    return [waits] {
      Parts parts;
      const Floats values = parts.first.Get<float>();
      AscendC::Duplicate(values, 3.0F, 8);
      if (waits) letScalarSeeVectors();
      EXPECT_EQ(values.GetValue(7), 3.0F);
    };
  };
  execute(read(true));
  expectBroken(read(false), "GetValue of a vector instruction's result, without V_S");
  expectBroken(
      [] {
        Parts parts;
        const Floats values = parts.first.Get<float>();
        AscendC::Duplicate(values, 3.0F, 8);
        letScalarSeeVectors();
        AscendC::Adds(values, values, 1.0F, 8);  // behind the flag
        static_cast<void>(values.GetValue(0));
      },
      "GetValue of a vector instruction's result, without V_S");
  DeviceFloats memory;
  expectBroken(
      [&] {
        Parts parts;
        static_cast<void>(parts.loaded(memory).GetValue(0));
      },
      "GetValue of what a copy brought, without a flag");
}

TEST(TwinLaws, TheVectorUnitWaitsForTheScalarUnit) {
  const auto write = [](bool waits) {
    return [waits] {
      Parts parts;
      const Floats values = parts.first.Get<float>();
      values.SetValue(0, 2.0F);
      if (waits) {
        AscendC::SetFlag<AscendC::HardEvent::S_V>(1);
        AscendC::WaitFlag<AscendC::HardEvent::S_V>(1);
      }
      AscendC::Muls(values, values, 2.0F, 8);
      EXPECT_EQ(values.data()[0], 4.0F);
    };
  };
  execute(write(true));
  expectBroken(write(false), "a vector instruction on what the scalar unit wrote, without S_V");
}

TEST(TwinLaws, FlagsComeInPairs) {
  using AscendC::HardEvent;
  expectBroken([] { AscendC::WaitFlag<HardEvent::V_S>(0); }, "WaitFlag of a flag that nobody set");
  expectBroken([] { AscendC::SetFlag<HardEvent::V_S>(0); }, "a flag was set and never waited for");
  expectBroken(
      [] {
        AscendC::SetFlag<HardEvent::V_S>(0);
        AscendC::SetFlag<HardEvent::V_S>(0);
      },
      "SetFlag of a flag that is set");
  expectBroken([] { AscendC::SetFlag<HardEvent::V_S>(8); }, "an event's number is 0 to 7");
}

TEST(TwinLaws, OperandsAreApartOrTheSame) {
  const auto add = [](std::uint32_t to, std::uint32_t from) {
    return [to, from] {
      Parts parts;
      const Floats values = parts.first.Get<float>();
      AscendC::Duplicate(values, 1.0F, 256);
      AscendC::Add(values[to], values[from], values[from], 64);
    };
  };
  execute(add(0, 0));
  execute(add(64, 0));
  expectBroken(add(8, 0), "operands overlap and are not the same");
  expectBroken(add(0, 56), "operands overlap and are not the same");
}

TEST(TwinLaws, OperandsAreAlignedAndInsideTheirTensor) {
  const auto muls = [](std::uint32_t first, std::int32_t count) {
    return [first, count] {
      Parts parts;
      AscendC::Muls(parts.second.Get<float>(), parts.first.Get<float>()[first], 1.0F, count);
    };
  };
  execute(muls(8, 248));
  expectBroken(muls(4, 8), "a vector instruction's operand is not aligned to 32 bytes");
  expectBroken(muls(8, 249), "an operand reaches beyond its tensor");
}

TEST(TwinLaws, AnInstructionHas255Repeats) {
  const auto sum = [](std::int32_t repeats) {
    return [repeats] {
      AscendC::TPipe pipe;
      Calc from;
      Calc to;
      pipe.InitBuffer(from, 256 * 256);
      pipe.InitBuffer(to, 1024);
      AscendC::Duplicate(from.Get<float>(), 1.0F, 256 * 64);
      AscendC::WholeReduceSum(to.Get<float>(), from.Get<float>(), 64, repeats, 1, 1, 8);
      EXPECT_EQ(to.Get<float>().data()[254], 64.0F);
    };
  };
  execute(sum(255));
  expectBroken(sum(256), "more than 255 repeats");
}

TEST(TwinLaws, CompareIsOfWholeRepeatsAndSelectHasItsRoom) {
  const auto compare = [](std::uint32_t count) {
    return [count] {
      Parts parts;
      AscendC::TBuf<AscendC::TPosition::VECCALC> mask;
      parts.pipe.InitBuffer(mask, 32);
      AscendC::Compare(mask.Get<std::uint8_t>(), parts.first.Get<float>(), parts.second.Get<float>(),
                       AscendC::CMPMODE::EQ, count);
    };
  };
  execute(compare(128));
  expectBroken(compare(100), "Compare: the elements are no multiple of 256 bytes");
  expectBroken(
      [] {
        Parts parts;
        Calc mask;
        Calc much;
        parts.pipe.InitBuffer(mask, 32);
        parts.pipe.InitBuffer(much, 180 << 10);
        const Floats values = parts.first.Get<float>();
        AscendC::Select(values, mask.Get<std::uint8_t>(), values, 1.0F, AscendC::SELMODE::VSEL_TENSOR_SCALAR_MODE, 8U);
      },
      "Select needs 8 KB of the unified buffer for itself");
}

TEST(TwinLaws, WhatIsOutsideOfAKernelEndsTheProgram) {
  EXPECT_DEATH(AscendC::GetBlockIdx(), "no kernel is being executed");
}

/// 1 + 64 * 2^-24: in pairs the small ones add up before they meet the large one.
TEST(Twin, ASumIsATreeInEveryRepeat) {
  execute([] {
    Parts parts;
    const Floats values = parts.first.Get<float>();
    const Floats sum = parts.second.Get<float>();
    AscendC::Duplicate(values, 0x1p-25F, 128);
    letScalarSeeVectors();
    values.SetValue(0, 1.0F);
    AscendC::SetFlag<AscendC::HardEvent::S_V>(0);
    AscendC::WaitFlag<AscendC::HardEvent::S_V>(0);
    AscendC::ReduceSum(sum, values, sum[64], 128);
    letScalarSeeVectors();
    // (1 + 2^-25 = 1) + 2^-24 = 1, + 2^-23, ... + 2^-20 in the first repeat, and 64 * 2^-25 = 2^-19 from the second.
    EXPECT_EQ(sum.GetValue(0), 1.0F + 0x1p-23F + 0x1p-22F + 0x1p-21F + 0x1p-20F + 0x1p-19F);
  });
}

}  // namespace
}  // namespace slipstream
