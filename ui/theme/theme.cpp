// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QFontDatabase>
#include <QFontInfo>
#include <QLocale>
#include <QPalette>
#include <QProxyStyle>
#include <QSaveFile>
#include <QStandardPaths>
#include <QStyle>
#include <algorithm>
#include <atomic>

#include "ui/theme/icons.h"

namespace slipstream::ui {
namespace {

std::atomic<const Tokens*> inForce = &lightTokens();  ///< read by threads that draw
int fontPercent = usualFontPercent;

constexpr int boxIconSize = 24;

/// Fusion with our own shapes in message boxes, and words alone on the buttons of dialogs.
class ApplicationStyle : public QProxyStyle {
 public:
  ApplicationStyle() : QProxyStyle(QStringLiteral("Fusion")) {}

  QIcon standardIcon(StandardPixmap shape, const QStyleOption* option, const QWidget* widget) const override {
    switch (shape) {
      case SP_MessageBoxCritical:
        return icon(Symbol::error, IconInk::error);
      case SP_MessageBoxWarning:
        return icon(Symbol::warning, IconInk::warning);
      case SP_MessageBoxInformation:
      case SP_MessageBoxQuestion:
        return icon(Symbol::information, IconInk::accent);
      default:
        return QProxyStyle::standardIcon(shape, option, widget);
    }
  }
  int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                QStyleHintReturn* more) const override {
    if (hint == SH_DialogButtonBox_ButtonsHaveIcons) return 0;
    return QProxyStyle::styleHint(hint, option, widget, more);
  }
  int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override {
    if (metric == PM_MessageBoxIconSize) return boxIconSize;
    return QProxyStyle::pixelMetric(metric, option, widget);
  }
};

bool isChinese() {
  return QLocale().language() == QLocale::Chinese;
}

/// The system's font; Chinese in a family that has a bold cut, where there is one.
QFont bodyFont() {
  static const QFont system = QApplication::font();
  QFont font = system;
  if (font.pointSizeF() > 0) font.setPointSizeF(font.pointSizeF() * fontPercent / usualFontPercent);
  if (font.pointSizeF() <= 0) font.setPixelSize(font.pixelSize() * fontPercent / usualFontPercent);
  if (!isChinese()) return font;
  // First the family that Latin text uses already: Chinese fonts have letters of their own.
  QStringList families{QFontInfo(system).family()};
  families << QStringLiteral("Noto Sans CJK SC") << QStringLiteral("Noto Sans SC")
           << QStringLiteral("Source Han Sans SC") << QStringLiteral("WenQuanYi Micro Hei");
  font.setFamilies(families);
  return font;
}

/// Qt 6.4 does not tell whether the desktop is dark; the palette that it starts with does.
bool systemIsDark() {
  static const bool dark = QApplication::style()->standardPalette().color(QPalette::Window).lightness() < 128 ||
                           QPalette().color(QPalette::Window).lightness() < 128;
  return dark;
}

QPalette paletteOf(const Tokens& tokens) {
  QPalette palette;
  palette.setColor(QPalette::Window, tokens.window);
  palette.setColor(QPalette::Base, tokens.base);
  palette.setColor(QPalette::AlternateBase, tokens.alternate);
  palette.setColor(QPalette::Button, tokens.button);
  palette.setColor(QPalette::Mid, tokens.hairline);
  palette.setColor(QPalette::Midlight, tokens.shade);
  palette.setColor(QPalette::Light, tokens.base);
  palette.setColor(QPalette::Dark, tokens.control);
  palette.setColor(QPalette::Shadow, tokens.control);
  for (const QPalette::ColorRole role : {QPalette::Text, QPalette::WindowText, QPalette::ButtonText,
                                         QPalette::HighlightedText, QPalette::ToolTipText, QPalette::BrightText}) {
    palette.setColor(role, tokens.text);
    palette.setColor(QPalette::Disabled, role, tokens.disabled);
  }
  palette.setColor(QPalette::PlaceholderText, tokens.secondText);
  palette.setColor(QPalette::Disabled, QPalette::PlaceholderText, tokens.disabled);
  palette.setColor(QPalette::Link, tokens.accent);
  palette.setColor(QPalette::LinkVisited, tokens.accent);
  palette.setColor(QPalette::Highlight, tokens.selection);
  palette.setColor(QPalette::ToolTipBase, tokens.alternate);
  return palette;
}

/// A style sheet shows files only: an icon is written to one in a colour of the theme, once for all windows.
QString tintedFile(const QString& symbol, const QColor& colour) {
  const QString folder = QStandardPaths::writableLocation(QStandardPaths::CacheLocation) + QStringLiteral("/icons");
  const QString name = QStringLiteral("%1/%2-%3.svg").arg(folder, symbol, colour.name().mid(1));
  QFile source(QStringLiteral(":/icons/%1.svg").arg(symbol)), there(name);
  if (!source.open(QIODevice::ReadOnly)) return name;
  const QByteArray svg = source.readAll().replace("currentColor", colour.name().toLatin1());
  if (there.open(QIODevice::ReadOnly) && there.readAll() == svg) return name;
  QDir().mkpath(folder);
  QSaveFile file(name);
  if (file.open(QIODevice::WriteOnly) && file.write(svg) == svg.size()) file.commit();
  return name;
}

/// As style sheets have it: "9pt", or of a font that is given in pixels "12px".
QString sizeOf(const QFont& font) {
  return font.pointSizeF() > 0 ? QStringLiteral("%1pt").arg(font.pointSizeF())
                               : QStringLiteral("%1px").arg(font.pixelSize());
}

/// The style sheet names roles as @role@; they are filled in here.
QString styleSheetOf(const Tokens& tokens) {
  QFile file(QStringLiteral(":/style_sheet.qss"));
  if (!file.open(QIODevice::ReadOnly)) return {};
  QString text = QString::fromUtf8(file.readAll());
  const std::pair<const char*, QColor> roles[] = {{"window", tokens.window},
                                                  {"base", tokens.base},
                                                  {"alternate", tokens.alternate},
                                                  {"shade", tokens.shade},
                                                  {"button", tokens.button},
                                                  {"hairline", tokens.hairline},
                                                  {"control", tokens.control},
                                                  {"text", tokens.text},
                                                  {"secondText", tokens.secondText},
                                                  {"disabled", tokens.disabled},
                                                  {"accent", tokens.accent},
                                                  {"textOnAccent", tokens.textOnAccent},
                                                  {"selection", tokens.selection},
                                                  {"error", tokens.error},
                                                  {"informationTint", tokens.informationTint},
                                                  {"warning", tokens.warning},
                                                  {"warningTint", tokens.warningTint}};
  for (const auto& [name, colour] : roles) {
    text.replace(QLatin1Char('@') + QLatin1String(name) + QLatin1Char('@'), colour.name());
  }
  text.replace(QStringLiteral("@strong@"), QString::number(strongWeight()));
  text.replace(QStringLiteral("@captionSize@"), sizeOf(textFont(TextSize::caption)));
  text.replace(QStringLiteral("@downIcon@"), tintedFile(QStringLiteral("down"), tokens.secondText));
  text.replace(QStringLiteral("@downDisabledIcon@"), tintedFile(QStringLiteral("down"), tokens.disabled));
  text.replace(QStringLiteral("@rightIcon@"), tintedFile(QStringLiteral("right"), tokens.secondText));
  text.replace(QStringLiteral("@upIcon@"), tintedFile(QStringLiteral("up"), tokens.secondText));
  text.replace(QStringLiteral("@closeIcon@"), tintedFile(QStringLiteral("close"), tokens.secondText));
  text.replace(QStringLiteral("@menuTickIcon@"), tintedFile(QStringLiteral("good"), tokens.text));
  text.replace(QStringLiteral("@tickIcon@"), tintedFile(QStringLiteral("good"), tokens.textOnAccent));
  return text;
}

QFont scaled(double difference, bool strong) {
  QFont font = QApplication::font();
  if (font.pointSizeF() > 0) {
    font.setPointSizeF(font.pointSizeF() + difference * 0.75);  // the scale counts pixels at 96 dpi
  } else {
    font.setPixelSize(font.pixelSize() + static_cast<int>(difference));
  }
  if (strong) font.setWeight(strongWeight());
  return font;
}

}  // namespace

void setFontScale(int percent) {
  fontPercent = std::clamp(percent, leastFontPercent, mostFontPercent);
}

void applyTheme(QApplication& application, ThemeChoice choice) {
  const bool dark = choice == ThemeChoice::dark || (choice == ThemeChoice::system && systemIsDark());
  inForce = dark ? &darkTokens() : &lightTokens();
  QApplication::setStyle(new ApplicationStyle);
  QApplication::setFont(bodyFont());
  QApplication::setPalette(paletteOf(tokens()));
  application.setStyleSheet(styleSheetOf(tokens()));
}

const Tokens& tokens() {
  return *inForce;
}

QFont::Weight strongWeight() {
  return isChinese() ? QFont::Bold : QFont::DemiBold;
}

QFont::Weight smallStrongWeight() {
  return isChinese() ? QFont::Normal : strongWeight();
}

QFont textFont(TextSize size) {
  switch (size) {
    case TextSize::caption:
      return scaled(-2, false);
    case TextSize::secondary:
      return scaled(-1, false);
    case TextSize::body:
      return scaled(0, false);
    case TextSize::lead:
      return scaled(1, false);
    case TextSize::reportLead:
      return scaled(2, false);
    case TextSize::section:
      return scaled(0, true);
    case TextSize::pageTitle:
      return scaled(5, true);
    case TextSize::welcomeTitle:
      return scaled(9, true);
    case TextSize::reportTitle:
      return scaled(13, true);
  }
  return scaled(0, false);
}

QFont fixedFont() {
  QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  const QFont body = QApplication::font();
  if (body.pointSizeF() > 0) font.setPointSizeF(body.pointSizeF() - 0.75);
  return font;
}

}  // namespace slipstream::ui
