// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "engine/base/file_bytes.h"
#include "engine/probe/own_samples.h"

namespace slipstream {
namespace {

namespace fs = std::filesystem;

constexpr const char* textEnding = ".txt";
constexpr std::int64_t byteValues = 256;

/// A window and the byte behind it, windows side by side.
class TextReader final : public OwnReader {
 public:
  Result<OwnFacts> facts(const DatasetSpec& dataset) const override {
    SLIPSTREAM_TRY(found, findOwnFiles(dataset.path, textEnding));
    OwnFacts facts;
    facts.samples.shape = {0, 0, dataset.window};
    facts.classes = byteValues;
    SLIPSTREAM_TRY(training, countWindows(found.training, dataset.window));
    facts.training = training;
    if (!found.evaluation) return facts;
    SLIPSTREAM_TRY(evaluation, countWindows(*found.evaluation, dataset.window));
    facts.evaluation = evaluation;
    return facts;
  }

  Status read(const DatasetSpec& dataset, const OwnFacts&, DataPart part, const OwnSink& sink) const override {
    SLIPSTREAM_TRY(found, findOwnFiles(dataset.path, textEnding));
    SLIPSTREAM_TRY(file, FileBytes::open(part == DataPart::training ? found.training : *found.evaluation));
    const auto window = static_cast<std::size_t>(dataset.window);
    std::vector<std::uint8_t> bytes(window + 1);
    for (std::int64_t at = 0; at + dataset.window < file.size(); at += dataset.window) {
      SLIPSTREAM_CHECK(file.read(at, std::as_writable_bytes(std::span(bytes))));
      sink({.bytes = std::span(bytes).first(window), .label = bytes.back()});
    }
    return {};
  }

  std::vector<fs::path> files(const DatasetSpec& dataset) const override {
    return ownFilesOf(dataset.path, textEnding);
  }

  bool isSequence() const override { return true; }

 private:
  static Result<std::int64_t> countWindows(const fs::path& path, std::int64_t window) {
    SLIPSTREAM_TRY(file, FileBytes::open(path));
    if (file.size() > window) return (file.size() - 1) / window;
    return fail(path.string(), fmt::format("{} bytes", file.size()),
                fmt::format("is too short for one sample of {} bytes and the byte behind them", window),
                "name a longer text, or give a smaller dataset.window");
  }
};

}  // namespace

const DatasetKind& textKind() {
  static const TextReader reader;
  static const DatasetKind kind = [] {
    DatasetKind made = ownKind(reader);
    made.name = "text";
    made.summary = "the bytes of FILE.txt, or of train.txt and test.txt: the byte behind each window is its class";
    made.keys = {{{"window", "Window", "bytes of a sample; the byte behind them is its class"},
                  [](Fields& fields, const Key& key, DatasetSpec& dataset) {
                    fields.integer(key, dataset.window, between(1, 65536));
                  }}};
    return made;
  }();
  return kind;
}

}  // namespace slipstream
