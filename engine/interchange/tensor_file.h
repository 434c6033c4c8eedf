// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "engine/interchange/file_contents.h"

namespace slipstream {

/// What the checksum at the end of a .ckpt file says about it.
enum class CrcVerdict { absent, holds, broken };

/// A .ckpt or .safetensors file. Which of the two it is, its first bytes say, whatever its name is. The file is open
/// only while it is read: of snapshots there may be more than a process may have open.
class TensorFile final : public TensorSource {
 public:
  static Result<std::unique_ptr<TensorFile>> open(const std::filesystem::path& path);

  const FileContents& contents() const { return contents_; }
  /// Reads the file through.
  Result<CrcVerdict> checkCrc() const;
  /// What is said of a checksum that does not hold.
  Failure brokenCrc() const;
  /// Fails with that where checkCrc finds it broken.
  Status requireCrc() const;
  /// SHA-256 of the whole file, as base/hash.h writes it. Reads the file through.
  Result<std::string> sha256() const;

  std::string name() const override { return path_.string(); }
  const std::vector<TensorEntry>& tensors() const override { return entries_; }
  /// .ckpt: first. Of safetensors, those that we wrote say it.
  std::optional<ChannelPlace> channels() const override;
  /// Of safetensors, those that we wrote say it.
  std::string conventions() const override;
  Result<std::vector<std::byte>> read(std::size_t index) override;

 private:
  TensorFile(const FileBytes& file, FileContents contents);
  /// Fails where it is no longer the file that was looked at.
  Result<FileBytes> reopen() const;
  /// Hands the bytes before `end` over, a piece at a time.
  Status readThrough(std::int64_t end, const std::function<void(std::span<const std::byte>)>& take) const;

  std::filesystem::path path_;
  std::int64_t fileBytes_;
  FileContents contents_;
  std::vector<TensorEntry> entries_;
};

/// The entry of safetensors' metadata that says whose conventions the network has that the tensors are weights of.
inline constexpr const char* conventionsKey = "conventions";

/// The entry of safetensors' metadata that says where channels are, and its values.
inline constexpr const char* channelsKey = "convolution_weights";
std::string_view nameOf(ChannelPlace place);

/// The format of a path to write to, by its suffix; fails where that is neither .ckpt nor .safetensors.
Result<FileFormat> formatOfName(const std::filesystem::path& path);

}  // namespace slipstream
