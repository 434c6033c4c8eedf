// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/documents/document.h"

#include <QUndoCommand>

#include "engine/base/files.h"
#include "ui/documents/document_files.h"
#include "ui/store/job_thread.h"

namespace slipstream::ui {
namespace {

constexpr int draftMilliseconds = 2000;
/// Programs that write in several steps have ended after that.
constexpr int checkMilliseconds = 150;

Result<std::string> contentOf(const std::filesystem::path& file) {
  return diskThread().wait([file] { return readDocumentText(file); });
}

}  // namespace

QStringList problemCounts(int errors, int warnings) {
  QStringList parts;
  if (errors > 0) parts << Document::tr("%n error(s)", nullptr, errors);
  if (warnings > 0) parts << Document::tr("%n warning(s)", nullptr, warnings);
  return parts;
}

class Document::Edit : public QUndoCommand {
 public:
  Edit(Document& document, std::string after, const QString& label, int mergeKey)
      : QUndoCommand(label), document_(document), before_(document.text_), after_(std::move(after)), key_(mergeKey) {}

  void undo() override { document_.replace(before_); }
  void redo() override { document_.replace(after_); }
  int id() const override { return key_; }
  bool mergeWith(const QUndoCommand* next) override {
    after_ = static_cast<const Edit*>(next)->after_;
    return true;
  }

 private:
  Document& document_;
  std::string before_, after_;
  int key_;
};

Document::Document(const QString& kind, QObject* parent)
    : QObject(parent), draft_(std::make_shared<DraftSlot>(kind.toStdString())) {
  draftTimer_.setSingleShot(true);
  draftTimer_.setInterval(draftMilliseconds);
  connect(&draftTimer_, &QTimer::timeout, this, &Document::keepDraft);
  connect(this, &Document::changed, this, &Document::keepDraftSoon);
  connect(&undo_, &QUndoStack::cleanChanged, this, &Document::fileChanged);
  checkTimer_.setSingleShot(true);
  checkTimer_.setInterval(checkMilliseconds);
  connect(&checkTimer_, &QTimer::timeout, this, &Document::checkFileLater);
  connect(&watcher_, &QFileSystemWatcher::fileChanged, &checkTimer_, qOverload<>(&QTimer::start));
}

void Document::edit(const std::string& text, const QString& label, int mergeKey) {
  if (text == text_) return;
  undo_.push(new Edit(*this, text, label, mergeKey));
}

void Document::replace(const std::string& text) {
  text_ = text;
  setDraftKept(false);
  Q_EMIT changed();
}

QString Document::title() const {
  if (file_.empty()) return tr("Untitled");
  return QString::fromStdString(file_.filename().string());
}

Status Document::load(const std::filesystem::path& file) {
  SLIPSTREAM_TRY(text, contentOf(file));
  load(file, text);
  return {};
}

void Document::load(const std::filesystem::path& file, const std::string& text) {
  start(text, file);
  agree(text);
}

Status Document::save(const std::filesystem::path& file) {
  const std::string text = text_;
  SLIPSTREAM_CHECK(diskThread().wait([file, text] { return writeFile(file, text); }));
  written(file, text);
  return {};
}

Status Document::saveAs(const std::filesystem::path& file, const std::string& text, const QString& label) {
  const std::string before = text_;
  const Status saved = diskThread().wait([file, text] {
    const Status made = makeFolder(file.parent_path());
    return made ? writeFile(file, text) : made;
  });
  if (!saved) return saved;
  file_ = file;
  if (text_ == before) edit(text, label);
  written(file, text);
  return {};
}

void Document::written(const std::filesystem::path& file, const std::string& text) {
  file_ = file;
  recovered_ = false;
  if (text == text_) {
    undo_.setClean();
    dropDraft();
  }
  agree(text);
  Q_EMIT saved();
}

void Document::start(const std::string& text, const std::filesystem::path& file) {
  undo_.clear();
  recovered_ = false;
  file_ = file;
  known_.reset();
  changedOnDisk_ = false;
  watch();
  replace(text);
  Q_EMIT fileChanged();
}

/// The file holds `text`, as far as we know.
void Document::agree(const std::string& text) {
  known_ = text;
  changedOnDisk_ = false;
  watch();
  Q_EMIT fileChanged();
}

/// A file that is replaced by another is not watched any more.
void Document::watch() {
  const QString file = QString::fromStdString(file_.string());
  if (watcher_.files() == QStringList{file}) return;
  if (!watcher_.files().isEmpty()) watcher_.removePaths(watcher_.files());
  if (!file_.empty()) watcher_.addPath(file);
}

void Document::checkFileLater() {
  watch();
  diskThread().run(
      this, [file = file_] { return std::pair(file, readDocumentText(file)); },
      [this](const std::pair<std::filesystem::path, Result<std::string>>& found) {
        if (found.first == file_) compare(found.second);
      });
}

bool Document::checkFile() {
  if (!file_.empty()) compare(contentOf(file_));
  return changedOnDisk_;
}

/// A file that is gone is no other text: saving makes it anew.
void Document::compare(const Result<std::string>& found) {
  const bool changed = found && known_ != *found && text_ != *found;
  if (changed == changedOnDisk_) return;
  changedOnDisk_ = changed;
  Q_EMIT fileChanged();
}

Status Document::reload() {
  SLIPSTREAM_TRY(text, contentOf(file_));
  edit(text, tr("Reload"));
  recovered_ = false;
  undo_.setClean();
  dropDraft();
  agree(text);
  return {};
}

MadeFixes Document::fixAll(std::optional<int> kind, const QString& label) {
  const FixedText fixed = fixedText(kind);
  if (fixed.text == text()) return {};
  edit(fixed.text, label);
  return fixed.made;
}

FixedText Document::fixedText(std::optional<int>) const {
  return {text()};
}

void Document::setProblems(Problems problems) {
  problems_ = std::move(problems);
  Q_EMIT problemsChanged();
}

/// However steadily somebody types, no more than so much of it can be lost.
void Document::keepDraftSoon() {
  if (!draftTimer_.isActive()) draftTimer_.start();
}

/// First line: the file that it will go to; then the text.
void Document::keepDraft() {
  if (!isModified()) return dropDraft();
  diskThread().run(
      this, [draft = draft_, text = file_.string() + "\n" + text_] { return draft->write(text); },
      [this, text = text_](bool kept) {
        if (text == text_ && isModified()) setDraftKept(kept);
      });
}

void Document::setDraftKept(bool kept) {
  if (kept == draftKept_) return;
  draftKept_ = kept;
  Q_EMIT draftChanged();
}

void Document::dropDraft() {
  draftTimer_.stop();
  setDraftKept(false);
  diskThread().run([draft = draft_] { draft->drop(); });
}

bool Document::recoverDraft() {
  const auto draft = diskThread().wait([slot = draft_] { return slot->recover(); });
  if (!draft) return false;
  const std::size_t line = draft->text.find('\n');
  if (line == std::string::npos) return false;
  start(draft->text.substr(line + 1), draft->text.substr(0, line));
  recovered_ = true;
  undo_.resetClean();
  // A file that is newer than the draft was changed by somebody else.
  std::error_code none;
  const bool older = std::filesystem::last_write_time(file_, none) <= draft->writtenAt;
  const auto there = contentOf(file_);
  if (there && older) known_ = *there;
  compare(there);
  Q_EMIT fileChanged();
  setDraftKept(true);
  return true;
}

void Document::discard() {
  dropDraft();
  if (file_.empty() || !load(file_)) start({});
}

}  // namespace slipstream::ui
