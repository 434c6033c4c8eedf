// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/dictionary_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include <nlohmann/json.hpp>

#include "engine/config/json_edit.h"
#include "ui/documents/experiment_document.h"
#include "ui/documents/experiment_editing.h"
#include "ui/experiment/json_editor.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

const std::string dictionaryKey = "boost.dictionary";
constexpr int dictionaryTypingKey = 0x0d1c7;

std::size_t indentOf(const std::string& text, std::size_t offset) {
  const std::size_t newline = text.rfind('\n', offset);
  const std::size_t line = newline == std::string::npos ? 0 : newline + 1;
  return text.find_first_not_of(' ', line) - line;
}

/// Lines after the first lose up to `blanks` blanks in front.
std::string outdented(const std::string& text, std::size_t blanks) {
  std::string result;
  for (std::size_t at = 0; at < text.size(); ++at) {
    result += text[at];
    if (text[at] != '\n') continue;
    for (std::size_t i = 0; i < blanks && at + 1 < text.size() && text[at + 1] == ' '; ++i) ++at;
  }
  return result;
}

std::string indented(const std::string& text, std::size_t blanks) {
  std::string result;
  for (std::size_t at = 0; at < text.size(); ++at) {
    result += text[at];
    const bool emptyLine = at + 1 == text.size() || text[at + 1] == '\n';
    if (text[at] == '\n' && !emptyLine) result.append(blanks, ' ');
  }
  return result;
}

}  // namespace

DictionaryPanel::DictionaryPanel(ExperimentEditing& editing, QWidget* parent)
    : QWidget(parent), editing_(editing), state_(new ElidedLabel), stateIcon_(new QLabel), editor_(new JsonEditor) {
  QVBoxLayout* layout = column(this);
  auto* header = new QHBoxLayout;
  QLabel* title = label(QStringLiteral("boost_config_dict"));
  QFont font = fixedFont();
  font.setWeight(strongWeight());
  title->setFont(font);
  state_->setProperty("second", true);
  state_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  QToolButton* copy = iconButton(Symbol::copy, tr("Copy the dictionary"));
  header->addWidget(title);
  header->addStretch(1);
  header->addWidget(stateIcon_);
  header->addWidget(state_);
  header->addWidget(copy);
  layout->addLayout(header);
  layout->addWidget(editor_, 1);
  editor_->setAccessibleName(tr("Boost dictionary as text"));
  connect(copy, &QToolButton::clicked, this, [this] { QApplication::clipboard()->setText(editor_->toPlainText()); });
  connect(editor_, &JsonEditor::typed, this, &DictionaryPanel::typed);
  connect(&editing, &ExperimentEditing::changed, this, &DictionaryPanel::refresh);
  refresh();
}

bool DictionaryPanel::locate() {
  const std::string& text = editing_.document().text();
  const auto span = spanOf(text, editing_.scope().path(dictionaryKey));
  if (!span) return false;
  before_ = text.substr(0, span->begin);
  after_ = text.substr(span->end);
  indent_ = indentOf(text, span->begin);
  return true;
}

void DictionaryPanel::refresh() {
  const std::string& text = editing_.document().text();
  std::string shown;
  if (editing_.isReadable()) {
    own_ = locate();
    const Json* held = findValue(editing_.keys(), dictionaryKey);
    shown = own_ ? outdented(text.substr(before_.size(), text.size() - before_.size() - after_.size()), indent_)
                 : prettyJson(held == nullptr ? Json::object() : *held);
  } else {
    own_ = own_ && text.size() >= before_.size() + after_.size() && text.starts_with(before_) && text.ends_with(after_);
    if (own_) shown = outdented(text.substr(before_.size(), text.size() - before_.size() - after_.size()), indent_);
  }
  editor_->setReadOnly(!editing_.isReadable() && !own_);
  editor_->setShown(QString::fromStdString(shown));
  refreshState();
}

void DictionaryPanel::refreshState() {
  const bool good = editing_.isReadable();
  stateIcon_->setPixmap(
      icon(good ? Symbol::good : Symbol::error, good ? IconInk::good : IconInk::error).pixmap(14, 14));
  state_->setWhole(good ? tr("In sync with form") : editing_.whyUnreadable());
}

void DictionaryPanel::typed() {
  ExperimentDocument& document = editing_.document();
  const std::string text = editor_->toPlainText().toStdString();
  if (!own_) {
    const auto made = setKey(document.text(), editing_.scope(), dictionaryKey, Json::object());
    if (!made) return;
    const auto span = spanOf(*made, editing_.scope().path(dictionaryKey));
    before_ = made->substr(0, span->begin);
    after_ = made->substr(span->end);
    indent_ = indentOf(*made, span->begin);
    own_ = true;
  }
  document.edit(before_ + indented(text, indent_) + after_, tr("Edit boost_config_dict"), dictionaryTypingKey);
}

void DictionaryPanel::showKey(const std::string& path) {
  const std::string text = editor_->toPlainText().toStdString();
  const auto span = spanOf(text, path.substr(std::min(path.size(), dictionaryKey.size() + 1)));
  if (!span) return;
  const auto characters = [&](std::size_t bytes) {
    return static_cast<int>(QString::fromStdString(text.substr(0, bytes)).size());
  };
  editor_->showPart(characters(span->begin), characters(span->end));
}

}  // namespace slipstream::ui
