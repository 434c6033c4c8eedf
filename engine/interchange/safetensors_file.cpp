// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/interchange/safetensors_file.h"

#include <algorithm>
#include <bit>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/error.h"
#include "engine/base/replacing_file.h"
#include "engine/interchange/safetensors_header.h"

namespace slipstream {
namespace {

static_assert(std::endian::native == std::endian::little, "safetensors are little-endian and copied as they are");

constexpr std::int64_t lengthBytes = 8;
constexpr const char* copyAgain = "export or copy the file again";

Result<std::uint64_t> headerLength(const FileBytes& file) {
  std::uint64_t length = 0;
  SLIPSTREAM_CHECK(file.read(0, std::as_writable_bytes(std::span(&length, 1))));
  return length;
}

bool fits(std::uint64_t length, const FileBytes& file) {
  const std::int64_t most = std::min(longestSafetensorsHeader, file.size() - lengthBytes);
  return length <= static_cast<std::uint64_t>(std::max<std::int64_t>(most, 0));
}

/// Each tensor begins where the one before it ends, and the last one ends with the file.
Status checkOffsets(const std::vector<StoredTensor>& tensors, std::int64_t dataBytes, const std::string& path) {
  std::vector<const StoredTensor*> inOrder;
  inOrder.reserve(tensors.size());
  for (const StoredTensor& tensor : tensors) inOrder.push_back(&tensor);
  std::ranges::sort(inOrder, [](const StoredTensor* a, const StoredTensor* b) {
    return a->pieces[0].offset != b->pieces[0].offset ? a->pieces[0].offset < b->pieces[0].offset : a->bytes < b->bytes;
  });
  std::int64_t at = 0;
  for (const StoredTensor* tensor : inOrder) {
    const Extent& piece = tensor->pieces[0];
    if (piece.offset < at) return fail(path, tensor->entry.name, "shares bytes with another tensor", copyAgain);
    if (piece.offset > at) return fail(path, tensor->entry.name, "is behind bytes that belong to no tensor", copyAgain);
    if (piece.bytes > dataBytes - at) return fail(path, tensor->entry.name, "is cut short", copyAgain);
    at += piece.bytes;
  }
  if (at == dataBytes) return {};
  return fail(path, fmt::format("{} bytes", dataBytes - at), "are behind the last tensor", copyAgain);
}

Status checkSize(const StoredTensor& tensor, const std::string& path) {
  const std::int64_t size = bytesOf(tensor.entry.type);
  const auto elements = elementsOf(tensor.entry.shape, tensor.bytes / size);
  if (elements && *elements * size == tensor.bytes) return {};
  return fail(path, tensor.entry.name,
              fmt::format("has {} bytes, which are not {}", tensor.bytes, typeText(tensor.entry)), copyAgain);
}

std::int64_t sizeOf(const TensorEntry& tensor) {
  std::int64_t bytes = bytesOf(tensor.type);
  for (const std::int64_t size : tensor.shape) bytes *= size;
  return bytes;
}

std::string headerOf(const std::vector<TensorEntry>& tensors, const std::map<std::string, std::string>& metadata) {
  nlohmann::ordered_json header{{"__metadata__", metadata}};
  std::int64_t offset = 0;
  for (const TensorEntry& tensor : tensors) {
    const std::int64_t bytes = sizeOf(tensor);
    header[tensor.name] = {
        {"dtype", safetensorsName(tensor.type)}, {"shape", tensor.shape}, {"data_offsets", {offset, offset + bytes}}};
    offset += bytes;
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');  // tensors start at a multiple of 8
  return text;
}

}  // namespace

Result<bool> looksLikeSafetensors(const FileBytes& file) {
  if (file.size() <= lengthBytes) return false;
  SLIPSTREAM_TRY(length, headerLength(file));
  std::byte first{};
  SLIPSTREAM_CHECK(file.read(lengthBytes, std::span(&first, 1)));
  return fits(length, file) && first == std::byte{'{'};
}

Result<FileContents> readSafetensorsContents(const FileBytes& file) {
  const std::string path = file.path().string();
  if (file.size() < lengthBytes) return fail(path, "", "is no safetensors file: it is shorter than 8 bytes", copyAgain);
  SLIPSTREAM_TRY(length, headerLength(file));
  if (!fits(length, file)) {
    return fail(path, fmt::format("a header of {} bytes", length),
                fmt::format("is no safetensors file, or is cut short: it has {} bytes", file.size()), copyAgain);
  }
  std::string text(length, ' ');
  SLIPSTREAM_CHECK(file.read(lengthBytes, std::as_writable_bytes(std::span(text.data(), text.size()))));
  SLIPSTREAM_TRY(header, parseSafetensorsHeader(text, path));
  const std::int64_t start = lengthBytes + static_cast<std::int64_t>(length);
  SLIPSTREAM_CHECK(checkOffsets(header.tensors, file.size() - start, path));
  for (StoredTensor& tensor : header.tensors) {
    SLIPSTREAM_CHECK(checkSize(tensor, path));
    tensor.pieces[0].offset += start;
  }
  return FileContents{FileFormat::safetensors, std::move(header.tensors), std::move(header.metadata), std::nullopt};
}

Status writeSafetensors(const std::filesystem::path& path, const std::vector<TensorEntry>& tensors,
                        const std::map<std::string, std::string>& metadata, const ReadTensor& read) {
  SLIPSTREAM_TRY(file, ReplacingFile::create(path));
  const std::string header = headerOf(tensors, metadata);
  const std::uint64_t length = header.size();
  SLIPSTREAM_CHECK(file->write(std::as_bytes(std::span(&length, 1))));
  SLIPSTREAM_CHECK(file->write(std::as_bytes(std::span(header.data(), header.size()))));
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    SLIPSTREAM_TRY(bytes, read(i));
    if (std::ssize(bytes) != sizeOf(tensors[i]))
      throw Error("tensor " + tensors[i].name + " has another size than its shape");
    SLIPSTREAM_CHECK(file->write(bytes));
  }
  return file->commit();
}

}  // namespace slipstream
