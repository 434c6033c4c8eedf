// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLockFile>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/failure.h"
#include "engine/config/document_text.h"
#include "engine/config/json_edit.h"

namespace slipstream::ui {

enum class DocumentKind { experiment, rankTable, study };

/// A file that is to be edited here.
struct DocumentText {
  std::filesystem::path file;
  std::string text;
  DocumentKind kind = DocumentKind::experiment;  ///< by its content; what is neither of the others is taken for one
};

/// Reads it and finds out what it is; the window goes on painting meanwhile.
Result<DocumentText> readDocument(const std::filesystem::path& file);

/// The same for what somebody asked for by name, all of which have to be opened: fails also where two are of one kind,
/// since a window edits one experiment, one rank table and one study.
Result<std::vector<DocumentText>> readDocuments(const std::vector<std::filesystem::path>& files);

/// The folder of a store for experiments that were made in the window.
std::filesystem::path experimentsOf(const std::filesystem::path& store);

/// Where an experiment of that name may be written there: NAME.json, NAME-2.json where that is another one, or the file
/// that has this very text. Makes the folder. Characters that no file name should have are replaced, long names are
/// cut.
Result<std::filesystem::path> experimentFileIn(const std::filesystem::path& store, const std::string& name,
                                               const std::string& text);

/// Finds the place of a failure in an experiment's text: the value at a key path, or the nearest around it where
/// the text has no such key; the line of "experiment.json:3:7"; the name of a key that is written twice. Returns
/// nothing where there is no such place.
std::optional<JsonSpan> textPlaceOf(const std::string& text, const std::string& where);

/// The key path that a place begins with: what it says of another file follows after a blank.
std::string keyPathOf(const std::string& where);

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
