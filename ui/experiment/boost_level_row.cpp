// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/boost_level_row.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <algorithm>
#include <array>

#include "engine/plan/boost_options.h"
#include "ui/experiment/experiment_editing.h"
#include "ui/experiment/segments.h"
#include "ui/parts/parts.h"

namespace slipstream::ui {
namespace {

const std::string levelKey = "boost.level";
const std::string modeKey = "boost.dictionary.boost.mode";
constexpr std::array modes{"auto", "manual", "enable_all", "disable_all"};

QString modeWords(int index) {
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
  if (mode == "manual" && level == "O1") return BoostLevelRow::tr("The switches below decide, above what O1 turns on.");
  if (mode == "manual") return BoostLevelRow::tr("The switches below decide, above what O2 turns on.");
  if (level == "O1") return BoostLevelRow::tr("O1 turns on less batch norm and gradient freeze.");
  return BoostLevelRow::tr("O2 turns on Adasum, less batch norm and gradient freeze.");
}

std::string wordAt(const ExperimentEditing& editing, const std::string& path, const char* otherwise) {
  const FormKey* key = editing.key(path);
  return key != nullptr && key->value.is_string() ? key->value.get<std::string>() : otherwise;
}

}  // namespace

BoostLevelRow::BoostLevelRow(ExperimentEditing& editing, QWidget* parent)
    : QWidget(parent),
      editing_(editing),
      level_(new Segments({QStringLiteral("O0"), QStringLiteral("O1"), QStringLiteral("O2")})),
      mode_(new QComboBox),
      sentence_(new ElidedLabel) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(gapText);
  for (int i = 0; i < static_cast<int>(modes.size()); ++i) {
    mode_->addItem(modeWords(i));
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
  connect(level_, &Segments::chosen, this,
          [this](int index) { editing_.set(levelKey, boostLevels[static_cast<std::size_t>(index)].first); });
  connect(mode_, &QComboBox::activated, this,
          [this](int index) { editing_.set(modeKey, modes[static_cast<std::size_t>(index)]); });
}

void BoostLevelRow::refresh() {
  const std::string level = wordAt(editing_, levelKey, "O0");
  const std::string mode = wordAt(editing_, modeKey, "auto");
  const auto found = std::ranges::find_if(boostLevels, [&](const auto& word) { return word.first == level; });
  level_->setCurrent(found == boostLevels.end() ? -1 : static_cast<int>(found - boostLevels.begin()));
  const auto place = std::ranges::find(modes, mode);
  mode_->setCurrentIndex(place == modes.end() ? -1 : static_cast<int>(place - modes.begin()));
  mode_->setEnabled(level != "O0");
  mode_->setToolTip(level == "O0" ? tr("Level O0 switches every algorithm off") : QString());
  sentence_->setWhole(sentenceFor(level, mode));
}

QWidget* BoostLevelRow::control(const std::string& path) const {
  if (path == levelKey || path == "boost") return level_;
  return path == modeKey ? mode_ : nullptr;
}

}  // namespace slipstream::ui
