// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/study_form.h"

#include <QComboBox>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QStyle>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/study/study_fields.h"
#include "ui/study/study_form_parts.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int panelWidth = 332;

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

void StudyForm::set(const std::string& key, const Json& value, const QString& name, bool typing) {
  const auto found = std::ranges::find(controls_, key, [](const auto& one) { return one.first; });
  const int mergeKey = typing ? static_cast<int>(found - controls_.begin()) : -1;
  changing_ = true;
  document_.change(
      name, [&](Json& root) { writeValue(root, key, value); }, mergeKey);
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
  shows_.push_back([made, key, typed, field](const Json& root) {
    showValue(*made, valueAt(root, key), typed, field(valueAt(root, key)));
  });
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
    const Json& value = valueAt(root, key);
    made->setValue(value.is_number_integer() ? value.get<int>() : standard);
  });
  return made;
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
    repolish(control);
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
