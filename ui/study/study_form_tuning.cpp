// SPDX-License-Identifier: GPL-3.0-or-later
// How the variants of a study that is written are tuned.
#include <QComboBox>
#include <QLineEdit>
#include <QSpinBox>
#include <algorithm>

#include "ui/study/study_fields.h"
#include "ui/study/study_form.h"
#include "ui/study/study_form_parts.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int mostFormTrials = 1000;
constexpr const char* axisKey = "optimizer.learning_rate";

/// The first key that is tuned with the rule external, and what is tried for it.
std::pair<std::string, Json> firstAxis(const Json& root) {
  const Json& space = valueAt(root, "tuning.space");
  if (!space.is_object() || space.empty()) return {"", Json()};
  return {space.begin().key(), space.begin().value()};
}

}  // namespace

void StudyForm::addTuning(QGridLayout& grid) {
  addHeading(grid, tr("Tuning"), {});
  addRow(grid, tr("Rule"), {ruleBox()});
  const std::vector<QWidget*> axis = tuningAxis();
  addRow(grid, tr("What is tuned"), {axis[0]});
  addRow(grid, tr("What is tried"), {axis[1], axis[2]});
  addRow(grid, tr("Trials"),
         {spin("tuning.trials", tr("Trials of a variant"), 0, mostFormTrials, 0),
          secondLabel(tr("of each tuned variant"))});
}

QComboBox* StudyForm::ruleBox() {
  auto* box = new QComboBox;
  box->setAccessibleName(tr("Rule of tuning"));
  growTo(*box, wideField);
  box->addItem(tr("None"), QStringLiteral("none"));
  box->addItem(tr("One space for all that are tuned"), QStringLiteral("external"));
  box->addItem(tr("A space of its own for each, in the file"), QStringLiteral("self"));
  connect(box, &QComboBox::activated, this, [this, box] {
    const std::string rule = box->currentData().toString().toStdString();
    document_.change(tr("Tuning"), [&](Json& root) {
      if (rule == "none") return writeValue(root, "tuning", Json());
      writeValue(root, "tuning.rule", rule);
      if (!valueAt(root, "tuning.trials").is_number_integer()) writeValue(root, "tuning.trials", 5);
    });
  });
  controls_.emplace_back("tuning.rule", box);
  shows_.push_back([box](const Json& root) {
    const Json& rule = valueAt(root, "tuning.rule");
    box->setCurrentIndex(std::max(0, box->findData(text(rule.is_string() ? rule.get<std::string>() : "none"))));
  });
  return box;
}

/// One key, what is tried for it and how a range is divided; more of them are left to the file.
std::vector<QWidget*> StudyForm::tuningAxis() {
  auto* key = new QLineEdit;
  auto* values = new QLineEdit;
  auto* scale = new QComboBox;
  growTo(*key, wideField);
  growTo(*values, rangeField);
  key->setAccessibleName(tr("Key that is tuned"));
  values->setAccessibleName(tr("Values that are tried"));
  values->setPlaceholderText(QStringLiteral("0.005 … 0.16"));
  scale->setAccessibleName(tr("Scale of the range"));
  scale->addItem(tr("log scale"));
  scale->addItem(tr("linear"));
  const auto change = [this, key, values, scale] {
    const std::string name = key->text().trimmed().isEmpty() ? axisKey : key->text().trimmed().toStdString();
    const std::string before = firstAxis(document_.root()).first;
    changing_ = true;
    document_.change(
        tr("What is tried"),
        [&](Json& root) {
          Json space = valueAt(root, "tuning.space").is_object() ? root["tuning"]["space"] : Json::object();
          space.erase(before);
          const Json axis = typedAxis(values->text(), scale->currentIndex() == 0);
          if (!axis.empty()) space[name] = axis;
          writeValue(root, "tuning.space", space.empty() ? Json() : space);
        },
        99);
    changing_ = false;
  };
  connect(key, &QLineEdit::textEdited, this, change);
  connect(values, &QLineEdit::textEdited, this, change);
  connect(scale, &QComboBox::activated, this, change);
  controls_.emplace_back("tuning.space", values);
  shows_.push_back([key, values, scale](const Json& root) {
    const auto [name, axis] = firstAxis(root);
    const bool external = valueAt(root, "tuning.rule") == "external";
    for (QWidget* one : {static_cast<QWidget*>(key), static_cast<QWidget*>(values), static_cast<QWidget*>(scale)})
      one->setEnabled(external);
    if (name.empty() && key->text().isEmpty()) key->setText(QString::fromLatin1(axisKey));
    if (name.empty()) return;
    scale->setCurrentIndex(!axis.is_object() || isLogarithmic(axis) ? 0 : 1);
    const auto meaning = [scale](const QString& typed) { return typedAxis(typed, scale->currentIndex() == 0); };
    showValue(*key, name, typedText, text(name));
    showValue(*values, axis, meaning, fieldOfAxis(axis));
  });
  return {key, values, scale};
}

}  // namespace slipstream::ui
