// SPDX-License-Identifier: GPL-3.0-or-later
// Factors and seeds of a study that is written.
#include <QLineEdit>
#include <QSpinBox>

#include "ui/study/study_fields.h"
#include "ui/study/study_form.h"
#include "ui/study/study_form_parts.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int mostFormSeeds = 1000;

/// A key of the dictionary of factors: its dots are no path.
Json factorAt(const Json& root, const std::string& key) {
  const Json& factors = valueAt(root, "factors");
  return factors.is_object() && factors.contains(key) ? factors[key] : Json();
}

}  // namespace

void StudyForm::addFactors(QGridLayout& grid) {
  addHeading(grid, tr("Factors and seeds"), tr("every combination of values is a cell"));
  addRow(grid, tr("Ranks"), {factorLine("parallel.ranks", tr("Numbers of ranks"))});
  addRow(grid, tr("Samples a batch"), {factorLine("dataset.batch_size", tr("Samples a batch"))});
  QLineEdit* others = new QLineEdit;
  others->setAccessibleName(tr("Other factors"));
  others->setPlaceholderText(QStringLiteral("train.epochs = [1, 2]"));
  growTo(*others, wideField);
  const auto isOther = [](const std::string& key) { return key != "parallel.ranks" && key != "dataset.batch_size"; };
  connect(others, &QLineEdit::textEdited, this, [this, isOther](const QString& typed) {
    const Json wanted = typedSettings(typed);
    changing_ = true;
    document_.change(
        tr("Factors"),
        [&](Json& root) {
          Json factors = valueAt(root, "factors").is_object() ? root["factors"] : Json::object();
          for (auto one = factors.begin(); one != factors.end();)
            one = isOther(one.key()) ? factors.erase(one) : std::next(one);
          for (const auto& [key, value] : wanted.items()) factors[key] = value;
          writeValue(root, "factors", factors.empty() ? Json() : factors);
        },
        static_cast<int>(controls_.size()));
    changing_ = false;
  });
  shows_.push_back([others, isOther](const Json& root) {
    Json shown = Json::object();
    const Json& factors = valueAt(root, "factors");
    if (factors.is_object()) {
      for (const auto& [key, value] : factors.items()) {
        if (isOther(key)) shown[key] = value;
      }
    }
    showValue(*others, shown, typedSettings, fieldOfSettings(shown));
  });
  controls_.emplace_back("factors", others);
  addRow(grid, tr("Other factors"), {others});
  addRow(grid, tr("Seeds"),
         {spin("seeds.least", tr("Seeds at once"), 1, mostFormSeeds, 3), secondLabel(tr("at once"))});
  QSpinBox* most = spin("seeds.most", tr("Seeds at most"), 0, mostFormSeeds, 0);
  most->setSpecialValueText(tr("no more"));
  addRow(grid, tr("Seeds at most"), {most, secondLabel(tr("added in rounds"))});
}

void StudyForm::useSeeds(int seeds) {
  document_.change(tr("Seeds"), [&](Json& root) {
    writeValue(root, "seeds.least", seeds);
    const Json& most = valueAt(root, "seeds.most");
    if (most.is_number_integer() && most.get<int>() < seeds) writeValue(root, "seeds.most", seeds);
  });
}

void StudyForm::setFactor(const std::string& key, const Json& values) {
  changing_ = true;
  document_.change(
      tr("Factors"),
      [&](Json& root) {
        Json factors = valueAt(root, "factors").is_object() ? root["factors"] : Json::object();
        values.empty() ? static_cast<void>(factors.erase(key)) : static_cast<void>(factors[key] = values);
        writeValue(root, "factors", factors.empty() ? Json() : factors);
      },
      static_cast<int>(std::hash<std::string>()(key) % 1000) + 100);
  changing_ = false;
}

QLineEdit* StudyForm::factorLine(const std::string& key, const QString& name) {
  auto* made = new QLineEdit;
  made->setAccessibleName(name);
  growTo(*made, wideField);
  made->setPlaceholderText(tr("as in the base"));
  controls_.emplace_back("factors." + key, made);
  connect(made, &QLineEdit::textEdited, this, [this, key](const QString& typed) { setFactor(key, typedList(typed)); });
  shows_.push_back([made, key](const Json& root) {
    const Json values = factorAt(root, key);
    showValue(*made, values.is_null() ? Json::array() : values, typedList, fieldOfList(values));
  });
  return made;
}

}  // namespace slipstream::ui
