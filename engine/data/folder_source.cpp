// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/folder_source.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/base/file_bytes.h"
#include "engine/data/image_decoder.h"
#include "engine/data/resample.h"

namespace slipstream {
namespace {

constexpr std::int64_t mostBytes = std::int64_t{1} << 28;

/// An evaluation's images are looked at up to here: enough for the headers of nearly all.
constexpr std::size_t headBytes = 32 * 1024;

using Bytes = std::span<std::uint8_t>;

/// `size` bytes of the file, in a buffer that never shrinks; what is wrong otherwise.
Decoded<Bytes> readAt(const FileBytes& file, std::int64_t offset, std::size_t size, std::vector<std::uint8_t>& buffer) {
  if (buffer.size() < size) buffer.resize(size);
  const auto bytes = std::span(buffer).first(size);
  const Status read = file.read(offset, std::as_writable_bytes(bytes));
  if (!read) return tl::unexpected(read.error().front().problem);
  return bytes;
}

/// A pipe is refused, not waited for.
Decoded<FileBytes> openPicture(const std::string& path) {
  auto file = FileBytes::open(path);
  if (!file) return tl::unexpected(file.error().front().problem);
  if (file->size() > mostBytes) return tl::unexpected(std::string("is larger than 256 MB"));
  return std::move(*file);
}

/// Whether the file, which `decoder` has opened, ends as one of its format does.
bool fileEndsProperly(const FileBytes& file, const ImageDecoder& decoder) {
  std::array<std::uint8_t, tailBytes> bytes{};
  const auto size = std::min(std::ssize(bytes), file.size());
  const auto tail = std::span(bytes).first(static_cast<std::size_t>(size));
  return file.read(file.size() - size, std::as_writable_bytes(tail)) && decoder.endsProperly(tail);
}

/// What becomes of which files.
struct Recipe {
  const ImageList& list;
  std::int64_t size;
  bool augment;
  std::uint64_t seed;
  BrokenImages onBroken;
};

class FolderReader final : public SampleReader {
 public:
  explicit FolderReader(const Recipe& recipe) : recipe_(recipe) {}

  Result<std::int32_t> read(std::uint32_t sample, const DrawKey& drawKey, std::span<std::uint8_t> output) override {
    if (sample >= recipe_.list.files.size()) throw Error("a sample that the data set does not have");
    const std::string path = pathOf(sample);
    const auto prepared = prepare(path, randomOf(recipe_.seed, sample, drawKey), output);
    if (prepared) return recipe_.list.files[sample].label;
    const bool skipped = recipe_.onBroken == BrokenImages::skip;
    return fail(path, "", prepared.error(),
                skipped ? "replace or remove it" : "replace or remove it, or set dataset.on_broken to skip");
  }

  /// Header and end tell of files that are empty, cut or something else; whatever looks odd is read wholly.
  Status inspect(std::uint32_t sample) override {
    if (seemsWhole(pathOf(sample))) return {};
    scratch_.resize(static_cast<std::size_t>(recipe_.size * recipe_.size * 3));
    SLIPSTREAM_CHECK(read(sample, {}, scratch_));
    return {};
  }

 private:
  std::string pathOf(std::uint32_t sample) const {
    return (recipe_.list.folder / recipe_.list.files[sample].name).string();
  }

  bool seemsWhole(const std::string& path) {
    const auto file = openPicture(path);
    if (!file) return false;
    const std::size_t size = std::min(headBytes, static_cast<std::size_t>(file->size()));
    const auto head = readAt(*file, 0, size, buffer_);
    return head && decoder_.openHead(*head, file->size()) && fileEndsProperly(*file, decoder_);
  }

  /// What is wrong with the file, as it follows on its name.
  Decoded<void> prepare(const std::string& path, Random random, std::span<std::uint8_t> output) {
    const auto file = openPicture(path);
    if (!file) return tl::unexpected(file.error());
    const auto bytes = readAt(*file, 0, static_cast<std::size_t>(file->size()), buffer_);
    if (!bytes) return tl::unexpected(bytes.error());
    const auto drawn = draw(*bytes, random, output);
    if (!drawn) return tl::unexpected(fmt::format("is no whole {} image: {}", decoder_.formatName(), drawn.error()));
    return {};
  }

  Decoded<void> draw(std::span<const std::uint8_t> file, Random random, std::span<std::uint8_t> output) {
    const auto picture = decoder_.open(file);
    if (!picture) return tl::unexpected(picture.error());
    const ImageView view = recipe_.augment ? drawView(*picture, random) : middleView(*picture, recipe_.size);
    const Resampling plan = planResampling(*picture, view, recipe_.size);
    if (auto decoded = decoder_.decode(plan.eighths, plan.box, part_); !decoded) return decoded;
    resampler_.run(plan, part_, output);
    return {};
  }

  const Recipe& recipe_;
  ImageDecoder decoder_;
  Resampler resampler_;
  std::vector<std::uint8_t> buffer_;  ///< of a file
  ImagePart part_;
  std::vector<std::uint8_t> scratch_;  ///< a sample that is only looked at
};

class FolderSource final : public SampleSource {
 public:
  explicit FolderSource(Recipe recipe) : recipe_(std::move(recipe)) {}
  SampleShape shape() const override { return {recipe_.size, recipe_.size, 3}; }
  std::int64_t count() const override { return std::ssize(recipe_.list.files); }
  std::unique_ptr<SampleReader> reader() const override { return std::make_unique<FolderReader>(recipe_); }

 private:
  Recipe recipe_;
};

}  // namespace

std::unique_ptr<SampleSource> makeFolderSource(const ImageList& list, const DatasetSpec& spec, bool augment,
                                               std::uint64_t seed) {
  return std::make_unique<FolderSource>(Recipe{list, spec.imageSize, augment, seed, spec.onBroken});
}

}  // namespace slipstream
