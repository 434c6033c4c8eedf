// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/csv_rows.h"

#include <cmath>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using CsvTable = std::vector<std::vector<std::string>>;

struct ReadTable {
  CsvTable rows;
  std::vector<std::int64_t> lines;
  std::string problem;
};

ReadTable readTable(CsvRows& reader) {
  ReadTable table;
  for (std::vector<std::string> row; reader.next(row);) {
    table.rows.push_back(row);
    table.lines.push_back(reader.line());
  }
  const Status finished = reader.finish("t.csv");
  if (!finished) table.problem = toText(finished.error());
  return table;
}

/// The same rows come from a text and from a file of it.
ReadTable tableOf(const std::string& text) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "t.csv";
  std::ofstream(path, std::ios::binary) << text;
  CsvRows ofText(text);
  CsvRows ofFile(*FileBytes::open(path));
  ReadTable table = readTable(ofText);
  const ReadTable same = readTable(ofFile);
  EXPECT_EQ(table.rows, same.rows);
  EXPECT_EQ(table.lines, same.lines);
  EXPECT_EQ(table.problem, same.problem);
  return table;
}

TEST(CsvRows, FieldsAreQuotedAsRfc4180Says) {
  const auto table = tableOf("a,\"b,c\",\"d\"\"e\"\r\n\"two\r\nlines\",,\"\"\r\nlast,\"\"\"\",x");
  EXPECT_EQ(table.rows, (CsvTable{{"a", "b,c", "d\"e"}, {"two\r\nlines", "", ""}, {"last", "\"", "x"}}));
  EXPECT_THAT(table.lines, ElementsAre(1, 2, 4)) << "a row begins where its first field does";
  EXPECT_EQ(table.problem, "");
}

TEST(CsvRows, TheFirstSeparatorOfTheHeaderCountsOutsideQuotationMarks) {
  EXPECT_EQ(tableOf("a;b,c\n1;2,5\n").rows, (CsvTable{{"a", "b,c"}, {"1", "2,5"}}));
  EXPECT_EQ(tableOf("a\tb;c\n").rows, (CsvTable{{"a", "b;c"}}));
  EXPECT_EQ(tableOf("\"a;b\",c\n").rows, (CsvTable{{"a;b", "c"}}));
  EXPECT_EQ(tableOf("a\n1;2\n").rows, (CsvTable{{"a"}, {"1;2"}})) << "with one column it is a comma";
}

TEST(CsvRows, AByteOrderMarkAndBlankLinesArePassedOver) {
  const auto table = tableOf("\xEF\xBB\xBF\n\"a\",b\n\n  \r\n1,2\n\n");
  EXPECT_EQ(table.rows, (CsvTable{{"a", "b"}, {"1", "2"}}));
  EXPECT_THAT(table.lines, ElementsAre(2, 5));
  EXPECT_TRUE(tableOf("").rows.empty());
  EXPECT_TRUE(tableOf("\xEF\xBB\xBF").rows.empty());
}

TEST(CsvRows, AQuotationMarkThatIsNotClosedIsNamedByItsRow) {
  const auto table = tableOf("a,b\n1,2\n3,\"four\n5,6\n");
  EXPECT_EQ(table.rows, (CsvTable{{"a", "b"}, {"1", "2"}}));
  EXPECT_THAT(table.problem, HasSubstr("t.csv:3: a quotation mark is not closed"));
}

/// Pieces of a file end anywhere: in a field, between two quotation marks, before a line feed.
TEST(CsvRows, ALongFileIsReadInPieces) {
  for (const std::size_t shift : {0U, 1U, 2U, 3U, 4U, 5U, 6U, 7U}) {
    std::string text(shift, 'x');
    CsvTable expected;
    while (text.size() < 300'000) {
      const std::string first = expected.empty() ? text : "";
      expected.push_back({first + "a", "\"\"", "b\r\n"});
      text += "a,\"\"\"\"\"\",\"b\r\n\"\r\n";
    }
    const auto table = tableOf(text);
    EXPECT_TRUE(table.rows == expected) << shift;
    EXPECT_EQ(table.lines.back(), 2 * std::ssize(expected) - 1);
  }
}

TEST(CsvRows, ARowWithoutEndDoesNotComeIntoMemory) {
  const auto table = tableOf("a,b\n1,\"2\n" + std::string(17 << 20, 'x') + "\"\n");
  EXPECT_EQ(table.rows, (CsvTable{{"a", "b"}}));
  EXPECT_THAT(table.problem, HasSubstr("t.csv:2: has a row of more than 16.78 MB"));
}

TEST(CsvRows, AFileThatBecomesShorterIsToldOf) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "t.csv";
  std::ofstream(path, std::ios::binary) << std::string(1000, '\n') << std::string(600'000, '\n') << "a,b\n";
  CsvRows rows(*FileBytes::open(path));
  std::filesystem::resize_file(path, 1000);
  const auto table = readTable(rows);
  EXPECT_TRUE(table.rows.empty());
  EXPECT_THAT(table.problem, HasSubstr("t.csv: "));
}

TEST(CellNumber, NumbersAndTheirUsualNames) {
  EXPECT_EQ(cellNumber(" 1.5e3 "), 1500);
  EXPECT_EQ(cellNumber("-Infinity"), -INFINITY);
  EXPECT_TRUE(std::isnan(cellNumber("NaN").value()));
  EXPECT_FALSE(cellNumber(""));
  EXPECT_FALSE(cellNumber("1,5"));
}

}  // namespace
}  // namespace slipstream
