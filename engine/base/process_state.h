// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace slipstream {

enum class ProcessState {
  gone,     ///< or of another machine, or a zombie
  stopped,  ///< by a signal (Ctrl-Z), so that it may still go on
  running,
};

/// State of a process of this machine; `gone` where `pid` is not positive.
ProcessState processState(std::int64_t pid);

}  // namespace slipstream
