#include "engine/boost/dim_reduce/npy.h"

#include <array>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <regex>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "engine/base/error.h"
#include "engine/base/text.h"

namespace slipstream {
namespace {

static_assert(std::endian::native == std::endian::little, "values are read and written as they lie in memory");

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t alignment = 64;  ///< of the first value

std::string headerOf(std::int64_t rows, std::int64_t columns) {
  std::string text = fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}), }}", rows, columns);
  const std::size_t before = magic.size() + 4;  // version and length
  text.resize((before + text.size() + 1 + alignment - 1) / alignment * alignment - before - 1, ' ');
  text += '\n';
  std::string header{magic};
  header += {'\x01', '\x00', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
  return header + text;
}

/// What follows the magic word: the dictionary, and where it ends in the file.
struct HeaderText {
  std::string text;
  std::int64_t end = 0;
};

std::optional<HeaderText> headerText(std::istream& file) {
  std::array<unsigned char, 12> head{};
  const auto get = [&](std::size_t from, std::size_t count) {
    return static_cast<bool>(
        file.read(reinterpret_cast<char*>(head.data() + from), static_cast<std::streamsize>(count)));
  };
  if (!get(0, 8) || std::memcmp(head.data(), magic.data(), magic.size()) != 0) return std::nullopt;
  const bool shortLength = head[6] == 1;
  if (head[6] < 1 || head[6] > 3 || !get(8, shortLength ? 2 : 4)) return std::nullopt;
  std::size_t length = head[8] + (std::size_t{head[9]} << 8);
  if (!shortLength) length += (std::size_t{head[10]} << 16) + (std::size_t{head[11]} << 24);
  if (length > (1U << 20)) return std::nullopt;
  HeaderText header{std::string(length, ' '), 0};
  if (!file.read(header.text.data(), static_cast<std::streamsize>(length))) return std::nullopt;
  header.end = static_cast<std::int64_t>(file.tellg());
  return header;
}

std::string valueOf(const std::string& header, const char* key, const char* pattern) {
  std::smatch match;
  const std::regex expression(fmt::format("'{}'\\s*:\\s*{}", key, pattern));
  return std::regex_search(header, match, expression) ? match[1].str() : "";
}

}  // namespace

Result<NpyMatrix> NpyMatrix::open(const std::filesystem::path& path) {
  NpyMatrix matrix;
  SLIPSTREAM_CHECK(matrix.readHeader(path));
  return matrix;
}

Status NpyMatrix::readHeader(const std::filesystem::path& path) {
  path_ = path;
  file_.open(path, std::ios::binary);
  if (!file_) return fail(path.string(), "", "cannot be read", "check the path and its permissions");
  const auto header = headerText(file_);
  if (!header) return fail(path.string(), "", "is no .npy file", "write it with numpy.save");

  const std::string type = valueOf(header->text, "descr", "'([^']*)'");
  if (type != "<f4" && type != "<f8") {
    return fail(path.string(), type, "holds no fp32 or fp64 values", "save it as float32 in little-endian order");
  }
  valueBytes_ = type == "<f4" ? 4 : 8;
  byColumns_ = valueOf(header->text, "fortran_order", "(True|False)") == "True";
  const std::string shape = valueOf(header->text, "shape", "\\(([^)]*)\\)");
  static const std::regex twoNumbers("\\s*(\\d{1,15})\\s*,\\s*(\\d{1,15})\\s*,?\\s*");
  std::smatch numbers;
  if (!std::regex_match(shape, numbers, twoNumbers)) {
    return fail(path.string(), "(" + shape + ")", "is no matrix", "save an array of shape (components, weights)");
  }
  rows_ = std::stoll(numbers[1]);
  columns_ = std::stoll(numbers[2]);
  start_ = header->end;
  const auto bytes = static_cast<std::int64_t>(std::filesystem::file_size(path));
  if ((bytes - start_) / valueBytes_ >= rows_ * columns_) return {};
  return fail(path.string(), fmt::format("{} bytes", bytes),
              fmt::format("is cut short: its header promises {} x {} values", rows_, columns_), "save it again");
}

void NpyMatrix::readValues(std::int64_t index, std::span<double> values) {
  file_.seekg(start_ + index * valueBytes_);
  std::vector<char> bytes(values.size() * static_cast<std::size_t>(valueBytes_));
  if (!file_.read(bytes.data(), static_cast<std::streamsize>(bytes.size()))) {
    throw Error(fmt::format("{} cannot be read any more", path_.string()));
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    float single = 0;
    const char* const from = bytes.data() + i * static_cast<std::size_t>(valueBytes_);
    if (valueBytes_ == 8) {
      std::memcpy(&values[i], from, 8);
    } else {
      std::memcpy(&single, from, 4);
      values[i] = static_cast<double>(single);
    }
    if (!std::isfinite(values[i])) throw Error(fmt::format("{} holds a value that is no number", path_.string()));
  }
}

void NpyMatrix::read(std::int64_t count, Range part, std::span<float> values) {
  const auto width = static_cast<std::size_t>(part.size());
  const std::int64_t lines = byColumns_ ? part.size() : count;
  std::vector<double> line(byColumns_ ? static_cast<std::size_t>(count) : width);
  for (std::int64_t k = 0; k < lines; ++k) {
    readValues(byColumns_ ? (part.begin + k) * rows_ : k * columns_ + part.begin, line);
    for (std::size_t i = 0; i < line.size(); ++i) {
      const auto at = static_cast<std::size_t>(k);
      values[byColumns_ ? i * width + at : at * width + i] = static_cast<float>(line[i]);
    }
  }
}

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
