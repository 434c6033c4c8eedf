// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/plan_text.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QTextBlock>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/documents/document_files.h"
#include "ui/documents/experiment_document.h"
#include "ui/documents/experiment_editing.h"
#include "ui/documents/key_titles.h"
#include "ui/experiment/json_editor.h"
#include "ui/experiment/rate_chart.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int typingKey = 0x7e87;
constexpr int problemShape = 16;
constexpr int fewHelpLines = 2, mostHelpLines = 6;
constexpr int heightForRate = 300, heightForHelp = 560;

QString sentenceOf(const Problem& problem) {
  return problem.remedy.isEmpty() ? problem.problem : PlanText::tr("%1; %2").arg(problem.problem, problem.remedy);
}

}  // namespace

PlanText::PlanText(ExperimentEditing& editing, QWidget* parent)
    : QWidget(parent), editing_(editing), text_(new JsonEditor), rate_(new RateChart) {
  text_->setAccessibleName(tr("Experiment as text"));
  QVBoxLayout* layout = column(this);
  layout->addWidget(text_, 1);
  layout->addWidget(buildProblem());
  layout->addWidget(rate_);
  layout->addWidget(buildHelp());
  connect(text_, &JsonEditor::typed, this, &PlanText::typed);
  connect(text_, &QTextEdit::cursorPositionChanged, this, &PlanText::showProblem);
}

QWidget* PlanText::buildProblem() {
  problem_ = new QWidget;
  shape_ = new QLabel;
  sentence_ = new ElidedLabel;
  sentence_->setFont(textFont(TextSize::secondary));
  fix_ = button(Symbol::bulb, QString());
  QHBoxLayout* row = rowLayout(problem_);
  row->addWidget(shape_);
  row->addWidget(sentence_, 1);
  row->addWidget(fix_);
  connect(fix_, &QPushButton::clicked, this, [this] {
    const Problem* problem = problemAtHand();
    if (problem == nullptr || !problem->fix) return;
    const std::function<void()> fix = problem->fix;  // the list changes while it is at work
    fix();
  });
  // It has its place while there is none: nothing moves under whoever is typing.
  problem_->setFixedHeight(fix_->sizeHint().height());
  showProblem();
  return problem_;
}

QWidget* PlanText::buildHelp() {
  auto* help = new QWidget;
  helpTitle_ = label({}, TextSize::section);
  helpKey_ = label({}, TextSize::secondary, true);
  helpKey_->setFont(fixedFont());
  help_ = label({}, TextSize::secondary, true);
  help_->setWordWrap(true);
  help_->setProperty("english", true);
  QVBoxLayout* layout = column(help, 2);
  layout->addWidget(hairline());
  auto* head = new QHBoxLayout;
  head->setSpacing(gapText);
  head->addWidget(helpTitle_);
  head->addWidget(helpKey_, 1);
  layout->addLayout(head);
  helpArea_ = new QScrollArea;
  helpArea_->setWidget(help_);
  helpArea_->setWidgetResizable(true);
  helpArea_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  helpArea_->viewport()->setAutoFillBackground(false);
  help_->setAutoFillBackground(false);
  help_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  layout->addWidget(helpArea_);
  helpBox_ = help;
  help->hide();  // its room is the text's until a setting has the focus
  return help;
}

void PlanText::refresh() {
  text_->setShown(text(editing_.document().text()));
}

void PlanText::showRate() {
  const auto isError = [](const Problem& problem) { return problem.severity == Verdict::reject; };
  // The last plan is not of a text with mistakes.
  const bool isWrong = std::ranges::any_of(editing_.document().problems(), isError);
  rate_->setStage(isWrong ? std::nullopt : editing_.stage());
}

/// On a low page the text needs the room.
void PlanText::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  rate_->setVisible(height() >= widthForFont(heightForRate));
  fitHelp();
}

void PlanText::typed() {
  editing_.document().edit(text_->toPlainText().toStdString(), tr("Edit the file"), typingKey);
}

std::pair<int, int> PlanText::partOf(const QString& place) const {
  const std::string& whole = editing_.document().text();
  const auto span = textPlaceOf(whole, place.toStdString());
  if (!span) return {-1, -1};
  const auto characters = [&](std::size_t bytes) { return static_cast<int>(text(whole.substr(0, bytes)).size()); };
  return {characters(span->begin), characters(span->end)};
}

void PlanText::refreshProblems() {
  std::vector<TextMark> marks;
  places_.clear();
  for (const Problem& problem : editing_.document().problems()) {
    const auto [begin, end] = partOf(problem.where);
    if (begin < 0) continue;
    marks.push_back({begin, end, problem.severity == Verdict::reject, sentenceOf(problem)});
    places_.emplace_back(text_->document()->findBlock(begin).blockNumber(), problem);
  }
  text_->setMarks(std::move(marks));
  showRate();
  showProblem();
  if (!helpBox_->isHidden()) showHelp(helpKey_->text());  // of the word that holds now
}

/// Of the line with the cursor, else the first of the text.
const Problem* PlanText::problemAtHand() const {
  const int line = text_->textCursor().blockNumber();
  for (const auto& [place, problem] : places_) {
    if (place == line) return &problem;
  }
  return places_.empty() ? nullptr : &places_.front().second;
}

void PlanText::showProblem() {
  const Problem* problem = problemAtHand();
  fix_->setVisible(problem != nullptr && problem->fix);
  if (problem == nullptr) {
    shape_->setPixmap(icon(Symbol::good, IconInk::good).pixmap(problemShape));
    showSeverity(*sentence_, std::nullopt);
    return sentence_->setWhole(tr("No mistakes in the text"));
  }
  const bool error = problem->severity == Verdict::reject;
  shape_->setPixmap(
      icon(error ? Symbol::error : Symbol::warning, error ? IconInk::error : IconInk::warning).pixmap(problemShape));
  const auto [begin, end] = partOf(problem->where);
  const int line = text_->document()->findBlock(begin).blockNumber() + 1;
  const QString sentence = sentenceOf(*problem), where = tr("Line %1").arg(line);
  const auto placed = [line](const QString& words) { return tr("Line %1: %2").arg(line).arg(words); };
  sentence_->setWhole(placed(sentence), {sentence, placed(problem->problem), problem->problem, where});
  showSeverity(*sentence_, problem->severity);
  fix_->setText(problem->fixLabel);
}

void PlanText::showHelp(const QString& path) {
  const FormKey* key = editing_.key(path.toStdString());
  if (key == nullptr) return;
  helpBox_->show();
  helpTitle_->setText(keyTitle(*key));
  helpKey_->setText(path);
  QString help = keyHelp(*key);
  if (!help.isEmpty()) help[0] = help[0].toUpper();
  const std::string word = key->value.is_string() ? key->value.get<std::string>() : std::string();
  const QString meaning = wordHelp(*key, word);
  help_->setText(meaning.isEmpty() ? help : tr("%1; %2: %3").arg(help, text(word), meaning));
  fitHelp();
}

/// All of it where the page has room; on a low one it scrolls.
void PlanText::fitHelp() {
  const int line = help_->fontMetrics().lineSpacing();
  const int lines = (help_->heightForWidth(width()) + line - 1) / line;
  const int most = height() >= widthForFont(heightForHelp) ? mostHelpLines : fewHelpLines;
  helpArea_->setFixedHeight(std::clamp(lines, fewHelpLines, most) * line);
}

void PlanText::showPlace(const QString& place) {
  const auto [begin, end] = partOf(place);
  if (begin < 0) return text_->setFocus(Qt::OtherFocusReason);
  text_->showPart(begin, end);
}

}  // namespace slipstream::ui
