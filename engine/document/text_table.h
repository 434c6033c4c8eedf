// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace slipstream {

using TextRow = std::vector<std::string>;

/// Aligned columns, two blanks between them: the first `leftColumns` begin on the left, the others end on the right.
/// Characters are counted, not bytes. Rows may be short; no line ends in blanks.
/// `indent` is put before every line.
std::string tableText(const std::vector<TextRow>& rows, std::size_t leftColumns = 1, const std::string& indent = "");

}  // namespace slipstream
