// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/interchange/tensor_file.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include <fmt/format.h>
#include <zlib.h>

#include "engine/base/hash.h"
#include "engine/interchange/ckpt_reader.h"
#include "engine/interchange/safetensors_file.h"

namespace slipstream {
namespace {

bool beginsWith(std::span<const std::byte> first, std::string_view word) {
  return std::memcmp(first.data(), word.data(), word.size()) == 0;
}

/// What other programs save under the name .ckpt: PyTorch's archives, and what MindSpore makes of a checkpoint with
/// enc_key, whose blocks begin with 7F3A5ED8 (AES-GCM), ..D9 (AES-CBC) or ..DA (SM4-CBC) in little-endian order.
Status refuseOthers(const FileBytes& file) {
  std::array<std::byte, 4> first{};
  if (file.size() < std::ssize(first)) return {};
  SLIPSTREAM_CHECK(file.read(0, first));
  if (beginsWith(first, "PK\x03\x04")) {
    return fail(file.path().string(), "", "is an archive, as PyTorch writes them", "save the weights as safetensors");
  }
  for (const std::string_view word : {"\xD8\x5E\x3A\x7F", "\xD9\x5E\x3A\x7F", "\xDA\x5E\x3A\x7F"}) {
    if (!beginsWith(first, word)) continue;
    return fail(file.path().string(), "", "is encrypted, which is not supported",
                "decrypt it first: load it in MindSpore with its dec_key and save it without enc_key");
  }
  return {};
}

Result<FileContents> contentsOf(const FileBytes& file) {
  SLIPSTREAM_TRY(safetensors, looksLikeSafetensors(file));
  if (safetensors || file.path().extension() == ".safetensors") return readSafetensorsContents(file);
  SLIPSTREAM_CHECK(refuseOthers(file));
  return readCkptContents(file);
}

}  // namespace

TensorFile::TensorFile(const FileBytes& file, FileContents contents)
    : path_(file.path()), fileBytes_(file.size()), contents_(std::move(contents)) {
  for (const StoredTensor& tensor : contents_.tensors) entries_.push_back(tensor.entry);
}

Result<std::unique_ptr<TensorFile>> TensorFile::open(const std::filesystem::path& path) {
  SLIPSTREAM_TRY(file, FileBytes::open(path));
  SLIPSTREAM_TRY(contents, contentsOf(file));
  return std::unique_ptr<TensorFile>(new TensorFile(file, std::move(contents)));
}

Result<FileBytes> TensorFile::reopen() const {
  SLIPSTREAM_TRY(file, FileBytes::open(path_));
  if (file.size() == fileBytes_) return file;
  return fail(name(), "", "has been changed since it was opened", "leave it alone until the program has ended");
}

Status TensorFile::readThrough(std::int64_t end, const std::function<void(std::span<const std::byte>)>& take) const {
  SLIPSTREAM_TRY(file, reopen());
  constexpr std::int64_t partBytes = 1 << 20;
  std::vector<std::byte> part(static_cast<std::size_t>(std::min(partBytes, end)));
  for (std::int64_t at = 0; at < end; at += partBytes) {
    const auto bytes = std::span(part).first(static_cast<std::size_t>(std::min(partBytes, end - at)));
    SLIPSTREAM_CHECK(file.read(at, bytes));
    take(bytes);
  }
  return {};
}

Result<CrcVerdict> TensorFile::checkCrc() const {
  if (!contents_.crc) return CrcVerdict::absent;
  unsigned long crc = 0;
  SLIPSTREAM_CHECK(readThrough(fileBytes_ - crcTrailerBytes, [&](std::span<const std::byte> bytes) {
    crc = ::crc32_z(crc, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  }));
  return crc == *contents_.crc ? CrcVerdict::holds : CrcVerdict::broken;
}

Failure TensorFile::brokenCrc() const {
  return {name(), fmt::format("{:08x}", contents_.crc.value_or(0)), "has a checksum that does not hold",
          "copy or export the file again: its values cannot be trusted"};
}

Status TensorFile::requireCrc() const {
  SLIPSTREAM_TRY(verdict, checkCrc());
  if (verdict != CrcVerdict::broken) return {};
  return tl::unexpected(Failures{brokenCrc()});
}

Result<std::string> TensorFile::sha256() const {
  Sha256 sum;
  SLIPSTREAM_CHECK(readThrough(fileBytes_, [&](std::span<const std::byte> bytes) { sum.add(bytes); }));
  return sum.text();
}

std::optional<ChannelPlace> TensorFile::channels() const {
  if (contents_.format == FileFormat::ckpt) return ChannelPlace::first;
  const auto found = contents_.metadata.find(channelsKey);
  if (found == contents_.metadata.end()) return std::nullopt;
  for (const ChannelPlace place : {ChannelPlace::first, ChannelPlace::last}) {
    if (found->second == nameOf(place)) return place;
  }
  return std::nullopt;
}

std::string TensorFile::conventions() const {
  const auto found = contents_.metadata.find(conventionsKey);
  return found == contents_.metadata.end() ? "" : found->second;
}

Result<std::vector<std::byte>> TensorFile::read(std::size_t index) {
  const StoredTensor& tensor = contents_.tensors.at(index);
  SLIPSTREAM_TRY(file, reopen());
  std::vector<std::byte> bytes(static_cast<std::size_t>(tensor.bytes));
  std::span<std::byte> rest(bytes);
  for (const Extent& piece : tensor.pieces) {
    const auto size = static_cast<std::size_t>(piece.bytes);
    SLIPSTREAM_CHECK(file.read(piece.offset, rest.first(size)));
    rest = rest.subspan(size);
  }
  return bytes;
}

std::string_view nameOf(ChannelPlace place) {
  return place == ChannelPlace::first ? "OIHW" : "OHWI";
}

Result<FileFormat> formatOfName(const std::filesystem::path& path) {
  const std::string suffix = path.extension().string();
  if (suffix == ".ckpt") return FileFormat::ckpt;
  if (suffix == ".safetensors") return FileFormat::safetensors;
  return fail("output", path.string(), suffix.empty() ? "has no suffix" : "is of no known format",
              "end it in .safetensors or .ckpt, or say which it is with --format");
}

}  // namespace slipstream
