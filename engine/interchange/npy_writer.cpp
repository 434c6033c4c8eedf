// SPDX-License-Identifier: GPL-3.0-or-later
#include <bit>
#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "engine/interchange/npy.h"
#include "engine/interchange/npy_header.h"

namespace slipstream {
namespace {

static_assert(std::endian::native == std::endian::little, "values are read and written as they lie in memory");

constexpr std::size_t alignment = 64;  ///< of the first value

std::string headerOf(std::int64_t rows, std::int64_t columns) {
  std::string text = fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}), }}", rows, columns);
  const std::size_t before = npyMagic.size() + 4;  // version and length
  text.resize((before + text.size() + 1 + alignment - 1) / alignment * alignment - before - 1, ' ');
  text += '\n';
  std::string header{npyMagic};
  header += {'\x01', '\x00', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
  return header + text;
}

}  // namespace

NpyWriter::NpyWriter(std::filesystem::path path, std::int64_t columns)
    : path_(std::move(path)), temporary_(fmt::format("{}.{}.tmp", path_.string(), ::getpid())), columns_(columns) {}

NpyWriter::~NpyWriter() {
  if (file_ < 0) return;
  ::close(file_);
  ::unlink(temporary_.c_str());
}

tl::unexpected<Failures> NpyWriter::problem() const {
  return fail(path_.string(), "", "cannot be written: " + std::generic_category().message(errno),
              "choose a folder that you may write to and that has room");
}

Result<std::unique_ptr<NpyWriter>> NpyWriter::create(const std::filesystem::path& path, std::int64_t rows,
                                                     std::int64_t columns) {
  std::unique_ptr<NpyWriter> writer(new NpyWriter(path, columns));
  writer->file_ = ::open(writer->temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  const std::string header = headerOf(rows, columns);
  writer->start_ = static_cast<std::int64_t>(header.size());
  const bool written = writer->file_ >= 0 &&
                       ::pwrite(writer->file_, header.data(), header.size(), 0) == static_cast<ssize_t>(header.size());
  if (!written) return writer->problem();
  return writer;
}

Status NpyWriter::write(std::int64_t row, std::int64_t column, std::span<const float> values) {
  std::int64_t place = start_ + (row * columns_ + column) * 4;
  auto rest = std::as_bytes(values);
  while (!rest.empty()) {
    const ssize_t written = ::pwrite(file_, rest.data(), rest.size(), place);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return problem();
    place += written;
    rest = rest.subspan(static_cast<std::size_t>(written));
  }
  return {};
}

Status NpyWriter::commit() {
  if (::fsync(file_) != 0 || ::rename(temporary_.c_str(), path_.c_str()) != 0) return problem();
  ::close(file_);
  file_ = -1;
  return {};
}

}  // namespace slipstream
