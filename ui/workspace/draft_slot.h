// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLockFile>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace slipstream::ui {

/// Where the draft of a document is kept. Windows beside each other keep one each: a window holds its place by a lock,
/// and what a window that died has left is taken up by the next. For the disk's thread.
class DraftSlot {
 public:
  /// `name` is that of the file: "experiment.json", and "experiment-2.json" where another window has that.
  explicit DraftSlot(std::string name) : name_(std::move(name)) {}

  struct Draft {
    std::string text;
    std::filesystem::file_time_type writtenAt;
  };
  /// The draft that was left first and belongs to no other window; it is this one's now.
  std::optional<Draft> recover();
  /// False where it could not be kept.
  bool write(const std::string& text);
  void drop();

 private:
  std::filesystem::path fileAt(int place) const;
  bool hold(int place);

  std::string name_;
  int place_ = 0;  ///< from 1; 0: none is held
  std::unique_ptr<QLockFile> lock_;
};

}  // namespace slipstream::ui
