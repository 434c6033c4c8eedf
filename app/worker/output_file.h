// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>

#include "engine/base/replacing_file.h"
#include "engine/train/evaluate.h"

namespace slipstream::worker {

/// Writes what a network gave for each sample, for the program that asked: its place in the set (uint32), its label
/// (int32), and the logits (float32).
class OutputFile final : public OutputSink {
 public:
  static Result<std::unique_ptr<OutputFile>> create(const std::filesystem::path& path);

  void take(const SampleOutputs& outputs) override;
  /// Fails where some of it could not be written.
  Status commit();

 private:
  explicit OutputFile(std::unique_ptr<ReplacingFile> file) : file_(std::move(file)) {}

  std::unique_ptr<ReplacingFile> file_;
  Status written_;
};

}  // namespace slipstream::worker
