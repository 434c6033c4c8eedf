#include "engine/interchange/tensor_file.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include <zlib.h>

#include "engine/interchange/ckpt_reader.h"
#include "engine/interchange/safetensors_file.h"

namespace slipstream {
namespace {

/// What PyTorch saves, also under the name .ckpt.
Status refuseArchive(const FileBytes& file) {
  constexpr std::string_view word = "PK\x03\x04";
  std::array<std::byte, word.size()> first{};
  if (file.size() < std::ssize(first)) return {};
  SLIPSTREAM_CHECK(file.read(0, first));
  if (std::memcmp(first.data(), word.data(), word.size()) != 0) return {};
  return fail(file.path().string(), "", "is an archive, as PyTorch writes them", "save the weights as safetensors");
}

Result<FileContents> contentsOf(const FileBytes& file) {
  SLIPSTREAM_TRY(safetensors, looksLikeSafetensors(file));
  if (safetensors || file.path().extension() == ".safetensors") return readSafetensorsContents(file);
  SLIPSTREAM_CHECK(refuseArchive(file));
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

Result<CrcVerdict> TensorFile::checkCrc() const {
  if (!contents_.crc) return CrcVerdict::absent;
  SLIPSTREAM_TRY(file, reopen());
  constexpr std::int64_t partBytes = 1 << 20;
  const std::int64_t end = fileBytes_ - crcTrailerBytes;
  std::vector<std::byte> part(static_cast<std::size_t>(std::min(partBytes, end)));
  unsigned long crc = 0;
  for (std::int64_t at = 0; at < end; at += partBytes) {
    const auto bytes = std::span(part).first(static_cast<std::size_t>(std::min(partBytes, end - at)));
    SLIPSTREAM_CHECK(file.read(at, bytes));
    crc = ::crc32_z(crc, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  }
  return crc == *contents_.crc ? CrcVerdict::holds : CrcVerdict::broken;
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

FileFormat formatOfName(const std::filesystem::path& path) {
  return path.extension() == ".ckpt" ? FileFormat::ckpt : FileFormat::safetensors;
}

}  // namespace slipstream
