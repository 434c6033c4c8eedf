// How fast pictures of an image folder become batches, against libjpeg-turbo alone: the same files with the same number
// of threads, decoded whole at the same scale by plain calls. Arguments: FOLDER [THREADS]. One JSON line a part.
#include <atomic>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include <jpeglib.h>

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

std::vector<unsigned char> contentOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
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

  void decode(const std::vector<unsigned char>& file, const DatasetSpec& spec, DataPart part, std::uint32_t sample) {
    jpeg_mem_src(&picture_, file.data(), static_cast<unsigned long>(file.size()));
    jpeg_read_header(&picture_, TRUE);
    const PictureSize size{picture_.image_height, picture_.image_width};
    const PictureView view =
        part == DataPart::training ? drawView(size, randomOf(seed, sample, {})) : middleView(size, spec.imageSize);
    picture_.scale_num = static_cast<unsigned>(planResampling(size, view, spec.imageSize).eighths);
    picture_.scale_denom = 8;
    picture_.out_color_space = JCS_RGB;
    jpeg_start_decompress(&picture_);
    const std::size_t stride = 3 * std::size_t{picture_.output_width};
    pixels_.resize(stride * picture_.output_height);
    while (picture_.output_scanline < picture_.output_height) {
      JSAMPROW row = pixels_.data() + picture_.output_scanline * stride;
      jpeg_read_scanlines(&picture_, &row, 1);
    }
    jpeg_finish_decompress(&picture_);
  }

 private:
  jpeg_decompress_struct picture_{};
  jpeg_error_mgr errors_{};
  std::vector<unsigned char> pixels_;
};

double plainSeconds(const PictureList& list, const DatasetSpec& spec, DataPart part, int threads) {
  const Stopwatch watch;
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    PlainDecoder decoder;
    for (std::size_t i = next++; i < list.files.size(); i = next++) {
      const auto file = contentOf((list.folder / list.files[i].name).string());
      decoder.decode(file, spec, part, static_cast<std::uint32_t>(i));
    }
  };
  std::vector<std::thread> others;
  for (int i = 1; i < threads; ++i) others.emplace_back(work);
  work();
  for (std::thread& thread : others) thread.join();
  return watch.seconds();
}

/// The caller works too, so one thread fewer stands beside it.
double loaderSeconds(const SampleSource& source, DatasetSpec spec, int threads) {
  spec.decodeThreads = threads - 1;
  spec.prefetchBatches = 4;
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
  const Stopwatch watch;
  for (std::int64_t step = 0; step < steps; ++step) loader.batchOf(step);
  return watch.seconds();
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
    const auto& list = std::get<PictureList>(*content);
    const auto source = makeSource(*content, spec, part, seed);
    std::vector<double> plain;
    std::vector<double> ours;
    for (int repetition = -1; repetition < repetitions; ++repetition) {  // the first warms up
      const double alone = plainSeconds(list, spec, part, threads);
      const double loaded = loaderSeconds(*source, spec, threads);
      if (repetition < 0) continue;
      plain.push_back(alone);
      ours.push_back(loaded);
    }
    const auto count = static_cast<double>(list.files.size());
    std::printf(
        "{\"bench\":\"loader\",\"part\":\"%s\",\"threads\":%d,\"pictures\":%.0f,\"image_size\":%d,"
        "\"libjpeg_pictures_per_second\":%.0f,\"loader_pictures_per_second\":%.0f,\"ratio\":%.3f}\n",
        part == DataPart::training ? "training" : "evaluation", threads, count, static_cast<int>(spec.imageSize),
        count / median(plain), count / median(ours), median(plain) / median(ours));
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
