// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/rank_table/preview_panel.h"

#include <QAbstractTextDocumentLayout>
#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStackedLayout>
#include <QTextBlock>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <optional>
#include <utility>

#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/config/json_edit.h"
#include "engine/rank_table/rank_table_tools.h"
#include "ui/store/job_thread.h"
#include "ui/widgets/text_lines.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int typing = 1;
constexpr int textMargin = 8;
/// A parser has written the line into the place; counted from 0.
std::optional<int> lineOfSyntax(const std::string& path) {
  const auto parts = split(path, ':');
  const auto line = parts.size() < 3 ? std::nullopt : parseInteger(parts[parts.size() - 2]);
  return line ? std::optional(static_cast<int>(*line) - 1) : std::nullopt;
}

/// Where lines begin in a text.
std::vector<std::size_t> lineStarts(const std::string& text) {
  std::vector<std::size_t> starts{0};
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1))
    starts.push_back(at + 1);
  return starts;
}

/// The line that each path of a text is in, counted from 0.
std::vector<std::optional<int>> linesOf(const std::string& text, const std::vector<std::string>& paths) {
  const std::vector<std::size_t> starts = lineStarts(text);
  std::vector<std::optional<int>> lines;
  for (const auto& span : spansOf(text, paths)) {
    auto& line = lines.emplace_back();
    if (span) line = static_cast<int>(std::ranges::upper_bound(starts, span->begin) - starts.begin()) - 1;
  }
  return lines;
}

Result<std::string> fileText(const RankTable& table, bool hosts) {
  return hosts ? hostFileText(table) : rankFileText(table);
}

}  // namespace

TextView::TextView(QWidget* parent) : QTextEdit(parent) {
  setAcceptRichText(false);
  document()->setDocumentMargin(0);  // its margins are outside of what is scrolled, so that no line is cut
  setFont(fixedFont());
  setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);  // what is wrong may be at the end of a line
  setUndoRedoEnabled(false);
  setTabChangesFocus(true);
}

void TextView::showText(const QString& shown) {
  const QString old = toPlainText();
  QString text = shown;
  text.replace(QLatin1String("\r\n"), QLatin1String("\n"));
  const QSignalBlocker quiet(this);
  if (text == old) return indentWrappedLines(*this);  // of what was typed
  const auto shorter = std::min(old.size(), text.size());
  qsizetype front = 0, back = 0;
  while (front < shorter && old[front] == text[front]) ++front;
  while (back < shorter - front && old[old.size() - 1 - back] == text[text.size() - 1 - back]) ++back;
  QTextCursor cursor(document());
  cursor.setPosition(static_cast<int>(front));
  cursor.setPosition(static_cast<int>(old.size() - back), QTextCursor::KeepAnchor);
  cursor.insertText(text.mid(front, text.size() - front - back));
  indentWrappedLines(*this);
  showWholeLines();
}

/// The last line that is seen is whole.
void TextView::showWholeLines() {
  if (std::exchange(setsMargins_, true)) return;
  setViewportMargins(textMargin, textMargin, gapSmall, textMargin + heightBelowWholeLines(*this, 2 * textMargin));
  verticalScrollBar()->setSingleStep(lineHeightOf(*this));
  setsMargins_ = false;
}

void TextView::resizeEvent(QResizeEvent* event) {
  QTextEdit::resizeEvent(event);
  showWholeLines();
}

void TextView::setMarks(const std::map<int, Verdict>& lines) {
  marks_ = lines;
  viewport()->update();
}

/// From edge to edge, behind the indent of a wrapped line, too.
void TextView::paintEvent(QPaintEvent* event) {
  {
    QPainter painter(viewport());
    const int firstSeen = cursorForPosition({0, 0}).blockNumber();
    for (auto mark = marks_.lower_bound(firstSeen); mark != marks_.end(); ++mark) {
      const auto& [line, severity] = *mark;
      const QTextBlock block = document()->findBlockByNumber(line);
      if (!block.isValid()) break;
      const double top = document()->documentLayout()->blockBoundingRect(block).top() - verticalScrollBar()->value();
      if (top > event->rect().bottom()) break;
      painter.fillRect(QRectF(0, top, viewport()->width(), block.layout()->lineCount() * lineHeightOf(*this)),
                       severity == Verdict::reject ? tokens().errorTint : tokens().warningTint);
    }
  }
  QTextEdit::paintEvent(event);
}

void TextView::goToLine(int line) {
  const QTextBlock block = document()->findBlockByNumber(line);
  if (!block.isValid()) return;
  setTextCursor(QTextCursor(block));
  QScrollBar& bar = *verticalScrollBar();
  const int height = lineHeightOf(*this);
  const double top = bar.value() + cursorRect().center().y() - viewport()->height() / 2.0;
  bar.setValue(qRound(top / height) * height);  // a whole line is at the top
}

PreviewPanel::PreviewPanel(RankTableDocument& document, QWidget* parent)
    : QWidget(parent),
      document_(document),
      title_(label(tr("Preview"), TextSize::section)),
      forms_(new QButtonGroup(this)),
      text_(new TextView),
      reason_(label({}, TextSize::secondary, true)),
      copy_(button(Symbol::copy, {})),
      export_(button(Symbol::exportFile, tr("Export…"))) {
  build();
  connect(text_, &QTextEdit::textChanged, this, [this] {
    if (form() == table) document_.edit(text_->toPlainText().toStdString(), tr("Type"), typing);
  });
  connect(forms_, &QButtonGroup::idClicked, this, &PreviewPanel::refresh);
  connect(&document, &Document::problemsChanged, this, &PreviewPanel::refresh);
  connect(copy_, &QPushButton::clicked, this, &PreviewPanel::copyText);
  connect(export_, &QPushButton::clicked, this, &PreviewPanel::exportFile);
  refresh();
}

void PreviewPanel::build() {
  const QString titles[] = {tr("Rank table"), tr("Hostfile"), tr("Rankfile"), tr("Placement")};
  auto* header = new QHBoxLayout;
  header->setSpacing(0);
  header->addWidget(title_);
  header->addStretch();
  for (const Form one : {placement, table, hostFile, rankFile}) {
    QPushButton* choice = button(titles[one]);
    choice->setCheckable(true);
    choice->setChecked(one == table);
    forms_->addButton(choice, one);
    header->addWidget(choice);
    if (one == placement) choice->hide();
  }
  joinForms();
  copy_->setToolTip(tr("Copy"));
  copy_->setAccessibleName(tr("Copy the preview"));
  text_->setAccessibleName(tr("Preview"));
  text_->setMinimumHeight(72);
  text_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);  // what is left by the placement above it
  auto* foot = new QHBoxLayout;
  reason_->setWordWrap(true);
  foot->addWidget(reason_, 1);
  foot->addWidget(copy_);
  foot->addWidget(export_);
  views_ = new QStackedLayout;
  views_->addWidget(text_);
  QVBoxLayout* layout = column(this);
  layout->addLayout(header);
  layout->addLayout(views_, 1);
  layout->addLayout(foot);
}

void PreviewPanel::choose(Form form) {
  forms_->button(form)->setChecked(true);
  refresh();
}

void PreviewPanel::takePlacement(QWidget* taken) {
  placement_ = taken;
  views_->addWidget(taken);
  title_->hide();
  forms_->button(placement)->show();
  joinForms();
  choose(placement);
}

QWidget* PreviewPanel::givePlacement() {
  if (placement_ == nullptr) return nullptr;
  views_->removeWidget(placement_);
  title_->show();
  forms_->button(placement)->hide();
  joinForms();
  if (form() == placement) choose(table);
  return std::exchange(placement_, nullptr);
}

/// What is wrong stays in sight where lines are broken at other places.
void PreviewPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  QTimer::singleShot(0, this, [this] {
    if (form() == table && !text_->hasFocus()) showFirst();
  });
}

void PreviewPanel::joinForms() {
  joinSegments({forms_->button(placement), forms_->button(table), forms_->button(hostFile), forms_->button(rankFile)});
}

void PreviewPanel::refresh() {
  const bool places = form() == placement && placement_ != nullptr;
  views_->setCurrentWidget(places ? placement_ : text_);
  copy_->setHidden(places);
  export_->setHidden(places);
  if (places) return reason_->setText({});
  if (form() == table) {
    showTable();
  } else {
    showLines();
  }
  offerExport();
}

void PreviewPanel::showTable() {
  places_.clear();
  text_->setReadOnly(false);
  text_->showText(QString::fromStdString(document_.text()));
  text_->setMarks(markedLines());
  if (!text_->hasFocus()) showFirst();
}

/// A finding of a device: a list of them begins far above the one that is wrong.
void PreviewPanel::showFirst() {
  std::vector<std::string> paths;
  for (const Finding& finding : document_.reading().findings) {
    if (rankTablePath(finding.path).place.device >= 0) paths.push_back(finding.path);
  }
  std::optional<int> first;
  for (const std::optional<int> line : linesOf(document_.text(), paths)) {
    if (line) first = std::min(*line, first.value_or(*line));
  }
  if (first) text_->goToLine(*first);
}

void PreviewPanel::showLines() {
  const auto lines = form() == hostFile ? hostFileLines(document_.lines()) : rankFileLines(document_.lines());
  QString text;
  std::map<int, Verdict> marks;
  places_.clear();
  for (const PlacedLine& line : lines) {
    const auto mark = form() == hostFile ? document_.markOf(line.place, RankTableCell::name)
                                         : document_.markOf(line.place, RankTableCell::rank);
    if (mark) marks[static_cast<int>(places_.size())] = *mark;
    places_.push_back(line.place);
    text += QString::fromStdString(line.text) + QLatin1Char('\n');
  }
  text_->setReadOnly(true);
  text_->showText(text);
  text_->setMarks(marks);
}

/// Lines that something is wrong with: of what contradicts each other, both.
std::map<int, Verdict> PreviewPanel::markedLines() const {
  std::map<int, Verdict> marks;
  const auto mark = [&marks](int line, Verdict severity) {
    const auto [place, isNew] = marks.try_emplace(line, severity);
    if (!isNew) place->second = std::max(place->second, severity);
  };
  std::vector<std::string> paths;
  std::vector<Verdict> severities;
  for (const Finding& finding : document_.reading().findings) {
    if (finding.fault == RankTableFault::syntax) {
      if (const auto line = lineOfSyntax(finding.path)) mark(*line, finding.severity);
      continue;
    }
    for (const std::string& path : {finding.path, finding.related}) {
      if (path.empty()) continue;
      paths.push_back(path);
      severities.push_back(finding.severity);
    }
  }
  const auto lines = linesOf(document_.text(), paths);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i]) mark(*lines[i], severities[i]);
  }
  return marks;
}

void PreviewPanel::offerExport() {
  const bool wrong = document_.isBlank() || document_.reading().verdict() == Verdict::reject;
  QString reason;
  if (wrong && !document_.isBlank()) reason = tr("Export is off until the errors are fixed.");
  if (!wrong && form() != table) {
    const auto made = fileText(document_.reading().table, form() == hostFile);
    if (!made) reason = QString::fromStdString(trim(toText(made.error())));
  }
  reason_->setText(reason);
  export_->setEnabled(!wrong && reason.isEmpty());
  export_->setToolTip(reason);
}

void PreviewPanel::exportFile() {
  const auto made = form() == table ? Result<std::string>(toJsonText(document_.reading().table))
                                    : fileText(document_.reading().table, form() == hostFile);
  if (!made) return;
  const QString names[] = {QStringLiteral("rank_table.json"), QStringLiteral("hostfile"), QStringLiteral("rankfile")};
  const QString name = QFileDialog::getSaveFileName(this, tr("Export"), names[form()]);
  if (name.isEmpty()) return;
  const Status written = diskThread().wait([name, text = *made] { return writeFile(name.toStdString(), text); });
  reason_->setText(written ? tr("Written to %1").arg(name) : QString::fromStdString(toText(written.error())));
}

void PreviewPanel::copyText() {
  QGuiApplication::clipboard()->setText(text_->toPlainText());
}

void PreviewPanel::showLine(int line) {
  choose(table);
  text_->goToLine(line - 1);
  text_->setFocus(Qt::OtherFocusReason);
}

void PreviewPanel::setCurrent(RankTablePosition place) {
  const auto found = std::find(places_.begin(), places_.end(), place);
  if (found != places_.end()) text_->goToLine(static_cast<int>(found - places_.begin()));
}

}  // namespace slipstream::ui
