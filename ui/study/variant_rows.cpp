// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/variant_rows.h"

#include <QApplication>
#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/config/json_edit.h"
#include "engine/study/new_study.h"
#include "ui/study/study_fields.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int variantNameWidth = 190;

/// The line that the variant will have in charts: slots are given in the order of the first runs.
class VariantSwatch : public QWidget {
 public:
  explicit VariantSwatch(int slot) : slot_(slot) { setFixedSize(14, 14); }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    paintSwatch(painter, QRectF(0, 5, 14, 4), slot_);
  }

 private:
  int slot_;
};

Json listAt(const Json& root, const char* key) {
  return root.is_object() && root.contains(key) && root[key].is_array() ? root[key] : Json::array();
}

bool hasNames(const Json& list, const std::string& name) {
  return std::any_of(list.begin(), list.end(), [&](const Json& one) { return variantName(one) == name; });
}

/// Every value by the path to it.
void addPaths(const Json& from, const std::string& path, Json& settings) {
  if (!from.is_object() || (from.empty() && !path.empty())) {
    settings[path] = from;
    return;
  }
  for (const auto& [key, value] : from.items()) addPaths(value, path.empty() ? key : path + "." + key, settings);
}

/// What a variant sets beside its name: "boost.level = O0".
QString aboutVariant(const Json& variant) {
  if (!variant.is_object()) return {};
  Json settings = Json::object();
  for (const auto& [key, value] : variant.items()) {
    if (key != "name" && key != "space") addPaths(value, key == "set" ? "" : key, settings);
  }
  return fieldOfSettings(settings);
}

/// What the study compares: all variants of the base, where the study names none.
Json variantsOf(const Json& root, const Json& base) {
  if (root.is_object() && root.contains("variants")) return listAt(root, "variants");
  Json names = Json::array();
  for (const Json& variant : listAt(base, "variants")) names.push_back(variantName(variant));
  return names;
}

}  // namespace

std::string variantName(const Json& variant) {
  if (variant.is_string()) return variant.get<std::string>();
  const bool named = variant.is_object() && variant.contains("name") && variant["name"].is_string();
  return named ? variant["name"].get<std::string>() : std::string();
}

struct VariantRows::Shown {
  std::string name;
  Json written;    ///< what ticking it adds to the study
  Json described;  ///< what it sets
  bool ticked = false;
  bool own = false;  ///< described by the study itself
  bool rival = false;
  bool tuned = false;
  bool mayBeTuned = false;
  int slot = 0;
};

VariantRows::VariantRows(StudyDocument& document, QWidget* parent)
    : QWidget(parent), document_(document), rows_(column(this, gapSmall)) {}

/// In the order of the base, then rivals, then the study's own.
std::vector<VariantRows::Shown> VariantRows::shownVariants() const {
  const Json variants = variantsOf(document_.root(), document_.base());
  const Json& root = document_.root();
  const Json tuning = root.is_object() && root.contains("tuning") ? root["tuning"] : Json();
  const bool tunes = tuning.is_object() && tuning.contains("rule") && tuning["rule"] != "none";
  const Json tuned = listAt(tuning, "variants");
  std::vector<Shown> all;
  const auto add = [&](const Json& written, const Json& described) -> Shown* {
    const std::string name = variantName(described);
    if (name.empty() || std::ranges::find(all, name, &Shown::name) != all.end()) return nullptr;
    const bool isTuned = tunes && (tuned.empty() || hasNames(tuned, name));
    all.push_back({name, written, described, hasNames(variants, name), false, false, isTuned, tunes, 0});
    return &all.back();
  };
  for (const Json& variant : listAt(document_.base(), "variants")) add(variantName(variant), variant);
  for (const Json& rival : fairRivals(root, document_.base())) {
    if (Shown* shown = add(rival, rival)) shown->rival = true;
  }
  for (const Json& variant : variants) {
    if (Shown* shown = add(variant, variant)) shown->own = variant.is_object();
  }
  int slot = 0;
  for (Shown& shown : all) shown.slot = shown.ticked ? slot++ : -1;
  return all;
}

/// Rows are made anew where they would show something else, but not while somebody types into one of them. The focus
/// stays where it is.
void VariantRows::refresh() {
  const std::vector<Shown> all = shownVariants();
  std::string wanted;
  for (const Shown& shown : all) {
    wanted += shown.described.dump() + (shown.ticked ? " +" : " -") + (shown.tuned ? "t" : "") +
              (shown.mayBeTuned ? "m" : "") + "\n";
  }
  const QWidget* focus = QApplication::focusWidget();
  const bool inside = focus != nullptr && isAncestorOf(focus);
  if (wanted == built_ || (inside && qobject_cast<const QLineEdit*>(focus) != nullptr)) return;
  built_ = wanted;
  const int focused = inside ? rows_->indexOf(focus->parentWidget()) : -1;
  while (QLayoutItem* item = rows_->takeAt(0)) {
    if (item->widget() != nullptr) item->widget()->deleteLater();
    delete item;
  }
  for (const Shown& shown : all) rows_->addWidget(makeRow(shown));
  auto* last = new QWidget;
  QHBoxLayout* line = rowLayout(last);
  QPushButton* add = button(Symbol::add, tr("Add variant"));
  line->addWidget(add);
  line->addStretch();
  connect(add, &QPushButton::clicked, this, &VariantRows::addVariant);
  rows_->addWidget(last);
  if (QLayoutItem* item = rows_->itemAt(focused)) item->widget()->findChild<QAbstractButton*>()->setFocus();
}

QWidget* VariantRows::makeRow(const Shown& shown) {
  auto* made = new QWidget;
  QHBoxLayout* row = rowLayout(made);
  auto* tick = new QCheckBox;
  tick->setChecked(shown.ticked);
  tick->setAccessibleName(tr("Use %1").arg(text(shown.name)));
  row->addWidget(tick);
  row->addWidget(new VariantSwatch(std::max(0, shown.slot)));
  connect(tick, &QCheckBox::toggled, this, [this, shown](bool on) { setTicked(shown, on); });
  if (shown.own && !shown.rival) {
    auto* name = new QLineEdit(text(shown.name));
    name->setAccessibleName(tr("Name of the variant"));
    name->setMaximumWidth(widthForFont(variantNameWidth));
    const Json settings = shown.written.contains("set") ? shown.written["set"] : Json::object();
    auto* set = new QLineEdit(fieldOfSettings(settings));
    set->setAccessibleName(tr("Settings of %1").arg(text(shown.name)));
    set->setPlaceholderText(QStringLiteral("optimizer.learning_rate = 0.04"));
    row->addWidget(name, 1);
    row->addWidget(set, 2);
    connect(name, &QLineEdit::editingFinished, this, [this, name, old = shown.name] { rename(old, name->text()); });
    connect(set, &QLineEdit::textEdited, this,
            [this, name = shown.name](const QString& typed) { setSettings(name, typed); });
  } else {
    auto* name = new ElidedLabel(text(shown.name));
    name->setMaximumWidth(widthForFont(variantNameWidth));
    auto* about = new ElidedLabel;
    about->setWhole(aboutVariant(shown.described), {QString()});  // where there is no room, the tool tip has it
    about->setProperty("second", true);
    about->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    name->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    row->addWidget(name, 2);
    row->addWidget(about, 1);
  }
  if (shown.mayBeTuned) {
    auto* tuned = new QCheckBox(tr("tuned"));
    tuned->setChecked(shown.tuned);
    connect(tuned, &QCheckBox::toggled, this, [this, name = shown.name](bool on) { setTuned(name, on); });
    row->addWidget(tuned);
  }
  if (shown.rival) {
    QLabel* badge = label(tr("fair rival"), TextSize::secondary);
    badge->setProperty("chip", true);
    badge->setToolTip(tr("A step that is as large as Adasum's, by a learning rate that follows the ranks"));
    row->addWidget(badge);
  }
  return made;
}

void VariantRows::setTicked(const Shown& shown, bool ticked) {
  document_.change(tr("Variants"), [&](Json& root) {
    const Json before = variantsOf(root, document_.base());
    Json after = Json::array();
    for (const Json& variant : before) {
      if (variantName(variant) != shown.name) after.push_back(variant);
    }
    if (ticked) after.push_back(shown.written);
    root["variants"] = std::move(after);
  });
}

/// All variants are tuned where none is named.
void VariantRows::setTuned(const std::string& name, bool tuned) {
  document_.change(tr("Tuned variants"), [&](Json& root) {
    Json names = listAt(root["tuning"], "variants");
    if (names.empty()) {
      for (const Json& variant : variantsOf(root, document_.base())) names.push_back(variantName(variant));
    }
    Json after = Json::array();
    for (const Json& one : names) {
      if (variantName(one) != name) after.push_back(one);
    }
    if (tuned) after.push_back(name);
    root["tuning"]["variants"] = std::move(after);
  });
}

void VariantRows::rename(const std::string& name, const QString& to) {
  if (to.trimmed().toStdString() == name) return;
  document_.change(tr("Rename the variant"), [&](Json& root) {
    for (Json& variant : root["variants"]) {
      if (variantName(variant) == name && variant.is_object()) variant["name"] = to.trimmed().toStdString();
    }
    if (root.contains("reference") && root["reference"] == name) root["reference"] = to.trimmed().toStdString();
  });
}

void VariantRows::setSettings(const std::string& name, const QString& typed) {
  constexpr int settingsKey = 40;
  document_.change(
      tr("Settings of the variant"),
      [&](Json& root) {
        for (Json& variant : root["variants"]) {
          if (variantName(variant) == name && variant.is_object()) variant["set"] = typedSettings(typed);
        }
      },
      settingsKey);
}

void VariantRows::addVariant() {
  document_.change(tr("Add variant"), [&](Json& root) {
    Json variants = variantsOf(root, document_.base());
    int number = static_cast<int>(variants.size()) + 1;
    while (hasNames(variants, "variant " + std::to_string(number))) ++number;
    variants.push_back({{"name", "variant " + std::to_string(number)}, {"set", Json::object()}});
    root["variants"] = std::move(variants);
  });
}

}  // namespace slipstream::ui
