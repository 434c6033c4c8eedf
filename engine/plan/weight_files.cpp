#include "engine/plan/weight_files.h"

#include <algorithm>
#include <bit>
#include <fstream>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/plan/json.h"

namespace slipstream {
namespace {

static_assert(std::endian::native == std::endian::little, "safetensors are little-endian and read as they are");

/// The header, and where it ends in the file; nothing where the file is none of safetensors.
struct Header {
  Json tensors;
  std::int64_t end = 0;
};

std::optional<Header> headerOf(std::istream& file) {
  std::uint64_t length = 0;
  if (!file.read(reinterpret_cast<char*>(&length), sizeof(length)) || length > (100U << 20)) return std::nullopt;
  std::string text(length, ' ');
  if (!file.read(text.data(), static_cast<std::streamsize>(length))) return std::nullopt;
  Json tensors = Json::parse(text, nullptr, false);
  if (!tensors.is_object()) return std::nullopt;
  return Header{std::move(tensors), static_cast<std::int64_t>(sizeof(length) + length)};
}

/// The first byte of the tensor in the file, where the header describes it as the network has it.
Result<std::int64_t> startOf(const Header& header, const TensorSpec& tensor, const std::filesystem::path& path,
                             std::int64_t fileBytes) {
  const std::string& name = tensor.name;
  const auto found = header.tensors.find(name);
  if (found == header.tensors.end()) {
    return fail(path.string(), name, "is missing: the file holds the weights of another network",
                "name a folder with weights of this one in dim_reduce.weight_load_dir");
  }
  const bool described = found->is_object() && found->value("dtype", Json()) == "F32" &&
                         found->value("shape", Json()) == Json(tensor.shape) && found->contains("data_offsets");
  const Json offsets = described ? (*found)["data_offsets"] : Json();
  if (!offsets.is_array() || offsets.size() != 2 || !offsets[0].is_number_unsigned()) {
    return fail(path.string(), fmt::format("{}: {}", name, found->dump()),
                fmt::format("is not fp32 of shape {}", Json(tensor.shape).dump()),
                "name a folder with weights of this network in dim_reduce.weight_load_dir");
  }
  const std::int64_t room = fileBytes - header.end - tensor.elements() * 4;
  const auto offset = offsets[0].get<std::uint64_t>();
  if (room >= 0 && offset <= static_cast<std::uint64_t>(room)) return header.end + static_cast<std::int64_t>(offset);
  return fail(path.string(), name, "is cut short", "copy or export the file again");
}

Result<WeightFile> openFile(const std::filesystem::path& path, const std::vector<TensorSpec>& tensors) {
  std::ifstream file(path, std::ios::binary);
  const auto header = headerOf(file);
  if (!header)
    return fail(path.string(), "", "is no safetensors file", "export it again, or take it out of the folder");
  WeightFile weights{path, {}};
  const auto bytes = static_cast<std::int64_t>(std::filesystem::file_size(path));
  for (const TensorSpec& tensor : tensors) {
    SLIPSTREAM_TRY(start, startOf(*header, tensor, path, bytes));
    weights.starts[tensor.name] = start;
  }
  return weights;
}

}  // namespace

Result<std::vector<WeightFile>> openWeightFolder(const std::filesystem::path& folder,
                                                 const std::vector<TensorSpec>& tensors) {
  std::error_code error;
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".safetensors") paths.push_back(entry.path());
  }
  if (error || paths.empty()) {
    return fail("boost.dictionary.dim_reduce.weight_load_dir", folder.string(),
                error ? "cannot be read: " + error.message() : "holds no .safetensors file",
                "name a folder of weights that `slipstream checkpoint export` wrote");
  }
  std::ranges::sort(paths);
  std::vector<WeightFile> files;
  Failures failures;
  for (const auto& path : paths) {
    auto file = openFile(path, tensors);
    if (collect(file, failures)) files.push_back(std::move(*file));
  }
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return files;
}

}  // namespace slipstream
