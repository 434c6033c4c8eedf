// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/metric_block.h"

#include "engine/base/byte_codec.h"
#include "engine/base/error.h"

namespace slipstream {
namespace {

constexpr std::uint8_t blockVersion = 1;

tl::unexpected<Failures> damaged(const char* problem) {
  return fail("metric block", "", problem, "both sides of a link must be of the same version of slipstream");
}

}  // namespace

// Stored form: version (1 byte), number of names (4), each name's length (4) and text, number of rows (4), then steps,
// wall times and values as they lie in memory.
std::string encode(const MetricBlock& block) {
  const std::size_t rows = block.steps.size();
  if (block.wallNanoseconds.size() != rows || block.values.size() != rows * block.names.size()) {
    throw Error("a metric block must hold one wall time a step and one value a step and name");
  }
  std::string bytes;
  bytes.reserve(64 + 32 * block.names.size() + 16 * rows + 8 * block.values.size());
  ByteWriter writer(bytes);
  writer.number(blockVersion);
  writer.number(static_cast<std::uint32_t>(block.names.size()));
  for (const std::string& name : block.names) {
    writer.number(static_cast<std::uint32_t>(name.size()));
    bytes += name;
  }
  writer.number(static_cast<std::uint32_t>(rows));
  writer.array(block.steps.data(), rows);
  writer.array(block.wallNanoseconds.data(), rows);
  writer.array(block.values.data(), block.values.size());
  return bytes;
}

Result<MetricBlock> decodeMetricBlock(std::string_view bytes) {
  ByteReader reader(bytes);
  if (reader.number<std::uint8_t>() != blockVersion) return damaged("is of a version that this program does not know");
  MetricBlock block;
  const auto names = reader.number<std::uint32_t>();
  if (!reader.holds(names, sizeof(std::uint32_t))) return damaged("ends within its names");
  for (std::uint32_t i = 0; i < names; ++i) block.names.emplace_back(reader.text(reader.number<std::uint32_t>()));
  const auto rows = reader.number<std::uint32_t>();
  if (!reader.holds(rows, 2 * sizeof(std::int64_t) + names * sizeof(double))) return damaged("ends within its values");
  block.steps.resize(rows);
  block.wallNanoseconds.resize(rows);
  block.values.resize(std::size_t{rows} * names);
  reader.array(block.steps.data(), block.steps.size());
  reader.array(block.wallNanoseconds.data(), block.wallNanoseconds.size());
  reader.array(block.values.data(), block.values.size());
  if (!reader.atEnd()) return damaged("has bytes after its end");
  return block;
}

}  // namespace slipstream
