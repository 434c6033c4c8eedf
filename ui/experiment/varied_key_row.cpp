// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/varied_key_row.h"

#include <QComboBox>
#include <QCompleter>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/documents/key_titles.h"
#include "ui/experiment/json_fields.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int settingWidth = 200, valuesWidth = 170;

/// Names, texts and lists have no values to go through; ranks and seeds have fields of their own, algorithms ticks.
bool mayVary(const FormKey& key) {
  if (!key.applies || key.title.empty() || key.path.starts_with("boost.")) return false;
  if (key.path == "seed" || key.path == "parallel.ranks") return false;
  const bool word = key.kind == KeyKind::text && !key.words.empty();
  return word || key.kind == KeyKind::flag || key.kind == KeyKind::integer || key.kind == KeyKind::number;
}

/// What may be written: "0.01, 0.03", or the words.
QString example(const FormKey& key) {
  if (key.kind == KeyKind::flag) return QStringLiteral("true, false");
  if (key.kind != KeyKind::text) return rangeText(key.limits);
  QStringList words;
  for (const std::string& word : key.words) words << text(word);
  return words.join(QStringLiteral(", "));
}

}  // namespace

VariedKeyRow::VariedKeyRow(std::vector<FormKey> form, const std::string& path, QWidget* parent)
    : QWidget(parent),
      form_(std::move(form)),
      keys_(new QComboBox),
      values_(new QLineEdit),
      problem_(label({}, TextSize::secondary)) {
  std::erase_if(form_, [](const FormKey& key) { return !mayVary(key); });
  keys_->setFixedWidth(widthForFont(settingWidth));
  values_->setMinimumWidth(widthForFont(valuesWidth));
  keys_->setAccessibleName(tr("Setting to vary"));
  values_->setAccessibleName(tr("Its values, with commas between"));
  problem_->setProperty("wrong", true);
  problem_->setWordWrap(true);
  problem_->hide();
  QVBoxLayout* layout = column(this, 2);
  auto* row = new QHBoxLayout;
  row->setSpacing(gapText);
  row->addWidget(keys_);
  row->addWidget(values_, 1);
  layout->addLayout(row);
  layout->addWidget(problem_);
  fillKeys();
  keys_->setCurrentIndex(keys_->findData(text(path)));
  connect(keys_, &QComboBox::currentIndexChanged, this, &VariedKeyRow::read);
  connect(values_, &QLineEdit::textChanged, this, &VariedKeyRow::read);
  read();
}

/// Typing finds a setting by any part of its title.
void VariedKeyRow::fillKeys() {
  keys_->setEditable(true);
  keys_->setInsertPolicy(QComboBox::NoInsert);
  for (const FormKey& key : form_) {
    keys_->addItem(keyTitle(key), text(key.path));
    keys_->setItemData(keys_->count() - 1, text(key.path) + QLatin1Char('\n') + keyHelp(key), Qt::ToolTipRole);
  }
  keys_->completer()->setCompletionMode(QCompleter::PopupCompletion);
  keys_->completer()->setFilterMode(Qt::MatchContains);
  keys_->lineEdit()->setPlaceholderText(tr("Choose a setting"));
}

const FormKey* VariedKeyRow::chosen() const {
  const std::string path = keys_->currentData().toString().toStdString();
  const auto found = std::ranges::find(form_, path, &FormKey::path);
  return found == form_.end() ? nullptr : &*found;
}

void VariedKeyRow::read() {
  read_.clear();
  problem_->hide();
  if (const FormKey* key = chosen(); key != nullptr) {
    values_->setPlaceholderText(example(*key));
    auto values = variedValues(*key, values_->text().toStdString());
    if (values) read_ = std::move(*values);
    if (!values) {
      const Failure& first = values.error().front();
      problem_->setText(tr("%1 %2").arg(text(first.value), text(first.problem)));
      problem_->show();
    }
  }
  Q_EMIT changed();
}

std::optional<VariedKey> VariedKeyRow::key() const {
  const FormKey* key = chosen();
  if (key == nullptr || read_.empty()) return std::nullopt;
  return VariedKey{key->path, read_};
}

bool VariedKeyRow::isWrong() const {
  return !problem_->isHidden();
}

}  // namespace slipstream::ui
