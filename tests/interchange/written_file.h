// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>

#include "engine/base/files.h"
#include "engine/interchange/tensor_file.h"
#include "tests/support/temporary_folder.h"

namespace slipstream::test {

/// Files of bytes that a test makes up, and what their reader says.
class WrittenFiles {
 public:
  std::filesystem::path path(const std::string& name) const { return folder_.path() / name; }

  std::filesystem::path write(const std::string& name, std::string_view bytes) const {
    const auto written = writeFile(path(name), bytes);
    if (!written) throw std::runtime_error(toText(written.error()));
    return path(name);
  }
  std::unique_ptr<TensorFile> open(const std::string& name, std::string_view bytes) const {
    auto file = TensorFile::open(write(name, bytes));
    if (!file) throw std::runtime_error(toText(file.error()));
    return std::move(*file);
  }
  /// The words of the refusal; empty where the file is taken.
  std::string refusal(const std::string& name, std::string_view bytes) const {
    const auto file = TensorFile::open(write(name, bytes));
    return file ? "" : toText(file.error());
  }

 private:
  TemporaryFolder folder_;
};

/// The values of one tensor as they lie in the file.
template <class Value>
std::vector<Value> valuesOf(TensorFile& file, std::size_t index) {
  const auto bytes = file.read(index);
  if (!bytes) throw std::runtime_error(toText(bytes.error()));
  std::vector<Value> values(bytes->size() / sizeof(Value));
  if (!values.empty()) std::memcpy(values.data(), bytes->data(), values.size() * sizeof(Value));
  return values;
}

}  // namespace slipstream::test
