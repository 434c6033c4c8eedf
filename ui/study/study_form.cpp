// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/study_form.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/config/json_edit.h"
#include "engine/study/verdict.h"
#include "ui/study/study_fields.h"
#include "ui/study/study_texts.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int narrowField = 76, wideField = 220, rangeField = 104, panelWidth = 332,
              mostFormSeeds = 1000, mostFormTrials = 1000, mostFormCores = 4096;
constexpr const char* axisKey = "optimizer.learning_rate";

const Json& at(const Json& root, const std::string& key) {
  static const Json none;
  const Json* found = root.is_object() ? findValue(root, key) : nullptr;
  return found == nullptr ? none : *found;
}

/// What lies on the way is made; null removes the key.
void write(Json& root, const std::string& key, const Json& value) {
  const std::size_t dot = key.find('.');
  if (dot == std::string::npos) {
    if (value.is_null()) {
      root.erase(key);
    } else {
      root[key] = value;
    }
    return;
  }
  const std::string section = key.substr(0, dot);
  if (value.is_null() && !root.contains(section)) return;
  if (!root.contains(section) || !root[section].is_object()) root[section] = Json::object();
  write(root[section], key.substr(dot + 1), value);
  if (root[section].empty()) root.erase(section);
}

const StudyMeasure* measureAsked(const Json& root) {
  const Json& key = at(root, "question.measure");
  return findStudyMeasure(key.is_string() ? key.get<std::string>() : "accuracy");
}

/// A key of the dictionary of factors: its dots are no path.
Json factorAt(const Json& root, const std::string& key) {
  const Json& factors = at(root, "factors");
  return factors.is_object() && factors.contains(key) ? factors[key] : Json();
}

QLabel* secondLabel(const QString& words) {
  return label(words, TextSize::secondary, true);
}

/// Only its height scrolls: it is as wide as what it shows at least.
class TallArea : public QScrollArea {
 public:
  explicit TallArea(QWidget* shown) {
    shown->setProperty("page", true);
    shown->setAttribute(Qt::WA_StyledBackground);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setWidget(shown);
  }

  QSize minimumSizeHint() const override {
    const int width = widget()->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width();
    return {width + 2 * frameWidth(), QScrollArea::minimumSizeHint().height()};
  }

 protected:
  bool eventFilter(QObject* object, QEvent* event) override {
    if (event->type() == QEvent::LayoutRequest) updateGeometry();
    return QScrollArea::eventFilter(object, event);
  }
};

/// As wide as there is room, up to so much.
void growTo(QWidget& field, int width) {
  field.setMinimumWidth(widthForFont(std::min(width, narrowField)));
  field.setMaximumWidth(widthForFont(width));
  field.setSizePolicy(QSizePolicy::Expanding, field.sizePolicy().verticalPolicy());
}

/// What is being typed is left alone where it means the same.
template <class Meaning>
void showValue(QLineEdit& field, const Json& value, const Meaning& meaning, const QString& words) {
  if (meaning(field.text()) != value) field.setText(words);
}

/// The first key that is tuned with the rule external, and what is tried for it.
std::pair<std::string, Json> firstAxis(const Json& root) {
  const Json& space = at(root, "tuning.space");
  if (!space.is_object() || space.empty()) return {"", Json()};
  return {space.begin().key(), space.begin().value()};
}

}  // namespace

StudyForm::StudyForm(Workspace& workspace, QWidget* parent)
    : QWidget(parent), workspace_(workspace), document_(workspace.studyDraft()), cost_(new CostPanel(workspace)) {
  QVBoxLayout* layout = column(this, gapWide);
  layout->setContentsMargins(pageMargin, pageMargin, pageMargin, 0);
  layout->addWidget(makeHead());
  auto* halves = new QWidget;
  QHBoxLayout* row = rowLayout(halves, gapSection);
  row->addWidget(makeFields(), 3);
  auto* costs = new TallArea(cost_);
  costs->setMaximumWidth(widthForFont(panelWidth));
  row->addWidget(costs, 2);
  layout->addWidget(halves, 1);
  connect(&document_, &Document::changed, this, &StudyForm::refresh);
  connect(&document_, &StudyDocument::checkedChanged, this, &StudyForm::refresh);
  connect(&document_, &Document::fileChanged, this, &StudyForm::refreshState);
  connect(&document_, &StudyDocument::placeWanted, this, &StudyForm::showPlace);
  connect(&workspace.studyLauncher(), &StudyLauncher::busyChanged, this, &StudyForm::refreshState);
  connect(cost_, &CostPanel::seedsWanted, this, &StudyForm::useSeeds);
  refresh();
}

QWidget* StudyForm::makeHead() {
  auto* head = new QWidget;
  QHBoxLayout* row = rowLayout(head);
  QLineEdit* name = line("name", tr("Name of the study"), wideField, typedText, fieldOf);
  auto* state = new StateChip;
  state->setState(RunState::draft);
  QPushButton* discard = button(tr("Discard"));
  freeze_ = primaryButton(Symbol::launch, tr("Freeze and start"));
  row->addWidget(label(tr("New study"), TextSize::pageTitle));
  row->addWidget(name, 2);
  row->addWidget(state);
  row->addStretch(1);
  addAll(*row, {discard, freeze_});
  connect(discard, &QPushButton::clicked, this, &StudyForm::discardWanted);
  connect(freeze_, &QPushButton::clicked, this, &StudyForm::freezeWanted);
  return head;
}

QWidget* StudyForm::makeFields() {
  auto* fields = new QWidget;
  auto* grid = new QGridLayout(fields);
  grid->setContentsMargins(0, 0, gapText, pageMargin);
  grid->setHorizontalSpacing(gapText);
  grid->setVerticalSpacing(gapText - 2);
  grid->setColumnStretch(1, 1);
  addQuestion(*grid);
  addHeading(*grid, tr("Variants"), {});
  variants_ = new VariantRows(document_);
  grid->addWidget(variants_, grid->rowCount(), 0, 1, 2);
  addRow(*grid, tr("Reference"), {referenceBox()});
  addFactors(*grid);
  addTuning(*grid);
  addBudget(*grid);
  grid->setRowStretch(grid->rowCount(), 1);
  return new TallArea(fields);
}

void StudyForm::addHeading(QGridLayout& grid, const QString& title, const QString& note) {
  const int row = grid.rowCount();
  if (row > 1) grid.addWidget(hairline(), row, 0, 1, 2);
  auto* line = new QWidget;
  QHBoxLayout* words = rowLayout(line);
  words->addWidget(label(title, TextSize::section));
  words->addStretch(1);
  auto* second = new ElidedLabel;
  second->setFont(textFont(TextSize::secondary));
  second->setProperty("second", true);
  second->setWhole(note, {QString()});
  words->addWidget(second);
  grid.addWidget(line, row + 1, 0, 1, 2);
}

void StudyForm::addRow(QGridLayout& grid, const QString& title, const std::vector<QWidget*>& controls) {
  QLabel* name = label(title);
  name->setBuddy(controls.front());
  auto* line = new QWidget;
  QHBoxLayout* row = rowLayout(line);
  for (QWidget* control : controls) {
    const bool grows = control->sizePolicy().horizontalPolicy() == QSizePolicy::Expanding;
    row->addWidget(control, grows ? 1 : 0);
  }
  // Takes what those that grow leave.
  row->addStretch(0);
  const int at = grid.rowCount();
  grid.addWidget(name, at, 0);
  grid.addWidget(line, at, 1);
}

void StudyForm::addQuestion(QGridLayout& grid) {
  addHeading(grid, tr("Question"), tr("frozen when it starts"));
  auto* base = new ElidedLabel;
  base->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  QPushButton* choose = button(tr("Choose…"));
  connect(choose, &QPushButton::clicked, this, &StudyForm::baseWanted);
  controls_.emplace_back("base", choose);
  shows_.push_back([base](const Json& root) {
    const QString file = fieldOf(at(root, "base"));
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
    const Json& value = at(root, "question.margin");
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
          Json factors = at(root, "factors").is_object() ? root["factors"] : Json::object();
          for (auto one = factors.begin(); one != factors.end();)
            one = isOther(one.key()) ? factors.erase(one) : std::next(one);
          for (const auto& [key, value] : wanted.items()) factors[key] = value;
          write(root, "factors", factors.empty() ? Json() : factors);
        },
        static_cast<int>(controls_.size()));
    changing_ = false;
  });
  shows_.push_back([others, isOther](const Json& root) {
    Json shown = Json::object();
    const Json& factors = at(root, "factors");
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

void StudyForm::addBudget(QGridLayout& grid) {
  addHeading(grid, tr("Budget"), {});
  addRow(
      grid, tr("Time"),
      {line("budget.hours", tr("Hours"), narrowField, typedValue, fieldOf), secondLabel(tr("hours of all its cores"))});
  QSpinBox* cores = spin("budget.cores", tr("Cores"), 0, mostFormCores, 0);
  cores->setSpecialValueText(tr("all"));
  addRow(grid, tr("Cores"), {cores, secondLabel(tr("of this machine"))});
  QSpinBox* copies = spin("control", tr("Copies of the reference"), 0, 100, 0);
  copies->setToolTip(tr("Compares the reference with itself instead of the variants: nothing should be shown"));
  addRow(grid, tr("A/A control"), {copies, secondLabel(tr("copies of the reference"))});
  place_ = label({}, TextSize::secondary, true);
  place_->setWordWrap(true);
  grid.addWidget(place_, grid.rowCount(), 0, 1, 2);
}

void StudyForm::set(const std::string& key, const Json& value, const QString& name, bool typing) {
  const auto found = std::ranges::find(controls_, key, [](const auto& one) { return one.first; });
  const int mergeKey = typing ? static_cast<int>(found - controls_.begin()) : -1;
  changing_ = true;
  document_.change(
      name, [&](Json& root) { write(root, key, value); }, mergeKey);
  changing_ = false;
}

void StudyForm::useSeeds(int seeds) {
  document_.change(tr("Seeds"), [&](Json& root) {
    write(root, "seeds.least", seeds);
    const Json& most = at(root, "seeds.most");
    if (most.is_number_integer() && most.get<int>() < seeds) write(root, "seeds.most", seeds);
  });
}

void StudyForm::setFactor(const std::string& key, const Json& values) {
  changing_ = true;
  document_.change(
      tr("Factors"),
      [&](Json& root) {
        Json factors = at(root, "factors").is_object() ? root["factors"] : Json::object();
        values.empty() ? static_cast<void>(factors.erase(key)) : static_cast<void>(factors[key] = values);
        write(root, "factors", factors.empty() ? Json() : factors);
      },
      static_cast<int>(std::hash<std::string>()(key) % 1000) + 100);
  changing_ = false;
}

QLineEdit* StudyForm::line(const std::string& key, const QString& name, int width, Json (*typed)(const QString&),
                           QString (*field)(const Json&)) {
  auto* made = new QLineEdit;
  made->setAccessibleName(name);
  growTo(*made, width);
  controls_.emplace_back(key, made);
  connect(made, &QLineEdit::textEdited, this,
          [this, key, name, typed](const QString& words) { set(key, typed(words), name, true); });
  shows_.push_back(
      [made, key, typed, field](const Json& root) { showValue(*made, at(root, key), typed, field(at(root, key))); });
  return made;
}

QSpinBox* StudyForm::spin(const std::string& key, const QString& name, int least, int most, int standard) {
  auto* made = new QSpinBox;
  made->setRange(least, most);
  made->setAccessibleName(name);
  made->setFixedWidth(widthForFont(narrowField));
  controls_.emplace_back(key, made);
  connect(made, &QSpinBox::valueChanged, this, [this, key, name, standard](int value) {
    if (!changing_) set(key, value == standard && key != "seeds.least" ? Json() : Json(value), name, true);
  });
  shows_.push_back([made, key, standard](const Json& root) {
    const Json& value = at(root, key);
    made->setValue(value.is_number_integer() ? value.get<int>() : standard);
  });
  return made;
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

QComboBox* StudyForm::measureBox() {
  auto* box = new QComboBox;
  box->setAccessibleName(tr("Primary measure"));
  growTo(*box, wideField);
  for (const std::string& key : studyMeasureKeys()) box->addItem(measureText(*findStudyMeasure(key)), text(key));
  connect(box, &QComboBox::activated, this, [this, box] {
    const std::string key = box->currentData().toString().toStdString();
    document_.change(tr("Measure"), [&](Json& root) {
      write(root, "question.measure", key);
      Json judged = at(root, "question.primary");
      if (!judged.is_array() || std::find(judged.begin(), judged.end(), Json(key)) != judged.end()) return;
      judged.insert(judged.begin(), key);
      write(root, "question.primary", judged);
    });
  });
  controls_.emplace_back("question.measure", box);
  shows_.push_back([box](const Json& root) {
    const Json& key = at(root, "question.measure");
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
      const Json asked = at(root, "question.measure").is_string() ? at(root, "question.measure") : Json("accuracy");
      Json judged = Json::array({asked});
      for (const QAction* one : menu->actions()) {
        const Json key = one->data().toString().toStdString();
        if (one->isChecked() && key != asked) judged.push_back(key);
      }
      write(root, "question.primary", judged.size() > 1 ? judged : Json());
    });
  });
  controls_.emplace_back("question.primary", made);
  shows_.push_back([made, menu](const Json& root) {
    const Json& judged = at(root, "question.primary");
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
    const Json& variants = at(root, "variants").is_array() ? at(root, "variants") : at(document_.base(), "variants");
    if (variants.is_array()) {
      for (const Json& variant : variants) {
        if (const std::string name = variantName(variant); !name.empty()) names << text(name);
      }
    }
    box->clear();
    box->addItems(names);
    const Json& chosen = at(root, "reference");
    box->setCurrentIndex(chosen.is_string() ? static_cast<int>(names.indexOf(text(chosen.get<std::string>()))) : 0);
  });
  return box;
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
      if (rule == "none") return write(root, "tuning", Json());
      write(root, "tuning.rule", rule);
      if (!at(root, "tuning.trials").is_number_integer()) write(root, "tuning.trials", 5);
    });
  });
  controls_.emplace_back("tuning.rule", box);
  shows_.push_back([box](const Json& root) {
    const Json& rule = at(root, "tuning.rule");
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
          Json space = at(root, "tuning.space").is_object() ? root["tuning"]["space"] : Json::object();
          space.erase(before);
          const Json axis = typedAxis(values->text(), scale->currentIndex() == 0);
          if (!axis.empty()) space[name] = axis;
          write(root, "tuning.space", space.empty() ? Json() : space);
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
    const bool external = at(root, "tuning.rule") == "external";
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

bool StudyForm::hasPercentMargin() const {
  const StudyMeasure* measure = measureAsked(document_.root());
  return measure != nullptr && (measure->ratio || measure->quantity == Quantity::percent);
}

QWidget* StudyForm::control(const std::string& key) const {
  const auto found = std::ranges::find(controls_, key, [](const auto& one) { return one.first; });
  return found == controls_.end() ? nullptr : found->second;
}

/// Fields do not answer their own edits: half a number stays as it is typed.
void StudyForm::refresh() {
  variants_->refresh();
  refreshState();
  if (changing_) return;
  changing_ = true;
  for (const Show& show : shows_) show(document_.root());
  changing_ = false;
}

void StudyForm::refreshState() {
  const bool ready = document_.isCurrent() && document_.problems().empty() && document_.checked()->study.has_value();
  const QString readOnly = workspace_.store().whyReadOnly();
  freeze_->setEnabled(ready && readOnly.isEmpty() && !workspace_.studyLauncher().isBusy());
  freeze_->setToolTip(!readOnly.isEmpty() ? readOnly
                      : ready             ? QString()
                                          : tr("Not before everything that is wrong is put right"));
  for (const auto& [key, control] : controls_) {
    const bool wrong = std::ranges::any_of(document_.problems(), [&](const Problem& problem) {
      return problem.where == text(key) || problem.where.startsWith(text(key) + QLatin1Char('['));
    });
    if (control->property("wrong").toBool() == wrong) continue;
    control->setProperty("wrong", wrong);
    control->style()->unpolish(control);
    control->style()->polish(control);
  }
  const std::filesystem::path place = document_.place();
  place_->setText(place.empty() ? QString() : tr("Will be written to %1").arg(text(place.string())));
}

void StudyForm::showPlace(const QString& path) {
  workspace_.showPage(PageId::study);
  workspace_.studies().chooseDraft();
  for (const auto& [key, control] : controls_) {
    if (path == text(key) || path.startsWith(text(key) + QLatin1Char('.')))
      return control->setFocus(Qt::OtherFocusReason);
  }
}

}  // namespace slipstream::ui
