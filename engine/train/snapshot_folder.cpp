#include "engine/train/snapshot_folder.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/error.h"
#include "engine/base/failure.h"

namespace slipstream {
namespace {

static_assert(std::endian::native == std::endian::little, "safetensors are little-endian and read as they are");

using Json = nlohmann::json;

/// Where the tensors of one file start, in bytes.
struct SnapshotFile {
  std::filesystem::path path;
  std::map<std::string, std::int64_t> starts;
};

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
Result<std::int64_t> startOf(const Header& header, const FlatTensor& tensor, const std::filesystem::path& path,
                             std::int64_t fileBytes) {
  const std::string& name = tensor.spec.name;
  const auto found = header.tensors.find(name);
  if (found == header.tensors.end()) {
    return fail(path.string(), name, "is missing: the file holds the weights of another network",
                "name a folder with weights of this one in dim_reduce.weight_load_dir");
  }
  const bool described = found->is_object() && found->value("dtype", "") == "F32" &&
                         found->value("shape", Json()) == Json(tensor.spec.shape) && found->contains("data_offsets");
  const Json offsets = described ? (*found)["data_offsets"] : Json();
  if (!offsets.is_array() || offsets.size() != 2 || !offsets[0].is_number_unsigned()) {
    return fail(path.string(), fmt::format("{}: {}", name, found->dump()),
                fmt::format("is not fp32 of shape {}", Json(tensor.spec.shape).dump()),
                "name a folder with weights of this network in dim_reduce.weight_load_dir");
  }
  const std::int64_t start = header.end + offsets[0].get<std::int64_t>();
  if (start + tensor.range.size() * 4 <= fileBytes) return start;
  return fail(path.string(), name, "is cut short", "copy or export the file again");
}

Result<SnapshotFile> openSnapshot(const std::filesystem::path& path, const ParameterLayout& layout) {
  std::ifstream file(path, std::ios::binary);
  const auto header = headerOf(file);
  if (!header)
    return fail(path.string(), "", "is no safetensors file", "export it again, or take it out of the folder");
  SnapshotFile snapshot{path, {}};
  const auto bytes = static_cast<std::int64_t>(std::filesystem::file_size(path));
  for (const FlatTensor& tensor : layout.tensors()) {
    SLIPSTREAM_TRY(start, startOf(*header, tensor, path, bytes));
    snapshot.starts[tensor.spec.name] = start;
  }
  return snapshot;
}

Result<std::vector<SnapshotFile>> openFolder(const std::filesystem::path& folder, const ParameterLayout& layout) {
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
  std::vector<SnapshotFile> files;
  for (const auto& path : paths) {
    SLIPSTREAM_TRY(file, openSnapshot(path, layout));
    files.push_back(std::move(file));
  }
  return files;
}

class SnapshotFolder final : public WeightSnapshots {
 public:
  SnapshotFolder(std::filesystem::path folder, const ParameterLayout& layout)
      : folder_(std::move(folder)), layout_(layout) {}

  int count() const override { return static_cast<int>(files().size()); }

  void read(int snapshot, const FlatTensor& tensor, std::span<float> values) override {
    const SnapshotFile& from = files().at(static_cast<std::size_t>(snapshot));
    std::ifstream file(from.path, std::ios::binary);
    file.seekg(from.starts.at(tensor.spec.name));
    file.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(values.size_bytes()));
    if (!file) throw Error(fmt::format("{}: tensor {} cannot be read any more", from.path.string(), tensor.spec.name));
  }

 private:
  const std::vector<SnapshotFile>& files() const {
    if (!files_.empty()) return files_;
    auto opened = openFolder(folder_, layout_);
    if (!opened) throw Error(toText(opened.error()));
    return files_ = std::move(*opened);
  }

  std::filesystem::path folder_;
  const ParameterLayout& layout_;
  mutable std::vector<SnapshotFile> files_;  ///< empty: not opened yet
};

}  // namespace

std::unique_ptr<WeightSnapshots> snapshotFolder(std::filesystem::path folder, const ParameterLayout& layout) {
  return std::make_unique<SnapshotFolder>(std::move(folder), layout);
}

}  // namespace slipstream
