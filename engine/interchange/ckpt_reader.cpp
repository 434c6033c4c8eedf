// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/interchange/ckpt_reader.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/interchange/protobuf_walk.h"

namespace slipstream {
namespace {

constexpr std::uint64_t checkpointValue = 1;
constexpr std::uint64_t valueTag = 1;
constexpr std::uint64_t valueTensor = 2;
constexpr std::uint64_t valueMap = 3;
constexpr std::uint64_t tensorDims = 1;
constexpr std::uint64_t tensorType = 2;
constexpr std::uint64_t tensorContent = 3;

constexpr const char* exportAgain = "export the checkpoint again";
constexpr const char* damagedFile =
    "the file is no MindSpore checkpoint, is encrypted, or was damaged: export or copy it again";

/// One message Value as it is: a tensor, or a chunk of one.
struct Value {
  std::optional<std::string> tag;
  bool hasTensor = false;
  std::string type;
  std::vector<std::int64_t> dims;
  Extent content;
};

class CkptReader {
 public:
  explicit CkptReader(const FileBytes& file) : file_(file) {}

  Result<FileContents> run() {
    if (file_.size() == 0) return fail(file_.path().string(), "", "is empty", exportAgain);
    contents_.format = FileFormat::ckpt;
    ProtobufWalk walk(file_, {0, file_.size()}, damagedFile);
    while (walk.rest() > 0) {
      SLIPSTREAM_TRY(isTrailer, readTrailer(walk));
      if (isTrailer) break;
      SLIPSTREAM_TRY(key, walk.key());
      if (key.field != checkpointValue || key.type != wireBytes)
        return walk.damage("holds no value where one should be");
      SLIPSTREAM_TRY(extent, walk.bytes());
      SLIPSTREAM_CHECK(readValue(extent));
    }
    SLIPSTREAM_CHECK(closeTensor());
    if (const auto twice = repeatedName(contents_.tensors)) {
      return fail(file_.path().string(), *twice, "is the name of two tensors", exportAgain);
    }
    return std::move(contents_);
  }

 private:
  /// At the end, where a value would begin: a tensor may well end with the same bytes.
  Result<bool> readTrailer(const ProtobufWalk& walk) {
    if (walk.rest() != crcTrailerBytes) return false;
    std::array<std::byte, crcTrailerBytes> bytes{};
    SLIPSTREAM_CHECK(file_.read(walk.position(), bytes));
    if (std::memcmp(bytes.data(), crcWord.data(), crcWord.size()) != 0) return false;
    std::uint64_t crc = 0;
    for (std::size_t i = crcWord.size(); i < bytes.size(); ++i) {
      crc = std::min<std::uint64_t>(crc << 8, 1ULL << 40) | std::to_integer<std::uint64_t>(bytes[i]);
    }
    if (crc > 0xFFFFFFFFULL) return walk.damage("the checksum at the end has more than 32 bits");
    contents_.crc = static_cast<std::uint32_t>(crc);
    return true;
  }

  Status readValue(Extent extent) {
    ProtobufWalk walk(file_, extent, damagedFile);
    Value value;
    while (walk.rest() > 0) {
      SLIPSTREAM_TRY(key, walk.key());
      if (key.field == valueTag && key.type == wireBytes) {
        SLIPSTREAM_TRY(tag, walk.text(longestName));
        value.tag = std::move(tag);
      } else if (key.field == valueTensor && key.type == wireBytes) {
        if (value.hasTensor) return walk.damage("a value holds two tensors");
        SLIPSTREAM_TRY(tensor, walk.bytes());
        SLIPSTREAM_CHECK(readTensor(tensor, value));
      } else if (key.field == valueMap) {
        return walk.damage("a value is a map parameter, which this program does not read");
      } else {
        SLIPSTREAM_CHECK(walk.skip(key));
      }
    }
    if (!value.tag || value.tag->empty() || !value.hasTensor) return walk.damage("a value has no name or no tensor");
    return take(std::move(value), walk);
  }

  Status readTensor(Extent extent, Value& value) const {
    ProtobufWalk walk(file_, extent, damagedFile);
    value.hasTensor = true;
    while (walk.rest() > 0) {
      SLIPSTREAM_TRY(key, walk.key());
      if (key.field == tensorDims) {
        SLIPSTREAM_CHECK(readDims(walk, key, value.dims));
      } else if (key.field == tensorType && key.type == wireBytes) {
        SLIPSTREAM_TRY(type, walk.text(longestName));
        value.type = std::move(type);
      } else if (key.field == tensorContent && key.type == wireBytes) {
        SLIPSTREAM_TRY(content, walk.bytes());
        value.content = content;
      } else {
        SLIPSTREAM_CHECK(walk.skip(key));
      }
    }
    return {};
  }

  /// One varint a field, or all of them in one.
  Status readDims(ProtobufWalk& walk, const WireKey& key, std::vector<std::int64_t>& dims) const {
    if (key.type == wireVarint) return addDim(walk, dims);
    if (key.type != wireBytes) return walk.damage("dimensions have no known kind");
    SLIPSTREAM_TRY(extent, walk.bytes());
    ProtobufWalk packed(file_, extent, damagedFile);
    while (packed.rest() > 0) SLIPSTREAM_CHECK(addDim(packed, dims));
    return {};
  }

  static Status addDim(ProtobufWalk& walk, std::vector<std::int64_t>& dims) {
    SLIPSTREAM_TRY(size, walk.varint());
    if (dims.size() == mostDimensions)
      return walk.damage(fmt::format("a tensor has more than {} dimensions", mostDimensions));
    dims.push_back(static_cast<std::int64_t>(size));
    return {};
  }

  Status take(Value value, const ProtobufWalk& walk) {
    const auto type = typeOfCkpt(value.type);
    if (!type) {
      return fail(file_.path().string(), *value.tag + ": " + value.type, "has a type that is not known",
                  "save it as one of " + join(ckptTypeNames(), ", "));
    }
    TensorEntry entry{std::move(*value.tag), *type, std::move(value.dims)};
    if (!open_ || open_->entry.name != entry.name) {
      SLIPSTREAM_CHECK(closeTensor());
      if (contents_.tensors.size() == mostTensors)
        return walk.damage(fmt::format("holds more than {} tensors", mostTensors));
      open_ = StoredTensor{std::move(entry), {value.content}, value.content.bytes};
      return {};
    }
    if (!(open_->entry == entry)) {
      return fail(file_.path().string(), entry.name, "appears twice, of different type or shape", exportAgain);
    }
    open_->pieces.push_back(value.content);
    open_->bytes += value.content.bytes;
    return {};
  }

  /// All chunks of a tensor are there: they must make what its shape promises.
  Status closeTensor() {
    if (!open_) return {};
    StoredTensor tensor = std::move(*open_);
    open_.reset();
    TensorEntry& entry = tensor.entry;
    const std::int64_t size = bytesOf(entry.type);
    if (entry.shape == std::vector<std::int64_t>{0} && size > 0 && tensor.bytes == size) entry.shape.clear();
    const auto elements = size == 0 ? std::nullopt : elementsOf(entry.shape, file_.size() / size);
    const bool whole = size == 0 ? entry.type != ElementType::text || tensor.bytes % 4 == 0
                                 : elements && *elements * size == tensor.bytes;
    if (!whole) {
      return fail(file_.path().string(), entry.name,
                  fmt::format("has {} bytes, which are not {}", tensor.bytes, typeText(entry)), exportAgain);
    }
    contents_.tensors.push_back(std::move(tensor));
    return {};
  }

  const FileBytes& file_;
  FileContents contents_;
  std::optional<StoredTensor> open_;  ///< more chunks of it may follow
};

}  // namespace

Result<FileContents> readCkptContents(const FileBytes& file) {
  return CkptReader(file).run();
}

}  // namespace slipstream
