// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/characters.h"

#include <gtest/gtest.h>

namespace slipstream {
namespace {

TEST(Characters, TextIsUtf8OrNot) {
  for (const char* good : {"", "run", "Zürich", "层", "\xF0\x9F\x9A\xB4", "\xED\x9F\xBF", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_TRUE(isUtf8(good)) << good;
  }
  for (const char* bad : {"\xFF", "a\x80", "\xC3", "\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80",
                          "\xF0\x8F\xBF\xBF", "\xE5\xB1", "\xF5\x80\x80\x80"}) {
    EXPECT_FALSE(isUtf8(bad)) << printable(bad);
  }
}

TEST(Characters, AreCountedAndNotBytes) {
  EXPECT_EQ(characterCount("Zürich"), 6U);
  EXPECT_EQ(characterCount("\xF0\x9F\x9A\xB4!"), 2U);
  EXPECT_EQ(characterCount("\xFF\xFE"), 2U);
}

TEST(Characters, NothingThatATerminalObeysIsPrintable) {
  EXPECT_EQ(printable("Zürich\n\t"), "Zürich\\n\\t");
  EXPECT_EQ(printable("\x1b[31mred\x07\x7f"), "\\x1b[31mred\\x07\\x7f");
  EXPECT_EQ(printable("\xC2\x9B\x31m"), "\\xc2\\x9b1m") << "the one-character form of ESC [";
  EXPECT_EQ(printable("a\xFFz"), "a\\xffz");
  EXPECT_EQ(printable("one\ntwo\r", "\n"), "one\ntwo\\x0d");
}

}  // namespace
}  // namespace slipstream
