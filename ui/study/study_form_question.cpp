// SPDX-License-Identifier: GPL-3.0-or-later
// The question of a study that is written: base, measures, target, margin and level; and its reference.
#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>
#include <algorithm>

#include "ui/study/study_fields.h"
#include "ui/study/study_form.h"
#include "ui/study/study_form_parts.h"
#include "ui/study/study_texts.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {

void StudyForm::addQuestion(QGridLayout& grid) {
  addHeading(grid, tr("Question"), tr("frozen when it starts"));
  auto* base = new ElidedLabel;
  base->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  QPushButton* choose = button(tr("Choose…"));
  connect(choose, &QPushButton::clicked, this, &StudyForm::baseWanted);
  controls_.emplace_back("base", choose);
  shows_.push_back([base](const Json& root) {
    const QString file = fieldOf(valueAt(root, "base"));
    base->setWhole(file.isEmpty() ? tr("none chosen") : file);
  });
  addRow(grid, tr("Base experiment"), {base, choose});
  addRow(grid, tr("Primary measure"), {measureBox()});
  addRow(grid, tr("Also judged"), {alsoJudged()});
  addRow(grid, tr("Target"),
         {line("question.target", tr("Target accuracy"), narrowField, typedShare, fieldOfShare),
          secondLabel(tr("% test accuracy"))});
  auto* margin = new QLineEdit;
  margin->setFixedWidth(widthForFont(narrowField));
  margin->setAccessibleName(tr("The same within"));
  marginUnit_ = label({}, TextSize::secondary, true);
  connect(margin, &QLineEdit::textEdited, this, [this](const QString& typed) {
    set("question.margin", hasPercentMargin() ? typedShare(typed) : typedValue(typed), tr("Margin"), true);
  });
  controls_.emplace_back("question.margin", margin);
  shows_.push_back([this, margin](const Json& root) {
    const Json& value = valueAt(root, "question.margin");
    const bool percent = hasPercentMargin();
    showValue(*margin, value, percent ? typedShare : typedValue, percent ? fieldOfShare(value) : fieldOf(value));
    const StudyMeasure* measure = measureAsked(root);
    const bool ratio = measure != nullptr && measure->ratio;
    marginUnit_->setText(!hasPercentMargin() ? tr("of the measure") : ratio ? tr("% of it") : tr("points of accuracy"));
  });
  addRow(grid, tr("The same within ±"), {margin, marginUnit_});
  QLineEdit* alpha = line("question.alpha", tr("Significance level"), narrowField, typedValue, fieldOf);
  alpha->setPlaceholderText(QStringLiteral("0.05"));
  addRow(grid, tr("Significance level"), {alpha, secondLabel(tr("over all comparisons (Holm)"))});
}

QComboBox* StudyForm::measureBox() {
  auto* box = new QComboBox;
  box->setAccessibleName(tr("Primary measure"));
  growTo(*box, wideField);
  for (const std::string& key : studyMeasureKeys()) box->addItem(measureText(*findStudyMeasure(key)), text(key));
  connect(box, &QComboBox::activated, this, [this, box] {
    const std::string key = box->currentData().toString().toStdString();
    document_.change(tr("Measure"), [&](Json& root) {
      writeValue(root, "question.measure", key);
      Json judged = valueAt(root, "question.primary");
      if (!judged.is_array() || std::find(judged.begin(), judged.end(), Json(key)) != judged.end()) return;
      judged.insert(judged.begin(), key);
      writeValue(root, "question.primary", judged);
    });
  });
  controls_.emplace_back("question.measure", box);
  shows_.push_back([box](const Json& root) {
    const Json& key = valueAt(root, "question.measure");
    box->setCurrentIndex(box->findData(text(key.is_string() ? key.get<std::string>() : "accuracy")));
  });
  return box;
}

/// Measures that share the level with the first one.
QToolButton* StudyForm::alsoJudged() {
  auto* made = new QToolButton;
  made->setProperty("framed", true);
  made->setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(made);
  for (const std::string& key : studyMeasureKeys()) {
    QAction* one = menu->addAction(measureText(*findStudyMeasure(key)));
    one->setCheckable(true);
    one->setData(text(key));
  }
  made->setMenu(menu);
  connect(menu, &QMenu::triggered, this, [this, menu] {
    document_.change(tr("Measures"), [&](Json& root) {
      const Json asked =
          valueAt(root, "question.measure").is_string() ? valueAt(root, "question.measure") : Json("accuracy");
      Json judged = Json::array({asked});
      for (const QAction* one : menu->actions()) {
        const Json key = one->data().toString().toStdString();
        if (one->isChecked() && key != asked) judged.push_back(key);
      }
      writeValue(root, "question.primary", judged.size() > 1 ? judged : Json());
    });
  });
  controls_.emplace_back("question.primary", made);
  shows_.push_back([made, menu](const Json& root) {
    const Json& judged = valueAt(root, "question.primary");
    const StudyMeasure* asked = measureAsked(root);
    for (QAction* one : menu->actions()) {
      const std::string key = one->data().toString().toStdString();
      const bool isAsked = asked != nullptr && asked->key == key;
      one->setEnabled(!isAsked);
      one->setChecked(isAsked ||
                      (judged.is_array() && std::find(judged.begin(), judged.end(), Json(key)) != judged.end()));
    }
    const int more = judged.is_array() ? std::max(0, static_cast<int>(judged.size()) - 1) : 0;
    made->setText(more == 0 ? tr("nothing else…") : tr("%n other measure(s)…", nullptr, more));
    made->setAccessibleName(tr("Other measures that are judged"));
  });
  return made;
}

QComboBox* StudyForm::referenceBox() {
  auto* box = new QComboBox;
  box->setAccessibleName(tr("Reference"));
  growTo(*box, wideField);
  connect(box, &QComboBox::activated, this,
          [this, box] { set("reference", box->currentText().toStdString(), tr("Reference"), false); });
  controls_.emplace_back("reference", box);
  shows_.push_back([this, box](const Json& root) {
    QStringList names;
    const Json& variants =
        valueAt(root, "variants").is_array() ? valueAt(root, "variants") : valueAt(document_.base(), "variants");
    if (variants.is_array()) {
      for (const Json& variant : variants) {
        if (const std::string name = variantName(variant); !name.empty()) names << text(name);
      }
    }
    box->clear();
    box->addItems(names);
    const Json& chosen = valueAt(root, "reference");
    box->setCurrentIndex(chosen.is_string() ? static_cast<int>(names.indexOf(text(chosen.get<std::string>()))) : 0);
  });
  return box;
}

bool StudyForm::hasPercentMargin() const {
  const StudyMeasure* measure = measureAsked(document_.root());
  return measure != nullptr && (measure->ratio || measure->quantity == Quantity::percent);
}

}  // namespace slipstream::ui
