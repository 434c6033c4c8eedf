// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/document_dialogs.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QMessageBox>
#include <QPushButton>
#include <algorithm>

#include "ui/widgets/notice.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

/// Texts of the questions; the class is the context of their translation.
struct Asking {
  Q_DECLARE_TR_FUNCTIONS(DocumentFiles)

 public:
  static auto about(QWidget* parent, const std::vector<Document*>& unsaved) {
    QStringList edited, recovered, lines;
    for (const Document* document : unsaved) (document->isRecovered() ? recovered : edited) << document->title();
    if (!edited.isEmpty()) lines << tr("Save changes to \"%1\"?").arg(enumerated(edited));
    if (!recovered.isEmpty()) {
      lines << tr("Recovered from a draft, and not saved: %1").arg(enumerated(recovered));
    }
    QMessageBox box(QMessageBox::Question, tr("Unsaved changes"), lines.join(QLatin1Char('\n')),
                    QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, parent);
    box.setTextFormat(Qt::PlainText);
    box.setDefaultButton(QMessageBox::Save);
    box.button(QMessageBox::Save)->setText(tr("Save"));
    box.button(QMessageBox::Discard)->setText(tr("Discard"));
    box.button(QMessageBox::Cancel)->setText(tr("Cancel"));
    return static_cast<QMessageBox::StandardButton>(box.exec());
  }

  enum class OverChange { overwrite, reload, cancel };

  /// What to do about a file that somebody else has changed.
  static OverChange aboutChange(QWidget* parent, const Document& document) {
    QMessageBox box(QMessageBox::Warning, tr("Changed on disk"),
                    tr("%1 was changed by another program since it was opened here. Overwriting loses that change.")
                        .arg(document.title()),
                    QMessageBox::NoButton, parent);
    box.setTextFormat(Qt::PlainText);
    const auto* overwrite = box.addButton(tr("Overwrite"), QMessageBox::DestructiveRole);
    auto* reload = box.addButton(tr("Reload"), QMessageBox::AcceptRole);
    reload->setToolTip(tr("Takes up the file as it is now; undo brings back what is here"));
    auto* cancel = box.addButton(tr("Cancel"), QMessageBox::RejectRole);
    box.setDefaultButton(cancel);
    box.setEscapeButton(cancel);
    box.exec();
    if (box.clickedButton() == overwrite) return OverChange::overwrite;
    return box.clickedButton() == reload ? OverChange::reload : OverChange::cancel;
  }

  static QString fileFor(QWidget* parent, const Document& document) {
    QFileDialog dialog(parent, tr("Save %1").arg(document.title()));
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setNameFilter(tr("JSON files (*.json)"));
    dialog.setDefaultSuffix(QStringLiteral("json"));
    const bool isNew = document.file().empty();
    dialog.selectFile(isNew ? document.proposedName() + QStringLiteral(".json")
                            : QString::fromStdString(document.file().string()));
    return dialog.exec() == QDialog::Accepted ? dialog.selectedFiles().value(0) : QString();
  }

  static void warn(QWidget* parent, const Failures& failures) {
    showWarning(parent, tr("Save"), QString::fromStdString(toText(failures)));
  }
};

/// Whether its own file may be written over.
bool confirmOverwrite(QWidget* parent, Document& document) {
  if (!document.checkFile()) return true;
  const Asking::OverChange answer = Asking::aboutChange(parent, document);
  if (answer == Asking::OverChange::reload) {
    if (const Status reloaded = document.reload(); !reloaded) Asking::warn(parent, reloaded.error());
  }
  return answer == Asking::OverChange::overwrite;
}

bool write(QWidget* parent, Document& document, const std::filesystem::path& file) {
  const Status saved = document.save(file);
  if (!saved) Asking::warn(parent, saved.error());
  return saved.has_value();
}

}  // namespace

bool saveDocument(QWidget* parent, Document& document) {
  if (document.file().empty()) return saveDocumentAs(parent, document);
  return confirmOverwrite(parent, document) && write(parent, document, document.file());
}

bool saveDocumentAs(QWidget* parent, Document& document) {
  const QString name = Asking::fileFor(parent, document);
  return !name.isEmpty() && write(parent, document, name.toStdString());
}

bool confirmClose(QWidget* parent, const std::vector<Document*>& documents) {
  std::vector<Document*> unsaved;
  std::copy_if(documents.begin(), documents.end(), std::back_inserter(unsaved),
               [](const Document* document) { return document->isModified(); });
  if (unsaved.empty()) return true;
  switch (Asking::about(parent, unsaved)) {
    case QMessageBox::Save:
      return std::all_of(unsaved.begin(), unsaved.end(),
                         [parent](Document* document) { return saveDocument(parent, *document); });
    case QMessageBox::Discard:
      for (Document* document : unsaved) document->discard();
      return true;
    default:
      return false;
  }
}

DraftNotice::DraftNotice(QWidget* parent) : QFrame(parent), text_(label({}, TextSize::secondary)), act_(button({})) {
  setProperty("notice", true);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(pageMargin, gapSmall, pageMargin, gapSmall);
  auto* shape = new QLabel;
  shape->setPixmap(icon(Symbol::information, IconInk::accent).pixmap(16, 16));
  layout->addWidget(shape);
  layout->addWidget(text_, 1);
  layout->addWidget(act_);
  connect(act_, &QPushButton::clicked, this, &DraftNotice::act);
  hide();
}

void DraftNotice::follow(Document* document) {
  if (document_ != nullptr) disconnect(document_, nullptr, this, nullptr);
  document_ = document;
  if (document_ != nullptr) connect(document_, &Document::fileChanged, this, &DraftNotice::refresh);
  refresh();
}

void DraftNotice::act() {
  if (document_ == nullptr) return;
  if (!document_->isChangedOnDisk()) return document_->discard();
  const Status reloaded = document_->reload();
  if (!reloaded) text_->setText(QString::fromStdString(toText(reloaded.error())));
}

void DraftNotice::refresh() {
  const bool changed = document_ != nullptr && document_->isChangedOnDisk();
  const bool recovered = document_ != nullptr && document_->isRecovered();
  if (changed) {
    text_->setText(tr("%1 was changed on disk by another program.").arg(document_->title()));
    act_->setText(tr("Reload"));
  } else if (recovered) {
    text_->setText(tr("%1 was recovered from a draft and is not saved.").arg(document_->title()));
    act_->setText(tr("Discard"));
  }
  setVisible(changed || recovered);
}

}  // namespace slipstream::ui
