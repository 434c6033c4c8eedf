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

TEST(Characters, AreReadAndWrittenAsUtf8) {
  const std::string text = "a\xC3\xA9\xE4\xB8\xAD\xF0\x9D\x84\x9E";
  const std::u32string characters = charactersOf(text);
  EXPECT_EQ(characters, (std::u32string{U'a', 0xE9, 0x4E2D, 0x1D11E}));
  std::string again;
  for (const char32_t character : characters) again += utf8Of(character);
  EXPECT_EQ(again, text);
  EXPECT_EQ(charactersOf("x\xE4\xB8"), (std::u32string{U'x', 0xFFFD, 0xFFFD})) << "cut";
  EXPECT_EQ(charactersOf("\xED\xA0\x80"), (std::u32string{0xFFFD, 0xFFFD, 0xFFFD})) << "half of a pair";
  EXPECT_EQ(charactersOf(""), std::u32string());
}

}  // namespace
}  // namespace slipstream
