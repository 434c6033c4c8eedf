// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/interchange/ckpt_writer.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <zlib.h>

#include "engine/interchange/ckpt_reader.h"
#include "engine/interchange/protobuf_fields.h"

namespace slipstream {
namespace {

/// Text is of no known length to MindSpore: its one dimension is 0.
std::vector<std::int64_t> dimsOf(const TensorEntry& entry) {
  if (bytesOf(entry.type) == 0) return {0};
  return entry.shape;
}

/// Everything of one message but its content, which is at its end.
std::string headOf(const TensorEntry& entry, std::size_t contentBytes) {
  std::string tensor;
  for (const std::int64_t size : dimsOf(entry)) {
    addVarint(tensor, 1U << 3);
    addVarint(tensor, static_cast<std::uint64_t>(size));
  }
  addText(tensor, 2, ckptName(entry.type));
  addLength(tensor, 3, contentBytes);

  std::string value;
  addText(value, 1, entry.name);
  addLength(value, 2, tensor.size() + contentBytes);
  value += tensor;

  std::string message;
  addLength(message, 1, value.size() + contentBytes);
  return message + value;
}

std::span<const std::byte> bytesOfText(const std::string& text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

}  // namespace

CkptWriter::CkptWriter(std::unique_ptr<ReplacingFile> file, std::filesystem::path path, bool withCrc)
    : file_(std::move(file)), path_(std::move(path)), withCrc_(withCrc) {}

Result<CkptWriter> CkptWriter::create(const std::filesystem::path& path, bool withCrc) {
  SLIPSTREAM_TRY(file, ReplacingFile::create(path));
  return CkptWriter(std::move(file), path, withCrc);
}

Status CkptWriter::write(std::span<const std::byte> bytes) {
  if (withCrc_) {
    crc_ = static_cast<std::uint32_t>(::crc32_z(crc_, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
  }
  return file_->write(bytes);
}

Status CkptWriter::add(const TensorEntry& entry, std::span<const std::byte> bytes, std::int64_t chunkBytes) {
  if (ckptName(entry.type).empty()) {
    return fail(path_.string(), entry.name + ": " + typeText(entry), "is of a type that .ckpt files cannot hold",
                "write a .safetensors file");
  }
  do {
    const auto chunk = bytes.first(std::min(bytes.size(), static_cast<std::size_t>(chunkBytes)));
    SLIPSTREAM_CHECK(write(bytesOfText(headOf(entry, chunk.size()))));
    SLIPSTREAM_CHECK(write(chunk));
    bytes = bytes.subspan(chunk.size());
  } while (!bytes.empty());
  return {};
}

Status CkptWriter::commit() {
  if (withCrc_) {
    std::string trailer(crcWord);
    for (std::int64_t place = crcNumberBytes - 1; place >= 0; --place) {
      trailer += place < 4 ? static_cast<char>(crc_ >> (8 * place)) : '\0';
    }
    SLIPSTREAM_CHECK(file_->write(bytesOfText(trailer)));
  }
  return file_->commit();
}

}  // namespace slipstream
