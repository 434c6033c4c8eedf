// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/evp.h>

#include "engine/base/hash.h"
#include "engine/interchange/ckpt_writer.h"
#include "engine/interchange/element_values.h"
#include "tests/interchange/written_file.h"
#include "tests/support/golden.h"

namespace slipstream {
namespace {

using nlohmann::json;

std::string decoded(const std::string& base64) {
  std::string bytes(base64.size() / 4 * 3, '\0');
  const int length =
      EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                      reinterpret_cast<const unsigned char*>(base64.data()), static_cast<int>(base64.size()));
  EXPECT_GE(length, 0);
  const std::size_t padding = base64.size() - (base64.find_last_not_of('=') + 1);
  bytes.resize(bytes.size() - padding);
  return bytes;
}

template <class Value>
double numberAt(const std::vector<std::byte>& bytes, std::size_t index) {
  Value value{};
  std::memcpy(&value, bytes.data() + index * sizeof(Value), sizeof(Value));
  return static_cast<double>(value);
}

double valueAt(ElementType type, const std::vector<std::byte>& bytes, std::size_t index) {
  switch (type) {
    case ElementType::int32:
      return numberAt<std::int32_t>(bytes, index);
    case ElementType::int64:
      return numberAt<std::int64_t>(bytes, index);
    case ElementType::uint8:
    case ElementType::boolean:
      return numberAt<std::uint8_t>(bytes, index);
    case ElementType::float64:
      return numberAt<double>(bytes, index);
    default: {
      std::vector<float> values(bytes.size() / static_cast<std::size_t>(bytesOf(type)));
      toFloats(type, bytes, values);
      return static_cast<double>(values.at(index));
    }
  }
}

void expectTensor(TensorFile& file, std::size_t index, const json& expected) {
  const StoredTensor& tensor = file.contents().tensors.at(index);
  EXPECT_EQ(tensor.entry.name, expected.at("tag"));
  EXPECT_EQ(ckptName(tensor.entry.type), expected.at("type").get<std::string>());
  EXPECT_EQ(tensor.entry.shape, expected.at("dims").get<std::vector<std::int64_t>>());
  EXPECT_EQ(tensor.pieces.size(), expected.value("chunks", 1U));
  const auto bytes = *file.read(index);
  if (tensor.entry.type == ElementType::text) {
    std::u32string text(bytes.size() / 4, U'\0');
    std::memcpy(text.data(), bytes.data(), bytes.size());
    EXPECT_EQ(text, U"h\u00e9llo");
    return;
  }
  const json& values = expected.at("values");
  ASSERT_EQ(values.size(), bytes.size() / static_cast<std::size_t>(bytesOf(tensor.entry.type)));
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(valueAt(tensor.entry.type, bytes, i), values[i].get<double>()) << tensor.entry.name << " " << i;
  }
}

/// Read, and written again tensor by tensor, with chunks as long as the first one was.
std::string rewritten(TensorFile& file, const std::filesystem::path& path, bool crc) {
  auto writer = CkptWriter::create(path, crc);
  for (std::size_t i = 0; i < file.tensors().size(); ++i) {
    const StoredTensor& tensor = file.contents().tensors[i];
    EXPECT_TRUE(writer->add(tensor.entry, *file.read(i), std::max<std::int64_t>(tensor.pieces[0].bytes, 1)));
  }
  EXPECT_TRUE(writer->commit());
  return *readFile(path);
}

TEST(InterchangeGolden, CheckpointBytes) {
  SLIPSTREAM_GOLDEN_FOLDER(folder);
  const auto cases = test::readGolden(folder, "files.json").at("checkpoint_bytes");
  test::CaseCounter counter("files.json checkpoint_bytes", cases.size());
  test::WrittenFiles files;
  std::map<std::string, json> tensors;
  for (const auto& one : cases) {
    const std::string name = one.at("name");
    const std::string bytes = decoded(one.at("base64"));
    if (one.contains("sha256")) {
      EXPECT_EQ(sha256(bytes), one.at("sha256"));
    }
    if (one.contains("tensors")) tensors[name] = one.at("tensors");
    counter.used();
    const std::string expect = one.value("expect", "");
    if (expect == "error: corrupted") {
      EXPECT_THAT(files.refusal("a.ckpt", bytes), testing::HasSubstr("cut short")) << name;
      continue;
    }
    const auto file = files.open("a.ckpt", bytes);
    if (expect == "error when crc is checked") {
      EXPECT_EQ(file->checkCrc(), CrcVerdict::broken) << name;
      continue;
    }
    EXPECT_EQ(expect, "") << "an expectation that this test does not know";
    const json& expected = tensors.at(one.value("same_tensors_as", name));
    ASSERT_EQ(file->tensors().size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) expectTensor(*file, i, expected[i]);
    const bool crc = one.contains("crc32");
    EXPECT_EQ(file->checkCrc(), crc ? CrcVerdict::holds : CrcVerdict::absent);
    if (crc) {
      EXPECT_EQ(*file->contents().crc, one.at("crc32"));
    }
    EXPECT_EQ(rewritten(*file, files.path("b.ckpt"), crc), bytes) << name;
  }
  counter.finish();
}

}  // namespace
}  // namespace slipstream
