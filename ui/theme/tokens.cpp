// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/tokens.h"

#include <QCoreApplication>
#include <algorithm>

#include "engine/document/drawing.h"

namespace slipstream::ui {
namespace {

QColor hex(const char* name) {
  return QColor(QLatin1String(name));
}

Tokens makeLight() {
  Tokens tokens;
  tokens.window = hex("#F3F4F6");
  tokens.base = hex("#FFFFFF");
  tokens.alternate = hex("#F8F9FA");
  tokens.shade = hex("#EDEFF2");
  tokens.button = hex("#FFFFFF");
  tokens.hairline = hex("#DADDE1");
  tokens.control = hex("#858C95");
  tokens.text = hex("#1A1E23");
  tokens.secondText = hex("#565E68");
  tokens.disabled = hex("#9AA1AA");
  tokens.accent = hex("#1A5FA8");
  tokens.textOnAccent = hex("#FFFFFF");
  tokens.selection = hex("#DCE8F5");
  tokens.good = hex("#1C7A3E");
  tokens.warning = hex("#8A5A00");
  tokens.error = hex("#B8261F");
  tokens.lost = hex("#7646A6");
  tokens.warningTint = hex("#FCF1D8");
  tokens.errorTint = hex("#FBE8E6");
  tokens.informationTint = hex("#E6EFF9");
  tokens.chartGrid = hex("#E8EAED");
  tokens.chartAxis = hex("#7B828B");
  return tokens;
}

Tokens makeDark() {
  Tokens tokens;
  tokens.dark = true;
  tokens.window = hex("#1D2023");
  tokens.base = hex("#15171A");
  tokens.alternate = hex("#191C1F");
  tokens.shade = hex("#23272B");
  tokens.button = hex("#282C31");
  tokens.hairline = hex("#33383E");
  tokens.control = hex("#757C86");
  tokens.text = hex("#E4E7EA");
  tokens.secondText = hex("#A4ABB4");
  tokens.disabled = hex("#6A717A");
  tokens.accent = hex("#7FB3EC");
  tokens.textOnAccent = hex("#0C1826");
  tokens.selection = hex("#223650");
  tokens.good = hex("#5FBF80");
  tokens.warning = hex("#DDAE4C");
  tokens.error = hex("#F08A80");
  tokens.lost = hex("#BF97E6");
  tokens.warningTint = hex("#33290F");
  tokens.errorTint = hex("#3A1F1D");
  tokens.informationTint = hex("#1B2A3B");
  tokens.chartGrid = hex("#25292E");
  tokens.chartAxis = hex("#7E858E");
  tokens.rawLineOpacity = 0.48;
  return tokens;
}

struct Memory {
  Q_DECLARE_TR_FUNCTIONS(Memory)
};

}  // namespace

const Tokens& lightTokens() {
  static const Tokens tokens = makeLight();
  return tokens;
}

const Tokens& darkTokens() {
  static const Tokens tokens = makeDark();
  return tokens;
}

namespace {

QString words(std::string_view text) {
  return QString::fromLatin1(text.data(), std::ssize(text));
}

}  // namespace

QColor seriesColour(std::string_view colour) {
  return {words(colour)};
}

RunStroke runPen(int slot) {
  slot = std::max(slot, 0);
  QList<double> dashes;
  for (const QString& length : words(runDashes(slot)).split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
    dashes << length.toDouble();
  }
  return {seriesColour(runColour(slot)), dashes};
}

QColor partColour(Part part) {
  static const std::array<QColor, 8> table{hex("#3F63AB"), hex("#5C8AD1"), hex("#949393"), hex("#B6783C"),
                                           hex("#767480"), hex("#A74836"), hex("#9C6CA8"), hex("#4A8A78")};
  return table[static_cast<std::size_t>(part)];
}

QColor sequentialColour(double share) {
  return QColor::fromRgb(mapRgb(share));
}

std::vector<MemoryKind> memoryKinds() {
  return {{"activations", Memory::tr("Activations"), Part::compute},
          {"weights", Memory::tr("Weights"), Part::optimizer},
          {"gradients", Memory::tr("Gradients"), Part::checkpoint},
          {"boost", Memory::tr("Boost buffers"), Part::communication},
          {"optimizer_state", Memory::tr("Optimizer state"), Part::recording},
          {"gather", Memory::tr("All-gather buffers"), Part::gather},
          {"data", Memory::tr("Data"), Part::data}};
}

bool hidesOtherMemory(std::int64_t data, std::int64_t together) {
  constexpr double mostOfBar = 0.6;
  return static_cast<double>(data) > mostOfBar * static_cast<double>(together);
}

}  // namespace slipstream::ui
