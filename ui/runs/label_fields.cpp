// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/label_fields.h"

#include <QFocusEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPointer>
#include <QVBoxLayout>

#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int noteHeight = 64;

}  // namespace

LabelFields::LabelFields(Workspace& workspace, QWidget* parent)
    : QWidget(parent), workspace_(workspace), tags_(new QLineEdit), note_(new QPlainTextEdit) {
  QVBoxLayout* layout = column(this, gapSmall);
  layout->addWidget(label(tr("Tags"), TextSize::section));
  tags_->setPlaceholderText(tr("Tags, with commas between"));
  tags_->setAccessibleName(tr("Tags"));
  layout->addWidget(tags_);
  layout->addWidget(label(tr("Note"), TextSize::section));
  note_->setPlaceholderText(tr("Notes"));
  note_->setAccessibleName(tr("Note"));
  note_->setTabChangesFocus(true);
  note_->setFixedHeight(noteHeight);
  layout->addWidget(note_);
  connect(tags_, &QLineEdit::editingFinished, this, &LabelFields::keepTags);
  note_->installEventFilter(this);
}

/// A window that closes at once hides nothing first.
LabelFields::~LabelFields() {
  keep();
}

void LabelFields::edit() {
  tags_->setFocus(Qt::ShortcutFocusReason);
  tags_->selectAll();
}

bool LabelFields::eventFilter(QObject* watched, QEvent* event) {
  // A menu does not end the typing.
  const bool left = watched == note_ && event->type() == QEvent::FocusOut &&
                    static_cast<QFocusEvent*>(event)->reason() != Qt::PopupFocusReason;
  if (left) keepNote();
  return QWidget::eventFilter(watched, event);
}

void LabelFields::hideEvent(QHideEvent* event) {
  keep();
  QWidget::hideEvent(event);
}

void LabelFields::setRun(const std::string& run) {
  const RunRow* row = workspace_.store().snapshot()->find(run);
  const bool copy = row != nullptr && !row->run.remote.empty();
  const QString whyNot = copy ? tr("A copy of a run of %1, which is changed there").arg(text(row->run.remote))
                              : workspace_.store().whyReadOnly();
  tags_->setReadOnly(!whyNot.isEmpty());
  note_->setReadOnly(!whyNot.isEmpty());
  for (QWidget* field : std::initializer_list<QWidget*>{tags_, note_}) field->setToolTip(whyNot);
  if (run == run_) return;
  keep();
  run_ = run;
  typedTags_ = {};
  typedNote_ = {};
}

void LabelFields::showLabel(const RunLabel& label) {
  QStringList tags;
  for (const std::string& tag : label.tags) tags << QString::fromStdString(tag);
  const QString line = tags.join(QStringLiteral(", "));
  if (typedTags_.gives(line, tags_->text())) tags_->setText(line);
  const QString note = QString::fromStdString(label.note);
  if (typedNote_.gives(note, note_->toPlainText())) note_->setPlainText(note);
}

void LabelFields::keep() {
  keepTags();
  keepNote();
}

void LabelFields::keepTags() {
  if (!typedTags_.isTyped(tags_->text())) return;
  const RunRow* row = workspace_.store().snapshot()->find(run_);
  const std::vector<std::string> tags = tagsOf(tags_->text());
  const Status valid = checkNewTags(tags, row == nullptr ? std::vector<std::string>() : row->label.tags);
  if (!valid) return workspace_.report(text(toText(valid.error())));
  typedTags_.keep(tags_->text());
  editLabels(
      workspace_, {run_}, tr("Tags"), [tags](RunLabel& label) { label.tags = tags; },
      ifUnwritten(&LabelFields::typedTags_));
}

void LabelFields::keepNote() {
  if (!typedNote_.isTyped(note_->toPlainText())) return;
  typedNote_.keep(note_->toPlainText());
  editLabels(
      workspace_, {run_}, tr("Note"),
      [note = note_->toPlainText().trimmed().toStdString()](RunLabel& label) { label.note = note; },
      ifUnwritten(&LabelFields::typedNote_));
}

/// What could not be written is still typed, and is tried again when the field is left the next time.
std::function<void()> LabelFields::ifUnwritten(TypedText LabelFields::*field) {
  return [self = QPointer<LabelFields>(this), run = run_, field] {
    if (self && self->run_ == run) (self->*field).unkeep();
  };
}

}  // namespace slipstream::ui
