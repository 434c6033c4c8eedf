#include "engine/record/safetensors.h"

#include <nlohmann/json.hpp>

#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/record/bytes.h"

namespace slipstream {
namespace {

/// Weights have plain names. Of what ranks hold each for themselves, rank 0's stands for all.
bool belongsToNetwork(const TensorRecord& tensor) {
  const bool plain = tensor.name.find('/') == std::string::npos;
  return tensor.shard <= 0 && (plain || startsWith(tensor.name, "state/"));
}

}  // namespace

Status exportSafetensors(CheckpointStore& store, const CheckpointManifest& manifest,
                         const std::map<std::string, std::string>& metadata, const std::filesystem::path& output) {
  nlohmann::ordered_json header{{"__metadata__", metadata}};
  std::vector<std::string> hashes;
  std::int64_t offset = 0;
  for (const TensorRecord& tensor : manifest.tensors) {
    if (!belongsToNetwork(tensor)) continue;
    header[tensor.name] = {
        {"dtype", tensor.dtype}, {"shape", tensor.shape}, {"data_offsets", {offset, offset + tensor.bytes}}};
    offset += tensor.bytes;
    hashes.push_back(tensor.hash);
  }
  std::string headerText = header.dump();
  headerText.resize((headerText.size() + 7) / 8 * 8, ' ');  // tensors start at a multiple of 8

  std::string file;
  file.reserve(8 + headerText.size() + static_cast<std::size_t>(offset));
  ByteWriter writer(file);
  writer.number(static_cast<std::uint64_t>(headerText.size()));
  file += headerText;
  for (const std::string& hash : hashes) {
    const std::vector<std::byte> bytes = store.read(hash);
    writer.array(bytes.data(), bytes.size());
  }
  return writeFile(output, file);
}

}  // namespace slipstream
