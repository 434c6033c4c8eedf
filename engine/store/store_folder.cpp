// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/store_folder.h"

#include <algorithm>

#include "engine/base/files.h"
#include "engine/base/text.h"

namespace slipstream {

std::filesystem::path storeFileIn(const std::filesystem::path& folder) {
  return folder / "store.db";
}

Status fitForAStore(const std::filesystem::path& folder) {
  std::error_code error;
  const std::filesystem::directory_iterator entries(folder, error);
  // What is not there is made; what is no folder, or closed, the store itself explains.
  if (error || entries == std::filesystem::directory_iterator()) return {};
  const std::string name = storeFileIn(folder).filename().string();  // SQLite's files beside it begin so too
  const bool store = std::any_of(begin(entries), end(entries), [&](const std::filesystem::directory_entry& entry) {
    return startsWith(entry.path().filename().string(), name);
  });
  if (store) return {};
  // The user's own folder may hold drafts of the window and launches that wait before it holds a store.
  if (std::filesystem::equivalent(folder, userDataFolder(), error)) return {};
  return fail("--store", folder.string(), "is a folder of other files and holds no run store",
              "name an empty folder or a new one, for instance " + (folder / "slipstream").string());
}

}  // namespace slipstream
