// SPDX-License-Identifier: GPL-3.0-or-later
// Ascend C: copies between addresses that Ascend's runtime does not copy between.
#include "../kernels/transfers.h"

namespace slipstream_npu {
namespace {

constexpr int32_t piece = copyPieceBytes;

using Bytes = AscendC::LocalTensor<uint8_t>;
using Global = AscendC::GlobalTensor<uint8_t>;

/// Piece after piece through the unified buffer; two of them are on their way at the same time.
class Copy {
 public:
  __aicore__ inline Copy() { pipe_.InitBuffer(pieces_, 2, piece); }

  __aicore__ inline void run(GM_ADDR to, GM_ADDR from, uint64_t bytes) {
    for (uint32_t index = firstOfBlock(); index < partsOf(bytes, piece); index += blockStep()) {
      const Tile part = partAt(bytes, index, piece);
      read(from + part.start, part.elements);
      Bytes arrived = pieces_.DeQue<uint8_t>();
      store(to + part.start, arrived, part.elements);
      pieces_.FreeTensor(arrived);
    }
  }

 private:
  __aicore__ inline void read(GM_ADDR from, int32_t bytes) {
    Bytes filled = pieces_.AllocTensor<uint8_t>();
    Global source;
    source.SetGlobalBuffer(from, static_cast<uint64_t>(bytes));
    const AscendC::DataCopyExtParams params{1, static_cast<uint32_t>(bytes), 0, 0, 0};
    const AscendC::DataCopyPadExtParams<uint8_t> pad{false, 0, 0, 0};
    AscendC::DataCopyPad(filled, source, params, pad);
    pieces_.EnQue(filled);
  }

  AscendC::TPipe pipe_;
  AscendC::TQueBind<AscendC::TPosition::VECIN, AscendC::TPosition::VECOUT, 2> pieces_;
};

}  // namespace
}  // namespace slipstream_npu

/// Both lie in the device's memory and do not overlap.
extern "C" __global__ __aicore__ void slipstream_copies_bytes(GM_ADDR to, GM_ADDR from, uint64_t bytes) {
  slipstream_npu::Copy().run(to, from, bytes);
}
