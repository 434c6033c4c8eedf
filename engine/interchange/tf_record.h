// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/file_bytes.h"

namespace slipstream {

// TensorFlow's record files: one record after the other, each as its length (8 bytes), the masked CRC-32C of these, its
// bytes, and the masked CRC-32C of those (tensorflow.org, "TFRecord and tf.train.Example").

/// Appends a record.
void addRecord(std::string& file, std::string_view record);

/// What stops a reading of records: damage, and an end within a record.
struct RecordDamage {
  std::int64_t offset = 0;  ///< where the record begins
  std::string problem;
};

/// The records of a file in their order, each with both checksums verified.
class RecordReader {
 public:
  /// The file outlives the reader.
  explicit RecordReader(const FileBytes& file) : file_(file) {}

  /// The next record, valid until the next call; nothing at the end of the file and at damage.
  Result<std::optional<std::span<const std::byte>>> next();
  /// Where the bytes of the last record begin.
  std::int64_t offset() const { return recordOffset_; }
  const std::optional<RecordDamage>& damage() const { return damage_; }

 private:
  Result<std::span<const std::byte>> bytesAt(std::int64_t offset, std::int64_t count);
  std::optional<std::span<const std::byte>> stopAt(std::int64_t offset, std::string problem);

  const FileBytes& file_;
  std::int64_t position_ = 0;
  std::int64_t recordOffset_ = 0;
  std::optional<RecordDamage> damage_;
  std::vector<std::byte> buffer_;  ///< bytes of the file from bufferStart_ on
  std::int64_t bufferStart_ = 0;
};

}  // namespace slipstream
