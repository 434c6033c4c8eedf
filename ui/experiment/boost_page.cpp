// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/boost_page.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QShortcut>
#include <QSplitter>
#include <QStackedWidget>
#include <QTextBrowser>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <utility>

#include "engine/spec/boost_options.h"
#include "ui/documents/document_files.h"
#include "ui/documents/experiment_editing.h"
#include "ui/experiment/dictionary_panel.h"
#include "ui/experiment/forecast_panel.h"
#include "ui/widgets/readme_text.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

const std::string levelKey = "boost.level";
const std::string modeKey = "boost.dictionary.boost.mode";
constexpr std::array modes{"auto", "manual", "enable_all", "disable_all"};

QString modeText(int index) {
  switch (index) {
    case 0:
      return BoostLevelRow::tr("Auto");
    case 1:
      return BoostLevelRow::tr("Manual");
    case 2:
      return BoostLevelRow::tr("All on");
    default:
      return BoostLevelRow::tr("All off");
  }
}

QString sentenceFor(const std::string& level, const std::string& mode) {
  if (level == "O0") return BoostLevelRow::tr("O0 switches every algorithm off.");
  if (mode == "enable_all") return BoostLevelRow::tr("Every algorithm that can act is on.");
  if (mode == "disable_all") return BoostLevelRow::tr("Every algorithm is off.");
  if (mode == "manual" && level == "O1") return BoostLevelRow::tr("Manual: the switches override level O1.");
  if (mode == "manual") return BoostLevelRow::tr("Manual: the switches override level O2.");
  if (level == "O1") return BoostLevelRow::tr("O1 turns on less batch norm and gradient freeze.");
  return BoostLevelRow::tr("O2 turns on Adasum, less batch norm and gradient freeze.");
}

std::string valueAt(const ExperimentEditing& editing, const std::string& path, const char* otherwise) {
  const FormKey* key = editing.key(path);
  return key != nullptr && key->value.is_string() ? key->value.get<std::string>() : otherwise;
}

constexpr int formShare = 54, sideShare = 46;

}  // namespace

BoostLevelRow::BoostLevelRow(ExperimentEditing& editing, QWidget* parent)
    : QWidget(parent),
      editing_(editing),
      level_(new SegmentedControl({QStringLiteral("O0"), QStringLiteral("O1"), QStringLiteral("O2")})),
      mode_(new QComboBox),
      sentence_(new ElidedLabel) {
  QHBoxLayout* row = rowLayout(this);
  for (int i = 0; i < static_cast<int>(modes.size()); ++i) {
    mode_->addItem(modeText(i));
    mode_->setItemData(i, QString::fromLatin1(modes[static_cast<std::size_t>(i)]), Qt::ToolTipRole);
  }
  mode_->setMinimumWidth(120);
  mode_->setAccessibleName(tr("Mode"));
  level_->setAccessibleName(tr("Level"));
  sentence_->setProperty("second", true);
  row->addWidget(label(tr("Level"), TextSize::body, true));
  row->addWidget(level_);
  row->addSpacing(gapWide);
  row->addWidget(label(tr("Mode"), TextSize::body, true));
  row->addWidget(mode_);
  row->addSpacing(gapSmall);
  row->addWidget(sentence_, 1);
  connect(level_, &SegmentedControl::chosen, this,
          [this](int index) { editing_.set(levelKey, boostLevels[static_cast<std::size_t>(index)].first); });
  connect(mode_, &QComboBox::activated, this,
          [this](int index) { editing_.set(modeKey, modes[static_cast<std::size_t>(index)]); });
}

void BoostLevelRow::refresh() {
  const std::string level = valueAt(editing_, levelKey, "O0");
  const std::string mode = valueAt(editing_, modeKey, "auto");
  const auto found = std::ranges::find_if(boostLevels, [&](const auto& word) { return word.first == level; });
  level_->setCurrent(found == boostLevels.end() ? -1 : static_cast<int>(found - boostLevels.begin()));
  const auto place = std::ranges::find(modes, mode);
  mode_->setCurrentIndex(place == modes.end() ? -1 : static_cast<int>(place - modes.begin()));
  level_->setQuiet(level != "O0" && mode != "auto");  // what it says is overridden
  mode_->setEnabled(level != "O0");
  mode_->setToolTip(level == "O0" ? tr("Level O0 switches every algorithm off") : QString());
  sentence_->setWhole(sentenceFor(level, mode));
}

QWidget* BoostLevelRow::control(const std::string& path) const {
  if (path == levelKey || path == "boost") return level_;
  return path == modeKey ? mode_ : nullptr;
}

HelpPanel::HelpPanel(QWidget* parent)
    : QWidget(parent), title_(label(QString(), TextSize::section)), text_(new QTextBrowser) {
  QVBoxLayout* layout = column(this);
  auto* header = new QHBoxLayout;
  QToolButton* close = iconButton(Symbol::close, tr("Close the help (Esc)"));
  header->addWidget(title_, 1);
  header->addWidget(close);
  layout->addLayout(header);
  layout->addWidget(text_, 1);
  text_->setOpenLinks(false);
  connect(close, &QToolButton::clicked, this, &HelpPanel::closed);
  auto* escape = new QShortcut(Qt::Key_Escape, this, nullptr, nullptr, Qt::WidgetWithChildrenShortcut);
  connect(escape, &QShortcut::activated, this, &HelpPanel::closed);
}

void HelpPanel::showSection(const BoostSectionSpec& section) {
  section_ = section;
  title_->setText(titleOf(section));
  const QString page = readmeOf(section);
  showReadme(*text_, page.isEmpty() ? tr("There is no page about this.") : page);
  text_->setFocus(Qt::OtherFocusReason);
}

void HelpPanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && section_ && isVisible()) showSection(*section_);
}

BoostPage::BoostPage(Workspace& workspace, QWidget* parent) : ExperimentPage(workspace, parent) {}

void BoostPage::buildBody(QVBoxLayout& rows) {
  level_ = new BoostLevelRow(editing(), rows.parentWidget());
  rows.addWidget(level_);
  QSplitter& split = addSplitter(rows);
  buildForm(split);
  buildSide(split);
  split.setStretchFactor(0, formShare);
  split.setStretchFactor(1, sideShare);
  split.setSizes({formShare * 10, sideShare * 10});
}

void BoostPage::buildForm(QSplitter& split) {
  scroll_ = new QScrollArea(&split);
  form_ = new QWidget(scroll_->viewport());
  scroll_->setWidgetResizable(true);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setWidget(form_);
  scroll_->viewport()->setAutoFillBackground(false);
  form_->setAutoFillBackground(false);
  QVBoxLayout* layout = column(form_, 0);
  layout->setContentsMargins(0, 0, gapWide, 0);
  auto* card = new QFrame(form_);
  layout->addWidget(card);
  card->setProperty("card", true);
  QVBoxLayout* rows = column(card, 0);
  for (const BoostSectionSpec& spec : boostSectionSpecs()) {
    if (!sections_.empty()) rows->addWidget(hairline());
    auto* section = new BoostSection(editing(), spec, card);
    connect(section, &BoostSection::helpWanted, this, &BoostPage::showHelp);
    rows->addWidget(section);
    sections_.push_back(section);
  }
  layout->addStretch();
}

void BoostPage::buildSide(QSplitter& split) {
  side_ = new QStackedWidget(&split);
  side_->setContentsMargins(gapWide, 0, 0, 0);
  auto* usual = new QWidget(side_);
  dictionary_ = new DictionaryPanel(editing(), usual);
  forecast_ = new ForecastPanel(editing(), usual);
  help_ = new HelpPanel(side_);
  QVBoxLayout* layout = column(usual, gapWide);
  layout->addWidget(dictionary_, 1);
  layout->addWidget(forecast_);
  side_->addWidget(usual);
  side_->addWidget(help_);
  connect(help_, &HelpPanel::closed, this, [this] { side_->setCurrentIndex(0); });
  fitForecast();
}

void BoostPage::refreshPlan() {
  const bool readable = editing().isReadable();
  form_->setEnabled(readable);
  level_->setEnabled(readable);
  forecast_->refresh();
  if (!readable) return;
  level_->refresh();
  for (BoostSection* section : sections_) section->refresh();
}

void BoostPage::showHelp(const BoostSectionSpec& section) {
  help_->showSection(section);
  side_->setCurrentIndex(1);
}

/// Places of boosting are shown here, the others on the plan's page.
void BoostPage::showPlace(const QString& place) {
  if (!editing().isReadable()) return;
  const std::string path = keyPathOf(editing().keyOf(place));
  QWidget* control = level_->control(path);
  for (BoostSection* section : sections_) {
    if (control == nullptr) control = section->reveal(path);
  }
  if (control == nullptr && !path.starts_with("boost.dictionary")) return;
  workspace().showPage(id());
  side_->setCurrentIndex(0);
  if (control == nullptr) return dictionary_->showKey(path);
  scroll_->ensureWidgetVisible(control);
  control->setFocus(Qt::OtherFocusReason);
}

void BoostPage::resizeEvent(QResizeEvent* event) {
  Page::resizeEvent(event);
  fitForecast();
}

void BoostPage::fitForecast() {
  if (forecast_ == nullptr) return;
  constexpr int roomForEverything = 520;
  const bool little = height() < roomForEverything;
  if (little != std::exchange(little_, little)) forecast_->setFolded(little);
}

}  // namespace slipstream::ui
