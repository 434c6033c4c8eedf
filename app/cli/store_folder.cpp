#include "app/cli/store_folder.h"

#include <algorithm>
#include <filesystem>

#include "engine/base/text.h"

namespace slipstream::cli {

std::string wholeStoreFolder(const std::string& folder) {
  const std::filesystem::path whole = std::filesystem::absolute(folder).lexically_normal();
  return whole.has_filename() ? whole.string() : whole.parent_path().string();
}

Status fitForAStore(const std::string& folder) {
  std::error_code error;
  const std::filesystem::directory_iterator entries(folder, error);
  // What is not there is made; what is no folder, or closed, the store itself explains.
  if (error || entries == std::filesystem::directory_iterator()) return {};
  const bool store = std::any_of(begin(entries), end(entries), [](const std::filesystem::directory_entry& entry) {
    return startsWith(entry.path().filename().string(), "store.db");
  });
  if (store) return {};
  return fail("--store", folder, "is a folder of other files and holds no run store",
              "name an empty folder or a new one, for instance " + folder + "/slipstream");
}

}  // namespace slipstream::cli
