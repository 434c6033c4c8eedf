#include "engine/data/folder_source.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/error.h"
#include "engine/data/resample.h"

namespace slipstream {
namespace {

constexpr std::int64_t mostBytes = std::int64_t{1} << 28;

class OpenFile {
 public:
  explicit OpenFile(const std::string& path) : handle_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~OpenFile() {
    if (handle_ >= 0) ::close(handle_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  /// The whole file; what is wrong otherwise.
  Decoded<void> read(std::vector<std::uint8_t>& bytes) const {
    struct stat about {};
    if (handle_ < 0 || ::fstat(handle_, &about) != 0) return wrong();
    if (!S_ISREG(about.st_mode)) return tl::unexpected(std::string("it is no file"));
    if (about.st_size > mostBytes) return tl::unexpected(std::string("it is larger than 256 MB"));
    bytes.resize(static_cast<std::size_t>(about.st_size));
    for (std::size_t done = 0; done < bytes.size();) {
      const ssize_t got = ::read(handle_, bytes.data() + done, bytes.size() - done);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return wrong();
      if (got == 0) bytes.resize(done);
      done += static_cast<std::size_t>(got);
    }
    return {};
  }

 private:
  static tl::unexpected<std::string> wrong() {
    return tl::unexpected(std::string("it cannot be read: ") + std::strerror(errno));
  }
  int handle_;
};

/// What becomes of which files.
struct Recipe {
  const PictureList& list;
  Normalization normalization;
  std::int64_t size;
  bool augment;
  std::uint64_t seed;
};

class FolderReader final : public SampleReader {
 public:
  explicit FolderReader(const Recipe& recipe) : recipe_(recipe), resampler_(recipe.normalization) {}

  Result<std::int32_t> read(std::uint32_t sample, const Occasion& occasion, std::span<float> input) override {
    if (sample >= recipe_.list.files.size()) throw Error("a sample that the data set does not have");
    const PictureList::File& file = recipe_.list.files[sample];
    const std::string path = (recipe_.list.folder / file.name).string();
    const auto prepared = prepare(path, randomOf(recipe_.seed, sample, occasion), input);
    if (prepared) return file.label;
    return fail(path, "", "is no whole JPEG picture: " + prepared.error(),
                "replace or remove it, or set dataset.on_broken to skip");
  }

 private:
  Decoded<void> prepare(const std::string& path, Random random, std::span<float> input) {
    if (auto read = OpenFile(path).read(bytes_); !read) return read;
    const auto picture = decoder_.open(bytes_);
    if (!picture) return tl::unexpected(picture.error());
    const PictureView view = recipe_.augment ? drawView(*picture, random) : middleView(*picture, recipe_.size);
    const Resampling plan = planResampling(*picture, view, recipe_.size);
    if (auto decoded = decoder_.decode(plan.eighths, plan.box, part_); !decoded) return decoded;
    resampler_.run(plan, part_, input);
    return {};
  }

  const Recipe& recipe_;
  JpegDecoder decoder_;
  Resampler resampler_;
  std::vector<std::uint8_t> bytes_;
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
  return std::make_unique<FolderSource>(Recipe{list, Normalization(spec, 3), spec.imageSize, augment, seed});
}

}  // namespace slipstream
