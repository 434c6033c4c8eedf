// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/interchange/array_files.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

#include <fmt/format.h>

#include "engine/base/access.h"
#include "engine/base/characters.h"
#include "engine/base/text.h"
#include "engine/interchange/array_container.h"

namespace slipstream {
namespace {

struct RefusedKind {
  std::string_view letters;  ///< of numpy's kinds of types
  const char* problem;
  const char* remedy;
};

constexpr std::array<RefusedKind, 6> refusedKinds{{
    {"[", "is a structured array", "save each field as an array of its own"},
    {"O", "holds Python objects", "save numbers: array.astype(numpy.float32), or of an integer type"},
    {"SUa", "holds texts", "save numbers in their place: numpy.unique(array, return_inverse=True)[1]"},
    {"c", "holds complex numbers", "save real and imaginary part as two arrays"},
    {"Mm", "holds times", "save numbers: array.astype(numpy.int64)"},
    {"V", "holds raw bytes without a type", "save numbers: array.astype(numpy.float32), or array.view(numpy.uint8)"},
}};

/// "[('a', '<f4')]" -> '[', ">f4" -> 'f'
char kindOf(const std::string& type) {
  if (type.empty() || type.front() == '[') return type.empty() ? '\0' : '[';
  const bool ordered = type.size() > 1 && std::string_view("<>|=").find(type.front()) != std::string_view::npos;
  return ordered ? type[1] : type.front();
}

tl::unexpected<Failures> refuseType(const std::string& place, const std::string& type) {
  constexpr std::size_t shown = 60;
  const std::string value = printable(type.size() > shown ? type.substr(0, shown) + "..." : type);
  const char kind = kindOf(type);
  for (const RefusedKind& refused : refusedKinds) {
    if (refused.letters.find(kind) != std::string_view::npos)
      return fail(place, value, refused.problem, refused.remedy);
  }
  if (type.starts_with('>') && std::string_view("biuf").find(kind) != std::string_view::npos) {
    return fail(place, value, "holds big-endian values", "save array.astype(array.dtype.newbyteorder('<'))");
  }
  return fail(place, value, "holds values of a type that is not read", "save array.astype(numpy.float32)");
}

/// Held against the bytes that there are.
Result<ArrayInfo> infoOf(const std::string& name, const std::string& place, const NpyHeader& header,
                         std::int64_t size) {
  if (!header.type) return refuseType(place, header.typeText);
  if (header.byColumns && header.shape.size() > 1) {
    return fail(place, "", "is stored column by column (Fortran order)", "save numpy.ascontiguousarray(array)");
  }
  ArrayInfo info{name, *header.type, header.shape};
  const std::int64_t promised = info.count() * bytesOf(info.type);
  const std::int64_t held = size - header.start;
  if (promised == held) return info;
  const std::string promise =
      fmt::format("its header promises {} of {}, {} bytes", tupleText(info.shape), nameOf(info.type), promised);
  return fail(place, fmt::format("{} bytes", held),
              (promised > held ? "is cut short: " : "is longer than its array: ") + promise, "save it again");
}

}  // namespace

std::int64_t ArrayInfo::count() const {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

Result<ArrayInfo> ListedArrays::readInfo(const std::string& name, ArrayBytes& bytes) const {
  const std::string where = placeOf(name);
  SLIPSTREAM_TRY(header,
                 readNpyHeader(where, bytes.size(), [&](std::span<std::byte> part) { return bytes.read(part); }));
  return infoOf(name, where, header, bytes.size());
}

Status ListedArrays::list(std::vector<std::string> names) {
  std::ranges::sort(names);
  for (const std::string& name : names) {
    auto bytes = bytesOf(name);
    auto info = bytes ? readInfo(name, **bytes) : tl::unexpected(std::move(bytes.error()));
    if (info) {
      arrays_.push_back(std::move(*info));
    } else {
      refused_.emplace(name, std::move(info.error()));
    }
  }
  if (!arrays_.empty()) return {};
  if (refused_.empty()) return fail(place(), "", "holds no array", "save arrays there with numpy.save or numpy.savez");
  constexpr std::size_t shown = 5;
  Failures failures;
  for (const auto& [name, why] : refused_) {
    if (failures.size() < shown) addOnce(failures, why);
  }
  return tl::unexpected(std::move(failures));
}

bool ListedArrays::holds(const std::string& name) const {
  return refused_.contains(name) || std::ranges::find(arrays_, name, &ArrayInfo::name) != arrays_.end();
}

Result<ArrayInfo> ListedArrays::find(const std::string& name) const {
  const auto found = std::ranges::lower_bound(arrays_, name, {}, &ArrayInfo::name);
  if (found != arrays_.end() && found->name == name) return *found;
  if (const auto refused = refused_.find(name); refused != refused_.end()) return tl::unexpected(refused->second);
  constexpr std::size_t shown = 10;
  std::vector<std::string> names;
  for (const ArrayInfo& info : arrays_) names.push_back(printable(info.name));
  if (names.size() > shown) {
    names.resize(shown);
    names.emplace_back("...");
  }
  return fail(place(), printable(name), "is not among its arrays: " + join(names, ", "),
              "add an array of that name, or name one of these");
}

Result<std::unique_ptr<ArrayReader>> ListedArrays::open(const std::string& name) {
  SLIPSTREAM_TRY(listed, find(name));
  SLIPSTREAM_TRY(bytes, bytesOf(name));
  SLIPSTREAM_TRY(info, readInfo(name, *bytes));
  if (info.type == listed.type && info.shape == listed.shape)
    return makeArrayReader(placeOf(name), info, std::move(bytes));
  return fail(placeOf(name), tupleText(info.shape), "has another header than before, of " + tupleText(listed.shape),
              "do not write to it meanwhile");
}

Result<std::unique_ptr<ArrayContainer>> openArrays(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::is_directory(status)) return openNpyFolder(path);
  if (!std::filesystem::exists(status) && saysAbsent(error)) {
    return fail(path.string(), "", "does not exist", "name a folder of .npy files or a .npz file");
  }
  SLIPSTREAM_TRY(file, FileBytes::open(path));
  std::string head(std::min<std::size_t>(npyMagic.size(), static_cast<std::size_t>(file.size())), ' ');
  SLIPSTREAM_CHECK(file.read(0, std::as_writable_bytes(std::span(head))));
  if (head.starts_with("PK\x03\x04") || head.starts_with("PK\x05\x06")) return openNpz(file);
  if (head == npyMagic) return fail(path.string(), "", "is a single .npy file", "name the folder that it is in");
  return fail(path.string(), "", "is no .npz file", "name a folder of .npy files, or a file written with numpy.savez");
}

}  // namespace slipstream
