// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/numpy_files.h"

#include <stdexcept>

#include <zlib.h>

namespace slipstream::test {
namespace {

constexpr std::uint32_t mostIn32Bits = 0xFFFFFFFF;

/// Little-endian, of so many bytes.
void put(std::string& bytes, std::uint64_t number, int width) {
  for (int i = 0; i < width; ++i) bytes += static_cast<char>(number >> (8 * i));
}

std::uint32_t crcOf(std::string_view bytes) {
  return static_cast<std::uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

/// What local and central headers share: version, flags, method, time, checksum, sizes, lengths of name and extra.
void putMember(std::string& bytes, const ZipMember& member, std::size_t extraBytes, bool zip64) {
  put(bytes, zip64 ? 45 : 20, 2);
  put(bytes, member.flags, 2);
  put(bytes, member.method, 2);
  put(bytes, 0x00210000, 4);  // 1980-01-01
  put(bytes, member.crc.value_or(crcOf(member.stored)), 4);
  put(bytes, zip64 ? mostIn32Bits : member.stored.size(), 4);
  put(bytes, zip64 ? mostIn32Bits : member.size.value_or(member.stored.size()), 4);
  put(bytes, member.name.size(), 2);
  put(bytes, extraBytes, 2);
}

std::string extraOf(const ZipMember& member, std::optional<std::uint64_t> offset) {
  std::string extra;
  put(extra, 1, 2);
  put(extra, offset ? 24 : 16, 2);
  put(extra, member.size.value_or(member.stored.size()), 8);
  put(extra, member.stored.size(), 8);
  if (offset) put(extra, *offset, 8);
  return extra;
}

void putLocal(std::string& bytes, const ZipMember& member, bool zip64) {
  const std::string extra = zip64 ? extraOf(member, std::nullopt) : "";
  bytes += "PK\x03\x04";
  putMember(bytes, member, extra.size(), zip64);
  bytes += member.name + extra + member.stored;
}

void putCentral(std::string& bytes, const ZipMember& member, std::uint64_t offset, bool zip64) {
  const std::string extra = zip64 ? extraOf(member, offset) : "";
  bytes += "PK\x01\x02";
  put(bytes, zip64 ? 45 : 20, 2);
  putMember(bytes, member, extra.size(), zip64);
  bytes.append(2 + 2 + 2 + 4, '\0');  // no comment, first disk, no attributes
  put(bytes, zip64 ? mostIn32Bits : offset, 4);
  bytes += member.name + extra;
}

void putEnd64(std::string& bytes, std::uint64_t members, std::uint64_t size, std::uint64_t offset) {
  const std::uint64_t record = bytes.size();
  bytes += "PK\x06\x06";
  put(bytes, 44, 8);
  put(bytes, 45, 2);
  put(bytes, 45, 2);
  put(bytes, 0, 8);  // disks
  put(bytes, members, 8);
  put(bytes, members, 8);
  put(bytes, size, 8);
  put(bytes, offset, 8);
  bytes += "PK\x06\x07";
  put(bytes, 0, 4);
  put(bytes, record, 8);
  put(bytes, 1, 4);
}

}  // namespace

std::string npyWith(const std::string& dictionary, std::string_view values) {
  std::string bytes("\x93NUMPY\x01\x00", 8);
  put(bytes, dictionary.size() + 1, 2);
  bytes += dictionary + "\n";
  return bytes.append(values);
}

std::string npyOf(const std::string& type, const std::string& shape, std::string_view values,
                  const std::string& byColumns) {
  return npyWith("{'descr': '" + type + "', 'fortran_order': " + byColumns + ", 'shape': " + shape + ", }", values);
}

ZipMember deflated(const std::string& name, std::string_view bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::runtime_error("zlib cannot begin");
  }
  std::string stored(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(stored.data());
  stream.avail_out = static_cast<uInt>(stored.size());
  const int ended = ::deflate(&stream, Z_FINISH);
  stored.resize(stream.total_out);
  deflateEnd(&stream);
  if (ended != Z_STREAM_END) throw std::runtime_error("zlib cannot end");
  return {name, stored, 8, 0, bytes.size(), crcOf(bytes)};
}

std::string zipOf(const std::vector<ZipMember>& members, const ZipStyle& style) {
  std::string bytes;
  std::string central;
  for (const ZipMember& member : members) {
    putCentral(central, member, bytes.size(), style.zip64);
    putLocal(bytes, member, style.zip64);
  }
  const std::uint64_t offset = bytes.size();
  const std::uint64_t count = style.members.value_or(members.size());
  bytes += central;
  if (style.zip64) putEnd64(bytes, count, central.size(), offset);
  bytes += "PK\x05\x06";
  put(bytes, 0, 4);
  for (int time = 0; time < 2; ++time) put(bytes, style.zip64 ? 0xFFFF : count, 2);
  put(bytes, style.zip64 ? mostIn32Bits : central.size(), 4);
  put(bytes, style.zip64 ? mostIn32Bits : offset, 4);
  put(bytes, 0, 2);
  return bytes;
}

}  // namespace slipstream::test
