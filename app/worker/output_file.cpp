// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/output_file.h"

#include <cstring>
#include <vector>

namespace slipstream::worker {
namespace {

void append(std::vector<std::byte>& bytes, std::span<const std::byte> more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}

}  // namespace

Result<std::unique_ptr<OutputFile>> OutputFile::create(const std::filesystem::path& path) {
  SLIPSTREAM_TRY(file, ReplacingFile::create(path));
  return std::unique_ptr<OutputFile>(new OutputFile(std::move(file)));
}

void OutputFile::take(const SampleOutputs& outputs) {
  if (!written_ || outputs.samples.empty()) return;
  const std::size_t classes = outputs.logits.size() / outputs.samples.size();
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < outputs.samples.size(); ++i) {
    append(bytes, std::as_bytes(outputs.samples.subspan(i, 1)));
    append(bytes, std::as_bytes(outputs.labels.subspan(i, 1)));
    append(bytes, std::as_bytes(outputs.logits.subspan(i * classes, classes)));
  }
  written_ = file_->write(bytes);
}

Status OutputFile::commit() {
  Status written = written_;
  if (written) written = file_->commit();
  if (written) return {};
  Failures failures = written.error();
  for (Failure& failure : failures) failure.remedy = "free some room there, or name another folder in TMPDIR";
  return tl::unexpected(std::move(failures));
}

}  // namespace slipstream::worker
