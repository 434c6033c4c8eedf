#include "ui/workspace/document.h"

#include <QUndoCommand>

#include "engine/base/files.h"

namespace slipstream::ui {
namespace {

constexpr int draftMilliseconds = 2000;

}  // namespace

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

Document::Document(const QString& kind, QObject* parent) : QObject(parent), kind_(kind) {
  draftTimer_.setSingleShot(true);
  draftTimer_.setInterval(draftMilliseconds);
  connect(&draftTimer_, &QTimer::timeout, this, &Document::keepDraft);
  connect(this, &Document::changed, &draftTimer_, qOverload<>(&QTimer::start));
  connect(&undo_, &QUndoStack::cleanChanged, this, &Document::fileChanged);
}

void Document::edit(const std::string& text, const QString& label, int mergeKey) {
  if (text == text_) return;
  undo_.push(new Edit(*this, text, label, mergeKey));
}

void Document::replace(const std::string& text) {
  text_ = text;
  Q_EMIT changed();
}

QString Document::title() const {
  if (file_.empty()) return tr("Untitled");
  return QString::fromStdString(file_.filename().string());
}

Status Document::load(const std::filesystem::path& file) {
  SLIPSTREAM_TRY(text, readFile(file));
  start(text, file);
  return {};
}

Status Document::save(const std::filesystem::path& file) {
  SLIPSTREAM_CHECK(writeFile(file, text_));
  file_ = file;
  recovered_ = false;
  undo_.setClean();
  dropDraft();
  Q_EMIT fileChanged();
  return {};
}

void Document::start(const std::string& text, const std::filesystem::path& file) {
  undo_.clear();
  recovered_ = false;
  file_ = file;
  replace(text);
  Q_EMIT fileChanged();
}

void Document::setProblems(Problems problems) {
  problems_ = std::move(problems);
  Q_EMIT problemsChanged();
}

std::filesystem::path Document::draftFile() const {
  return userDataFolder() / "drafts" / kind_.toStdString();
}

/// First line: the file that it will go to; then the text.
void Document::keepDraft() {
  if (!isModified()) return dropDraft();
  if (makeFolder(draftFile().parent_path())) writeFile(draftFile(), file_.string() + "\n" + text_);
}

void Document::dropDraft() {
  std::error_code gone;
  std::filesystem::remove(draftFile(), gone);
}

bool Document::recoverDraft() {
  const auto draft = readFile(draftFile());
  if (!draft) return false;
  const std::size_t line = draft->find('\n');
  if (line == std::string::npos) return false;
  start(draft->substr(line + 1), draft->substr(0, line));
  recovered_ = true;
  undo_.resetClean();
  return true;
}

void Document::discard() {
  dropDraft();
  if (file_.empty() || !load(file_)) start({});
}

}  // namespace slipstream::ui
