// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runs/export_weights.h"

#include <algorithm>
#include <cstring>
#include <span>

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/experiment/experiment_check.h"
#include "engine/interchange/ckpt_writer.h"
#include "engine/interchange/safetensors_file.h"
#include "engine/interchange/tensor_file.h"
#include "engine/interchange/weight_names.h"
#include "engine/probe/dataset_kind.h"
#include "engine/probe/weight_files.h"
#include "engine/spec/network_conventions.h"

namespace slipstream {
namespace {

/// One tensor on its way out.
struct Outgoing {
  TensorEntry entry;
  std::string hash;
  PixelOrder order;
};

std::vector<ExpectedTensor> tensorsOf(const Experiment& experiment) {
  const auto shape = networkShape(experiment.network, sampleShape(experiment.dataset));
  if (!shape) throw Error(toText(shape.error()));
  return expectedTensors(experiment.network, *shape);
}

TensorEntry entryOf(const TensorRecord& tensor, const ExportForm& form) {
  const auto type = typeOfSafetensors(tensor.dtype);
  if (!type) throw Error("tensor " + tensor.name + " has the unknown type " + tensor.dtype);
  if (form.channels == ChannelPlace::last) return {tensor.name, *type, tensor.shape};
  return {nameIn(form.names, std::string(plainName(tensor.name))), *type,
          shapeWithChannels(tensor.shape, form.channels)};
}

std::vector<Outgoing> outgoing(const CheckpointManifest& manifest, const Experiment& experiment,
                               const ExportForm& form) {
  std::map<std::string, PixelOrder> orders;
  if (form.channels == ChannelPlace::first) {
    for (const ExpectedTensor& tensor : tensorsOf(experiment)) orders[tensor.name] = tensor.order;
  }
  std::vector<Outgoing> all;
  for (const TensorRecord& tensor : manifest.tensors) {
    if (tensor.shard > 0 || !belongsToNetwork(tensor)) continue;
    const auto found = orders.find(std::string(plainName(tensor.name)));
    all.push_back({entryOf(tensor, form), tensor.hash, found == orders.end() ? PixelOrder{} : found->second});
  }
  return all;
}

/// Weights are fp32 wherever they are turned.
std::vector<std::byte> bytesOf(CheckpointStore& store, const Outgoing& tensor) {
  std::vector<std::byte> bytes = store.read(tensor.hash);
  if (tensor.order.pixels == 1 || tensor.order.channels == 1) return bytes;
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  const std::vector<float> first = turned(values, tensor.order, ChannelPlace::last);
  std::memcpy(bytes.data(), first.data(), bytes.size());
  return bytes;
}

Status writeCkpt(CheckpointStore& store, const std::vector<Outgoing>& tensors, bool crc,
                 const std::filesystem::path& output) {
  SLIPSTREAM_TRY(writer, CkptWriter::create(output, crc));
  for (const Outgoing& tensor : tensors) SLIPSTREAM_CHECK(writer.add(tensor.entry, bytesOf(store, tensor)));
  return writer.commit();
}

Status checkNames(TensorNames names, const NetworkSpec& network) {
  if (names == TensorNames::own || isOfTorchvision(network)) return {};
  const std::vector<std::string>& known = networksOfTorchvision();
  const bool rewritten = std::ranges::find(known, network.name) != known.end();
  return fail("--names", "torchvision",
              fmt::format("torchvision has no network with the layers of {}{}", network.name,
                          rewritten ? " as this run has it: boost algorithms or a list of layers made others" : ""),
              "leave it out: the names are MindSpore's then, and batch norms' gamma and beta are PyTorch's weight and "
              "bias");
}

}  // namespace

Status exportWeights(CheckpointStore& store, const CheckpointManifest& manifest, const Experiment& experiment,
                     const ExportForm& form, const std::filesystem::path& output) {
  SLIPSTREAM_CHECK(checkNames(form.names, experiment.network));
  const std::vector<Outgoing> tensors = outgoing(manifest, experiment, form);
  if (form.format == FileFormat::ckpt) return writeCkpt(store, tensors, form.crc, output);
  auto metadata = form.metadata;
  metadata[channelsKey] = nameOf(form.channels);
  if (isOfTorchvision(experiment.network)) {
    metadata[conventionsKey] = wordOf(conventionWords, experiment.network.conventions);
  }
  std::vector<TensorEntry> entries;
  for (const Outgoing& tensor : tensors) entries.push_back(tensor.entry);
  return writeSafetensors(output, entries, metadata,
                          [&](std::size_t i) -> Result<std::vector<std::byte>> { return bytesOf(store, tensors[i]); });
}

}  // namespace slipstream
