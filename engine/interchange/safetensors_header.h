// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/interchange/file_contents.h"

namespace slipstream {

/// The JSON at the front of a safetensors file. Offsets of pieces count from its end and are not checked yet.
struct SafetensorsHeader {
  std::vector<StoredTensor> tensors;
  std::map<std::string, std::string> metadata;
};

/// Reads it in one pass, without a tree of it in memory, and sees names that come twice. Failures call the file `path`.
Result<SafetensorsHeader> parseSafetensorsHeader(std::string_view text, const std::string& path);

}  // namespace slipstream
