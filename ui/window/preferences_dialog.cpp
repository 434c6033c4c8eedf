// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/preferences_dialog.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QSpinBox>
#include <QVBoxLayout>

#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"
#include "ui/workspace/actions.h"
#include "ui/workspace/settings.h"

namespace slipstream::ui {
namespace {

constexpr int preferencesWidth = 480;

}  // namespace

PreferencesDialog::PreferencesDialog(const Actions& actions, QWidget* parent)
    : QDialog(parent),
      actions_(actions),
      theme_(new QComboBox),
      language_(new QComboBox),
      fontSize_(new QSpinBox),
      numbers_(new QComboBox),
      notices_(new QCheckBox(tr("Of the desktop, while the window is in the background"))),
      store_(new QLineEdit(Settings::storeFolder())) {
  setWindowTitle(tr("Preferences"));
  resize(widthForFont(preferencesWidth), sizeHint().height());
  build();
}

void PreferencesDialog::build() {
  addChoice(*theme_, {actions_.themeSystem, actions_.themeLight, actions_.themeDark});
  addChoice(*language_, {actions_.languageSystem, actions_.languageEnglish, actions_.languageChinese});
  fontSize_->setRange(leastFontPercent, mostFontPercent);
  fontSize_->setSingleStep(10);
  fontSize_->setSuffix(QStringLiteral(" %"));
  fontSize_->setValue(Settings::fontPercent());
  connect(fontSize_, &QSpinBox::valueChanged, this, &PreferencesDialog::setFontPercent);
  numbers_->addItems({QStringLiteral("1,234,567.8"), QStringLiteral("1234567.8")});
  numbers_->setCurrentIndex(Settings::groupsDigits() ? 0 : 1);
  connect(numbers_, &QComboBox::activated, this, [this](int index) { setGroupsDigits(index == 0); });
  notices_->setChecked(actions_.desktopNotices->isChecked());
  connect(notices_, &QCheckBox::toggled, actions_.desktopNotices, &QAction::setChecked);
  auto* form = new QFormLayout;
  form->setLabelAlignment(Qt::AlignLeft);
  form->setVerticalSpacing(gapWide);
  form->addRow(labelFor(tr("Theme"), theme_), theme_);
  form->addRow(labelFor(tr("Language"), language_), language_);
  form->addRow(labelFor(tr("Font size"), fontSize_), fontSize_);
  form->addRow(labelFor(tr("Numbers"), numbers_), numbers_);
  form->addRow(labelFor(tr("Notices"), notices_), notices_);
  form->addRow(labelFor(tr("Store at the start"), store_), buildStore());
  QVBoxLayout* layout = column(this, gapWide);
  layout->setContentsMargins(pageMargin, pageMargin, pageMargin, pageMargin);
  layout->addLayout(form);
  layout->addStretch();
  QPushButton* defaults = button(Symbol::reset, tr("Reset to defaults"));
  QPushButton* close = button(tr("Close"));
  connect(defaults, &QPushButton::clicked, this, &PreferencesDialog::reset);
  connect(close, &QPushButton::clicked, this, &QDialog::accept);
  auto* foot = new QHBoxLayout;
  foot->addWidget(defaults);
  foot->addStretch();
  foot->addWidget(close);
  layout->addLayout(foot);
}

/// The box is another view of the menu's actions, whichever of both is used.
void PreferencesDialog::addChoice(QComboBox& box, const QList<QAction*>& choices) {
  for (const QAction* choice : choices) box.addItem(choice->text());
  const auto show = [&box, choices] {
    for (int i = 0; i < choices.size(); ++i) {
      if (choices[i]->isChecked()) box.setCurrentIndex(i);
    }
  };
  show();
  for (const QAction* choice : choices) connect(choice, &QAction::toggled, this, show);
  connect(&box, &QComboBox::activated, this, [choices](int index) { choices[index]->trigger(); });
}

QWidget* PreferencesDialog::buildStore() {
  auto* holder = new QWidget;
  QHBoxLayout* row = rowLayout(holder);
  store_->setPlaceholderText(tr("the user's data folder"));
  QPushButton* browse = button(tr("Browse…"));
  browse->setAccessibleName(tr("Choose the store's folder"));
  row->addWidget(store_, 1);
  row->addWidget(browse);
  connect(store_, &QLineEdit::editingFinished, this, [this] { Settings::setStoreFolder(store_->text().trimmed()); });
  connect(browse, &QPushButton::clicked, this, [this] {
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Store at the start"), store_->text());
    if (folder.isEmpty()) return;
    store_->setText(folder);
    Settings::setStoreFolder(folder);
  });
  return holder;
}

void PreferencesDialog::setFontPercent(int percent) {
  Settings::setFontPercent(percent);
  setFontScale(percent);
  applyTheme(*qApp, Settings::theme());
}

/// All that shows numbers is made anew, as for another language.
void PreferencesDialog::setGroupsDigits(bool grouped) {
  if (grouped == Settings::groupsDigits()) return;
  Settings::setGroupsDigits(grouped);
  for (QAction* language : {actions_.languageSystem, actions_.languageEnglish, actions_.languageChinese}) {
    if (language->isChecked()) return language->trigger();
  }
}

/// The language last: it makes the window anew.
void PreferencesDialog::reset() {
  store_->clear();
  Settings::setStoreFolder({});
  fontSize_->setValue(usualFontPercent);
  numbers_->setCurrentIndex(0);
  const bool regroups = !Settings::groupsDigits();
  Settings::setGroupsDigits(true);
  notices_->setChecked(true);
  actions_.themeSystem->trigger();
  if (regroups || !actions_.languageSystem->isChecked()) actions_.languageSystem->trigger();
}

}  // namespace slipstream::ui
