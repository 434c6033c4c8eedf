// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <map>

#include "engine/base/file_bytes.h"
#include "engine/interchange/array_files.h"

namespace slipstream {

/// The bytes of one .npy file, wherever they lie, from the first to the last.
class ArrayBytes {
 public:
  virtual ~ArrayBytes() = default;
  virtual std::int64_t size() const = 0;
  /// The next bytes.size() bytes.
  virtual Status read(std::span<std::byte> bytes) = 0;
  /// Fails where what was read is not what was stored. Follows on the last byte.
  virtual Status finish() = 0;
};

/// Arrays that are listed by their headers.
class ListedArrays : public ArrayContainer {
 public:
  const std::vector<ArrayInfo>& arrays() const override { return arrays_; }
  bool holds(const std::string& name) const override;
  Result<ArrayInfo> find(const std::string& name) const override;
  Result<std::unique_ptr<ArrayReader>> open(const std::string& name) override;

 protected:
  /// Reads the headers of these names. Fails where none of them can be read.
  Status list(std::vector<std::string> names);

 private:
  /// The container, as failures call it.
  virtual std::string place() const = 0;
  /// One array, as failures call it.
  virtual std::string placeOf(const std::string& name) const = 0;
  virtual Result<std::unique_ptr<ArrayBytes>> bytesOf(const std::string& name) = 0;

  Result<ArrayInfo> readInfo(const std::string& name, ArrayBytes& bytes) const;

  std::vector<ArrayInfo> arrays_;
  std::map<std::string, Failures> refused_;
};

/// Reads values from where the header ends.
std::unique_ptr<ArrayReader> makeArrayReader(std::string place, const ArrayInfo& info,
                                             std::unique_ptr<ArrayBytes> bytes);

Result<std::unique_ptr<ArrayContainer>> openNpyFolder(const std::filesystem::path& folder);
/// `file` begins as a zip archive does.
Result<std::unique_ptr<ArrayContainer>> openNpz(const FileBytes& file);

}  // namespace slipstream
