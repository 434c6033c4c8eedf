// SPDX-License-Identifier: GPL-3.0-or-later
// The run store: packed ingest, the delay until a reader sees a row, a checkpoint beside a plain file, a long series
// read and thinned, and one run found among 10,000. Prints one JSON line each. Usage: bench_store [FOLDER on the disk
// to measure]
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <future>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "engine/base/clock.h"
#include "engine/base/error.h"
#include "engine/base/hash.h"
#include "engine/base/random.h"
#include "engine/record/series.h"
#include "engine/store/checkpoint_store.h"
#include "engine/store/run_store.h"
#include "tests/bench/bench_numbers.h"

namespace slipstream::bench {
namespace {

constexpr int repetitions = 9;

std::unique_ptr<RunStore> openStore(const std::filesystem::path& folder, StoreAccess access) {
  auto store = RunStore::open(folder, access);
  if (!store) throw Error(toText(store.error()));
  return std::move(*store);
}

MetricBlock blockOf(std::int64_t first, std::int64_t steps, std::size_t metrics, Random& random) {
  MetricBlock block;
  for (std::size_t i = 0; i < metrics; ++i) block.names.push_back(fmt::format("orthogonality/layer{}.weight", i));
  for (std::int64_t step = first; step < first + steps; ++step) {
    block.steps.push_back(step);
    block.wallNanoseconds.push_back(wallNanoseconds());
    for (std::size_t i = 0; i < metrics; ++i) block.values.push_back(random.uniform());
  }
  return block;
}

/// As in a run: 8 ranks send 200 ms of 5 ms steps with 50 metrics each, one commit takes what came from all of them.
void ingest(const std::filesystem::path& folder) {
  constexpr int ranks = 8;
  constexpr std::int64_t stepsOfBlock = 40, blocks = 250;
  constexpr std::size_t metrics = 50;
  Random random(1, RandomStream::test);
  const MetricBlock sample = blockOf(0, stepsOfBlock, metrics, random);
  std::vector<double> rates;
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    const auto store = openStore(folder / fmt::format("ingest{}", repetition), StoreAccess::write);
    const std::string run = store->createRun({});
    const int attempt = store->startAttempt(run, 0);
    MetricBlock block = sample;
    const Stopwatch watch;
    for (std::int64_t sequence = 0; sequence < blocks; ++sequence) {
      for (std::int64_t& step : block.steps) step += stepsOfBlock;
      store->begin();
      for (int rank = 0; rank < ranks; ++rank) store->appendMetrics(run, attempt, rank, sequence, block);
      store->commit();
    }
    const double seconds = watch.seconds();
    rates.push_back(ranks * blocks * stepsOfBlock * metrics / seconds);
  }
  fmt::print(
      "{{\"bench\":\"store ingest\",\"samples_per_second\":{:.4g},\"lowest\":{:.4g},\"repetitions\":{},"
      "\"goal\":5e6,\"folding\":\"included\"}}\n",
      median(rates), quantile(rates, 0), repetitions);
}

/// From just before the commit until another connection that looks without pause has read the row.
void readerDelay(const std::filesystem::path& folder) {
  constexpr std::int64_t rows = 300;
  const auto writer = openStore(folder / "delay", StoreAccess::write);
  const std::string run = writer->createRun({});
  const int attempt = writer->startAttempt(run, 0);
  std::vector<std::int64_t> seen;
  std::thread reading([&] {
    const auto reader = openStore(folder / "delay", StoreAccess::read);
    while (std::ssize(seen) < rows) {
      const Series series = reader->series(run, "loss");
      while (seen.size() < series.steps.size()) seen.push_back(wallNanoseconds());
    }
  });
  std::vector<std::int64_t> committed;
  for (std::int64_t step = 0; step < rows; ++step) {
    const MetricBlock block{{"loss"}, {step}, {0}, {1.0}};
    committed.push_back(wallNanoseconds());
    writer->appendMetrics(run, attempt, 0, step, block);
    ::usleep(5000);
  }
  reading.join();
  std::vector<double> delays;
  for (std::size_t i = 0; i < seen.size(); ++i) delays.push_back(static_cast<double>(seen[i] - committed[i]) * 1e-6);
  fmt::print("{{\"bench\":\"store reader delay\",\"milliseconds\":{:.3g},\"p99\":{:.3g},\"rows\":{}}}\n",
             median(delays), quantile(delays, 0.99), rows);
}

using Tensor = std::vector<std::byte>;

/// 98.4 MB in 161 tensors of very unequal size, as in ResNet-50; other bytes every time, so that all of it is new.
std::vector<Tensor> freshTensors(std::uint64_t seed) {
  Random random(seed, RandomStream::test);
  std::vector<Tensor> tensors(161);
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    tensors[i].resize(i % 4 == 0 ? 2'400'000 : 8'192 * (1 + i % 3));
    for (std::size_t at = 0; at + 8 <= tensors[i].size(); at += 8) {
      const std::uint64_t bits = random.bits();
      std::memcpy(tensors[i].data() + at, &bits, sizeof(bits));
    }
  }
  return tensors;
}

/// As a rank hashes them: in a thread of its own, one after the other, while those before are written.
class HashesAhead {
 public:
  explicit HashesAhead(const std::vector<Tensor>& tensors) : promises_(tensors.size()) {
    thread_ = std::thread([this, &tensors] {
      for (std::size_t i = 0; i < tensors.size(); ++i) {
        promises_[i].set_value(sha256(std::span<const std::byte>(tensors[i])));
      }
    });
  }
  HashesAhead(const HashesAhead&) = delete;
  HashesAhead& operator=(const HashesAhead&) = delete;
  ~HashesAhead() { thread_.join(); }
  /// Of each tensor once.
  std::string of(std::size_t tensor) { return promises_[tensor].get_future().get(); }

 private:
  std::vector<std::promise<std::string>> promises_;
  std::thread thread_;
};

double secondsOfFile(const std::vector<Tensor>& tensors, const std::filesystem::path& path) {
  const Stopwatch watch;
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (file < 0) throw Error("cannot create " + path.string());
  for (const Tensor& tensor : tensors) {
    if (::write(file, tensor.data(), tensor.size()) != std::ssize(tensor)) {
      throw Error("cannot write " + path.string());
    }
  }
  if (::fsync(file) != 0) throw Error("cannot sync " + path.string());
  ::close(file);
  return watch.seconds();
}

double secondsOfCheckpoint(const std::vector<Tensor>& tensors, std::int64_t step, CheckpointStore& store) {
  CheckpointManifest manifest;
  manifest.step = step;
  const Stopwatch watch;
  HashesAhead hashes(tensors);
  store.begin();
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const std::span<const std::byte> bytes(tensors[i]);
    const std::string hash = hashes.of(i);
    if (!store.has(hash)) {
      for (std::size_t at = 0, part = 0; at < bytes.size(); at += checkpointPartBytes, ++part) {
        const std::size_t size = std::min<std::size_t>(checkpointPartBytes, bytes.size() - at);
        store.addPart(hash, static_cast<std::int64_t>(part), bytes.subspan(at, size));
      }
    }
    manifest.tensors.push_back({fmt::format("tensor{}", i), "F32", {}, -1, hash, std::ssize(bytes)});
  }
  store.complete(manifest);
  return watch.seconds();
}

/// Alternating, and neither side uses room again that it had before: files get new names, the database grows.
void checkpoint(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder / "files");
  auto opened = CheckpointStore::openToWrite(folder, "bench");
  if (!opened) throw Error(toText(opened.error()));
  std::vector<double> files, checkpoints, ratios;
  std::int64_t bytes = 0;
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    const std::vector<Tensor> tensors = freshTensors(static_cast<std::uint64_t>(repetition));
    bytes = 0;
    for (const Tensor& tensor : tensors) bytes += std::ssize(tensor);
    const auto file = folder / "files" / std::to_string(repetition);
    if (repetition % 2 == 0) files.push_back(secondsOfFile(tensors, file));
    checkpoints.push_back(secondsOfCheckpoint(tensors, repetition, **opened));
    if (repetition % 2 == 1) files.push_back(secondsOfFile(tensors, file));
    ratios.push_back(checkpoints.back() / files.back());
  }
  fmt::print(
      "{{\"bench\":\"store checkpoint\",\"bytes\":{},\"seconds\":{:.4g},\"file_seconds\":{:.4g},"
      "\"ratio\":{:.3g},\"ratio_quartiles\":[{:.3g},{:.3g}],\"hashing\":\"included\",\"repetitions\":{},\"goal\":1.3}}"
      "\n",
      bytes, median(checkpoints), median(files), median(ratios), quantile(ratios, 0.25), quantile(ratios, 0.75),
      repetitions);
}

/// Seconds of one call, of several.
template <class Work>
double secondsEach(int times, const Work& work) {
  const Stopwatch watch;
  for (int time = 0; time < times; ++time) work(time);
  return watch.seconds() / times;
}

/// A store of 10,000 runs with texts as long as a small experiment's: what concerns one run beside a list of all.
void manyRuns(const std::filesystem::path& folder) {
  constexpr int runs = 10'000, first = 100, compared = 64;
  NewRun run;
  run.experimentText.assign(2'000, 'e');
  run.planText.assign(6'000, 'p');
  const auto store = openStore(folder / "runs", StoreAccess::write);
  std::vector<std::string> ids;
  const auto create = [&](int number) {
    run.group = fmt::format("launch{}", number / 4);
    ids.push_back(store->createRun(run));
    store->setState(ids.back(), RunState::done, "");
  };
  const double earlySeconds = secondsEach(first, create);
  const double restSeconds = secondsEach(runs - 2 * first, create);
  const double lateSeconds = secondsEach(first, create);
  const auto reader = openStore(folder / "runs", StoreAccess::read);
  const double findSeconds = secondsEach(
      compared, [&](int number) { reader->find(ids[static_cast<std::size_t>(number * 97)].substr(0, 7)).value(); });
  const double lostSeconds = secondsEach(first, [&](int) { store->markLost(); });
  const double listSeconds = secondsEach(5, [&](int) { reader->heads(); });
  fmt::print(
      "{{\"bench\":\"store many runs\",\"runs\":{},\"create_ms\":{:.3g},\"create_ms_of_first\":{:.3g},"
      "\"create_ms_of_last\":{:.3g},\"find_ms\":{:.3g},\"mark_lost_ms\":{:.3g},\"list_ms\":{:.3g}}}\n",
      runs, 1e3 * restSeconds, 1e3 * earlySeconds, 1e3 * lateSeconds, 1e3 * findSeconds, 1e3 * lostSeconds,
      1e3 * listSeconds);
}

void longSeries(const std::filesystem::path& folder) {
  constexpr std::int64_t steps = 1'000'000, blockSteps = 1000, spikeEvery = 9973;
  const auto store = openStore(folder / "series", StoreAccess::write);
  const std::string run = store->createRun({});
  const int attempt = store->startAttempt(run, 0);
  Random random(2, RandomStream::test);
  store->begin();
  for (std::int64_t first = 0; first < steps; first += blockSteps) {
    MetricBlock block{{"loss"}, {}, {}, {}};
    for (std::int64_t step = first; step < first + blockSteps; ++step) {
      block.steps.push_back(step);
      block.wallNanoseconds.push_back(1'700'000'000'000'000'000 + 5'000'000 * step +
                                      static_cast<std::int64_t>(random.below(1'000'000)));
      block.values.push_back(step % spikeEvery == 0 ? 100.0 + static_cast<double>(step) : random.uniform());
    }
    store->appendMetrics(run, attempt, 0, first, block);
  }
  store->commit();
  const auto reader = openStore(folder / "series", StoreAccess::read);
  std::vector<double> milliseconds;
  std::size_t points = 0, spikes = 0;
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    const Stopwatch watch;
    const std::vector<Line> lines = decimate(reader->series(run, "loss"), {0, steps - 1, 1000});
    milliseconds.push_back(1e3 * watch.seconds());
    points = lines.at(0).y.size();
    spikes = static_cast<std::size_t>(
        std::count_if(lines.at(0).y.begin(), lines.at(0).y.end(), [](double value) { return value >= 100; }));
  }
  fmt::print(
      "{{\"bench\":\"store long series\",\"steps\":{},\"columns\":1000,\"points\":{},\"milliseconds\":{:.4g},"
      "\"spikes_kept\":{},\"spikes\":{},\"repetitions\":{},\"goal\":30}}\n",
      steps, points, median(milliseconds), spikes, (steps + spikeEvery - 1) / spikeEvery, repetitions);
}

}  // namespace
}  // namespace slipstream::bench

int main(int count, char** values) {
  using namespace slipstream::bench;
  const std::filesystem::path folder = std::filesystem::path(count > 1 ? values[1] : ".") / "bench_store.tmp";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  ingest(folder);
  readerDelay(folder);
  checkpoint(folder);
  longSeries(folder);
  manyRuns(folder);
  std::filesystem::remove_all(folder);
}
