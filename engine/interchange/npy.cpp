// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/interchange/npy.h"

#include <array>
#include <cstring>
#include <fstream>
#include <optional>
#include <regex>
#include <string>

#include <fmt/format.h>

namespace slipstream {
namespace {

/// Of two numbers and a type; std::regex, which reads it, needs stack for every character.
constexpr std::size_t longestHeader = 4096;

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
  if (!get(0, 8) || std::memcmp(head.data(), npyMagic.data(), npyMagic.size()) != 0) return std::nullopt;
  const bool shortLength = head[6] == 1;
  if (head[6] < 1 || head[6] > 3 || !get(8, shortLength ? 2 : 4)) return std::nullopt;
  std::size_t length = head[8] + (std::size_t{head[9]} << 8);
  if (!shortLength) length += (std::size_t{head[10]} << 16) + (std::size_t{head[11]} << 24);
  if (length > longestHeader) return std::nullopt;
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

Status readShape(const std::string& text, const std::filesystem::path& path, NpyHeader& header) {
  const std::string shape = valueOf(text, "shape", "\\(([^)]*)\\)");
  static const std::regex twoNumbers("\\s*(\\d{1,15})\\s*,\\s*(\\d{1,15})\\s*,?\\s*");
  std::smatch numbers;
  if (!std::regex_match(shape, numbers, twoNumbers)) {
    return fail(path.string(), "(" + shape + ")", "is no matrix", "save an array of shape (components, weights)");
  }
  header.rows = std::stoll(numbers[1]);
  header.columns = std::stoll(numbers[2]);
  const auto bytes = static_cast<std::int64_t>(std::filesystem::file_size(path));
  const std::int64_t values = (bytes - header.start) / header.valueBytes;
  if (header.columns == 0 || values / header.columns >= header.rows) return {};
  return fail(path.string(), fmt::format("{} bytes", bytes),
              fmt::format("is cut short: its header promises {} x {} values", header.rows, header.columns),
              "save it again");
}

}  // namespace

Result<NpyHeader> readNpyHeader(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error)) {
    return fail(path.string(), "", "is no regular file", "name the file itself");
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(path.string(), "", "cannot be read", "check the path and its permissions");
  const auto found = headerText(file);
  if (!found) return fail(path.string(), "", "is no .npy file", "write it with numpy.save");
  const std::string type = valueOf(found->text, "descr", "'([^']*)'");
  if (type != "<f4" && type != "<f8") {
    return fail(path.string(), type, "holds no fp32 or fp64 values", "save it as float32 in little-endian order");
  }
  NpyHeader header;
  header.start = found->end;
  header.valueBytes = type == "<f4" ? 4 : 8;
  header.byColumns = valueOf(found->text, "fortran_order", "(True|False)") == "True";
  SLIPSTREAM_CHECK(readShape(found->text, path, header));
  return header;
}

}  // namespace slipstream
