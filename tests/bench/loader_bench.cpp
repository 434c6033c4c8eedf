// SPDX-License-Identifier: GPL-3.0-or-later
// How fast images of an image folder become batches, against libjpeg-turbo alone: the same files with the same number
// of threads, decoded whole at the same scale into memory that is kept from image to image, all rows in one call.
// Arguments: FOLDER [THREADS]. One JSON line a part.
#include <atomic>
#include <cstdio>
#include <ctime>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <jpeglib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/clock.h"
#include "engine/base/text.h"
#include "engine/data/loader.h"
#include "engine/data/resample.h"
#include "tests/bench/bench_numbers.h"

namespace slipstream::bench {
namespace {

constexpr int repetitions = 7;
constexpr std::int64_t batchSize = 32;
constexpr std::uint64_t seed = 1;

/// Reads a file into `bytes`, which never shrink; how many they are.
std::size_t readInto(std::vector<unsigned char>& bytes, const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat about {};
  ::fstat(file, &about);
  const auto size = static_cast<std::size_t>(about.st_size);
  if (bytes.size() < size) bytes.resize(size);
  const ssize_t got = ::read(file, bytes.data(), size);
  ::close(file);
  return got < 0 ? 0 : static_cast<std::size_t>(got);
}

/// libjpeg's plain way.
class PlainDecoder {
 public:
  PlainDecoder() {
    picture_.err = jpeg_std_error(&errors_);
    jpeg_create_decompress(&picture_);
  }
  ~PlainDecoder() { jpeg_destroy_decompress(&picture_); }
  PlainDecoder(const PlainDecoder&) = delete;
  PlainDecoder& operator=(const PlainDecoder&) = delete;

  void decode(const std::string& path, const DatasetSpec& spec, DataPart part, std::uint32_t sample) {
    const std::size_t bytes = readInto(file_, path);
    jpeg_mem_src(&picture_, file_.data(), static_cast<unsigned long>(bytes));
    jpeg_read_header(&picture_, TRUE);
    const ImageSize size{picture_.image_height, picture_.image_width};
    const ImageView view =
        part == DataPart::training ? drawView(size, randomOf(seed, sample, {})) : middleView(size, spec.imageSize);
    picture_.scale_num = static_cast<unsigned>(planResampling(size, view, spec.imageSize).eighths);
    picture_.scale_denom = 8;
    picture_.out_color_space = JCS_RGB;
    jpeg_start_decompress(&picture_);
    const std::size_t stride = 3 * std::size_t{picture_.output_width};
    if (pixels_.size() < stride * picture_.output_height) pixels_.resize(stride * picture_.output_height);
    rows_.resize(picture_.output_height);
    for (std::size_t y = 0; y < rows_.size(); ++y) rows_[y] = pixels_.data() + y * stride;
    while (picture_.output_scanline < picture_.output_height) {
      const JDIMENSION done = picture_.output_scanline;
      jpeg_read_scanlines(&picture_, rows_.data() + done, picture_.output_height - done);
    }
    jpeg_finish_decompress(&picture_);
  }

 private:
  jpeg_decompress_struct picture_{};
  jpeg_error_mgr errors_{};
  std::vector<unsigned char> file_;
  std::vector<unsigned char> pixels_;
  std::vector<JSAMPROW> rows_;
};

/// Wall and processor time of all threads; the latter says more on a machine that others use too.
struct Spent {
  double wall = 0;
  double processor = 0;
};

class SpentWatch {
 public:
  Spent spent() const { return {watch_.seconds(), processorSeconds() - begin_}; }

 private:
  static double processorSeconds() {
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
  }
  Stopwatch watch_;
  double begin_ = processorSeconds();
};

Spent spentPlainly(const ImageList& list, const DatasetSpec& spec, DataPart part, int threads) {
  const SpentWatch watch;
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    PlainDecoder decoder;
    for (std::size_t i = next++; i < list.files.size(); i = next++) {
      decoder.decode((list.folder / list.files[i].name).string(), spec, part, static_cast<std::uint32_t>(i));
    }
  };
  std::vector<std::thread> others;
  for (int i = 1; i < threads; ++i) others.emplace_back(work);
  work();
  for (std::thread& thread : others) thread.join();
  return watch.spent();
}

/// The caller works too, so it starts one thread fewer.
Spent spentLoading(const SampleSource& source, DatasetSpec spec, int threads) {
  spec.decodeThreads = threads - 1;
  spec.prefetchBatches = 2;  // as experiment files have it that say nothing
  const std::int64_t count = source.count();
  const std::int64_t steps = (count + batchSize - 1) / batchSize;
  const auto select = [&](std::int64_t step) {
    Selection selection;
    for (std::int64_t i = step * batchSize; i < std::min(count, (step + 1) * batchSize); ++i) {
      selection.samples.push_back(static_cast<std::uint32_t>(i));
    }
    return selection;
  };
  Loader loader(source, select, loaderOptions(spec, batchSize, steps));
  const SpentWatch watch;
  for (std::int64_t step = 0; step < steps; ++step) loader.batchOf(step);
  return watch.spent();
}

int measure(const std::string& folder, int threads) {
  DatasetSpec spec;
  spec.name = "image_folder";
  spec.path = folder;
  spec.trainSamples = spec.evaluationSamples = 0;
  spec.mean = {0.485, 0.456, 0.406};
  spec.deviation = {0.229, 0.224, 0.225};
  for (const DataPart part : {DataPart::training, DataPart::evaluation}) {
    const auto content = loadPart(spec, part, seed);
    if (!content) {
      std::fprintf(stderr, "%s", toText(content.error()).c_str());
      return 2;
    }
    const auto& list = std::get<ImageList>(*content);
    const auto source = makeSource(*content, spec, part, seed);
    std::vector<double> plain;
    std::vector<double> ours;
    std::vector<double> ratios;
    std::vector<double> processorRatios;
    for (int repetition = -1; repetition < repetitions; ++repetition) {  // the first warms up
      const Spent alone = spentPlainly(list, spec, part, threads);
      const Spent loaded = spentLoading(*source, spec, threads);
      if (repetition < 0) continue;
      plain.push_back(alone.wall);
      ours.push_back(loaded.wall);
      ratios.push_back(alone.wall / loaded.wall);
      processorRatios.push_back(alone.processor / loaded.processor);
    }
    const auto count = static_cast<double>(list.files.size());
    std::printf(
        "{\"bench\":\"loader\",\"part\":\"%s\",\"threads\":%d,\"pictures\":%.0f,\"image_size\":%d,"
        "\"libjpeg_pictures_per_second\":%.0f,\"loader_pictures_per_second\":%.0f,\"ratio\":%.3f,\"processor_time_"
        "ratio\":%.3f}\n",
        part == DataPart::training ? "training" : "evaluation", threads, count, static_cast<int>(spec.imageSize),
        count / median(plain), count / median(ours), median(ratios), median(processorRatios));
  }
  return 0;
}

}  // namespace
}  // namespace slipstream::bench

int main(int count, char** arguments) {
  if (count < 2) {
    std::fprintf(stderr, "bench_loader FOLDER [THREADS]: an image folder with train and validation_preprocess\n");
    return 2;
  }
  const auto threads = count > 2 ? slipstream::parseInteger(arguments[2]).value_or(2) : 2;
  return slipstream::bench::measure(arguments[1], static_cast<int>(threads));
}
