// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>

#include "engine/base/failure.h"

namespace slipstream {

/// Room on the disk of a folder, taken by a file without a name: what must still be written when the disk is full
/// finds room once this is let go of.
class DiskReserve {
 public:
  /// Fails where the folder has no such room.
  static Result<DiskReserve> take(const std::filesystem::path& folder, std::int64_t bytes);
  ~DiskReserve();
  DiskReserve(DiskReserve&& other) noexcept;
  DiskReserve& operator=(DiskReserve&& other) noexcept;

  void letGo();

 private:
  explicit DiskReserve(int file) : file_(file) {}
  int file_;
};

}  // namespace slipstream
