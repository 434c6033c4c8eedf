// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/checkpoints/commands.h"
#include "app/cli/streams/output.h"
#include "engine/base/characters.h"
#include "engine/base/text.h"
#include "engine/document/text_table.h"
#include "engine/interchange/tensor_file.h"
#include "engine/interchange/weight_names.h"

namespace slipstream::cli {
namespace {

std::string formatText(FileFormat format) {
  return format == FileFormat::ckpt ? "MindSpore checkpoint" : "safetensors";
}

std::string crcText(CrcVerdict verdict) {
  if (verdict == CrcVerdict::absent) return "no checksum";
  return verdict == CrcVerdict::holds ? "the checksum holds" : "the checksum does not hold";
}

std::int64_t bytesOf(const FileContents& contents) {
  std::int64_t bytes = 0;
  for (const StoredTensor& tensor : contents.tensors) bytes += tensor.bytes;
  return bytes;
}

std::string typeName(ElementType type) {
  return std::string(ckptName(type).empty() ? safetensorsName(type) : ckptName(type));
}

void printTable(const TensorFile& file, CrcVerdict verdict) {
  const FileContents& contents = file.contents();
  std::vector<TextRow> rows{{"name", "type", "shape", "size", "chunks"}};
  for (const StoredTensor& tensor : contents.tensors) {
    const bool sized = slipstream::bytesOf(tensor.entry.type) > 0;
    rows.push_back({printable(tensor.entry.name), typeName(tensor.entry.type),
                    sized ? shapeText(tensor.entry.shape) : "", sizeText(tensor.bytes),
                    tensor.pieces.size() > 1 ? std::to_string(tensor.pieces.size()) : ""});
  }
  fmt::print("{}", tableText(rows, 3));
  for (const auto& [key, value] : contents.metadata) fmt::print("{}: {}\n", printable(key), printable(value));
  fmt::print("{}: {}, {}, {}{}\n", file.name(), formatText(contents.format),
             counted(std::ssize(contents.tensors), "tensor"), sizeText(bytesOf(contents)),
             contents.format == FileFormat::ckpt ? ", " + crcText(verdict) : "");
}

nlohmann::ordered_json toJson(const TensorFile& file, CrcVerdict verdict) {
  const FileContents& contents = file.contents();
  nlohmann::ordered_json tensors = nlohmann::ordered_json::array();
  for (const StoredTensor& tensor : contents.tensors) {
    tensors.push_back({{"name", tensor.entry.name},
                       {"type", typeName(tensor.entry.type)},
                       {"shape", tensor.entry.shape},
                       {"bytes", tensor.bytes},
                       {"chunks", tensor.pieces.size()},
                       {"training_state", isTrainingState(tensor.entry.name)}});
  }
  nlohmann::ordered_json crc = nullptr;
  if (contents.crc) crc = {{"value", *contents.crc}, {"holds", verdict == CrcVerdict::holds}};
  return {{"file", file.name()},           {"format", contents.format == FileFormat::ckpt ? "ckpt" : "safetensors"},
          {"bytes", bytesOf(contents)},    {"crc", crc},
          {"metadata", contents.metadata}, {"tensors", tensors}};
}

}  // namespace

int checkpointInspect(const CheckpointInspectArguments& arguments, const CommandLine&) {
  const auto file = TensorFile::open(arguments.file);
  if (!file) return report(file.error());
  const auto verdict = (*file)->checkCrc();
  if (!verdict) return report(verdict.error());
  if (arguments.json) {
    print(toJson(**file, *verdict));
  } else {
    printTable(**file, *verdict);
  }
  if (*verdict != CrcVerdict::broken) return ExitCode::done;
  return report({(*file)->brokenCrc()});
}

}  // namespace slipstream::cli
