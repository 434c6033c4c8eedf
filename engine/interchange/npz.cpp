// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cstring>
#include <map>

#include <fmt/format.h>
#include <zip.h>

#include "engine/base/characters.h"
#include "engine/base/text.h"
#include "engine/interchange/array_container.h"
#include "engine/interchange/file_contents.h"

namespace slipstream {
namespace {

constexpr std::string_view memberEnding = ".npy";
/// A bit of deflate's shortest code stands for at most 258 bytes, two of them for a length and a distance.
constexpr std::uint64_t mostBytesPerDeflated = 1032;

using Archive = std::shared_ptr<zip_t>;
using Member = std::unique_ptr<zip_file_t, decltype(&zip_fclose)>;

tl::unexpected<Failures> damagedArchive(const std::string& place, const std::string& why) {
  return fail(place, "", "is no whole .npz file: " + why, "copy it again, or save it again with numpy.savez");
}

class NpzMemberBytes final : public ArrayBytes {
 public:
  NpzMemberBytes(std::string place, Archive archive, Member member, std::int64_t size)
      : place_(std::move(place)), archive_(std::move(archive)), member_(std::move(member)), size_(size) {}

  std::int64_t size() const override { return size_; }

  Status read(std::span<std::byte> bytes) override {
    while (!bytes.empty()) {
      const zip_int64_t count = zip_fread(member_.get(), bytes.data(), bytes.size());
      if (count < 0) return damaged();
      if (count == 0) return damagedArchive(place_, "its bytes end too early");
      bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
    return {};
  }

  /// libzip compares size and checksum where it is asked for more than there is.
  Status finish() override {
    std::byte more{};
    const zip_int64_t count = zip_fread(member_.get(), &more, 1);
    if (count < 0) return damaged();
    if (count > 0) return damagedArchive(place_, "it has more bytes than its archive says");
    return {};
  }

 private:
  tl::unexpected<Failures> damaged() { return damagedArchive(place_, zip_file_strerror(member_.get())); }

  std::string place_;
  Archive archive_;  ///< outlives member_
  Member member_;
  std::int64_t size_;
};

class Npz final : public ListedArrays {
 public:
  Npz(std::string path, std::int64_t fileBytes, Archive archive)
      : path_(std::move(path)), fileBytes_(fileBytes), archive_(std::move(archive)) {}

  Status read() {
    const zip_int64_t members = zip_get_num_entries(archive_.get(), 0);
    if (members > static_cast<zip_int64_t>(mostTensors)) {
      return fail(path_, countText(members), fmt::format("has more than {} members", countText(mostTensors)),
                  "save fewer arrays in one file");
    }
    std::vector<std::string> names;
    for (zip_uint64_t index = 0; index < static_cast<zip_uint64_t>(members); ++index) {
      const char* text = zip_get_name(archive_.get(), index, 0);
      if (text == nullptr) return damagedArchive(path_, zip_strerror(archive_.get()));
      std::string_view name = text;
      if (!name.ends_with(memberEnding)) continue;
      name.remove_suffix(memberEnding.size());
      if (!indices_.emplace(name, index).second) {
        return fail(path_, printable(name), "is the name of two arrays", "save it again with numpy.savez");
      }
      names.emplace_back(name);
    }
    return list(std::move(names));
  }

 private:
  std::string place() const override { return path_; }
  std::string placeOf(const std::string& name) const override {
    return fmt::format("{}: {}{}", path_, printable(name), memberEnding);
  }

  Result<std::unique_ptr<ArrayBytes>> bytesOf(const std::string& name) override {
    const std::string where = placeOf(name);
    const zip_uint64_t index = indices_.at(name);
    zip_stat_t stat;
    zip_stat_init(&stat);
    if (zip_stat_index(archive_.get(), index, 0, &stat) != 0) {
      return damagedArchive(where, zip_strerror(archive_.get()));
    }
    SLIPSTREAM_CHECK(checkMember(where, stat));
    Member member(zip_fopen_index(archive_.get(), index, 0), zip_fclose);
    if (!member) return damagedArchive(where, zip_strerror(archive_.get()));
    return std::make_unique<NpzMemberBytes>(where, archive_, std::move(member), static_cast<std::int64_t>(stat.size));
  }

  /// Sizes are what the archive says of itself: none may be more than the bytes in the file can become.
  Status checkMember(const std::string& where, const zip_stat_t& stat) const {
    constexpr zip_uint64_t needed =
        ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
    if ((stat.valid & needed) != needed) return damagedArchive(where, "its archive does not say how long it is");
    if (stat.encryption_method != ZIP_EM_NONE) {
      return fail(where, "", "is encrypted", "save it with numpy.savez, which does not encrypt");
    }
    const bool stored = stat.comp_method == ZIP_CM_STORE;
    if (!stored && stat.comp_method != ZIP_CM_DEFLATE) {
      return fail(where, fmt::format("method {}", stat.comp_method), "is compressed in a way that is not read",
                  "save it with numpy.savez or numpy.savez_compressed");
    }
    const bool possible = stat.comp_size <= static_cast<zip_uint64_t>(fileBytes_) &&
                          (stored ? stat.size == stat.comp_size : stat.size / mostBytesPerDeflated <= stat.comp_size);
    if (possible) return {};
    return damagedArchive(where,
                          fmt::format("it cannot have {} bytes, of {} in the archive", stat.size, stat.comp_size));
  }

  std::string path_;
  std::int64_t fileBytes_;
  Archive archive_;
  std::map<std::string, zip_uint64_t, std::less<>> indices_;
};

std::uint64_t numberAt(std::span<const std::byte> bytes, std::size_t offset) {
  std::uint64_t number = 0;
  std::memcpy(&number, bytes.data() + offset, sizeof(number));
  return number;
}

/// libzip takes memory for as many members as the end record of ZIP64 says, before it has seen one. Every one of them
/// takes at least 46 bytes of the file. The record is named by a locator of 20 bytes before the usual end record, which
/// lies in the last 64 KiB.
Status checkPromisedMembers(const FileBytes& file) {
  constexpr std::int64_t endBytes = 0xFFFF + 22 + 20;
  constexpr std::size_t locatorBytes = 20, recordBytes = 56;
  constexpr std::uint64_t memberBytes = 46;
  std::vector<std::byte> end(static_cast<std::size_t>(std::min(endBytes, file.size())));
  SLIPSTREAM_CHECK(file.read(file.size() - std::ssize(end), end));
  const std::string_view text(reinterpret_cast<const char*>(end.data()), end.size());
  for (auto at = text.find("PK\x06\x07"); at != std::string_view::npos; at = text.find("PK\x06\x07", at + 1)) {
    if (at + locatorBytes > end.size()) break;
    const std::uint64_t offset = numberAt(end, at + 8);
    const auto fileBytes = static_cast<std::uint64_t>(file.size());
    if (fileBytes < recordBytes || offset > fileBytes - recordBytes) continue;
    std::array<std::byte, recordBytes> record{};
    SLIPSTREAM_CHECK(file.read(static_cast<std::int64_t>(offset), record));
    const std::uint64_t members = std::max(numberAt(record, 24), numberAt(record, 32));
    if (members <= fileBytes / memberBytes) continue;
    return damagedArchive(file.path().string(), fmt::format("it promises {} members", members));
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<ArrayContainer>> openNpz(const FileBytes& file) {
  const std::string path = file.path().string();
  SLIPSTREAM_CHECK(checkPromisedMembers(file));
  int code = 0;
  const Archive archive(zip_open(path.c_str(), ZIP_RDONLY, &code), [](zip_t* opened) {
    if (opened != nullptr) zip_discard(opened);
  });
  if (!archive) {
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    const std::string why = zip_error_strerror(&error);
    zip_error_fini(&error);
    return damagedArchive(path, why);
  }
  auto arrays = std::make_unique<Npz>(path, file.size(), archive);
  SLIPSTREAM_CHECK(arrays->read());
  return arrays;
}

}  // namespace slipstream
