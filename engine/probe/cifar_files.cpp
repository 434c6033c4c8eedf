// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

#include <fmt/format.h>
#include <zlib.h>

#include "engine/base/text.h"
#include "engine/probe/dataset_files.h"

namespace slipstream {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t planeBytes = 3 * 32 * 32;
constexpr const char* fetchAgain = "get the file again from where it came";

std::string stemOf(const fs::path& file) {
  std::string name = file.filename().string();
  if (name.ends_with(".gz")) name.resize(name.size() - 3);
  return name;
}

bool belongsTo(const fs::path& file, DataPart part) {
  const std::string name = stemOf(file);
  if (part == DataPart::evaluation) return name == "test_batch.bin";
  return matchesPattern(name, "data_batch_*.bin") && parseInteger(name.substr(11, name.size() - 15));
}

std::int64_t numberOf(const fs::path& file) {
  const std::string name = stemOf(file);
  return name == "test_batch.bin" ? 0 : parseInteger(name.substr(11, name.size() - 15)).value_or(0);
}

std::vector<fs::path> filesIn(const fs::path& folder, DataPart part) {
  std::vector<fs::path> files;
  std::error_code error;
  for (auto at = fs::directory_iterator(folder, error); !error && at != fs::directory_iterator(); at.increment(error)) {
    std::error_code ignored;
    if (belongsTo(at->path(), part) && at->is_regular_file(ignored)) files.push_back(at->path());
  }
  // A file beside its own packed form is one file; the plain one sorts first.
  std::ranges::sort(files, {}, [](const fs::path& file) { return std::pair(numberOf(file), file.string()); });
  const auto same = [](const fs::path& a, const fs::path& b) { return stemOf(a) == stemOf(b); };
  files.erase(std::unique(files.begin(), files.end(), same), files.end());
  return files;
}

/// Why a read came short.
tl::unexpected<Failures> shortRead(const fs::path& file, gzFile handle, std::int64_t record) {
  int code = Z_OK;
  const std::string message = ::gzerror(handle, &code);
  if (code != Z_OK && code != Z_BUF_ERROR) return fail(file.string(), message, "is damaged", fetchAgain);
  return fail(file.string(), fmt::format("record {}", record), "ends inside a record of 3073 bytes", fetchAgain);
}

}  // namespace

std::vector<fs::path> cifarFiles(const fs::path& folder, DataPart part) {
  auto files = filesIn(folder, part);
  return files.empty() ? filesIn(folder / "cifar-10-batches-bin", part) : files;
}

Result<std::int64_t> readCifar(const fs::path& file, const CifarSink& sink) {
  errno = 0;
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> handle(::gzopen(file.c_str(), "rb"), &::gzclose);
  if (!handle) {
    return fail(file.string(), "", std::string("cannot be read: ") + std::strerror(errno), "make it readable");
  }
  std::array<std::uint8_t, 1 + planeBytes> record{};
  for (std::int64_t number = 0;; ++number) {
    const int got = ::gzread(handle.get(), record.data(), static_cast<unsigned>(record.size()));
    int code = Z_OK;
    ::gzerror(handle.get(), &code);
    if (got == 0 && code == Z_OK && number > 0) return number;
    if (got == 0 && code == Z_OK) return fail(file.string(), "", "holds no records", fetchAgain);
    if (got != static_cast<int>(record.size())) return shortRead(file, handle.get(), number);
    if (record[0] > 9) {
      return fail(file.string(), std::to_string(record[0]),
                  fmt::format("has a label out of range 0 to 9 in record {}", number), "give the files of CIFAR-10");
    }
    sink(record[0], std::span(record).subspan(1));
  }
}

namespace {

/// Training needs the files of both parts, for it evaluates too.
std::vector<std::string> missingCifarFiles(const fs::path& folder, DataPart needed) {
  std::vector<std::string> missing;
  const bool trains = needed == DataPart::training;
  if (trains && cifarFiles(folder, DataPart::training).empty()) missing.emplace_back("data_batch_*.bin");
  if (cifarFiles(folder, DataPart::evaluation).empty()) missing.emplace_back("test_batch.bin");
  return missing;
}

Result<std::int64_t> countRecords(const fs::path& folder, DataPart part) {
  std::int64_t records = 0;
  Failures failures;
  for (const fs::path& file : cifarFiles(folder, part)) {
    const auto read = readCifar(file, [](std::uint8_t, std::span<const std::uint8_t>) {});
    if (collect(read, failures)) records += *read;
  }
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return records;
}

Result<SampleCounts> inspectCifar(const DatasetSpec& dataset) {
  Failures failures;
  const auto training = countRecords(dataset.path, DataPart::training);
  const auto evaluation = countRecords(dataset.path, DataPart::evaluation);
  collect(training, failures);
  collect(evaluation, failures);
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return SampleCounts{*training, *evaluation};
}

std::string stateOfCifar(const fs::path& folder) {
  std::vector<fs::path> files = cifarFiles(folder, DataPart::training);
  const auto evaluation = cifarFiles(folder, DataPart::evaluation);
  files.insert(files.end(), evaluation.begin(), evaluation.end());
  return stateOfFiles(files);
}

}  // namespace

const DatasetKind& cifar10Kind() {
  static const DatasetKind kind{
      .name = "cifar10",
      .summary = "binary batches",
      .augments = true,
      .packedForms = " (plain or .gz)",
      .mean = {0.4914, 0.4822, 0.4465},
      .deviation = {0.2023, 0.1994, 0.2010},
      .shape = [](const DatasetSpec&) -> SampleShape {
        return {32, 32, 3};
      },
      .discover = [](DatasetSpec& dataset) { dataset.classes = 10; },
      .missing = missingCifarFiles,
      .inspect = inspectCifar,
      .state = stateOfCifar,
  };
  return kind;
}

}  // namespace slipstream
