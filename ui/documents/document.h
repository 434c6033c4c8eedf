// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <QUndoStack>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/failure.h"
#include "engine/rank_table/rank_table.h"

namespace slipstream::ui {

/// One thing to put right, as the panel below the pages lists it, in the text of the command line.
struct Problem {
  Verdict severity = Verdict::reject;
  QString where;  ///< key path, flag or file
  QString value;  ///< as written; empty where there is none
  QString problem;
  QString remedy;
  QString document = {};            ///< title of the document it is in
  QString sentence = {};            ///< for a list, without the place; empty: `where` and `problem` are one
  QString place = {};               ///< `where` in words, beside a sentence
  QString code = {};                ///< "RT-104"; empty: it has none
  QString fixLabel = {};            ///< what the fix does; empty: there is none
  std::function<void()> fix = {};   ///< one undo step
  int fixKind = -1;                 ///< fixes of one kind can be made together; -1: is only made by itself
  QString kindLabel = {};           ///< what they do: "Use placeholder …"
  std::function<void()> show = {};  ///< goes to the place at fault
};
using Problems = std::vector<Problem>;

/// "1 error", "2 warnings": of those that there are.
QStringList problemCounts(int errors, int warnings);

/// Fixes that were made together.
struct MadeFixes {
  int problems = 0;                                 ///< that are gone
  std::vector<std::pair<QString, int>> kinds = {};  ///< what they are called, and how many there were
};
struct FixedText {
  std::string text = {};
  MadeFixes made = {};
};

class DraftSlot;

/// Something that is edited. Its text, as a file would hold it, is the document; forms, tables and trees are views of
/// it, and every edit is a new text and one step of `undoStack()`. Text that is wrong is kept like any other: its
/// problems are listed. What is not saved is kept as a draft. Files are touched in the disk's thread; where the answer
/// is needed at once, the window goes on painting until it is there.
class Document : public QObject {
  Q_OBJECT

 public:
  /// `kind` names the draft's file.
  Document(const QString& kind, QObject* parent);

  const std::string& text() const { return text_; }
  /// `label` names the step. Edits in a row with one `mergeKey` (not negative) are one step, so that typing is.
  void edit(const std::string& text, const QString& label, int mergeKey = -1);
  QUndoStack& undoStack() { return undo_; }

  /// Empty: it has never been saved.
  const std::filesystem::path& file() const { return file_; }
  QString title() const;
  /// What a new file of it is called, without an ending.
  virtual QString proposedName() const { return title(); }
  bool isModified() const { return !undo_.isClean(); }

  /// Reads a file; the undo history begins anew.
  Status load(const std::filesystem::path& file);
  /// The same with what was read of it.
  void load(const std::filesystem::path& file, const std::string& text);
  /// Writes the file whole or not at all, whatever somebody else has written there.
  Status save(const std::filesystem::path& file);
  /// The same of another text, into a folder that is made where it is not there. Once it is written it is taken up as
  /// one step, called `label`; where it cannot be, nothing changes.
  Status saveAs(const std::filesystem::path& file, const std::string& text, const QString& label);
  /// Somebody else has changed the file since it was read or written here, as far as that was seen: the file is
  /// watched.
  bool isChangedOnDisk() const { return changedOnDisk_; }
  /// Reads the file now and returns isChangedOnDisk().
  bool checkFile();
  /// Takes up what the file holds now, as one undo step.
  Status reload();
  /// A new document with this text; `file` is where saving will propose to write.
  void start(const std::string& text, const std::filesystem::path& file = {});
  /// Takes up what was not saved when the program ended; false where there is nothing.
  bool recoverDraft();
  /// text() as it is now is kept as a draft.
  bool isDraftKept() const { return draftKept_; }
  /// The text is one that was taken up, and not saved or replaced since.
  bool isRecovered() const { return recovered_; }
  void dropDraft();
  /// Back to the file, or to nothing where there is none; no draft is left.
  void discard();

  const Problems& problems() const { return problems_; }
  /// Reads the text again; problems are worded in the language of the window.
  virtual void recheck() = 0;
  /// Makes every fix that there is, or every one of a kind, as one step called `label`. Nothing is gone where nothing
  /// was changed.
  MadeFixes fixAll(std::optional<int> kind, const QString& label);

 Q_SIGNALS:
  void changed();       ///< text()
  void fileChanged();   ///< file(), title(), isModified() or isChangedOnDisk()
  void draftChanged();  ///< isDraftKept()
  void problemsChanged();
  void saved();  ///< file() has the text

 protected:
  void setProblems(Problems problems);
  /// The text with the fixes made.
  virtual FixedText fixedText(std::optional<int> kind) const;

 private:
  class Edit;
  void replace(const std::string& text);
  void keepDraftSoon();
  void keepDraft();
  void written(const std::filesystem::path& file, const std::string& text);
  void agree(const std::string& text);
  void watch();
  void checkFileLater();
  void compare(const Result<std::string>& found);
  void setDraftKept(bool kept);

  std::shared_ptr<DraftSlot> draft_;  ///< for the disk's thread
  std::string text_;
  QUndoStack undo_;
  QTimer draftTimer_, checkTimer_;
  QFileSystemWatcher watcher_;
  std::filesystem::path file_;
  std::optional<std::string> known_;  ///< what the file held when it was read or written here
  bool changedOnDisk_ = false;
  Problems problems_;
  bool recovered_ = false;
  bool draftKept_ = false;
};

}  // namespace slipstream::ui
