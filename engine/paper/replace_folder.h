// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "engine/base/failure.h"

namespace slipstream {

/// A new, hidden folder beside `place`, which is deleted with this object unless it is left.
class BesideFolder {
 public:
  explicit BesideFolder(const std::filesystem::path& place);
  ~BesideFolder();
  BesideFolder(const BesideFolder&) = delete;
  BesideFolder& operator=(const BesideFolder&) = delete;

  /// Empty, and errno says why, where it could not be made.
  const std::filesystem::path& path() const { return path_; }
  void leave() { path_.clear(); }

 private:
  std::filesystem::path path_;
};

/// "PLACE: WHAT: " and what errno says.
Failure folderFailure(const std::filesystem::path& place, const std::string& what);

/// Puts the folder `made` in the place of what is there, which is deleted: with one step where the file system can.
Status takePlace(BesideFolder& made, const std::filesystem::path& place);

/// Gives a folder another name; false and errno where it cannot.
using RenameFolder = std::function<bool(const std::filesystem::path& from, const std::filesystem::path& to)>;

/// The same where the file system cannot exchange two names: there is a moment without the folder. The old one is put
/// back where the second step fails; where it cannot be, it stays under the name that the failure says.
Status takePlaceInSteps(BesideFolder& made, const std::filesystem::path& place, const RenameFolder& rename);

}  // namespace slipstream
