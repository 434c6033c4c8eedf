// SPDX-License-Identifier: GPL-3.0-or-later
// Ascend C: divides a gradient by the loss scale and looks for overflows.
#include "../../npu/kernels/transfers.h"

namespace slipstream_npu {
namespace {

class Unscale {
 public:
  __aicore__ inline explicit Unscale(float limit) {
    pipe_.InitBuffer(in_, 2, wideTileBytes);
    pipe_.InitBuffer(out_, 2, wideTileBytes);
    pipe_.InitBuffer(sizes_, wideTileBytes);
    pipe_.InitBuffer(limits_, wideTileBytes);
    pipe_.InitBuffer(zeros_, wideTileBytes);
    pipe_.InitBuffer(beyond_, wideTileBytes);
    pipe_.InitBuffer(within_, wideTileElements / 8);
    AscendC::Duplicate(limits_.Get<float>(), limit, wideTileElements);
    AscendC::Duplicate(zeros_.Get<float>(), 0.0f, wideTileElements);
    AscendC::Duplicate(beyond_.Get<float>(), 0.0f, wideTileElements);
  }

  __aicore__ inline void run(__gm__ float* gradient, uint64_t elements, float inverse, bool judges) {
    for (uint32_t index = firstOfBlock(); index < partsOf(elements, wideTileElements); index += blockStep()) {
      const Tile tile = partAt(elements, index, wideTileElements);
      Vector values = load(in_, gradient + tile.start, tile.elements);
      Vector scaled = out_.AllocTensor<float>();
      AscendC::Muls(scaled, values, inverse, tile.elements);
      in_.FreeTensor(values);
      if (judges) judge(scaled, tile.elements);
      finish(out_, scaled, gradient + tile.start, tile.elements);
    }
  }

  /// Leaves eight numbers for slipstream_unscale_judge: one is 1 where this block saw an overflow, else all are 0.
  __aicore__ inline void leave(__gm__ float* flags) {
    const Vector beyond = beyond_.Get<float>();
    for (int32_t kept = wideTileElements / 2; kept >= lanes; kept /= 2) {
      AscendC::Max(beyond, beyond, beyond[static_cast<uint32_t>(kept)], kept);
    }
    Vector mine = out_.AllocTensor<float>();
    AscendC::Muls(mine, beyond, 1.0f, lanes);
    out_.EnQue(mine);
    Vector ready = out_.DeQue<float>();
    AscendC::GlobalTensor<float> target;
    target.SetGlobalBuffer(flags + lanes * firstOfBlock(), lanes);
    AscendC::DataCopy(target, ready, lanes);
    out_.FreeTensor(ready);
  }

 private:
  /// What is not within the limit, a NaN too, marks its place.
  __aicore__ inline void judge(const Vector& scaled, int32_t count) {
    const Vector sizes = sizes_.Get<float>();
    const int32_t whole = roundedUp(count, repeat);
    AscendC::Duplicate(sizes, 0.0f, whole);
    AscendC::Abs(sizes, scaled, count);
    const AscendC::LocalTensor<uint8_t> within = within_.Get<uint8_t>();
    AscendC::Compare(within, sizes, limits_.Get<float>(), AscendC::CMPMODE::LE, static_cast<uint32_t>(whole));
    AscendC::Select(sizes, within, zeros_.Get<float>(), 1.0f, AscendC::SELMODE::VSEL_TENSOR_SCALAR_MODE,
                    static_cast<uint32_t>(whole));
    AscendC::Max(beyond_.Get<float>(), beyond_.Get<float>(), sizes, whole);
  }

  AscendC::TPipe pipe_;
  InQueue in_;
  OutQueue out_;
  Memory sizes_;
  Memory limits_;
  Memory zeros_;
  Memory beyond_;
  Memory within_;
};

}  // namespace
}  // namespace slipstream_npu

/// gradient *= inverse. judges: 1, flags[8 * block] and the seven behind it say what lies beyond ±limit.
extern "C" __global__ __aicore__ void slipstream_unscale(GM_ADDR gradient, uint64_t elements, float inverse,
                                                         float limit, uint32_t judges, GM_ADDR flags) {
  slipstream_npu::Unscale unscale(limit);
  unscale.run(reinterpret_cast<__gm__ float*>(gradient), elements, inverse, judges != 0);
  if (judges != 0) unscale.leave(reinterpret_cast<__gm__ float*>(flags));
}

/// Of one block: *overflowed = 1 where one of the `blocks` blocks before saw an overflow, else it stays as it is.
extern "C" __global__ __aicore__ void slipstream_unscale_judge(GM_ADDR flags, uint32_t blocks, GM_ADDR overflowed) {
  using namespace slipstream_npu;
  const int32_t count = static_cast<int32_t>(blocks) * lanes;
  const uint32_t bytes = static_cast<uint32_t>(count) * 4U;
  AscendC::TPipe pipe;
  InQueue in;
  OutQueue out;
  Memory largest;
  Memory work;
  pipe.InitBuffer(in, 1, bytes);
  pipe.InitBuffer(out, 1, lanes * 4);
  pipe.InitBuffer(largest, lanes * 4);
  pipe.InitBuffer(work, bytes);
  AscendC::GlobalTensor<float> source;
  source.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(flags), static_cast<uint64_t>(count));
  Vector filled = in.AllocTensor<float>();
  AscendC::DataCopy(filled, source, static_cast<uint32_t>(count));
  in.EnQue(filled);
  Vector all = in.DeQue<float>();
  const Vector found = largest.Get<float>();
  AscendC::ReduceMax(found, all, work.Get<float>(), count);
  in.FreeTensor(all);
  letScalarSeeVectors(pipe);
  if (found.GetValue(0) == 0.0f) return;
  Vector one = out.AllocTensor<float>();
  AscendC::Duplicate(one, 1.0f, lanes);
  finish(out, one, reinterpret_cast<__gm__ float*>(overflowed), 1);
}
