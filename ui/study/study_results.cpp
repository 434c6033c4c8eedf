// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/study_results.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QFrame>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QRegularExpression>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "engine/study_results/study_document.h"
#include "ui/report/document_view.h"
#include "ui/study/matrix_view.h"
#include "ui/study/next_tab.h"
#include "ui/study/profile_tab.h"
#include "ui/study/reached_tab.h"
#include "ui/study/scaling_tab.h"
#include "ui/study/study_marks.h"
#include "ui/study/study_texts.h"
#include "ui/study/trade_off_tab.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int badgeIcon = 14;
constexpr qsizetype mostSegments = 4;
/// A window so high has room for what is good to know as well.
constexpr int heightForFacts = 780;
constexpr int lowGap = 5;  ///< in a lower one, where the chart needs the height

/// On the colour of warnings.
class ChangedBox : public QFrame {
 public:
  using QFrame::QFrame;

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    paintTint(painter, *this, tokens().warningTint);
    icon(Symbol::warning, IconInk::warning).paint(&painter, QRect(gapWide - 2, (height() - 16) / 2, 16, 16));
  }
};

int comparisonsOf(const StudyMatrix& matrix) {
  int count = 0;
  for (const StudyMatrixRow& row : matrix.rows) {
    count += static_cast<int>(
        std::ranges::count_if(row.cells, [](const auto& cell) { return cell.comparison.has_value(); }));
  }
  return count;
}

/// A change stays with its interval, and a name in one line.
QString withoutTornParts(QString sentence, const Study& study) {
  constexpr QChar noBreak(0x00A0);
  for (const StudyVariant& variant : study.variants) {
    const QString name = text(variant.name).toHtmlEscaped();
    sentence.replace(name, QString(name).replace(QLatin1Char(' '), noBreak));
  }
  static const QRegularExpression change(QStringLiteral(" (?=\\[|%|[+−]?[\\d.,]+.%)"));
  return sentence.replace(change, noBreak);
}

/// "5 pairs in each cell"; empty where nothing is compared.
QString pairsText(const StudyMatrix& matrix) {
  std::set<int> pairs;
  for (const StudyMatrixRow& row : matrix.rows) {
    for (const StudyMatrixCell& cell : row.cells) {
      if (cell.comparison) pairs.insert(cell.comparison->pairs);
    }
  }
  if (pairs.empty() || *pairs.begin() == 0) return {};
  if (pairs.size() == 1) return StudyResults::tr("%n pair(s) in each cell", nullptr, *pairs.begin());
  return StudyResults::tr("%1 to %2 pairs in a cell").arg(*pairs.begin()).arg(*pairs.rbegin());
}

/// "averaged, adasum: 3 tuning trials per column"; empty where nothing was tuned, or not all alike.
QString tunedText(const std::vector<TunedVariant>& tuned) {
  QStringList names;
  std::set<std::int64_t> trials;
  for (const TunedVariant& one : tuned) {
    trials.insert(one.trials);
    if (const QString name = text(one.variant); !names.contains(name)) names << name;
  }
  if (trials.size() != 1) return {};
  return StudyResults::tr("%1: %n tuning trial(s) per column", nullptr, static_cast<int>(*trials.begin()))
      .arg(listed(names));
}

/// Words in a small box, behind a sign where they have one; cut where the page has no room for them.
QFrame* badgeOf(const char* look, const QString& fact, QLabel* shape = nullptr) {
  auto* badge = new QFrame;
  badge->setProperty(look, true);
  QHBoxLayout* parts = rowLayout(badge, gapSmall);
  const int inside = shape == nullptr ? 0 : gapText;  // the look of a chip has margins
  parts->setContentsMargins(inside, 2, inside, 2);
  auto* words = new ElidedLabel(fact);
  words->setFont(textFont(TextSize::secondary));
  words->setProperty("warningText", shape != nullptr);
  if (shape != nullptr) parts->addWidget(shape);
  parts->addWidget(words);
  return badge;
}

/// "8 comparisons: 4 here, 4 of steps to the target": all that one level of significance is shared by.
QString comparisonsText(const StudyReading& reading, const StudyMatrix& shown) {
  const int judged = reading.verdict.judged, here = comparisonsOf(shown);
  if (here >= judged) return StudyResults::tr("%n comparison(s)", nullptr, judged);
  QStringList parts{StudyResults::tr("%1 here").arg(here)};
  int known = here;
  for (const StudyMatrix& other : reading.matrices) {
    const int count = other.measure.key == shown.measure.key ? 0 : comparisonsOf(other);
    if (count > 0) parts << StudyResults::tr("%1 of “%2”").arg(count).arg(measureText(other.measure));
    known += count;
  }
  if (known != judged) parts = {parts.front()};
  return StudyResults::tr("%n comparison(s): %1", nullptr, judged).arg(enumerated(parts));
}

}  // namespace

StudyResults::StudyResults(QWidget* parent)
    : QWidget(parent),
      sentence_(new BalancedLabel),
      badges_(new QWidget),
      about_(new ElidedLabel),
      measure_(new QComboBox),
      matrix_(new MatrixView),
      key_(new StudyKey),
      tabGroup_(new QButtonGroup(this)),
      place_(new QComboBox),
      stack_(new FittingStack),
      next_(new NextTab) {
  tabs_ = {new ReachedTab, new ScalingTab, new TradeOffTab, new ProfileTab, next_};
  build();
  connect(matrix_, &MatrixView::chosen, this, &StudyResults::showChosen);
  connect(matrix_, &MatrixView::runWanted, this, &StudyResults::runWanted);
  connect(matrix_, &MatrixView::runsWanted, this, &StudyResults::compareChosen);
  connect(matrix_, &MatrixView::methodWanted, this, &StudyResults::methodWanted);
  connect(measure_, &QComboBox::activated, this, [this] {
    showMatrix();
    showBadges();
    fitToWindow();
  });
  bringToFront(0);
}

const QLabel& StudyResults::sentence() const {
  return *sentence_;
}

void StudyResults::build() {
  QVBoxLayout* layout = column(this, gapText);
  sentence_->setFont(textFont(TextSize::lead));
  sentence_->setTextFormat(Qt::RichText);
  sentence_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  changedBox_ = new ChangedBox;
  auto* row = new QHBoxLayout(changedBox_);
  row->setContentsMargins(gapWide + 22, gapText, gapText, gapText);
  changed_ = label({}, TextSize::secondary);
  changed_->setWordWrap(true);
  changed_->setProperty("english", true);
  QPushButton* follow = button(tr("New study from this"));
  row->addWidget(changed_, 1);
  row->addWidget(follow);
  changedBox_->hide();
  connect(follow, &QPushButton::clicked, this, &StudyResults::followingWanted);
  rowLayout(badges_)->addStretch(1);
  addAll(*layout, {sentence_, badges_, changedBox_, makeMatrixHead(), matrix_, key_, makeTabs(), stack_});
  layout->addStretch(1);
  for (StudyTab* tab : tabs_) stack_->addWidget(tab);
}

QWidget* StudyResults::makeMatrixHead() {
  auto* head = new QWidget;
  QHBoxLayout* row = rowLayout(head);
  measure_->setAccessibleName(tr("Measure"));
  row->addWidget(measure_);
  measureTitle_ = label({}, TextSize::section);
  row->addWidget(measureTitle_);
  about_->setFont(textFont(TextSize::secondary));
  about_->setProperty("second", true);
  row->addWidget(about_, 1);
  matrixHead_ = row;
  return head;
}

/// In a low window, where the chart needs the height, there are warnings alone, and one has room beside the measure.
void StudyResults::fitToWindow() {
  if (matrix_->fitRows()) matrix_->updateGeometry();
  for (StudyTab* tab : tabs_) tab->fitToWindow();
  if (!reading_) return;
  const bool isLow = window()->height() < heightForFacts;
  layout()->setSpacing(isLow ? lowGap : gapText);
  for (QWidget* fact : facts_) fact->setVisible(!isLow);
  const std::size_t warnings = reading_->verdict.badges.size();
  auto* whole = static_cast<QVBoxLayout*>(layout());
  whole->removeWidget(badges_);
  matrixHead_->removeWidget(badges_);
  if (isLow && warnings == 1)
    matrixHead_->addWidget(badges_);
  else
    whole->insertWidget(1, badges_);
  badges_->setVisible(warnings > 0 || (!isLow && !facts_.empty()));
}

QWidget* StudyResults::makeTabs() {
  auto* tabs = new QWidget;
  QVBoxLayout* lines = column(tabs, 0);
  auto* bar = new QWidget;
  QHBoxLayout* row = rowLayout(bar, 0);
  lines->addWidget(bar);
  lines->addWidget(hairline());
  for (std::size_t i = 0; i < tabs_.size(); ++i) {
    auto* tab = new QToolButton;
    tab->setText(tabs_[i]->title());
    tab->setCheckable(true);
    tab->setProperty("panelTab", true);
    tab->setMinimumHeight(30);
    tabGroup_->addButton(tab, static_cast<int>(i));
    row->addWidget(tab);
  }
  row->addStretch(1);
  place_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  place_->setAccessibleName(tr("Column that the tabs are about"));
  place_->setToolTip(place_->accessibleName());
  row->addWidget(place_);
  segments_ = new QWidget;
  rowLayout(segments_, 0);
  row->addWidget(segments_);
  connect(place_, &QComboBox::activated, this,
          [this](int column) { matrix_->choose(std::max(0, matrix_->chosenRow()), column); });
  connect(tabGroup_, &QButtonGroup::idClicked, this, &StudyResults::showTab);
  return tabs;
}

void StudyResults::showTab(int index) {
  isTabChosen_ = true;
  bringToFront(index);
}

void StudyResults::bringToFront(int index) {
  tabGroup_->button(index)->setChecked(true);
  stack_->setCurrentIndex(index);
  showChosen();
  stack_->updateGeometry();
}

int StudyResults::currentTab() const {
  return stack_->currentIndex();
}

void StudyResults::setStanding(const StudyStanding& standing) {
  reading_.reset();
  changedBox_->hide();
  badges_->hide();
  measure_->hide();
  measureTitle_->setText(measureText(standing.matrix.measure));
  about_->setWhole({});
  sentence_->setWords(tr("Reading what came of the runs…"));
  const bool toTarget = standing.study.question.target.has_value();
  key_->setTexts(standing.matrix, marginText(standing.study, standing.matrix.measure), tr("the target"), toTarget);
  matrix_->setMatrix(standing.matrix, toTarget);
  stack_->hide();
}

void StudyResults::setReading(StudyReading reading) {
  const QString before = measure_->currentData().toString();
  reading_ = std::move(reading);
  sentence_->setWords(withoutTornParts(richText(sentenceOf(reading_->verdict)), reading_->standing.study));
  sentence_->setAccessibleName(text(sentenceOf(reading_->verdict)));
  measure_->clear();
  for (const StudyMatrix& matrix : reading_->matrices)
    measure_->addItem(measureText(matrix.measure), text(matrix.measure.key));
  measure_->setCurrentIndex(std::max(0, measure_->findData(before)));
  measure_->setVisible(measure_->count() > 1);
  stack_->show();
  const auto& reached = reading_->reached;
  tabGroup_->button(0)->setText(reached.empty() ? tabs_[0]->title() : measureText(reached.front().measure));
  showChanged();
  showMatrix();
  showBadges();
  fitToWindow();
  if (!isTabChosen_) showFirstFigures();
}

/// Before a tab was chosen: not one that can only say what it lacks. The first that has figures counts as chosen, so
/// that no later reading puts another one in its place.
void StudyResults::showFirstFigures() {
  for (std::size_t i = 0; i < tabs_.size(); ++i) {
    bringToFront(static_cast<int>(i));
    isTabChosen_ = tabs_[i]->hasFigures();
    if (isTabChosen_) return;
  }
  bringToFront(0);
}

const StudyMatrix* StudyResults::shownMatrix() const {
  if (!reading_ || reading_->matrices.empty()) return nullptr;
  return &reading_->matrices[static_cast<std::size_t>(std::max(0, measure_->currentIndex()))];
}

void StudyResults::showMatrix() {
  const StudyMatrix* matrix = shownMatrix();
  if (matrix == nullptr) return;
  const Study& study = reading_->standing.study;
  const StudyMeasure& measure = matrix->measure;
  const auto target = study.question.target;
  const QString reached = target ? tr("%1 %").arg(text(fmt::format("{:.4g}", 100 * *target))) : QString();
  const QString what = (measure.ratio ? tr("change against %1 in % [95 %]") : tr("difference to %1 [95 %]"))
                           .arg(text(study.question.stages.empty() ? study.reference : study.question.stages[0]));
  // The reference's row says that it is that.
  const QString brief = measure.ratio ? tr("change in % [95 %]") : tr("difference [95 %]");
  // Which way is better is in the key.
  QString count;
  if (reading_->verdict.judged > 0) count = QStringLiteral(" · ") + comparisonsText(*reading_, *matrix);
  measureTitle_->setText(measureText(measure));
  measureTitle_->setVisible(measure_->isHidden());
  about_->setWhole(what + count, {brief + count, what, brief});
  key_->setTexts(*matrix, marginText(study, measure), reached, measure.countsToTarget);
  matrix_->setMatrix(*matrix, measure.countsToTarget);
  showPlaces(*matrix);
  showChosen();
}

/// A few columns are seen all at once; of more one is chosen from a list.
void StudyResults::showPlaces(const StudyMatrix& matrix) {
  QStringList names;
  for (const StudySettings& column : matrix.columns) names << whereText(column);
  place_->clear();
  place_->addItems(names);
  if (fewPlaces_ != nullptr) {
    fewPlaces_->hide();
    std::exchange(fewPlaces_, nullptr)->deleteLater();
  }
  const bool isFew = names.size() > 1 && names.size() <= mostSegments;
  place_->setVisible(names.size() > mostSegments);
  segments_->setVisible(isFew);
  if (!isFew) return;
  fewPlaces_ = new SegmentedControl(names);
  fewPlaces_->setAccessibleName(place_->accessibleName());
  segments_->layout()->addWidget(fewPlaces_);
  connect(fewPlaces_, &SegmentedControl::chosen, place_, &QComboBox::activated);
}

/// What a reader must know beside the sentence; never a footnote.
void StudyResults::showBadges() {
  QLayout* row = badges_->layout();
  while (QLayoutItem* item = row->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  facts_.clear();
  for (const QString& fact : {pairsText(*shownMatrix()), tunedText(reading_->verdict.tuned)}) {
    if (fact.isEmpty()) continue;
    facts_.push_back(badgeOf("chip", fact));
    row->addWidget(facts_.back());
  }
  for (const Text& badge : reading_->verdict.badges) {
    auto* shape = new QLabel;
    shape->setPixmap(icon(Symbol::warning, IconInk::warning).pixmap(badgeIcon, badgeIcon));
    row->addWidget(badgeOf("warningBox", text(badge), shape));
  }
  static_cast<QHBoxLayout*>(row)->addStretch(1);
}

void StudyResults::showChanged() {
  QStringList files;
  for (const std::string& changed : reading_->changed) files << text(changed);
  changed_->setText(tr("Changed since the study was frozen: %1. What was frozen counts.").arg(enumerated(files)));
  changedBox_->setVisible(!files.isEmpty());
}

void StudyResults::showChosen() {
  const StudyMatrix* matrix = shownMatrix();
  if (matrix == nullptr || matrix->columns.empty() || matrix->rows.empty()) return;
  const auto column = std::min(static_cast<std::size_t>(matrix_->chosenColumn()), matrix->columns.size() - 1);
  place_->setCurrentIndex(static_cast<int>(column));
  if (fewPlaces_ != nullptr) fewPlaces_->setCurrent(static_cast<int>(column));
  const int row = matrix_->chosenRow();
  const std::string variant = row < 0 ? std::string() : matrix_->matrix().row(row).variant;
  tabs_[static_cast<std::size_t>(stack_->currentIndex())]->show({*reading_, matrix->columns[column], variant});
  Q_EMIT placeChosen(matrix->columns[column]);
  stack_->updateGeometry();
}

/// The runs of the chosen variant and of its reference.
void StudyResults::compareChosen() {
  const int row = matrix_->chosenRow();
  if (row < 0) return;
  std::vector<std::string> runs;
  const MatrixModel& model = matrix_->matrix();
  for (int other = 0; other < model.rowCount(); ++other) {
    if (other != row && !model.row(other).isReference) continue;
    for (const StudySeed& seed : model.row(other).cells[static_cast<std::size_t>(matrix_->chosenColumn())].seeds) {
      if (!seed.run.empty() && seed.state != SeedState::deleted) runs.push_back(seed.run);
    }
  }
  if (!runs.empty()) Q_EMIT runsWanted(runs);
}

}  // namespace slipstream::ui
