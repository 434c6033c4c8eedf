// SPDX-License-Identifier: GPL-3.0-or-later
// Mutated files of weights and of values: each is read or refused, in memory that its size justifies. A failing input
// is kept and named. SLIPSTREAM_FUZZ_INPUTS and SLIPSTREAM_FUZZ_SEED make it longer and other.
#include <filesystem>
#include <fstream>
#include <functional>

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/interchange/array_files.h"
#include "engine/interchange/ckpt_reader.h"
#include "engine/interchange/ckpt_writer.h"
#include "engine/interchange/event_file.h"
#include "engine/interchange/npy.h"
#include "engine/interchange/safetensors_file.h"
#include "engine/interchange/tensor_file.h"
#include "engine/interchange/tf_record.h"
#include "engine/interchange/weight_match.h"
#include "engine/trackers/tagged_run.h"
#include "tests/fuzz/counted_memory.h"
#include "tests/support/mutator.h"
#include "tests/support/numpy_files.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

constexpr std::int64_t usualInputs = 10'000;

/// A file that is never on a disk.
class MemoryFile {
 public:
  MemoryFile() : file_(::memfd_create("fuzz", MFD_CLOEXEC)) {}
  ~MemoryFile() { ::close(file_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::filesystem::path path() const { return fmt::format("/proc/self/fd/{}", file_); }
  void write(const std::string& bytes) const {
    ASSERT_EQ(::ftruncate(file_, 0), 0);
    ASSERT_EQ(::pwrite(file_, bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
  }

 private:
  int file_;
};

/// What a reader kept of a small file's bytes may be this much larger than they are: a tensor's entry takes more than
/// the fewest bytes that describe one.
constexpr std::size_t memoryPerByte = 64;
constexpr std::size_t memoryOfAnyFile = 64 << 10;

struct Outcomes {
  std::int64_t taken = 0;
  std::int64_t refused = 0;
};

/// Calls `use` with the path of every mutated file; what it throws but Error, or takes beyond reason, fails the test.
Outcomes throwAt(const std::vector<std::string>& sound, const std::function<bool(const std::filesystem::path&)>& use) {
  const MemoryFile file;
  test::Mutator mutator(sound, test::fuzzSeed());
  Outcomes outcomes;
  for (std::int64_t i = 0; i < test::fuzzInputs(usualInputs); ++i) {
    const std::string bytes = mutator.next();
    file.write(bytes);
    test::forgetMemory();
    bool taken = false;
    try {
      taken = use(file.path());
    } catch (const Error&) {
      taken = false;
    }
    ++(taken ? outcomes.taken : outcomes.refused);
    if (test::largestPiece() <= memoryOfAnyFile + memoryPerByte * bytes.size()) continue;
    const auto kept = std::filesystem::temp_directory_path() / "slipstream_fuzz_failure";
    std::ofstream(kept, std::ios::binary) << bytes;
    ADD_FAILURE() << "input " << i << " of " << bytes.size() << " bytes made its reader take " << test::largestPiece()
                  << " bytes at once; kept as " << kept;
    break;
  }
  return outcomes;
}

void expectBoth(const Outcomes& outcomes) {
  std::printf("%ld taken, %ld refused\n", static_cast<long>(outcomes.taken), static_cast<long>(outcomes.refused));
  EXPECT_GT(outcomes.taken, 0) << "nothing was taken: the mutations are too coarse";
  EXPECT_GT(outcomes.refused, outcomes.taken / 10) << "hardly anything was refused";
}

/// Everything that programs do with such a file.
bool useTensors(const std::filesystem::path& path) {
  auto opened = TensorFile::open(path);
  if (!opened) {
    EXPECT_FALSE(opened.error().empty());
    return false;
  }
  const std::shared_ptr<TensorFile> file = std::move(*opened);
  for (std::size_t i = 0; i < file->tensors().size(); ++i) {
    const auto bytes = file->read(i);
    EXPECT_TRUE(bytes && std::ssize(*bytes) == file->contents().tensors[i].bytes);
  }
  EXPECT_TRUE(file->checkCrc());
  const WeightMatch match(file, {{"conv.weight", {2, 3, 3, 2}, {9, 2}}, {"bn.moving_mean", {2}, {}, true}});
  std::vector<float> values(36);
  if (match.has("conv.weight")) {
    EXPECT_TRUE(match.read("conv.weight", values));
  }
  EXPECT_FALSE(match.report().lines().empty());
  return true;
}

const std::vector<TensorEntry> entries{{"conv.weight", ElementType::float32, {2, 2, 3, 3}},
                                       {"bn.moving_mean", ElementType::float16, {2}},
                                       {"global_step", ElementType::int32, {}},
                                       {"moments.conv.weight", ElementType::bfloat16, {2, 2, 3, 3}}};

std::vector<std::byte> bytesOfEntry(const TensorEntry& entry) {
  return std::vector<std::byte>(static_cast<std::size_t>(*elementsOf(entry.shape, 100) * bytesOf(entry.type)),
                                std::byte{0x3C});
}

std::string ckptBytes(bool crc, std::int64_t chunk) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "sound.ckpt";
  auto writer = CkptWriter::create(path, crc);
  for (const TensorEntry& entry : entries) EXPECT_TRUE(writer->add(entry, bytesOfEntry(entry), chunk));
  EXPECT_TRUE(writer->add({"note", ElementType::text, {}}, std::vector<std::byte>(8), chunk));
  EXPECT_TRUE(writer->commit());
  return *readFile(path);
}

std::string safetensorsBytes() {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "sound.safetensors";
  EXPECT_TRUE(writeSafetensors(path, entries, {{"format", "pt"}}, [](std::size_t i) -> Result<std::vector<std::byte>> {
    return bytesOfEntry(entries[i]);
  }));
  return *readFile(path);
}

TEST(Fuzz, MindSporeCheckpoints) {
  expectBoth(
      throwAt({ckptBytes(false, ckptChunkBytes), ckptBytes(true, ckptChunkBytes), ckptBytes(true, 16)}, useTensors));
}

/// The checksums of an event file keep mutations out, so what is mutated here is a record, with checksums that fit.
bool useEvents(const std::filesystem::path& path) {
  const auto record = readFile(path);
  std::string bytes;
  addRecord(bytes, record.value_or(""));
  const MemoryFile file;
  file.write(bytes);
  ScalarEvents events;
  const Status added = addEventFile(file.path(), DamagedRecord::isFailure, events);
  EXPECT_TRUE(added || !added.error().empty());
  return added.has_value();
}

/// The second event of TensorBoard's own format: hyperparameters and three summaries.
std::vector<std::string> eventRecords() {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "events.out.tfevents.1";
  auto writer = EventFileWriter::create(path, 1.7e9);
  EXPECT_TRUE(writer && writer->begin({{"lr", "0.5"}, {"name", "adam"}, {"flag", "true"}}, "group", 1.7e9));
  for (int step = 0; step < 3; ++step) EXPECT_TRUE(writer->add("val/loss", {step, 1.7e9, 0.5}));
  EXPECT_TRUE(writer->end(true, 1.7e9) && writer->commit());
  const auto file = FileBytes::open(path);
  RecordReader reader(*file);
  std::vector<std::string> records;
  for (auto record = reader.next(); record && *record; record = reader.next()) {
    records.emplace_back(reinterpret_cast<const char*>((*record)->data()), (*record)->size());
  }
  return records;
}

TEST(Fuzz, EventFiles) {
  expectBoth(throwAt(eventRecords(), useEvents));
}

TEST(Fuzz, Tables) {
  const auto use = [](const std::filesystem::path& path) {
    const auto runs = readCsv(path.string());
    EXPECT_TRUE(runs || !runs.error().empty());
    return runs.has_value();
  };
  expectBoth(throwAt({"step,loss,\"val, loss\"\n0,2.5,\n1,1.25,0.5\n2,nan,\n",
                      "run,metric,step,wall_time,value\na,loss,0,"
                      "1700000000.5,1e-3\na,loss,1,1700000001.25,-inf\n",
                      "epoch;acc\n1;0.5\n2;0.75\n"},
                     use));
}

TEST(Fuzz, SafetensorsFiles) {
  const auto use = [](const std::filesystem::path& path) {
    // The reader itself, also where the first bytes do not look like one.
    const auto file = FileBytes::open(path);
    return file && readSafetensorsContents(*file) && useTensors(path);
  };
  expectBoth(throwAt({safetensorsBytes()}, use));
}

std::string npyBytes(const std::string& type, bool byColumns) {
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': (3, 8), }}", type, byColumns ? "True" : "False");
  header.resize(117, ' ');
  header += '\n';
  return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + std::string(type == "<f4" ? 96 : 192, '\0');
}

TEST(Fuzz, NumpyMatrices) {
  const auto use = [](const std::filesystem::path& path) {
    auto matrix = NpyMatrix::open(path);
    if (!matrix || matrix->rows() < 1) return false;
    const std::int64_t columns = std::min<std::int64_t>(matrix->columns(), 8);
    std::vector<float> values(static_cast<std::size_t>(columns));
    matrix->read(1, 0, columns, values);
    return true;
  };
  expectBoth(throwAt({npyBytes("<f4", false), npyBytes("<f8", true)}, use));
}

/// A piece at a time: what deflate makes of few bytes is more than they justify at once.
Status readThrough(ArrayContainer& arrays, const ArrayInfo& info) {
  SLIPSTREAM_TRY(reader, arrays.open(info.name));
  std::vector<float> values(512);
  for (std::int64_t left = info.count(); left > 0;) {
    const auto count = std::min<std::int64_t>(left, std::ssize(values));
    SLIPSTREAM_CHECK(reader->readFloats(std::span(values).first(static_cast<std::size_t>(count))));
    left -= count;
  }
  return reader->finish();
}

/// Taken where every array that is listed can be read to its end.
bool useArrays(const std::filesystem::path& path) {
  const auto arrays = openArrays(path);
  if (!arrays) {
    EXPECT_FALSE(arrays.error().empty());
    return false;
  }
  bool whole = true;
  for (const ArrayInfo& info : (*arrays)->arrays()) whole = readThrough(**arrays, info).has_value() && whole;
  return whole;
}

TEST(Fuzz, NumpyArchives) {
  const std::string floats = test::npyOf("<f4", "(2, 3)", std::string(24, '\x3f'));
  const std::string bytes = test::npyOf("|u1", "(5,)", "abcde");
  const std::string blank = test::npyOf("<i8", "(1000,)", std::string(8000, '\0'));
  expectBoth(throwAt({test::zipOf({{"x.npy", floats}, {"y.npy", bytes}}),
                      test::zipOf({test::deflated("x.npy", floats), test::deflated("b.npy", blank)}),
                      test::zipOf({{"x.npy", floats}, test::deflated("y.npy", bytes)}, {.zip64 = true})},
                     useArrays));
}

/// Headers of any shape, from a folder of which the file is the only one.
TEST(Fuzz, NumpyArrays) {
  const test::TemporaryFolder folder;
  const auto use = [&](const std::filesystem::path& path) {
    const auto link = folder.path() / "x.npy";
    std::filesystem::remove(link);
    std::filesystem::create_symlink(path, link);
    return useArrays(folder.path());
  };
  expectBoth(throwAt({test::npyOf("<f8", "(2, 3, 1)", std::string(48, '\0')), test::npyOf("|b1", "(4,)", "abcd"),
                      test::npyOf("<f2", "()", "ab"), test::npyOf("[('a', '<i4')]", "(1,)", "abcd")},
                     use));
}

}  // namespace
}  // namespace slipstream
