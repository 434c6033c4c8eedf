// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/draft_slot.h"

#include <fmt/format.h>

#include "engine/base/files.h"

namespace slipstream::ui {
namespace {

/// More windows than these keep no drafts.
constexpr int mostPlaces = 32;

bool isThere(const std::filesystem::path& file) {
  std::error_code error;
  return std::filesystem::exists(file, error);
}

}  // namespace

std::filesystem::path DraftSlot::fileAt(int place) const {
  const std::filesystem::path folder = userDataFolder() / "drafts";
  if (place <= 1) return folder / name_;
  const std::filesystem::path name = name_;
  return folder / fmt::format("{}-{}{}", name.stem().string(), place, name.extension().string());
}

bool DraftSlot::hold(int place) {
  if (place_ == place) return true;
  auto lock = std::make_unique<QLockFile>(QString::fromStdString(fileAt(place).string()) + QStringLiteral(".lock"));
  lock->setStaleLockTime(0);  // however long a window is open
  if (!lock->tryLock(0)) return false;
  lock_ = std::move(lock);
  place_ = place;
  return true;
}

std::optional<DraftSlot::Draft> DraftSlot::recover() {
  for (int place = 1; place <= mostPlaces; ++place) {
    if (!isThere(fileAt(place)) || !hold(place)) continue;
    std::error_code error;
    const auto writtenAt = std::filesystem::last_write_time(fileAt(place), error);
    auto text = readFile(fileAt(place));
    if (text && !error) return Draft{std::move(*text), writtenAt};
  }
  return std::nullopt;
}

bool DraftSlot::write(const std::string& text) {
  if (!makeFolder(fileAt(1).parent_path())) return false;
  // A draft that nobody has taken up yet is not written over.
  for (int place = 1; place_ == 0 && place <= mostPlaces; ++place) {
    if (!isThere(fileAt(place))) hold(place);
  }
  return place_ > 0 && writeFile(fileAt(place_), text).has_value();
}

void DraftSlot::drop() {
  std::error_code gone;
  if (place_ > 0) std::filesystem::remove(fileAt(place_), gone);
}

}  // namespace slipstream::ui
