// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace slipstream {

/// Whether the whole text is UTF-8 (RFC 3629: no overlong forms, no surrogates).
bool isUtf8(std::string_view text);
/// The characters of UTF-8 text; a byte that belongs to none is U+FFFD.
std::u32string charactersOf(std::string_view text);
std::string utf8Of(char32_t character);
/// Characters of UTF-8 text; a byte that belongs to none counts as one.
std::size_t characterCount(std::string_view text);
/// The text as a terminal may show it: control characters and bytes that are not UTF-8 become \n, \t, \x1b; those in
/// `kept` stay.
std::string printable(std::string_view text, std::string_view kept = {});

}  // namespace slipstream
