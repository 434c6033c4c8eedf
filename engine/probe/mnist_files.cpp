// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include <fmt/format.h>
#include <zlib.h>

#include "engine/probe/dataset_files.h"

namespace slipstream {
namespace {

constexpr const char* replaceRemedy = "replace the file by a whole one";

/// One idx file, plain or gzip: big-endian magic 0x0000080N, N sizes, then one byte a value.
class IdxReader {
 public:
  explicit IdxReader(const std::filesystem::path& path)
      : path_(path.string()), file_(::gzopen(path.c_str(), "rb"), &::gzclose) {}

  Result<std::vector<std::int64_t>> header(int dimensions) {
    if (!file_) return fail(path_, "", "cannot be opened", "check its permissions");
    SLIPSTREAM_TRY(magic, word());
    const std::int64_t expected = 0x800 + dimensions;
    if (magic != expected) {
      return fail(path_, fmt::format("0x{:08x}", magic), fmt::format("does not start with 0x{:08x}", expected),
                  "give an idx file of the MNIST kind");
    }
    std::vector<std::int64_t> sizes;
    for (int i = 0; i < dimensions; ++i) {
      SLIPSTREAM_TRY(size, word());
      sizes.push_back(size);
    }
    return sizes;
  }

  /// Reads `bytes` values; the largest of them.
  Result<int> values(std::int64_t bytes) {
    std::array<unsigned char, 1 << 16> buffer;
    int largest = 0;
    while (bytes > 0) {
      const auto wanted = static_cast<unsigned>(std::min<std::int64_t>(bytes, buffer.size()));
      const int got = ::gzread(file_.get(), buffer.data(), wanted);
      if (got <= 0) return truncated();
      largest = std::max<int>(largest, *std::max_element(buffer.begin(), buffer.begin() + got));
      bytes -= got;
    }
    if (::gzread(file_.get(), buffer.data(), 1) > 0) {
      return fail(path_, "", "goes on after its last value", replaceRemedy);
    }
    return largest;
  }

 private:
  Result<std::int64_t> word() {
    std::array<unsigned char, 4> bytes{};
    if (::gzread(file_.get(), bytes.data(), 4) != 4) return truncated();
    std::int64_t value = 0;
    for (const unsigned char byte : bytes) value = value * 256 + byte;
    return value;
  }

  tl::unexpected<Failures> truncated() const {
    int code = Z_OK;
    const char* message = ::gzerror(file_.get(), &code);
    const bool damaged = code != Z_OK && code != Z_BUF_ERROR;
    return fail(path_, damaged ? message : "", damaged ? "is damaged" : "is truncated: it ends before its last value",
                replaceRemedy);
  }

  std::string path_;
  std::unique_ptr<gzFile_s, int (*)(gzFile)> file_;
};

struct IdxSummary {
  std::int64_t count = 0;
  int largest = 0;
};

Result<IdxSummary> readThrough(const std::filesystem::path& path, int dimensions) {
  IdxReader reader(path);
  SLIPSTREAM_TRY(sizes, reader.header(dimensions));
  if (dimensions == 3 && (sizes[1] != 28 || sizes[2] != 28)) {
    return fail(path.string(), fmt::format("{} x {}", sizes[1], sizes[2]),
                "holds pictures of another size than 28 x 28", "give the MNIST files");
  }
  if (sizes[0] == 0) return fail(path.string(), "0", "holds no samples", replaceRemedy);
  SLIPSTREAM_TRY(largest, reader.values(dimensions == 3 ? sizes[0] * 28 * 28 : sizes[0]));
  return IdxSummary{sizes[0], largest};
}

Result<std::int64_t> inspectPart(const std::filesystem::path& folder, const std::string& part) {
  const auto imagePath = idxFile(folder, part + "-images", 3);
  const auto labelPath = idxFile(folder, part + "-labels", 1);
  Failures failures;
  const auto images = readThrough(*imagePath, 3);
  const auto labels = readThrough(*labelPath, 1);
  collect(images, failures);
  collect(labels, failures);
  if (images && labels && images->count != labels->count) {
    failures.push_back({labelPath->string(), std::to_string(labels->count),
                        fmt::format("holds another number of labels than the {} pictures", images->count),
                        "give files that belong together"});
  }
  if (labels && labels->largest > 9) {
    failures.push_back(
        {labelPath->string(), std::to_string(labels->largest), "holds a label outside 0 to 9", replaceRemedy});
  }
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return images->count;
}

}  // namespace

std::optional<std::filesystem::path> idxFile(const std::filesystem::path& folder, const std::string& stem,
                                             int dimensions) {
  const char* subFolder = stem.starts_with("train") ? "train" : "test";
  for (const std::filesystem::path& place : {folder, folder / subFolder}) {
    for (const char* separator : {"-", "."}) {
      for (const char* ending : {"", ".gz"}) {
        const auto path = place / fmt::format("{}{}idx{}-ubyte{}", stem, separator, dimensions, ending);
        std::error_code error;
        if (std::filesystem::is_regular_file(path, error)) return path;
      }
    }
  }
  return std::nullopt;
}

namespace {

/// Training needs the files of both parts, for it evaluates too.
std::vector<std::string> missingMnistFiles(const std::filesystem::path& folder, DataPart needed) {
  std::vector<std::string> missing;
  for (const char* part : {"train", "t10k"}) {
    if (needed == DataPart::evaluation && part == std::string_view("train")) continue;
    if (!idxFile(folder, fmt::format("{}-images", part), 3))
      missing.push_back(fmt::format("{}-images-idx3-ubyte", part));
    if (!idxFile(folder, fmt::format("{}-labels", part), 1))
      missing.push_back(fmt::format("{}-labels-idx1-ubyte", part));
  }
  return missing;
}

Result<SampleCounts> inspectMnist(const DatasetSpec& dataset) {
  const std::filesystem::path folder = dataset.path;
  Failures failures;
  const auto training = inspectPart(folder, "train");
  const auto evaluation = inspectPart(folder, "t10k");
  collect(training, failures);
  collect(evaluation, failures);
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return SampleCounts{*training, *evaluation};
}

std::vector<std::filesystem::path> presentMnistFiles(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const char* part : {"train", "t10k"}) {
    for (const auto& [stem, dimensions] : {std::pair{"images", 3}, std::pair{"labels", 1}}) {
      const auto file = idxFile(folder, fmt::format("{}-{}", part, stem), dimensions);
      if (file) files.push_back(*file);
    }
  }
  return files;
}

}  // namespace

const DatasetKind& mnistKind() {
  static const DatasetKind kind{
      .name = "mnist",
      .summary = "idx files",
      .fallback = "digits",
      .packedForms = " (plain or .gz)",
      .mean = {0.1307},
      .deviation = {0.3081},
      .shape = [](const DatasetSpec&) -> SampleShape {
        return {28, 28, 1};
      },
      .countClasses = [](const DatasetSpec&) -> std::int64_t { return 10; },
      .missing = missingMnistFiles,
      .inspect = inspectMnist,
      .state = [](const std::filesystem::path& folder) { return stateOfFiles(presentMnistFiles(folder)); },
  };
  return kind;
}

}  // namespace slipstream
