#include "engine/data/folder_source.h"

#include "engine/base/error.h"
#include "engine/base/file_bytes.h"
#include "engine/data/resample.h"

namespace slipstream {
namespace {

constexpr std::int64_t mostBytes = std::int64_t{1} << 28;

/// The whole file, in a buffer that never shrinks; what is wrong otherwise. A pipe is refused, not waited for.
Decoded<std::span<const std::uint8_t>> readPicture(const std::string& path, std::vector<std::uint8_t>& buffer) {
  const auto wrong = [](const Failures& failures) { return tl::unexpected("it " + failures.front().problem); };
  const auto file = FileBytes::open(path);
  if (!file) return wrong(file.error());
  if (file->size() > mostBytes) return tl::unexpected(std::string("it is larger than 256 MB"));
  const auto size = static_cast<std::size_t>(file->size());
  if (buffer.size() < size) buffer.resize(size);
  const auto bytes = std::span(buffer).first(size);
  if (const Status read = file->read(0, std::as_writable_bytes(bytes)); !read) return wrong(read.error());
  return std::span<const std::uint8_t>(bytes);
}

/// What becomes of which files.
struct Recipe {
  const PictureList& list;
  std::int64_t size;
  bool augment;
  std::uint64_t seed;
};

class FolderReader final : public SampleReader {
 public:
  explicit FolderReader(const Recipe& recipe) : recipe_(recipe) {}

  Result<std::int32_t> read(std::uint32_t sample, const Occasion& occasion, std::span<std::uint8_t> output) override {
    if (sample >= recipe_.list.files.size()) throw Error("a sample that the data set does not have");
    const PictureList::File& file = recipe_.list.files[sample];
    const std::string path = (recipe_.list.folder / file.name).string();
    const auto prepared = prepare(path, randomOf(recipe_.seed, sample, occasion), output);
    if (prepared) return file.label;
    return fail(path, "", "is no whole JPEG picture: " + prepared.error(),
                "replace or remove it, or set dataset.on_broken to skip");
  }

 private:
  Decoded<void> prepare(const std::string& path, Random random, std::span<std::uint8_t> output) {
    const auto file = readPicture(path, buffer_);
    if (!file) return tl::unexpected(file.error());
    const auto picture = decoder_.open(*file);
    if (!picture) return tl::unexpected(picture.error());
    const PictureView view = recipe_.augment ? drawView(*picture, random) : middleView(*picture, recipe_.size);
    const Resampling plan = planResampling(*picture, view, recipe_.size);
    if (auto decoded = decoder_.decode(plan.eighths, plan.box, part_); !decoded) return decoded;
    resampler_.run(plan, part_, output);
    return {};
  }

  const Recipe& recipe_;
  JpegDecoder decoder_;
  Resampler resampler_;
  std::vector<std::uint8_t> buffer_;  ///< of a file
  PicturePart part_;
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

std::unique_ptr<SampleSource> makeFolderSource(const PictureList& list, const DatasetSpec& spec, bool augment,
                                               std::uint64_t seed) {
  return std::make_unique<FolderSource>(Recipe{list, spec.imageSize, augment, seed});
}

}  // namespace slipstream
