// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/access.h"
#include "engine/interchange/array_container.h"

namespace slipstream {
namespace {

namespace fs = std::filesystem;

constexpr const char* npyEnding = ".npy";

class NpyFileBytes final : public ArrayBytes {
 public:
  explicit NpyFileBytes(FileBytes file) : file_(std::move(file)) {}

  std::int64_t size() const override { return file_.size(); }
  Status read(std::span<std::byte> bytes) override {
    SLIPSTREAM_CHECK(file_.read(at_, bytes));
    at_ += std::ssize(bytes);
    return {};
  }
  Status finish() override { return {}; }

 private:
  FileBytes file_;
  std::int64_t at_ = 0;
};

class NpyFolder final : public ListedArrays {
 public:
  explicit NpyFolder(fs::path folder) : folder_(std::move(folder)) {}

  Status read() {
    std::vector<std::string> names;
    std::error_code error;
    fs::directory_iterator at(folder_, error);
    for (; !error && at != fs::directory_iterator(); at.increment(error)) {
      const fs::path& path = at->path();
      std::error_code ignored;
      const bool counts = path.extension() == npyEnding && !path.filename().string().starts_with('.');
      if (counts && !at->is_directory(ignored)) names.push_back(path.stem().string());
    }
    if (error) return tl::unexpected(Failures{accessFailure(folder_, error)});
    return list(std::move(names));
  }

 private:
  std::string place() const override { return folder_.string(); }
  std::string placeOf(const std::string& name) const override { return (folder_ / (name + npyEnding)).string(); }
  Result<std::unique_ptr<ArrayBytes>> bytesOf(const std::string& name) override {
    SLIPSTREAM_TRY(file, FileBytes::open(folder_ / (name + npyEnding)));
    return std::make_unique<NpyFileBytes>(std::move(file));
  }

  fs::path folder_;
};

}  // namespace

Result<std::unique_ptr<ArrayContainer>> openNpyFolder(const fs::path& folder) {
  auto arrays = std::make_unique<NpyFolder>(folder);
  SLIPSTREAM_CHECK(arrays->read());
  return arrays;
}

}  // namespace slipstream
