// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "app/cli/streams/output.h"

namespace slipstream::cli {

/// Where a document goes that a command has made.
struct Delivery {
  std::string output;  ///< a file or a folder; empty: stdout
  bool json = false;   ///< stdout holds {"file": ..., "table" or "text": ...}
};

/// Writes the text to stdout, to the named file, or under `fileName` into the named folder. Returns the exit code.
int deliver(const std::string& text, const std::string& fileName, const Delivery& delivery);

}  // namespace slipstream::cli
