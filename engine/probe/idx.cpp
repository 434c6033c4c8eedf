// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/probe/idx.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <span>

#include <fmt/format.h>
#include <zlib.h>

#include "engine/base/text.h"

namespace slipstream {
namespace {

constexpr const char* fetchAgain = "get the file again from where it came";

/// A plain or compressed file; zlib tells which.
class Source {
 public:
  static Result<Source> open(const std::filesystem::path& path) {
    std::error_code unknown;
    const auto status = std::filesystem::status(path, unknown);
    if (std::filesystem::is_directory(status)) {
      return fail(path.string(), "", "is a folder", "name a folder of idx files");
    }
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
      return fail(path.string(), "", "is no regular file", "put the file itself there");
    }
    errno = 0;
    gzFile file = gzopen(path.c_str(), "rb");
    if (file == nullptr) {
      return fail(path.string(), "", std::string("cannot be read: ") + std::strerror(errno), "make it readable");
    }
    return Source(path, file);
  }

  /// Fills `bytes` or fails.
  Status read(std::span<std::uint8_t> bytes) {
    while (!bytes.empty()) {
      constexpr std::size_t most = 1 << 30;
      const int got = gzread(file_.get(), bytes.data(), static_cast<unsigned int>(std::min(bytes.size(), most)));
      if (got < 0) return damaged();
      if (got == 0) return ended();
      bytes = bytes.subspan(static_cast<std::size_t>(got));
    }
    return {};
  }

  /// Fails where anything follows, or where the checksum of a compressed file is wrong.
  Status finish() {
    std::uint8_t extra = 0;
    const int got = gzread(file_.get(), &extra, 1);
    if (got < 0) return damaged();
    if (got > 0) return fail(path_.string(), "", "goes on after the last item that its header counts", fetchAgain);
    return {};
  }

 private:
  Source(std::filesystem::path path, gzFile file) : path_(std::move(path)), file_(file) {}

  Status damaged() const {
    int code = 0;
    const std::string what = gzerror(file_.get(), &code);
    if (code == Z_BUF_ERROR) return fail(path_.string(), "", "ends too early", fetchAgain);
    return fail(path_.string(), "", "is damaged: " + what, fetchAgain);
  }
  Status ended() const {
    int code = 0;
    gzerror(file_.get(), &code);
    if (code != Z_OK && code != Z_BUF_ERROR) return damaged();
    return fail(path_.string(), "", "ends too early", fetchAgain);
  }

  struct Close {
    void operator()(gzFile file) const { gzclose(file); }
  };
  std::filesystem::path path_;
  std::unique_ptr<gzFile_s, Close> file_;
};

std::uint32_t bigEndian(const std::uint8_t* bytes) {
  return static_cast<std::uint32_t>(bytes[0]) << 24 | static_cast<std::uint32_t>(bytes[1]) << 16 |
         static_cast<std::uint32_t>(bytes[2]) << 8 | static_cast<std::uint32_t>(bytes[3]);
}

std::string hexText(std::uint32_t value) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "0x%08X", value);
  return text.data();
}

Status checkMagic(const std::filesystem::path& file, std::uint32_t magic, int dimensions) {
  const std::uint32_t expected = 0x0800U + static_cast<std::uint32_t>(dimensions);
  if (magic == expected) return {};
  const std::string kind = dimensions == 1 ? "labels" : "images";
  return fail(file.string(), hexText(magic), "has the wrong magic number for idx " + kind,
              "put a file that begins with " + hexText(expected) + " there");
}

/// The sizes of the header; each at least 1.
Result<std::vector<std::int64_t>> readSizes(const std::filesystem::path& file, Source& source, int dimensions) {
  std::vector<std::uint8_t> header(4 + 4 * static_cast<std::size_t>(dimensions));
  SLIPSTREAM_CHECK(source.read(std::span(header).first(4)));
  SLIPSTREAM_CHECK(checkMagic(file, bigEndian(header.data()), dimensions));
  SLIPSTREAM_CHECK(source.read(std::span(header).subspan(4)));
  std::vector<std::int64_t> sizes;
  for (std::size_t at = 4; at < header.size(); at += 4) sizes.push_back(bigEndian(header.data() + at));
  for (const auto size : sizes) {
    if (size == 0) return fail(file.string(), "0", "holds no items", "use a file with at least one item");
  }
  return sizes;
}

/// A compressed file of a few bytes may claim any size, and keep what unpacks it busy for hours.
Status checkExtent(const std::filesystem::path& file, double bytes) {
  constexpr double most = 4.0 * (1ULL << 30);
  constexpr double bestCompression = 1032;  // of deflate
  if (bytes > most) {
    return fail(file.string(), fmt::format("{:.0f} bytes", bytes), "claims to hold more than such a file may",
                "split it: at most " + sizeText(static_cast<std::int64_t>(most)) + " are read from one file");
  }
  std::error_code unknown;
  const auto stored = std::filesystem::file_size(file, unknown);
  if (unknown || bytes <= bestCompression * static_cast<double>(stored)) return {};
  return fail(file.string(), "", "ends too early", fetchAgain);
}

}  // namespace

Result<std::vector<std::int64_t>> readIdx(const std::filesystem::path& file, int dimensions, const IdxSink& sink) {
  SLIPSTREAM_TRY(source, Source::open(file));
  SLIPSTREAM_TRY(sizes, readSizes(file, source, dimensions));
  double expected = 1;
  for (const auto size : sizes) expected *= static_cast<double>(size);
  SLIPSTREAM_CHECK(checkExtent(file, expected));
  std::array<std::uint8_t, 1 << 16> buffer;
  for (auto left = static_cast<std::size_t>(expected); left > 0;) {
    const std::span part = std::span(buffer).first(std::min(left, buffer.size()));
    SLIPSTREAM_CHECK(source.read(part));
    sink(part);
    left -= part.size();
  }
  SLIPSTREAM_CHECK(source.finish());
  return sizes;
}

}  // namespace slipstream
