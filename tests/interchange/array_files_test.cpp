// SPDX-License-Identifier: GPL-3.0-or-later
// Arrays of numpy: files that numpy wrote (tests/cases/numpy/make.py), and files that are wrong.
#include "engine/interchange/array_files.h"

#include <cmath>
#include <fstream>
#include <limits>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "engine/base/files.h"
#include "tests/support/numpy_files.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

using namespace slipstream::test;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using Integers = std::vector<std::int64_t>;
using Floats = std::vector<float>;
using Bytes = std::vector<std::uint8_t>;
using Shape = std::vector<std::int64_t>;

const std::filesystem::path cases = std::filesystem::path(SLIPSTREAM_SOURCE) / "tests/cases/numpy";

constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

/// Everything that a reader says: values until the first failure, and its text.
template <class Value>
struct Read {
  std::vector<Value> values;
  std::string problem;
};

template <class Value>
Read<Value> readWith(ArrayContainer& arrays, const std::string& name, Status (ArrayReader::*read)(std::span<Value>)) {
  const auto info = arrays.find(name);
  if (!info) return {{}, toText(info.error())};
  auto reader = arrays.open(name);
  if (!reader) return {{}, toText(reader.error())};
  std::vector<Value> values(static_cast<std::size_t>(info->count()));
  const Status done = ((**reader).*read)(values);
  if (!done) return {{}, toText(done.error())};
  const Status finished = (*reader)->finish();
  if (!finished) return {values, toText(finished.error())};
  return {values, ""};
}

Floats floatsOf(ArrayContainer& arrays, const std::string& name) {
  const auto read = readWith<float>(arrays, name, &ArrayReader::readFloats);
  EXPECT_EQ(read.problem, "") << name;
  return read.values;
}

Integers integersOf(ArrayContainer& arrays, const std::string& name) {
  const auto read = readWith<std::int64_t>(arrays, name, &ArrayReader::readIntegers);
  EXPECT_EQ(read.problem, "") << name;
  return read.values;
}

Bytes bytesOf(ArrayContainer& arrays, const std::string& name) {
  const auto read = readWith<std::uint8_t>(arrays, name, &ArrayReader::readBytes);
  EXPECT_EQ(read.problem, "") << name;
  return read.values;
}

std::unique_ptr<ArrayContainer> opened(const std::filesystem::path& path) {
  auto arrays = openArrays(path);
  if (!arrays) throw std::runtime_error(toText(arrays.error()));
  return std::move(*arrays);
}

std::vector<std::string> namesIn(const ArrayContainer& arrays) {
  std::vector<std::string> names;
  for (const ArrayInfo& info : arrays.arrays()) names.push_back(info.name);
  return names;
}

class ArrayFiles : public ::testing::Test {
 protected:
  std::filesystem::path write(const std::string& name, std::string_view bytes) const {
    std::filesystem::create_directories((folder_.path() / name).parent_path());
    std::ofstream(folder_.path() / name, std::ios::binary) << bytes;
    return folder_.path() / name;
  }
  /// Of a file of these bytes; empty where it is taken.
  std::string refusal(std::string_view bytes) const {
    const auto arrays = openArrays(write("case.npz", bytes));
    return arrays ? "" : toText(arrays.error());
  }
  /// Of an array of these bytes: the same in a folder and in an archive.
  std::string refusalOfArray(const std::string& npy) const {
    std::filesystem::remove_all(folder_.path() / "case");
    write("case/x.npy", npy);
    const auto inFolder = openArrays(folder_.path() / "case");
    const auto inArchive = openArrays(write("case.npz", zipOf({deflated("x.npy", npy)})));
    if (inFolder.has_value() != inArchive.has_value()) return "differs";
    if (inFolder) return "";
    EXPECT_EQ(inFolder.error().front().where, (folder_.path() / "case/x.npy").string());
    EXPECT_EQ(inArchive.error().front().where, (folder_.path() / "case.npz").string() + ": x.npy");
    EXPECT_EQ(inFolder.error().front().problem, inArchive.error().front().problem);
    EXPECT_FALSE(inFolder.error().front().remedy.empty());
    return toText(inArchive.error());
  }
  /// An archive of one array that is read to its end: the problem, or nothing.
  std::string problemOfReading(const std::string& archive) const {
    const auto arrays = openArrays(write("case.npz", archive));
    if (!arrays) return "at once: " + toText(arrays.error());
    return readWith<float>(**arrays, "x", &ArrayReader::readFloats).problem;
  }

  TemporaryFolder folder_;
};

// ---------------------------------------------------------------- what numpy wrote

TEST_F(ArrayFiles, EveryTypeIsReadAsFloats) {
  const auto arrays = opened(cases / "types.npz");
  EXPECT_THAT(namesIn(*arrays), ElementsAre("bool", "float16", "float32", "float64", "int16", "int32", "int64", "int8",
                                            "uint16", "uint32", "uint64", "uint8"));
  for (const ArrayInfo& info : arrays->arrays()) {
    EXPECT_EQ(nameOf(info.type), info.name);
    EXPECT_EQ(info.shape, Shape{3});
  }
  EXPECT_EQ(floatsOf(*arrays, "bool"), (Floats{0, 1, 1}));
  EXPECT_EQ(floatsOf(*arrays, "uint8"), (Floats{0, 1, 255}));
  EXPECT_EQ(floatsOf(*arrays, "int8"), (Floats{-128, 0, 127}));
  EXPECT_EQ(floatsOf(*arrays, "uint16"), (Floats{0, 256, 65535}));
  EXPECT_EQ(floatsOf(*arrays, "int16"), (Floats{-32768, 0, 32767}));
  EXPECT_EQ(floatsOf(*arrays, "uint32"), (Floats{0, 65536, 0x1p32F}));
  EXPECT_EQ(floatsOf(*arrays, "int32"), (Floats{-0x1p31F, 0, 0x1p31F}));
  EXPECT_EQ(floatsOf(*arrays, "uint64"), (Floats{0, 0x1p32F, 0x1p63F}));
  EXPECT_EQ(floatsOf(*arrays, "int64"), (Floats{-0x1p63F, 16777216, 0x1p63F})) << "16777217 is rounded to even";
  EXPECT_EQ(floatsOf(*arrays, "float16"), (Floats{-2, 0x1p-24F, 65504}));
  EXPECT_EQ(floatsOf(*arrays, "float32"), (Floats{-2, 0.5F, 0x1p127F}));
  EXPECT_EQ(floatsOf(*arrays, "float64"), (Floats{-2, 0.1F, 0x1p-149F}));
}

TEST_F(ArrayFiles, EveryIntegerTypeIsReadAsIntegers) {
  const auto arrays = opened(cases / "types.npz");
  EXPECT_EQ(integersOf(*arrays, "bool"), (Integers{0, 1, 1}));
  EXPECT_EQ(integersOf(*arrays, "uint8"), (Integers{0, 1, 255}));
  EXPECT_EQ(integersOf(*arrays, "int8"), (Integers{-128, 0, 127}));
  EXPECT_EQ(integersOf(*arrays, "uint16"), (Integers{0, 256, 65535}));
  EXPECT_EQ(integersOf(*arrays, "int16"), (Integers{-32768, 0, 32767}));
  EXPECT_EQ(integersOf(*arrays, "uint32"), (Integers{0, 65536, 4294967295}));
  EXPECT_EQ(integersOf(*arrays, "int32"), (Integers{-2147483648, 0, 2147483647}));
  EXPECT_EQ(integersOf(*arrays, "uint64"), (Integers{0, 4294967296, most}));
  EXPECT_EQ(integersOf(*arrays, "int64"), (Integers{least, 16777217, most}));
  for (const auto& [name, value] : {std::pair{"float16", "5.96"}, {"float32", "0.5"}, {"float64", "0.1"}}) {
    EXPECT_THAT(readWith<std::int64_t>(*arrays, name, &ArrayReader::readIntegers).problem,
                AllOf(HasSubstr(std::string("types.npz: ") + name + ".npy at [1]: is no whole number"),
                      HasSubstr(value), HasSubstr("numpy.int64")));
  }
}

TEST_F(ArrayFiles, BytesAreReadOfBytesAndTruthValuesOnly) {
  const auto arrays = opened(cases / "types.npz");
  EXPECT_EQ(bytesOf(*arrays, "uint8"), (Bytes{0, 1, 255}));
  EXPECT_EQ(bytesOf(*arrays, "bool"), (Bytes{0, 1, 1}));
  for (const char* name : {"int8", "uint16", "float32"}) {
    EXPECT_THAT(readWith<std::uint8_t>(*arrays, name, &ArrayReader::readBytes).problem,
                AllOf(HasSubstr("holds no bytes"), HasSubstr(name)));
  }
}

TEST_F(ArrayFiles, StoredAndDeflatedArchivesHoldTheSame) {
  Bytes images(24);
  for (std::size_t i = 0; i < images.size(); ++i) images[i] = static_cast<std::uint8_t>(10 * i);
  for (const char* name : {"stored.npz", "deflated.npz"}) {
    const auto arrays = opened(cases / name);
    const auto info = arrays->find("x_train");
    ASSERT_TRUE(info);
    EXPECT_EQ(info->type, ArrayType::u8);
    EXPECT_EQ(info->shape, (Shape{2, 3, 4}));
    EXPECT_EQ(info->count(), 24);
    EXPECT_EQ(bytesOf(*arrays, "x_train"), images);
    EXPECT_EQ(integersOf(*arrays, "y_train"), (Integers{7, -1}));
  }
  const auto stored = opened(cases / "stored.npz");
  EXPECT_THAT(namesIn(*stored), ElementsAre("none", "scale", "x_train", "y_train"));
  EXPECT_EQ(stored->find("scale")->shape, Shape{});
  EXPECT_EQ(floatsOf(*stored, "scale"), Floats{0.25F});
  EXPECT_EQ(stored->find("none")->shape, (Shape{0, 5}));
  EXPECT_EQ(floatsOf(*stored, "none"), Floats{});
  const auto deflated = opened(cases / "deflated.npz");
  EXPECT_EQ(floatsOf(*deflated, "blank"), Floats(100'000, 0.0F)) << "nearly as dense as deflate becomes";
}

TEST_F(ArrayFiles, AFolderHoldsWhatCanBeReadAndSaysWhyTheRestCannot) {
  const auto arrays = opened(cases / "arrays");
  EXPECT_THAT(namesIn(*arrays), ElementsAre("version2", "version3", "x"));
  EXPECT_EQ(integersOf(*arrays, "version2"), (Integers{7, -1}));
  EXPECT_EQ(integersOf(*arrays, "version3"), (Integers{7, -1}));
  EXPECT_EQ(arrays->find("x")->shape, (Shape{2, 3, 4}));
  const std::map<std::string, std::pair<std::string, std::string>> refused{
      {"by_columns", {"is stored column by column", "numpy.ascontiguousarray"}},
      {"big_endian", {"holds big-endian values (found >i8)", "newbyteorder"}},
      {"objects", {"holds Python objects (found |O)", "astype"}},
      {"texts", {"holds texts (found <U2)", "numbers"}},
      {"complex", {"holds complex numbers (found <c16)", "two arrays"}},
      {"times", {"holds times (found <M8[D])", "astype(numpy.int64)"}},
      {"fields", {"is a structured array (found [('a', '<i4'), ('b', '<f4', (2,))])", "each field"}}};
  for (const auto& [name, words] : refused) {
    const auto info = arrays->find(name);
    ASSERT_FALSE(info) << name;
    EXPECT_TRUE(arrays->holds(name));
    EXPECT_THAT(toText(info.error()),
                AllOf(HasSubstr("arrays/" + name + ".npy: "), HasSubstr(words.first), HasSubstr(words.second)));
    const auto reader = arrays->open(name);
    ASSERT_FALSE(reader);
    EXPECT_EQ(reader.error(), info.error());
  }
  EXPECT_TRUE(arrays->holds("x"));
  EXPECT_FALSE(arrays->holds("y"));
  EXPECT_THAT(toText(arrays->find("y").error()), HasSubstr("is not among its arrays: version2, version3, x (found y)"));
}

// ---------------------------------------------------------------- reading

TEST_F(ArrayFiles, PartsFollowOnEachOtherHoweverLongTheyAre) {
  std::vector<std::uint16_t> values(100'000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::uint16_t>(i * 7);
  const std::string npy = npyOf("<u2", "(100000,)", bytesOfValues(values));
  write("many/x.npy", npy);
  for (const auto& path : {folder_.path() / "many", write("many.npz", zipOf({deflated("x.npy", npy)}))}) {
    const auto arrays = opened(path);
    const auto reader = arrays->open("x");
    ASSERT_TRUE(reader);
    std::size_t at = 0;
    for (const std::size_t count : {1U, 40'000U, 0U, 59'998U, 1U}) {
      EXPECT_THAT(toText((*reader)->finish().error()), HasSubstr("were not read"));
      Floats part(count);
      ASSERT_TRUE((*reader)->readFloats(part));
      for (const float value : part) ASSERT_EQ(value, static_cast<float>(values[at++]));
    }
    EXPECT_EQ(at, values.size());
    Floats more(1);
    EXPECT_THAT(toText((*reader)->readFloats(more).error()), HasSubstr("has only 0 values left"));
    EXPECT_TRUE((*reader)->finish());
  }
}

TEST_F(ArrayFiles, ReadersOfOneArchiveDoNotDisturbEachOtherAndOutliveIt) {
  const std::string a = npyOf("<i4", "(3,)", bytesOfValues<std::int32_t>({1, 2, 3}));
  const std::string b = npyOf("<i4", "(3,)", bytesOfValues<std::int32_t>({4, 5, 6}));
  auto arrays = opened(write("two.npz", zipOf({{"a.npy", a}, deflated("b.npy", b)})));
  const auto first = *arrays->open("a");
  const auto second = *arrays->open("b");
  arrays.reset();
  Integers values(2);
  for (std::size_t i = 0; i < 3; ++i) {
    ASSERT_TRUE(first->readIntegers(std::span(values).first(1)));
    ASSERT_TRUE(second->readIntegers(std::span(values).last(1)));
    EXPECT_EQ(values, (Integers{static_cast<std::int64_t>(i) + 1, static_cast<std::int64_t>(i) + 4}));
  }
  EXPECT_TRUE(first->finish());
  EXPECT_TRUE(second->finish());
}

TEST_F(ArrayFiles, FloatsThatAreWholeNumbersAreIntegers) {
  write("x/half.npy", npyOf("<f2", "(2, 2)", bytesOfValues<std::uint16_t>({0x4000, 0xC000, 0x0000, 0x8000})));
  write("x/single.npy", npyOf("<f4", "(2,)", bytesOfValues<float>({16777216, -0x1p63F})));
  write("x/double.npy", npyOf("<f8", "(1,)", bytesOfValues<double>({0x1p53})));
  write("x/infinite.npy", npyOf("<f2", "(2, 2)", bytesOfValues<std::uint16_t>({0, 0, 0, 0x7C00})));
  write("x/none.npy", npyOf("<f4", "(1, 1)", bytesOfValues<float>({std::nanf("")})));
  write("x/beyond.npy", npyOf("<f8", "()", bytesOfValues<double>({0x1p63})));
  write("x/large.npy", npyOf("<u8", "(2, 1)", bytesOfValues<std::uint64_t>({0, 1ULL << 63})));
  const auto arrays = opened(folder_.path() / "x");
  EXPECT_EQ(integersOf(*arrays, "half"), (Integers{2, -2, 0, 0}));
  EXPECT_EQ(integersOf(*arrays, "single"), (Integers{16777216, least}));
  EXPECT_EQ(integersOf(*arrays, "double"), Integers{std::int64_t{1} << 53});
  const std::map<std::string, std::string> problems{
      {"infinite", "infinite.npy at [1, 1]: is no whole number of at most 63 bits (found inf)"},
      {"none", "none.npy at [0, 0]: is no whole number of at most 63 bits (found nan)"},
      {"beyond", "beyond.npy at []: is no whole number of at most 63 bits"},
      {"large", "large.npy at [1, 0]: is beyond 63 bits (found 9223372036854775808)"}};
  for (const auto& [name, problem] : problems) {
    EXPECT_THAT(readWith<std::int64_t>(*arrays, name, &ArrayReader::readIntegers).problem, HasSubstr(problem));
  }
}

TEST_F(ArrayFiles, AnOddValueIsNamedByItsPlaceAlsoInLaterParts) {
  std::vector<float> values(50'000, 1.0F);
  values[49'999] = 0.5F;
  write("x/x.npy", npyOf("<f4", "(500, 100)", bytesOfValues(values)));
  const auto arrays = opened(folder_.path() / "x");
  const auto reader = *arrays->open("x");
  Integers part(100);
  ASSERT_TRUE(reader->readIntegers(part));
  part.resize(49'900);
  EXPECT_THAT(toText(reader->readIntegers(part).error()), HasSubstr("at [499, 99]: is no whole number"));
}

TEST_F(ArrayFiles, WhatChangesMeanwhileIsToldNotRead) {
  write("x/x.npy", npyOf("<i4", "(2,)", bytesOfValues<std::int32_t>({1, 2})));
  const auto arrays = opened(folder_.path() / "x");
  write("x/x.npy", npyOf("<i4", "(1,)", bytesOfValues<std::int32_t>({1})));
  EXPECT_THAT(toText(arrays->open("x").error()), HasSubstr("has another header than before, of (2,) (found (1,))"));
  std::filesystem::remove(folder_.path() / "x/x.npy");
  EXPECT_THAT(toText(arrays->open("x").error()), HasSubstr("x.npy: cannot be read"));
}

// ---------------------------------------------------------------- headers

TEST_F(ArrayFiles, ADictionaryIsReadAsPythonWouldReadIt) {
  const std::string six = bytesOfValues<std::uint8_t>({1, 2, 3, 4, 5, 6});
  for (const char* dictionary : {"{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }",
                                 "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3)}",
                                 R"({"shape":(2,3,),"descr":"<u1","fortran_order":False})",
                                 "  {\t'fortran_order' : False , 'shape' : ( 2L , 3L ) , 'descr' : '|u1' }  "}) {
    write("x/x.npy", npyWith(dictionary, six));
    const auto arrays = opened(folder_.path() / "x");
    EXPECT_EQ(arrays->find("x")->shape, (Shape{2, 3})) << dictionary;
    EXPECT_EQ(bytesOf(*arrays, "x"), (Bytes{1, 2, 3, 4, 5, 6}));
  }
  EXPECT_EQ(refusalOfArray(npyOf("|u1", "(6,)", six, "True")), "") << "one dimension has one order";
}

TEST_F(ArrayFiles, AHeaderThatIsNoneIsNamedWithTheReason) {
  const std::vector<std::pair<std::string, std::string>> headers{
      {"", "lacks { at its character"},
      {"{", "lacks a name in quotation marks at its character"},
      {"{}", "has no entry descr"},
      {"{'descr': '<f4'}", "has no entry fortran_order"},
      {"{'descr': '<f4', 'fortran_order': False}", "has no entry shape"},
      {"{'descr': '<f4', 'descr': '<f4'}", "has descr twice"},
      {"{'order': 1}", "has an entry order, which no header has"},
      {"{'descr' '<f4'}", "lacks a colon"},
      {"{'descr': 4}", "lacks a type at its character 11"},
      {"{'descr': [('a', '<f4')", "has a list of fields without an end"},
      {"{'descr': '<f4", "lacks a type"},
      {"{'fortran_order': 0}", "lacks True or False"},
      {"{'shape': 3}", "lacks ( at"},
      {"{'shape': (3)}", "lacks a comma at"},
      {"{'shape': (3 4)}", "lacks a comma at"},
      {"{'shape': (3, 4 5)}", "lacks a comma or ) at"},
      {"{'shape': (-1,)}", "lacks a whole number that fits into 63 bits"},
      {"{'shape': (9223372036854775808,)}", "lacks a whole number that fits into 63 bits"},
      {"{'shape': (" + std::string(99, '1') + ",)}", "lacks a whole number that fits into 63 bits"},
      {"{'shape': (1, 1.5)}", "lacks a comma or )"},
      {"{'shape': (" +
           [] {
             std::string ones;
             for (int i = 0; i < 33; ++i) ones += "1, ";
             return ones;
           }() +
           ")}",
       "has more than 32 dimensions"},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} more", "goes on behind its end, at its character 57"},
      {"{'descr': '<f4' 'fortran_order': False}", "lacks a comma or }"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 268435456)}",
       "has a shape (4294967296, 268435456) of more bytes than fit into 63 bits"},
      {"{'descr': '|u1', 'fortran_order': False, 'shape': (0, 4294967296, 4294967296)}", "of more bytes than fit"}};
  for (const auto& [header, problem] : headers) {
    EXPECT_THAT(refusalOfArray(npyWith(header, "")),
                AllOf(HasSubstr("is no .npy file: its header "), HasSubstr(problem)))
        << header;
  }
}

TEST_F(ArrayFiles, WhatIsNoNpyFileIsNamedWithTheReason) {
  const std::string sound = npyOf("|u1", "(2,)", "ab");
  EXPECT_EQ(refusalOfArray(sound), "");
  for (std::size_t length = 0; length < sound.size(); ++length) {
    const std::string problem = refusalOfArray(sound.substr(0, length));
    if (length >= sound.size() - 2) {
      EXPECT_THAT(problem, HasSubstr("is cut short: its header promises (2,) of uint8, 2 bytes"));
    } else if (length >= 10) {
      EXPECT_THAT(problem, HasSubstr("it ends inside its header"));
    } else {
      EXPECT_THAT(problem, HasSubstr("bytes are too few"));
    }
  }
  EXPECT_THAT(refusalOfArray(sound + "c"), HasSubstr("is longer than its array: its header promises (2,) of uint8"));
  EXPECT_THAT(refusalOfArray("no numpy file"), HasSubstr("it begins with something else"));
  for (const char version : {'\x00', '\x04'}) {
    std::string other = sound;
    other[6] = version;
    EXPECT_THAT(refusalOfArray(other), HasSubstr("is none of 1 to 3"));
  }
  std::string longHeader("\x93NUMPY\x02\x00\x01\x00\x01\x00", 12);
  EXPECT_THAT(refusalOfArray(longHeader + std::string(70'000, ' ')), HasSubstr("its header has 65537 bytes"));
  EXPECT_THAT(refusalOfArray(npyOf("|u1", "(4611686018427387904,)", "ab")), HasSubstr("is cut short"));
  for (const char* type : {"<f16", "<i16", "|i2", "=i4", ">u1", "<b2", "f4", "<", "", "<f4 ", "int32"}) {
    EXPECT_THAT(refusalOfArray(npyOf(type, "(2,)", "ab")), HasSubstr("holds")) << type;
  }
}

// ---------------------------------------------------------------- containers

TEST_F(ArrayFiles, WhatIsNoContainerIsNamed) {
  const auto problem = [](const std::filesystem::path& path) {
    const auto arrays = openArrays(path);
    return arrays ? "" : toText(arrays.error());
  };
  EXPECT_THAT(problem(folder_.path() / "absent"), AllOf(HasSubstr("/absent: does not exist"), HasSubstr(".npz file")));
  EXPECT_THAT(problem(write("plain.txt", "text")), HasSubstr("plain.txt: is no .npz file"));
  EXPECT_THAT(problem(write("empty.npz", "")), HasSubstr("is no .npz file"));
  EXPECT_THAT(problem(write("x.npy", npyOf("|u1", "(2,)", "ab"))), HasSubstr("is a single .npy file"));
  std::filesystem::create_directory(folder_.path() / "folder");
  EXPECT_THAT(problem(folder_.path() / "folder"), HasSubstr("folder: holds no array"));
  EXPECT_THAT(problem(write("none.npz", zipOf({}))), HasSubstr("none.npz: holds no array"));
  EXPECT_THAT(problem(write("other.npz", zipOf({{"readme.txt", "text"}}))), HasSubstr("holds no array"));
  const auto pipe = folder_.path() / "pipe.npz";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(problem(pipe), HasSubstr("is no regular file"));
  ASSERT_EQ(::mkfifo((folder_.path() / "folder/x.npy").c_str(), 0600), 0);
  EXPECT_THAT(problem(folder_.path() / "folder"), HasSubstr("x.npy: is no regular file"));
}

TEST_F(ArrayFiles, OtherFilesArePassedOver) {
  const std::string npy = npyOf("|u1", "(2,)", "ab");
  for (const char* name : {"a.npy", ".hidden.npy", "b.npy.bak", "c.txt", "d.npy/e.npy"}) {
    write(std::string("folder/") + name, npy);
  }
  EXPECT_THAT(namesIn(*opened(folder_.path() / "folder")), ElementsAre("a"));
  const auto archive = write("x.npz", zipOf({{"a.npy", npy}, {"b.txt", npy}, {"sub/c.npy", npy}, {"d.npy/", ""}}));
  EXPECT_THAT(namesIn(*opened(archive)), ElementsAre("a", "sub/c"));
}

TEST_F(ArrayFiles, ArchivesOfZip64AreRead) {
  const std::string npy = npyOf("|u1", "(2,)", "ab");
  const auto arrays = opened(write("x.npz", zipOf({{"a.npy", npy}, deflated("b.npy", npy)}, {.zip64 = true})));
  EXPECT_EQ(bytesOf(*arrays, "a"), (Bytes{'a', 'b'}));
  EXPECT_EQ(bytesOf(*arrays, "b"), (Bytes{'a', 'b'}));
  for (const std::uint64_t members : {std::uint64_t{1} << 24, std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
    EXPECT_THAT(refusal(zipOf({{"a.npy", npy}}, {.zip64 = true, .members = members})),
                HasSubstr("it promises " + std::to_string(members) + " members"));
  }
}

TEST_F(ArrayFiles, AnArchiveThatIsCutShortIsNone) {
  const std::string npy = npyOf("|u1", "(2,)", "ab");
  for (const bool zip64 : {false, true}) {
    const std::string archive = zipOf({{"a.npy", npy}, deflated("b.npy", npy)}, {.zip64 = zip64});
    EXPECT_EQ(refusal(archive), "");
    for (std::size_t length = 0; length < archive.size(); ++length) {
      EXPECT_NE(refusal(archive.substr(0, length)), "") << length << " of " << archive.size();
    }
  }
}

TEST_F(ArrayFiles, ANameThatTwoArraysHaveIsRefused) {
  const std::string npy = npyOf("|u1", "(2,)", "ab");
  EXPECT_THAT(refusal(zipOf({{"x.npy", npy}, {"y.npy", npy}, {"x.npy", npy}})),
              HasSubstr("case.npz: is the name of two arrays (found x)"));
  EXPECT_EQ(refusal(zipOf({{"x.txt", npy}, {"y.npy", npy}, {"x.txt", npy}})), "") << "of no array";
}

TEST_F(ArrayFiles, AWrongChecksumIsSeenAtTheEnd) {
  const std::string npy = npyOf("<f4", "(2,)", bytesOfValues<float>({1, 2}));
  ZipMember member = deflated("x.npy", npy);
  EXPECT_EQ(problemOfReading(zipOf({member})), "");
  member.crc = *member.crc ^ 1U;
  EXPECT_THAT(problemOfReading(zipOf({member})), AllOf(HasSubstr("case.npz: x.npy: is no whole .npz file: "),
                                                       HasSubstr("CRC"), Not(HasSubstr("at once"))));
  EXPECT_EQ(problemOfReading(zipOf({{"x.npy", npy}})), "");
  EXPECT_THAT(problemOfReading(zipOf({{.name = "x.npy", .stored = npy, .crc = 5}})),
              AllOf(HasSubstr("CRC"), Not(HasSubstr("at once"))));
}

TEST_F(ArrayFiles, SizesThatAnArchiveOnlyPromisesAreRefused) {
  const auto of = [](std::int64_t count) {
    return npyOf("<f4", "(" + std::to_string(count) + ",)", std::string(8, '\0'));
  };
  const auto sizeOf = [&](std::int64_t count) { return of(count).size() - 8 + 4 * static_cast<std::uint64_t>(count); };
  // A stored member is as long as it says; a deflated one at most 1032 times as long as its bytes.
  EXPECT_THAT(problemOfReading(zipOf({{.name = "x.npy", .stored = of(1000), .size = sizeOf(1000)}})),
              AllOf(HasSubstr("at once"), HasSubstr("it cannot have")));
  ZipMember member = deflated("x.npy", of(1'000'000'000'000));
  member.size = sizeOf(1'000'000'000'000);
  for (const bool zip64 : {false, true}) {
    EXPECT_NE(problemOfReading(zipOf({member}, {.zip64 = zip64})), "");
  }
  EXPECT_THAT(problemOfReading(zipOf({member}, {.zip64 = true})),
              AllOf(HasSubstr("at once"), HasSubstr("it cannot have 4000000000")));
  // What could be is held against what is: more or less than promised.
  member = deflated("x.npy", of(10'000));
  member.size = sizeOf(10'000);
  EXPECT_THAT(problemOfReading(zipOf({member})), HasSubstr("is no whole .npz file: "));
  EXPECT_THAT(problemOfReading(zipOf({member})), Not(HasSubstr("at once")));
  member = deflated("x.npy", of(2) + std::string(1000, 'x'));
  member.size = sizeOf(2);
  EXPECT_THAT(problemOfReading(zipOf({member})),
              AllOf(HasSubstr("is no whole .npz file: "), Not(HasSubstr("at once"))));
}

TEST_F(ArrayFiles, EncryptedAndOtherwiseCompressedMembersAreRefused) {
  const std::string npy = npyOf("|u1", "(2,)", "ab");
  EXPECT_THAT(refusal(zipOf({{.name = "x.npy", .stored = npy, .flags = 1}})), HasSubstr("x.npy: is encrypted"));
  for (const int method : {1, 9, 12, 14, 93, 95}) {
    EXPECT_THAT(refusal(zipOf({{.name = "x.npy", .stored = npy, .method = static_cast<std::uint16_t>(method)}})),
                AllOf(HasSubstr("x.npy: is compressed in a way that is not read"),
                      HasSubstr("method " + std::to_string(method))));
  }
  const auto both = opened(write("both.npz", zipOf({{.name = "x.npy", .stored = npy, .flags = 1}, {"y.npy", npy}})));
  EXPECT_THAT(namesIn(*both), ElementsAre("y"));
  EXPECT_THAT(toText(both->find("x").error()), HasSubstr("is encrypted"));
}

}  // namespace
}  // namespace slipstream
