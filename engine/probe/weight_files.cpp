// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/probe/weight_files.h"

#include <algorithm>

#include "engine/interchange/tensor_file.h"

namespace slipstream {
namespace {

bool isWeightFile(const std::filesystem::path& path) {
  return path.extension() == ".safetensors" || path.extension() == ".ckpt";
}

Result<WeightMatch> openFile(const std::filesystem::path& path, const std::vector<ExpectedTensor>& wanted) {
  SLIPSTREAM_TRY(file, TensorFile::open(path));
  WeightMatch match(std::move(file), wanted);
  if (match.report().complete()) return match;
  return tl::unexpected(
      match.report().failures("name a folder with weights of this network in dim_reduce.weight_load_dir"));
}

}  // namespace

Result<std::vector<WeightMatch>> openWeightFolder(const std::filesystem::path& folder,
                                                  const std::vector<ExpectedTensor>& wanted) {
  std::error_code error;
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (isWeightFile(entry.path())) paths.push_back(entry.path());
  }
  if (error || paths.empty()) {
    return fail("boost.dictionary.dim_reduce.weight_load_dir", folder.string(),
                error ? "cannot be read: " + error.message() : "holds no .safetensors and no .ckpt file",
                "name a folder of weights that `slipstream checkpoint export` wrote");
  }
  std::ranges::sort(paths);
  std::vector<WeightMatch> files;
  Failures failures;
  for (const auto& path : paths) {
    auto file = openFile(path, wanted);
    if (collect(file, failures)) files.push_back(std::move(*file));
  }
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return files;
}

}  // namespace slipstream
