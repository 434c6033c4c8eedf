// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace slipstream {

/// FlushDenormals (engine/device/cpu) for this thread and those of its OpenMP team, where oneDNN computes.
class TeamFlushDenormals {
 public:
  TeamFlushDenormals();
  ~TeamFlushDenormals();
  TeamFlushDenormals(const TeamFlushDenormals&) = delete;
  TeamFlushDenormals& operator=(const TeamFlushDenormals&) = delete;

 private:
  unsigned int before_;
};

}  // namespace slipstream
